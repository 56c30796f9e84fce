// SPDX-License-Identifier: MIT
// A mutex with three states, as futexes are used: free, taken, taken with
// somebody asleep. Sleeping on the word while it has a value is an await, as if
// every change of the word woke everybody; SLEEP instead waits for a call of
// wake, so that a release that forgets it (FORGET) leaves a sleeper behind.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DSLEEP sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DTAKE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DSLEEP flags=-DFORGET sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef TAKE
#define TAKE acq
#endif
#ifndef GIVE
#define GIVE rel
#endif

enum { FREE, TAKEN, CONTENDED };
static atomic_int word;

#ifdef SLEEP
static atomic_int wakes;

static void futex_wait(atomic_int *where, int value) {
  int seen = load(&wakes, acq);
  if (load(where, sc) != value)
    return;
  while (load(&wakes, acq) == seen)
    continue;
}

static void futex_wake(void) {
  fetch_add(&wakes, 1, rel);
}
#else
static void futex_wait(atomic_int *where, int value) {
  while (load(where, rlx) == value)
    continue;
}

static void futex_wake(void) {}
#endif

static void acquire(unsigned me) {
  (void)me;
  if (cas(&word, FREE, TAKEN, TAKE, rlx))
    return;
  while (swap(&word, CONTENDED, TAKE) != FREE)
    futex_wait(&word, CONTENDED);
}

static void release(unsigned me) {
  (void)me;
  if (swap(&word, FREE, GIVE) != CONTENDED)
    return;
#ifndef FORGET
  futex_wake();
#endif
}

#include "client.h"
