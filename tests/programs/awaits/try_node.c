// SPDX-License-Identifier: MIT
// A queued lock that is tried: each round makes its node ready, the first one
// by other values than were there. The next round begins with the same stores,
// so the failed ones only wait, and N threads have N! executions.
// run: flags=-DN=2 sc,tso,pso,ra,rc11 ok 2
// run: flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DN=4 rc11 ok 24
// run: args=--jobs=2 flags=-DN=3 rc11 ok 6
// run: flags=-DN=2 flags=-DSTUCK sc,tso,rc11,imm error hang
// Somebody else writes to the node meanwhile, and what is read there behind the
// lock tells how many rounds there were.
// run: args=--unroll=3 flags=-DN=1 flags=-DMEDDLES sc,rc11 error assertion
#include "../common.h"

struct node {
  _Atomic(struct node *) next;
  atomic_int locked;
};

static struct node nodes[MAX_THREADS];
static _Atomic(struct node *) tail;
static int x;

static bool try(struct node *me) {
  store(&me->next, NULL, rlx);
  store(&me->locked, 1, rlx);
  return cas(&tail, NULL, me, acqrel, rlx); // BUG
}

static void *locks(void *number) {
  struct node *me = &nodes[(uintptr_t)number];
  while (!try(me)) // BUG
    continue;
  x++;
#ifdef MEDDLES
  assert(load(&me->locked, rlx) != 2); // BUG
#endif
#ifndef STUCK
  store(&tail, NULL, rel);
#endif
  return NULL;
}

int main(void) {
  pthread_t threads[MAX_THREADS];
#ifdef MEDDLES
  store(&tail, &nodes[MAX_THREADS - 1], rlx);
#endif
  start(threads, N, locks);
#ifdef MEDDLES
  store(&nodes[0].locked, 2, rlx);
  store(&tail, NULL, rel);
#endif
  join(threads, N);
  return 0;
}
