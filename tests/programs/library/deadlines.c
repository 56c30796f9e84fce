// SPDX-License-Identifier: MIT
// A thread may be away for long between two looks at a clock, so a loop that
// spins until a deadline may give up, whichever clock it looks at: with CLOCK,
// the assertion that it need not fails. It may give up twice, too (TWICE), and
// a value that was good when the clock was looked at may be too old when it is
// used (LEASE). With ORDER, no clock goes back: not in a thread, not from
// creating a thread to its start, not from its end to the join, nor along
// synchronisation: main's two looks that may be late, the 7 ways of three looks
// of which at most two are, and the 6 of one or two more, are 168 executions.
// run: flags=-DCLOCK=0 sc,tso,rc11,imm,armv8,c11,xmm,power error assertion
// run: flags=-DCLOCK=1 sc,rc11,armv8 error assertion
// run: flags=-DCLOCK=2 sc,rc11,armv8 error assertion
// run: flags=-DCLOCK=3 sc,rc11,armv8 error assertion
// run: flags=-DCLOCK=4 sc,rc11,armv8 error assertion
// run: args=--still-clocks flags=-DCLOCK=0 sc,rc11,armv8 ok 1
// run: flags=-DTWICE sc,rc11,armv8 error assertion
// run: flags=-DLEASE sc,rc11,armv8 error assertion
// run: flags=-DORDER sc,tso,pso,ra,rc11,imm,armv8,c11,xmm,jam21,power ok 168
// run: flags=-DONCE sc,rc11,armv8 ok 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;

static void *raise(void *arg) {
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}

static long long nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

#if defined CLOCK || defined TWICE
#ifndef CLOCK
#define CLOCK 0
#endif
static long milliseconds(void) {
  struct timeval v;
  struct timespec t;
  switch (CLOCK) {
  case 0:
    return (long)(nanoseconds() / 1000000);
  case 1:
    return time(0) * 1000;
  case 2:
    gettimeofday(&v, 0);
    return v.tv_sec * 1000 + v.tv_usec / 1000;
  case 3:
    timespec_get(&t, TIME_UTC);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
  default:
    return clock() / (CLOCKS_PER_SEC / 1000);
  }
}

static int is_raised(void) {
  long end = milliseconds() + 100;
  while (!atomic_load_explicit(&flag, memory_order_acquire))
    if (milliseconds() > end)
      return 0;
  return 1;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, raise, 0);
#ifdef TWICE
  assert(is_raised() || is_raised()); // BUG
#else
  assert(is_raised()); // BUG
#endif
  pthread_join(t, 0);
  return 0;
}
#elif defined LEASE
static long long lease;
static atomic_int is_mine;

// Takes what main has, if its lease has run out.
static void *take(void *arg) {
  if (nanoseconds() > lease)
    atomic_store(&is_mine, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  lease = nanoseconds() + 1000;
  pthread_create(&t, 0, take, 0);
  if (nanoseconds() <= lease)
    assert(!atomic_load(&is_mine)); // BUG
  pthread_join(t, 0);
  return 0;
}
#elif defined ORDER
static long long start, sent, end;

static void *first(void *arg) {
  assert(nanoseconds() >= start);
  sent = nanoseconds();
  atomic_store_explicit(&flag, 1, memory_order_release);
  usleep(10);
  end = nanoseconds();
  return arg;
}

static void *second(void *arg) {
  assert(nanoseconds() >= start);
  if (atomic_load_explicit(&flag, memory_order_acquire))
    assert(nanoseconds() >= sent);
  return arg;
}

int main(void) {
  pthread_t t, u;
  nanoseconds();
  start = nanoseconds();
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(nanoseconds() >= end);
  return 0;
}
#else
// Nobody can tell when the first look was.
int main(void) {
  srand((unsigned)time(0));
  pthread_t t;
  pthread_create(&t, 0, raise, 0);
  pthread_join(t, 0);
  return 0;
}
#endif
