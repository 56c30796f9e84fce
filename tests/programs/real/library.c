// SPDX-License-Identifier: MIT
// Functions that programs call beside their algorithms, each with its answer.
// expect: rc11 ok 16
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void numbers(void) {
  int d = 0, n = 0;
  unsigned x = 0;
  long l = 0;
  double f = 0;
  float g = 0;
  char word[8] = "", set[8] = "", c = 0;
  assert(ffs(8) == 4 && ffsl(1l << 40) == 41 && ffsll(0) == 0);
  assert(sscanf(" 12 0x1f word;abc-9", "%d %x %7[^;];%c%*2c%ld%n", &d, &x, word,
                &c, &l, &n) == 5);
  assert(d == 12 && x == 31 && strcmp(word, "word") == 0 && c == 'a');
  assert(l == -9 && n == 19);
  assert(sscanf("2.5e1,-0.25 tail", "%lf,%f %3s", &f, &g, set) == 3);
  assert(f == 25 && g == -0.25f && strcmp(set, "tai") == 0);
  assert(sscanf("", "%d", &d) == EOF && sscanf("x", "%d", &d) == 0);
  char *end;
  const char *text = " -1.5e2z";
  assert(strtod(text, &end) == -150 && *end == 'z' && atof("0x1p4") == 16);
  assert(strtod("none", &end) == 0 && *end == 'n');
  assert(strtod("inf", NULL) > 1e308 && strtof(".5", NULL) == 0.5f);
}

static int by_value(const void *a, const void *b, void *sign) {
  return *(int *)sign * (*(const int *)a - *(const int *)b);
}

static void memory(void) {
  int down = -1, numbers[] = {1, 3, 2};
  qsort_r(numbers, 3, sizeof *numbers, by_value, &down);
  assert(numbers[0] == 3 && numbers[2] == 1);
  char *text;
  assert(asprintf(&text, "%d-%s", 7, "x") == 3 && strcmp(text, "7-x") == 0);
  assert(malloc_usable_size(text) >= 4);
  free(text);
  free(memalign(64, 100));
  char *pages = mmap(NULL, 5000, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(pages != MAP_FAILED && pages[4999] == 0);
  pages[0] = 1;
  assert(munmap(pages, 5000) == 0);
  assert(getpagesize() == 4096 && sysconf(_SC_PAGESIZE) == 4096);
}

static void machine(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  assert(sched_getcpu() == 0 && sysconf(_SC_NPROCESSORS_ONLN) == 1);
  assert(gettid() == syscall(SYS_gettid) && getpid() == 1);
  struct timespec t;
  assert(clock_getres(CLOCK_MONOTONIC, &t) == 0 && t.tv_nsec == 1);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
  signal(SIGPIPE, SIG_IGN);
  assert(getenv("HOME") == NULL && setlocale(LC_ALL, "") != NULL);
  unsigned char bytes[4];
  assert(getrandom(bytes, sizeof bytes, 0) == 4 && bytes[0] <= 3);
}

static void options(void) {
  char *words[] = {"program", "-v", "-n3", "--size=7", "--fast", "rest", NULL};
  int fast = 0, size = 0, count = 0, verbose = 0;
  const struct option known[] = {{"size", required_argument, NULL, 's'},
                                 {"fast", no_argument, &fast, 1},
                                 {0}};
  for (int c; (c = getopt_long(6, words, "vn:", known, NULL)) != -1;) {
    switch (c) {
    case 'v':
      verbose = 1;
      break;
    case 'n':
      count = atoi(optarg);
      break;
    case 's':
      size = atoi(optarg);
      break;
    case '?':
      assert(0);
    }
  }
  assert(verbose && count == 3 && size == 7 && fast && optind == 5);
}

static void *nothing(void *arg) {
  return arg;
}

static void threads(void) {
  pthread_t a, b;
  pthread_mutexattr_t attr;
  pthread_mutex_t lock;
  int robust;
  pthread_mutexattr_init(&attr);
  assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) == 0);
  assert(pthread_mutexattr_getrobust(&attr, &robust) == 0);
  assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP) == 0);
  pthread_mutex_init(&lock, &attr);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_create(&a, NULL, nothing, NULL);
  pthread_create(&b, NULL, nothing, NULL);
  if (pthread_tryjoin_np(a, NULL) == EBUSY)
    pthread_join(a, NULL);
  if (pthread_timedjoin_np(b, NULL, &(struct timespec){1, 0}) == ETIMEDOUT)
    pthread_join(b, NULL);
}

int main(void) {
  numbers();
  memory();
  machine(); // getrandom: four values
  options();
  threads(); // two joins that may give up
  char out[4];
  assert(memcpy_s(out, 4, "abc", 4) == 0 && memcpy_s(out, 2, "abc", 4) != 0);
  assert(out[0] == 0 && strcpy_s(out, 4, "abcd") != 0);
  assert(strcpy_s(out, 4, "a") == 0 && strcat_s(out, 4, "bc") == 0);
  assert(strcmp(out, "abc") == 0 && strnlen_s(out, 9) == 3);
  return 0;
}
