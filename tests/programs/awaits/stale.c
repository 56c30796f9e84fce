// SPDX-License-Identifier: MIT
// Loops that may read an old write again and again, since nothing says when the
// newer one arrives (P). They are no awaits: each round counts. Without a bound
// one execution never ends; --read-bound N leaves out the reads after N old
// ones in a row, and the run is incomplete.
//
//  1  a wait that counts its rounds: 0 to N old reads
//  2  the same, and the assertion behind the second round does not hold
//  3  three rounds and nothing newer to read: nothing is cut
//  4  the wait yields in each round: the second old read is one too many
//  5  the newer write depends on the third round: the reads before are not old
//  6  the wait calls a function that reads
//  7  the other one writes after a loop that gives up: the two go on in turn
//  8  who reads `done` from behind the loop does not write `flag`: the loop got
//     too many rounds before the other one had its turn, so that is left out
//  9  the wait tells the processor that it waits: that is no yield
//
// run: args=--max-events=300 flags=-DP=1 sc,tso,ra,rc11 incomplete
// run: args=--read-bound=1 flags=-DP=1 sc,tso,ra,rc11 incomplete 2
// run: args=--read-bound=3 flags=-DP=1 sc,tso,ra,rc11 incomplete 4
// run: args=--read-bound=3 args=--jobs=2 flags=-DP=1 sc,rc11 incomplete 4
// run: args=--read-bound=1 flags=-DP=2 sc,tso,ra,rc11 incomplete 2
// run: args=--read-bound=2 flags=-DP=2 sc,tso,ra,rc11 error assertion
// run: args=--read-bound=1 flags=-DP=3 sc,tso,ra,rc11 ok 1
// run: args=--read-bound=3 flags=-DP=4 sc,tso,ra,rc11 incomplete 2
// run: flags=-DP=5 sc,tso,ra,rc11 ok 6
// run: args=--read-bound=1 flags=-DP=5 sc,tso,ra,rc11 incomplete 5
// run: args=--read-bound=3 flags=-DP=6 sc,tso,ra,rc11 incomplete 4
// run: args=--read-bound=1 flags=-DP=7 sc,tso,ra,rc11 incomplete 6
// run: flags=-DP=8 sc,tso,ra,rc11 error assertion
// run: args=--read-bound=3 flags=-DP=8 sc,tso,ra,rc11 error assertion
// run: args=--read-bound=2 args=--explore-retries flags=-DP=8 sc,tso,ra,rc11 incomplete 3
// run: args=--read-bound=2 flags=-DP=8 sc,tso,ra,rc11 incomplete 1
// run: args=--read-bound=3 flags=-DP=9 sc,tso,ra,rc11 incomplete 4
#include "../common.h"

#include <sched.h>

static atomic_int flag, rounds;
static int count, count1;

#if P <= 2
static void *thread0(void *unused) {
  while (load(&flag, acq) == 0)
    count++;
  assert(P == 1 || count < 2); // BUG
  return unused;
}

#elif P == 3
static void *thread0(void *unused) {
  while (load(&flag, acq) == 0 && count < 3)
    count++;
  assert(count == 3);
  return unused;
}
#define THREADS 1

#elif P == 4 || P == 9
static void *thread0(void *unused) {
  while (load(&flag, acq) == 0) {
    count++;
    if (P == 4)
      sched_yield();
    else
      __builtin_ia32_pause();
  }
  return unused;
}

#elif P == 5
static void *thread0(void *unused) {
  while (load(&flag, acq) == 0 && fetch_add(&rounds, 1, rlx) < 4)
    continue;
  return unused;
}

static void *thread1(void *unused) {
  while (load(&rounds, acq) < 3)
    continue;
  store(&flag, 1, rel);
  return unused;
}

#elif P == 6
static int is_set(void) {
  return load(&flag, acq);
}

static void *thread0(void *unused) {
  while (!is_set())
    count++;
  return unused;
}

#elif P == 7
static void *thread0(void *unused) {
  while (load(&flag, acq) == 0)
    count++;
  return unused;
}

static void *thread1(void *unused) {
  for (int i = 0; i < 5 && load(&rounds, rlx) == 0; i++)
    count1 += i;
  store(&flag, 1, rel);
  return unused;
}

#elif P == 8
static atomic_int done;

static void *thread0(void *unused) {
  for (int i = 0; i < 3 && load(&flag, acq) == 0; i++)
    continue;
  store(&done, 1, rel);
  return unused;
}

static void *thread1(void *unused) {
  if (load(&done, acq) == 0)
    store(&flag, 1, rel);
  else
    assert(load(&flag, rlx)); // BUG
  return unused;
}
#endif

#if P != 3 && P != 5 && P != 7 && P != 8
static void *thread1(void *unused) {
  store(&flag, 1, rel);
  return unused;
}
#endif

#ifndef THREADS
#define THREADS 2
#endif

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, thread0, NULL);
#if THREADS == 2
  pthread_create(&ids[1], NULL, thread1, NULL);
#endif
  join(ids, THREADS);
  return 0;
}
