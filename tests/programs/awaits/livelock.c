// SPDX-License-Identifier: MIT
// Threads that write in every round and get nowhere (P): none waits, so it is
// no hang, and no execution of that kind ends.
//
//  1  one thread sets a flag and clears it, for ever
//  2  two threads try two locks in two orders, and give back the first when the
//     second is taken: both can always come to find it taken
//  3  the same in one order: one of them gets on
//  4  a thread that writes in each round until another one stops it: it may be
//     stopped late, but it will be
//  5  a thread that counts: its rounds differ
//
// run: args=--max-events=500 flags=-DP=1 sc,tso,ra,rc11 error livelock
// run: args=--no-await-check args=--max-events=500 flags=-DP=1 sc,rc11 incomplete
// run: args=--disable=livelock args=--max-events=500 flags=-DP=1 sc,rc11 incomplete
// run: args=--unroll=6 flags=-DP=2 sc,tso,ra,rc11 error livelock
// run: args=--read-bound=1 flags=-DP=2 sc,tso,ra,rc11 error livelock
// run: args=--net-effect-awaits flags=-DP=2 sc,tso,ra,rc11 error livelock
// run: args=--net-effect-awaits args=--jobs=2 flags=-DP=2 sc,rc11 error livelock
// run: flags=-DP=3 sc,tso,ra,rc11 ok 2
// run: args=--max-events=500 flags=-DP=4 sc,tso,ra,rc11 incomplete
// run: args=--read-bound=2 flags=-DP=4 sc,tso,ra,rc11 incomplete 3
// run: args=--net-effect-awaits flags=-DP=4 sc,tso,ra,rc11 ok 1
// run: args=--max-events=500 flags=-DP=5 sc,tso,ra,rc11 incomplete
#include "../common.h"

static atomic_int flag, one, two;

static bool try(atomic_int *lock) {
  return cas(lock, 0, 1, acq, rlx);
}

static void take_both(atomic_int *first, atomic_int *second) {
  for (;;) {
    if (!try(first))
      continue;
    if (try(second))
      break;
    store(first, 0, rel);
  }
  store(second, 0, rel);
  store(first, 0, rel);
}

static void *thread0(void *unused) {
#if P == 1
  for (;;) {
    store(&one, 1, rlx);
    store(&one, 0, rlx);
  }
#elif P == 2 || P == 3
  take_both(&one, &two);
#elif P == 4
  while (!load(&flag, acq)) {
    store(&one, 1, rlx);
    store(&one, 0, rlx);
  }
#elif P == 5
  for (;;)
    store(&one, load(&one, rlx) + 1, rlx);
#endif
  return unused;
}

static void *thread1(void *unused) {
#if P == 2
  take_both(&two, &one);
#elif P == 3
  take_both(&one, &two);
#else
  store(&flag, 1, rel);
#endif
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, thread0, NULL);
  if (P != 1)
    pthread_create(&ids[1], NULL, thread1, NULL);
  join(ids, P == 1 ? 1 : 2);
  return 0;
}
