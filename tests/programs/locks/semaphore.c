// SPDX-License-Identifier: MIT
// A counting semaphore with PERMITS: never more threads inside than permits,
// and with one it is a lock. HASTY checks first and takes then, so that two
// threads get in with one permit.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 flags=-DPERMITS=2 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 flags=-DPERMITS=2 flags=-DHASTY sc,tso,ra,rc11,imm,armv8 error assertion
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DPERMITS=0 sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef N
#define N 2
#endif
#ifndef PERMITS
#define PERMITS 1
#endif
#ifndef GIVE
#define GIVE rel
#endif

static atomic_int permits = PERMITS, inside;
static int counter;

static void take(void) {
#ifdef HASTY
  while (load(&permits, acq) <= 0)
    continue;
  atomic_fetch_sub_explicit(&permits, 1, acq);
#else
  int seen = load(&permits, rlx);
  do
    while (seen <= 0)
      seen = load(&permits, rlx);
  while (!atomic_compare_exchange_weak_explicit(&permits, &seen, seen - 1, acq,
                                                rlx));
#endif
}

static void give(void) {
  fetch_add(&permits, 1, GIVE);
}

static void *thread(void *unused) {
  take();
  assert(fetch_add(&inside, 1, rlx) < PERMITS);
  if (PERMITS == 1)
    counter++;
  atomic_fetch_sub_explicit(&inside, 1, rlx);
  give();
  return unused;
}

int main(void) {
  run(N, thread);
  assert(PERMITS != 1 || counter == N);
  return 0;
}
