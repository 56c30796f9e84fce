// SPDX-License-Identifier: MIT
// A queued spin lock in one word, after the design of Linux: a locked byte, a
// pending bit for the second thread, and the tail of a queue of the others.
// The orders are those of each step (the names say which); NO_PENDING sends
// the second thread to the queue at once, which makes three threads enough to
// use all of it. Linking a node behind its predecessor is relaxed: what it
// publishes was released by the exchange of the tail.
// run: sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DNO_PENDING sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 sc,rc11,imm,armv8 ok
// run: flags=-DN=3 flags=-DNO_PENDING sc,rc11,imm,armv8 ok
// run: flags=-DUNLOCK=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DN=3 flags=-DNO_PENDING flags=-DWAKE=rlx ra,rc11,imm error hang
// run: flags=-DN=3 flags=-DNO_PENDING flags=-DENQUEUE=acq sc,tso ok; ra,rc11,imm error hang
#include "../common.h"

#ifndef UNLOCK
#define UNLOCK rel
#endif
#ifndef ENQUEUE
#define ENQUEUE acqrel
#endif
#ifndef WAKE
#define WAKE rel
#endif

enum { LOCKED = 1, PENDING = 0x100, TAIL_SHIFT = 16 };
#define TAIL_MASK (~0u << TAIL_SHIFT)

struct node {
  _Atomic(struct node *) next;
  atomic_bool is_first;
};

static atomic_uint word;
static struct node nodes[8];

// The pending path: true when the lock was taken on it.
static bool take_second_place(void) {
#ifdef NO_PENDING
  return false;
#else
  unsigned seen = load(&word, rlx);
  while (seen == PENDING)
    seen = load(&word, rlx);
  if (seen & ~(unsigned)LOCKED)
    return false;
  unsigned old = atomic_fetch_or_explicit(&word, PENDING, acq);
  if (old & ~(unsigned)LOCKED) {
    if (!(old & PENDING))
      atomic_fetch_and_explicit(&word, ~(unsigned)PENDING, rlx);
    return false;
  }
  while (load(&word, acq) & LOCKED)
    continue;
  fetch_add(&word, LOCKED - PENDING, acq);
  return true;
#endif
}

// Puts its number into the tail, and returns the tail before.
static unsigned enqueue(unsigned tail) {
  unsigned old = load(&word, rlx);
  while (!atomic_compare_exchange_strong_explicit(
      &word, &old, (old & ~TAIL_MASK) | tail, ENQUEUE, rlx))
    continue;
  return old & TAIL_MASK;
}

static void wait_in_queue(unsigned number) {
  struct node *me = &nodes[number];
  unsigned tail = (number + 1) << TAIL_SHIFT;
  store(&me->is_first, false, rlx);
  store(&me->next, NULL, rlx);
  unsigned before = enqueue(tail);
  if (before) {
    store(&nodes[(before >> TAIL_SHIFT) - 1].next, me, rlx);
    while (!load(&me->is_first, acq))
      continue;
  }
  unsigned seen;
  while ((seen = load(&word, acq)) & (LOCKED | PENDING))
    continue;
  if ((seen & TAIL_MASK) == tail && cas(&word, tail, LOCKED, acq, rlx))
    return;
  atomic_fetch_or_explicit(&word, LOCKED, acq);
  struct node *next;
  while (!(next = load(&me->next, acq)))
    continue;
  store(&next->is_first, true, WAKE);
}

static void acquire(unsigned me) {
  if (!cas(&word, 0, LOCKED, acq, rlx) && !take_second_place())
    wait_in_queue(me);
}

static void release(unsigned me) {
  (void)me;
  atomic_fetch_sub_explicit(&word, LOCKED, UNLOCK);
}

#include "client.h"
