// SPDX-License-Identifier: MIT
// Clocks. A program that asks for the time must find that a wait with a
// deadline which gave up has come to its deadline, and that it has slept for as
// long as it wanted: libstdc++'s wait_for says "timeout" only if its clock says
// so. A clock begins at one second, since code takes 0 for "never". Between any
// two looks at a clock a thread may have been away for longer than any
// deadline, so a loop that spins until a deadline gives up in some executions.
// What happens before a look is never later on the clock.
//
// Of all the times that may be, these are tried: nothing else has passed, or a
// day has, at most LATE times in a thread (what would be later is left out, and
// the answer says that this was supposed). Sleeps and deadlines move a clock
// PASSES times in a thread. Then it stands still: a loop that waits with a
// deadline comes back to the state that it was in, and is known as one that
// waits. The thread's own time is private memory without events.
//
// The headers of C++ ask the clock once behind each wait that gave up, so that
// they must find it at the deadline for the third time too: what they ask next
// says so, and then the clock is where it stood.
#include <errno.h>
#include <sys/time.h>
#include <time.h>

#include "base/clocks.h"
#include "builtin.h"
#include "clock.h"

enum { PASSES = 2, LATE = 2 };
#define SECOND 1000000000ll
#define DAY (86400 * SECOND + 1001001) // no unit of a clock says the same

extern const int __heddle_option_still_clocks;

// Does the program ask for the time? If not, nothing is left of this. (Macros,
// so that what they leave out is left out before waits are looked for.)
#define ASKS(name) extern const int __heddle_mentions_##name;
CLOCKS(ASKS)
CLOCKS_OF_CXX(ASKS)
#define OR(name) || __heddle_mentions_##name
#define IS_ASKED_BY_CXX (0 CLOCKS_OF_CXX(OR))
#define IS_ASKED (0 CLOCKS(OR) CLOCKS_OF_CXX(OR))

static _Thread_local long long now = SECOND; // nanoseconds
static _Thread_local int passed;             // times
static _Thread_local int late;               // times
static _Thread_local int has_looked;
static _Thread_local int has_company; // it has created a thread
static _Thread_local int has_slept;   // since it was asked
static _Thread_local long long once;  // what C++ is told next, if it is later

// It is `to`, or so much more than what has been until now: what others have
// said before, too, of which this thread may know.
static void move_to(long long to, long long more) {
  if (to + more <= now)
    return;
  if (passed == PASSES) {
    if (IS_ASKED_BY_CXX)
      once = to + more;
    return;
  }
  passed++;
  now = __heddle_clock(to, more);
}

void time_has_company(void) {
  if (IS_ASKED)
    has_company = 1;
}

// The thread looks at its clock. (Before the first look of all, no time has
// passed that anybody could tell.)
static void look(void) {
  int is_first = !has_looked && !has_company && __heddle_self() == 0;
  has_looked = 1;
  if (__heddle_option_still_clocks || is_first) {
    now = __heddle_clock(now, 0);
    return;
  }
  int is_late = (int)__heddle_choose(0, 1);
  __heddle_assume(!is_late || late < LATE);
  late += is_late;
  now = __heddle_clock(now, is_late ? DAY : 0);
}

// The sum, or -1 if it is too large.
static long long nanoseconds(long long seconds, long long rest) {
  long long ret;
  return __builtin_mul_overflow(seconds, SECOND, &ret) ||
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
    move_to(now, duration);
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
    move_to(nanoseconds(end->tv_sec, end->tv_nsec), 0);
}

long long time_asked(void) {
  long long ret = once;
  once = 0;
  if (ret > now)
    return ret;
  look();
  return now;
}

long long time_stood(void) {
  return now;
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
  look();
  time_t seconds = now / SECOND;
  if (ret)
    *ret = seconds;
  return seconds;
}

// What the processor has worked is nothing, or all the time.
clock_t clock(void) {
  look();
  return now / (SECOND / CLOCKS_PER_SEC);
}

double difftime(time_t end, time_t begin) {
  return (double)(end - begin);
}

int clock_gettime(clockid_t clock, struct timespec *ret) {
  (void)clock;
  look();
  ret->tv_sec = now / SECOND;
  ret->tv_nsec = now % SECOND;
  return 0;
}

int timespec_get(struct timespec *ret, int base) {
  clock_gettime(CLOCK_REALTIME, ret);
  return base;
}

int gettimeofday(struct timeval *restrict ret, void *restrict zone) {
  (void)zone;
  look();
  ret->tv_sec = now / SECOND;
  ret->tv_usec = now % SECOND / 1000;
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
