// SPDX-License-Identifier: MIT
// A barrier that spins: a counter of who waits and a number of the step, all
// seq_cst. What was written before it is seen behind it; not if the step is
// read relaxed (STEP).
// run: rc11,c11,jam21 ok
// run: args=--yield-bound=1 rc11,c11,jam21 ok
// run: flags=-DSTEP=rlx rc11,c11,jam21 error race
#include "../common.h"

#include <sched.h>

#ifndef STEP
#define STEP sc
#endif

static atomic_int waiting, step;
static int data;

static void meet(int n) {
  int now = load(&step, STEP);
  if (fetch_add(&waiting, 1, sc) == n - 1) {
    store(&waiting, 0, sc);
    fetch_add(&step, 1, STEP);
    return;
  }
  while (load(&step, STEP) == now)
    sched_yield();
}

static void *writer(void *unused) {
  data = 1; // BUG
  meet(2);
  return unused;
}

static void *reader(void *unused) {
  meet(2);
  assert(data == 1); // BUG
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(reader);
  return 0;
}
