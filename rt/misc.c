// SPDX-License-Identifier: MIT
// What the checker offers to programs (<heddle.h>), errno, time and sleeping.
#include <errno.h>
#include <heddle.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "sync.h"

// -- errno

__thread int __heddle_errno;

// -- assumptions, assertions, choices

void heddle_assume(int condition) {
  __heddle_assume(condition);
}

void __assert_fail(const char *expression, const char *file, unsigned line,
                   const char *function) {
  __heddle_assert_fail(expression, file, line, function);
}

// The same on macOS.
void __assert_rtn(const char *function, const char *file, int line,
                  const char *expression);
void __assert_rtn(const char *function, const char *file, int line,
                  const char *expression) {
  __heddle_assert_fail(expression, file, (unsigned)line, function);
}

void heddle_unreachable(void) {
  __heddle_fail(FIND_UNREACHABLE, "heddle_unreachable was reached");
}

long heddle_choose(long lo, long hi) {
  return __heddle_choose(lo, hi);
}

// -- letting others run

int sched_yield(void) {
  __heddle_yield();
  return 0;
}

unsigned sleep(unsigned seconds) {
  (void)seconds;
  __heddle_yield();
  return 0;
}

int usleep(useconds_t microseconds) {
  (void)microseconds;
  __heddle_yield();
  return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *left) {
  (void)duration, (void)left;
  __heddle_yield();
  return 0;
}

// -- clocks stand still

time_t time(time_t *ret) {
  if (ret)
    *ret = 0;
  return 0;
}

clock_t clock(void) {
  return 0;
}

double difftime(time_t end, time_t begin) {
  return (double)(end - begin);
}

int clock_gettime(clockid_t clock, struct timespec *ret) {
  (void)clock;
  ret->tv_sec = 0;
  ret->tv_nsec = 0;
  return 0;
}

int timespec_get(struct timespec *ret, int base) {
  clock_gettime(CLOCK_REALTIME, ret);
  return base;
}

int gettimeofday(struct timeval *restrict ret, void *restrict zone) {
  (void)zone;
  ret->tv_sec = 0;
  ret->tv_usec = 0;
  return 0;
}

pid_t getpid(void) {
  return 1;
}
