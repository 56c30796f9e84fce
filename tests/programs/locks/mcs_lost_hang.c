// SPDX-License-Identifier: MIT
// A queue lock as it was shipped in a packet library, with a hang: the store
// that links a node (LINK) is relaxed, and nothing orders the waiter's own
// `locked = 1` before the `locked = 0` of the one who wakes it, so that the
// waiter can end up with its own 1. The exchange of the tail does not help,
// however strong it is (SWAP): its write may come after the link. Release on
// the link is not enough without acquire on the loads that find it (SEE).
// run: sc,tso ok 4; ra,rc11,imm error hang
// run: flags=-DLINK=rel sc,tso ok; ra,rc11,imm error hang
// run: flags=-DSEE=acq sc,tso ok; ra,rc11,imm error hang
// run: flags=-DSWAP=sc sc,tso ok; ra,rc11,imm error hang
// Whoever gives the lock back finds somebody in the queue, or finds it empty;
// who is found late (imm) is found all the same.
// run: flags=-DLINK=rel flags=-DSEE=acq sc,tso,ra,rc11,imm ok 4
// run: flags=-DLINK=rel flags=-DSEE=acq flags=-DN=3 rc11,imm ok 24
// On arm the exchange does help as a single instruction that acquires and
// releases, which is as good as a barrier, and not as a loop: then the store of
// the link may come before the exclusive store. Release on the link is enough
// either way, because the address of `locked` depends on the load that sees it.
// run: args=--arm-rmw=llsc armv8 error hang
// run: args=--arm-rmw=llsc flags=-DSEE=acq armv8 error hang
// run: args=--arm-rmw=llsc flags=-DSWAP=sc armv8 error hang
// run: args=--arm-rmw=llsc flags=-DLINK=rel armv8 ok
// run: args=--arm-rmw=llsc flags=-DLINK=rel flags=-DSEE=acq armv8 ok 4
// run: args=--arm-rmw=lse armv8 ok
// run: args=--arm-rmw=lse flags=-DSEE=acq armv8 ok
// run: args=--arm-rmw=lse flags=-DSWAP=sc armv8 ok
// run: args=--arm-rmw=lse flags=-DLINK=rel armv8 ok
// run: args=--arm-rmw=lse flags=-DLINK=rel flags=-DSEE=acq armv8 ok 4
#include "../common.h"

#ifndef LINK
#define LINK rlx
#endif
#ifndef SEE
#define SEE rlx
#endif
#ifndef SWAP
#define SWAP acqrel
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_int locked;
};

static _Atomic(struct node *) tail;
static struct node nodes[4];

static void acquire(unsigned number) {
  struct node *me = &nodes[number];
  store(&me->locked, 1, rlx);
  store(&me->next, NULL, rlx);
  struct node *before = swap(&tail, me, SWAP);
  if (!before)
    return;
  store(&before->next, me, LINK);
  fence(acqrel);
  while (load(&me->locked, acq))
    continue;
}

static void release(unsigned number) {
  struct node *me = &nodes[number];
  struct node *next = load(&me->next, SEE);
  if (!next) {
    if (cas(&tail, me, NULL, rel, rlx))
      return;
    while (!(next = load(&me->next, SEE)))
      continue;
  }
  store(&next->locked, 0, rel);
}

#include "client.h"
