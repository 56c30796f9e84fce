// SPDX-License-Identifier: MIT
// Clocks. A program that asks for the time must find that a wait with a
// deadline which gave up has come to its deadline, and that it has slept for as
// long as it wanted: libstdc++'s wait_for says "timeout" only if its clock says
// so. So each thread has a clock of its own, private memory without events,
// which moves where the thread sleeps or gives up. Nothing else takes time.
//
// It moves PASSES times in a thread and then stands still: a loop that waits
// with a deadline comes back to the state that it was in, and is known as one
// that waits. A thread that is created begins at 0, and a join brings no time.
//
// The headers of C++ ask the clock once behind each wait that gave up, so that
// they must find it at the deadline for the third time too: what they ask next
// says so, and then the clock is where it stood.
#include <errno.h>
#include <sys/time.h>
#include <time.h>

#include "clock.h"

enum { PASSES = 2 };
static const long long second = 1000000000;

// Does the program ask for the time? If not, nothing is left of this. (The
// functions of C++ are std::chrono's now(), of libstdc++ and libc++.)
#define ASKS(name) extern const int __heddle_mentions_##name;
#define CLOCKS(_)                                                              \
  _(clock_gettime)                                                             \
  _(gettimeofday)                                                              \
  _(time)                                                                      \
  _(timespec_get)
#define CLOCKS_OF_CXX(_)                                                       \
  _(_ZNSt6chrono3_V212steady_clock3nowEv)                                      \
  _(_ZNSt6chrono3_V212system_clock3nowEv)                                      \
  _(_ZNSt3__16chrono12steady_clock3nowEv)                                      \
  _(_ZNSt3__16chrono12system_clock3nowEv)
CLOCKS(ASKS)
CLOCKS_OF_CXX(ASKS)
#define OR(name) || __heddle_mentions_##name
#define IS_ASKED_BY_CXX (0 CLOCKS_OF_CXX(OR))
#define IS_ASKED (0 CLOCKS(OR) CLOCKS_OF_CXX(OR))

static _Thread_local long long now;  // nanoseconds
static _Thread_local int passed;     // times
static _Thread_local int has_slept;  // since it was asked
static _Thread_local long long once; // what C++ is told next, if it is later

static void move_to(long long to) {
  if (to <= now)
    return;
  if (passed == PASSES) {
    if (IS_ASKED_BY_CXX)
      once = to;
    return;
  }
  passed++;
  now = to;
}

// The sum, or -1 if it is too large.
static long long nanoseconds(long long seconds, long long rest) {
  long long ret;
  return __builtin_mul_overflow(seconds, second, &ret) ||
                 __builtin_add_overflow(ret, rest, &ret)
             ? -1
             : ret;
}

void time_passes(long long seconds, long long rest) {
  if (!IS_ASKED)
    return;
  has_slept = 1;
  long long duration = nanoseconds(seconds, rest), to;
  if (duration >= 0 && !__builtin_add_overflow(now, duration, &to))
    move_to(to);
}

void time_passes_us(unsigned microseconds) {
  if (IS_ASKED)
    time_passes(0, microseconds * 1000ll);
}

void time_passes_for(const struct timespec *duration) {
  if (IS_ASKED)
    time_passes(duration->tv_sec, duration->tv_nsec);
}

void time_passes_until(const struct timespec *end) {
  if (IS_ASKED)
    move_to(nanoseconds(end->tv_sec, end->tv_nsec));
}

long long time_asked(void) {
  long long ret = once > now ? once : now;
  once = 0;
  return ret;
}

int time_slept(void) {
  int ret = has_slept;
  has_slept = 0;
  return ret;
}

int time_over(int error, const struct timespec *end) {
  if (error == ETIMEDOUT)
    time_passes_until(end);
  return error;
}

// -- what the program asks

time_t time(time_t *ret) {
  time_t seconds = now / second;
  if (ret)
    *ret = seconds;
  return seconds;
}

// What the processor has worked is nothing.
clock_t clock(void) {
  return 0;
}

double difftime(time_t end, time_t begin) {
  return (double)(end - begin);
}

int clock_gettime(clockid_t clock, struct timespec *ret) {
  (void)clock;
  ret->tv_sec = now / second;
  ret->tv_nsec = now % second;
  return 0;
}

int timespec_get(struct timespec *ret, int base) {
  clock_gettime(CLOCK_REALTIME, ret);
  return base;
}

int gettimeofday(struct timeval *restrict ret, void *restrict zone) {
  (void)zone;
  ret->tv_sec = now / second;
  ret->tv_usec = now % second / 1000;
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *ret);

int clock_getres(clockid_t clock, struct timespec *ret) {
  (void)clock;
  if (ret) {
    ret->tv_sec = 0;
    ret->tv_nsec = 1;
  }
  return 0;
}
