// SPDX-License-Identifier: MIT
// Headers and declarations that Heddle does not have come from the host, beside
// Heddle's own; functions behind them are asked for only if they are called.
// run: args=--still-clocks all ok 2
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <immintrin.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count;
static int verbose;

static void log_time(const char *what) {
  time_t now = time(NULL);
  struct tm parts;
  struct rusage usage;
  if (!verbose)
    return;
  getrusage(RUSAGE_SELF, &usage);
  fprintf(stderr, "%s: %s", what, asctime(localtime_r(&now, &parts)));
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  log_time("work");
  int *scratch = alloca(4 * sizeof *scratch);
  scratch[3] = 1;
  count += scratch[3];
  _mm_pause();
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a;
  errno = EAGAIN;
  pthread_create(&a, NULL, work, NULL);
  work(NULL);
  pthread_join(a, NULL);
  assert(count == 2 && errno == EAGAIN && RAND_MAX == 3);
  return 0;
}
