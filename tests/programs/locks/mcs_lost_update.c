// SPDX-License-Identifier: MIT
// A queue lock from a product, with a lost update: the loop that waits for the
// lock (WAIT) is relaxed, so that the critical section can read what was there
// before the last owner's. A fence after the loop (AFTER) repairs it as well
// as acquire in the loop does, and then the third full fence (THIRD) is not
// needed. With an atomic counter (ATOMIC) there is no race, but an assertion.
// run: sc,tso,ra,rc11,imm,armv8 error race
// run: flags=-DATOMIC sc,tso ok 4; ra,rc11,imm,armv8 error assertion
// run: flags=-DWAIT=acq sc,tso,ra,rc11,imm,armv8 ok 4
// run: flags=-DAFTER=fence(acq) sc,tso,ra,rc11,imm,armv8 ok 4
// run: flags=-DWAIT=acq flags=-DTHIRD= sc,tso,ra,rc11,imm,armv8 ok 4
// run: args=--arm-rmw=llsc flags=-DATOMIC armv8 error assertion
// run: args=--arm-rmw=llsc flags=-DATOMIC flags=-DWAIT=acq armv8 ok 4
// run: args=--arm-rmw=llsc flags=-DWAIT=acq flags=-DTHIRD= armv8 ok 4
#include "../common.h"

#ifndef WAIT
#define WAIT rlx
#endif
#ifndef AFTER
#define AFTER
#endif
#ifndef THIRD
#define THIRD fence(sc)
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_int spin;
};

static _Atomic(struct node *) tail;
static struct node nodes[2];

static void acquire(struct node *me) {
  store(&me->next, NULL, rlx);
  store(&me->spin, 1, rlx);
  fence(sc);
  struct node *before = swap(&tail, me, acq);
  if (!before)
    return;
  fence(sc);
  store(&before->next, me, rlx);
  THIRD;
  while (load(&me->spin, WAIT))
    continue;
  AFTER;
}

static void release(struct node *me) {
  if (!load(&me->next, rlx)) {
    if (cas(&tail, me, NULL, sc, sc))
      return;
    while (!load(&me->next, rlx))
      continue;
  }
  fence(sc);
  store(&load(&me->next, rlx)->spin, 0, rlx);
}

#ifdef ATOMIC
static atomic_int counter;
#define ADD_ONE store(&counter, load(&counter, rlx) + 1, rlx)
#else
static int counter;
#define ADD_ONE counter++
#endif

static void *thread(void *number) {
  struct node *me = &nodes[(uintptr_t)number];
  acquire(me);
  ADD_ONE;
  release(me);
  return NULL;
}

int main(void) {
  run(2, thread);
  assert(counter == 2);
  return 0;
}
