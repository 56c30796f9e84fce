// SPDX-License-Identifier: MIT
// A loop that yields and counts its rounds, so that each of them changes
// something: it has no end of its own. --yield-bound cuts it, and what it finds
// within the bound counts; loops that do not yield (SPIN_ON) are not cut.
// run: args=--yield-bound=3 rc11,c11,jam21 incomplete
// run: args=--yield-bound=3 flags=-DLIMIT=2 rc11,c11,jam21 error assertion
// run: args=--yield-bound=3 flags=-DLIMIT=4 rc11,c11,jam21 incomplete
// run: args=--yield-bound=3 args=--max-events=200 flags=-DSPIN_ON rc11 incomplete
// run: args=--yield-bound=3 flags=-DENDS rc11,c11,jam21 ok
#include "../common.h"

#include <sched.h>

#ifndef LIMIT
#define LIMIT 1000000
#endif

static atomic_int flag, rounds;

static void *waiter(void *unused) {
#ifdef ENDS
  for (int i = 0; i < 2 && !load(&flag, rlx); i++)
#else
  while (!load(&flag, rlx))
#endif
  {
    int n = fetch_add(&rounds, 1, rlx);
    assert(n < LIMIT);
#ifndef SPIN_ON
    sched_yield();
#endif
  }
  return unused;
}

static void *setter(void *unused) {
  store(&flag, 1, rlx);
  return unused;
}

int main(void) {
  spawn(waiter);
  spawn(setter);
  return 0;
}
