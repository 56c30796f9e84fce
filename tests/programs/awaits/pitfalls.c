// SPDX-License-Identifier: MIT
// Thirteen programs (P) whose loops a checker gets wrong when it believes that
// every loop that waits is a loop that only waits, or that every wait that does
// not end is a hang.
//
//  1  a failed round counts, and two of them end the loop: one execution
//  2  the same, and the assertion behind the second round does not hold
//  3  the holder of the lock is given up by an assumption: not a hang
//  4  what a failed round read is used behind the loop
//  5  test, then exchange, on a lock that nobody frees
//  6  exchange until free, and nobody frees: its writes change nothing
//  7  the same, and another thread frees the lock
//  8  two threads exchange, and nobody frees
//  9  two threads write over each other while they wait: it may go on for ever
// 10  a wait for two variables
// 11  a thread waits for main, and main for the thread to end
// 12  a wait with the mutex held that the other thread needs
// 13  two mutexes taken in two orders
//
// run: flags=-DP=1 sc,tso,ra,rc11,imm,armv8 ok 1
// run: flags=-DP=2 sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DP=3 sc,tso,ra,rc11,imm,armv8 incomplete 0
// run: flags=-DP=4 sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DP=5 sc,tso,ra,rc11,imm,armv8 error hang
// run: flags=-DP=6 sc,tso,ra,rc11,imm,armv8 error hang
// run: flags=-DP=7 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DP=8 sc,tso,ra,rc11,imm,armv8 error hang
// run: flags=-DP=9 sc,tso,ra,rc11,imm,armv8 error livelock
// run: flags=-DP=10 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DP=11 sc,tso,ra,rc11,imm,armv8 error hang
// run: flags=-DP=12 sc,tso,ra,rc11,imm,armv8 error hang
// run: flags=-DP=13 sc,tso,ra,rc11,imm,armv8 error deadlock
#include "../common.h"

static atomic_int x, y, word;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

static void lock_by_exchange(void) {
  while (swap(&word, 1, acq))
    continue;
}

static void lock_by_test(void) {
  do {
    while (load(&word, rlx))
      continue;
  } while (swap(&word, 1, acq));
}

#if P == 1 || P == 2
static int rounds;

static void *thread0(void *unused) {
  while (load(&x, rlx) == 0 && rounds < 2)
    rounds++;
  assert(P == 1 || rounds < 2);
  return unused;
}
#define THREADS 1

#elif P == 3
static void *thread0(void *unused) {
  lock_by_exchange();
  heddle_assume(0);
  return unused;
}

static void *thread1(void *unused) {
  lock_by_exchange();
  heddle_assume(0);
  return unused;
}

#elif P == 4
// The last value before the one that was waited for.
static void *thread0(void *unused) {
  int before = 0, now;
  while ((now = load(&x, acq)) != 2)
    before = now;
  assert(before != 1);
  return unused;
}

static void *thread1(void *unused) {
  store(&x, 1, rel);
  store(&x, 2, rel);
  return unused;
}

#elif P == 5
static void *thread0(void *unused) {
  lock_by_test();
  return unused;
}
#define thread1 thread0

#elif P == 6
static void *thread0(void *unused) {
  lock_by_exchange();
  lock_by_exchange();
  return unused;
}
#define THREADS 1

#elif P == 7
static void *thread0(void *unused) {
  lock_by_exchange();
  store(&word, 0, rel);
  return unused;
}
#define thread1 thread0

#elif P == 8
static void *thread0(void *unused) {
  lock_by_exchange();
  return unused;
}
#define thread1 thread0

#elif P == 9
// Each wants to read its own number back, and writes it again if it did not.
static void *thread0(void *number) {
  int me = (int)(uintptr_t)number + 1;
  do
    store(&x, me, rlx);
  while (load(&x, rlx) != me);
  return NULL;
}
#define thread1 thread0

#elif P == 10
static void *thread0(void *unused) {
  while (load(&x, acq) == 0 || load(&y, acq) == 0)
    continue;
  return unused;
}

static void *thread1(void *unused) {
  store(&x, 1, rel);
  store(&y, 1, rel);
  return unused;
}

#elif P == 11
static void *thread0(void *unused) {
  while (load(&x, acq) == 0)
    continue;
  return unused;
}
#define THREADS 1

#elif P == 12
static void *thread0(void *unused) {
  pthread_mutex_lock(&m);
  while (load(&x, acq) == 0)
    continue;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *thread1(void *unused) {
  pthread_mutex_lock(&m);
  store(&x, 1, rel);
  pthread_mutex_unlock(&m);
  return unused;
}

#elif P == 13
static void *thread0(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return unused;
}

static void *thread1(void *unused) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return unused;
}
#endif

#ifndef THREADS
#define THREADS 2
#endif

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, thread0, (void *)0);
#if THREADS == 2
  pthread_create(&ids[1], NULL, thread1, (void *)1);
#endif
  join(ids, THREADS);
  if (P == 11)
    store(&x, 1, rel);
  return 0;
}
