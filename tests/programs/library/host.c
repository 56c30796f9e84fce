// SPDX-License-Identifier: MIT
// What programs ask and tell the operating system, with one answer for all.
// expect: all ok 1
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static void ask_about_processors(void) {
  unsigned cpu = 7, node = 7;
  assert(getcpu(&cpu, &node) == 0 && cpu == 0 && node == 0);
  cpu_set_t set, *large = CPU_ALLOC(100);
  assert(sched_getaffinity(0, sizeof set, &set) == 0);
  assert(CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set));
  size_t size = CPU_ALLOC_SIZE(100);
  CPU_ZERO_S(size, large);
  CPU_SET_S(99, size, large);
  assert(CPU_COUNT_S(size, large) == 1);
  CPU_FREE(large);
  struct sched_param p = {.sched_priority = 1};
  assert(sched_setscheduler(0, SCHED_FIFO, &p) == 0);
  assert(sched_get_priority_max(SCHED_FIFO) > sched_get_priority_min(SCHED_RR));
}

static void ask_about_limits(void) {
  struct rlimit limit;
  struct rusage usage;
  struct tms spent;
  struct utsname names;
  char name[16];
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  assert(limit.rlim_cur == RLIM_INFINITY);
  assert(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss == 0);
  assert(times(&spent) == 0 && spent.tms_utime == 0);
  assert(uname(&names) == 0 && names.sysname[0] == 'L' && !names.release[5]);
  assert(gethostname(name, sizeof name) == 0 && name[0]);
  assert(sysconf(_SC_CLK_TCK) == 100 && sysconf(_SC_PHYS_PAGES) > 0);
  assert(getppid() > 0 && nice(1) == 0);
}

int main(void) {
  ask_about_processors();
  ask_about_limits();
  assert(poll(NULL, 0, 10) == 0);
  struct timeval soon = {0, 5};
  assert(select(0, NULL, NULL, NULL, &soon) == 0);
  assert(write(1, "text\n", 5) == 5 && !isatty(1) && fileno(stdout) == 1);
  warnx("number %d", 3);
  void *page = pvalloc(1);
  assert(malloc_usable_size(page) == 4096);
  free(page);
  pthread_mutex_lock(&adaptive);
  pthread_mutex_unlock(&adaptive);
  if (getppid() == 0)
    errx(1, "no parent");
  return 0;
}
