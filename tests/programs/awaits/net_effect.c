// SPDX-License-Identifier: MIT
// Loops whose failed rounds give back what they took (P). They change shared
// memory, so they are no awaits: an execution may have any number of rounds.
// With --net-effect-awaits a round that nobody saw counts as waiting, so that
// what is left are the executions in which somebody saw each failed round.
//
//  1  a lock that adds one, and takes it back if the lock was held
//  2  the same, without unlock
//  3  a spin lock around the look at a flag
//  4  the same, and nobody sets the flag
//  5  two variables that both must be given back
//  6  a round that does not give back all it took: no await
//  7  the other thread must see the round to set the flag: no await
//  8  the assertion behind a failed round that was seen does not hold
//  9  stores, not updates: one, then zero again
//
// run: args=--max-executions=100 flags=-DP=1 sc,tso,ra,rc11 incomplete
// run: args=--net-effect-awaits flags=-DP=1 sc,tso,ra,rc11 ok 4
// run: args=--net-effect-awaits flags=-DP=2 sc,tso,ra,rc11 error hang
// run: args=--net-effect-awaits flags=-DP=2 flags=-DTHREADS=3 sc,tso,ra,rc11 error livelock
// run: args=--explore-retries args=--max-events=500 flags=-DP=3 sc,tso,ra,rc11 incomplete
// run: args=--net-effect-awaits flags=-DP=3 sc,tso,ra,rc11 ok 1
// run: args=--net-effect-awaits flags=-DP=3 flags=-DTHREADS=3 sc,tso,ra,rc11 ok 4
// run: args=--net-effect-awaits flags=-DP=4 sc,tso,ra,rc11 error hang
// run: args=--net-effect-awaits flags=-DP=5 sc,tso,ra,rc11 ok 1
// run: args=--net-effect-awaits args=--max-events=500 flags=-DP=6 sc,tso,ra,rc11 incomplete
// run: args=--net-effect-awaits flags=-DP=7 sc,tso,ra,rc11 ok 6
// run: args=--net-effect-awaits args=--jobs=2 flags=-DP=7 flags=-DTHREADS=3 sc,rc11 ok 285
// run: args=--net-effect-awaits flags=-DP=8 sc,tso,ra,rc11 error assertion
// run: args=--net-effect-awaits flags=-DP=9 sc,tso,ra,rc11 ok 1
#include "../common.h"

#ifndef THREADS
#define THREADS 2
#endif

static atomic_int word, flag, other;
static int data;

#define fetch_sub atomic_fetch_sub_explicit

static void spin_lock(void) {
  while (swap(&word, 1, acq))
    continue;
}

static void spin_unlock(void) {
  store(&word, 0, rel);
}

#if P == 1 || P == 2
static void *thread0(void *unused) {
  while (fetch_add(&word, 1, acqrel) != 0)
    fetch_sub(&word, 1, acqrel);
  data++;
  if (P == 1)
    fetch_sub(&word, 1, acqrel);
  return unused;
}
#define thread1 thread0

#elif P == 3 || P == 4
static void *thread0(void *unused) {
  for (;;) {
    spin_lock();
    int done = load(&flag, rlx);
    spin_unlock();
    if (done)
      return unused;
  }
}

static void *thread1(void *unused) {
  spin_lock();
  store(&flag, P == 3, rlx);
  spin_unlock();
  return unused;
}

#elif P == 5 || P == 6
static void *thread0(void *unused) {
  for (;;) {
    fetch_add(&word, 1, acqrel);
    fetch_add(&other, 1, acqrel);
    if (load(&flag, acq))
      return unused;
    fetch_sub(&word, 1, acqrel);
    if (P == 5)
      fetch_sub(&other, 1, acqrel);
  }
}

static void *thread1(void *unused) {
  store(&flag, 1, rel);
  return unused;
}

#elif P == 7 || P == 8
// The other thread sets the flag when it saw the word taken and given back.
static void *thread0(void *unused) {
  for (;;) {
    fetch_add(&word, 1, acqrel);
    bool is_set = load(&flag, acq);
    fetch_sub(&word, 1, acqrel);
    if (is_set)
      return unused;
  }
}

static void *thread1(void *unused) {
  if (load(&word, acq) == 1 && load(&word, acq) == 0)
    assert(P == 7);
  store(&flag, 1, rel);
  return unused;
}

#elif P == 9
static void *thread0(void *unused) {
  for (;;) {
    store(&word, 1, rlx);
    bool is_set = load(&flag, acq);
    store(&word, 0, rlx);
    if (is_set)
      return unused;
  }
}

static void *thread1(void *unused) {
  store(&flag, 1, rel);
  return unused;
}
#endif

int main(void) {
  pthread_t ids[3];
  pthread_create(&ids[0], NULL, thread0, NULL);
  pthread_create(&ids[1], NULL, thread1, NULL);
#if THREADS == 3
  pthread_create(&ids[2], NULL, thread1, NULL);
#endif
  join(ids, THREADS);
  return 0;
}
