// SPDX-License-Identifier: MIT
// What the checker offers to programs (<heddle.h>), errno and sleeping.
#include <errno.h>
#include <heddle.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
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
  time_passes(seconds, 0);
  __heddle_yield();
  return 0;
}

int usleep(useconds_t microseconds) {
  time_passes_us(microseconds);
  __heddle_yield();
  return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *left) {
  (void)left;
  time_passes_for(duration);
  __heddle_yield();
  return 0;
}

pid_t getpid(void) {
  return 1;
}
