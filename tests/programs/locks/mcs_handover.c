// SPDX-License-Identifier: MIT
// Why a queue lock of N threads has 2^(N - 1) executions, however equal the
// threads are. Each hand-over is of one of two kinds: the next owner was in the
// queue and is woken, or it finds the queue empty. Nothing that happens in the
// executions of one combination tells what happens in those of another: here
// the second of three owners is wrong about one kind of hand-over, and only
// after one kind of its own (FIRST and SECOND; 1: in the queue). Whoever leaves
// out that combination misses the race (EXCEPT: there is none without it), and
// each of the four has its own wrong lock. `waited` is all that an owner has to
// know for the one with two in the queue, as with a lock that trusts the
// barriers of the loop in which it has waited itself.
// run: sc,rc11 ok 24
// run: flags=-DN=4 rc11 ok 192
// run: flags=-DFIRST=0 flags=-DSECOND=0 sc,rc11 error race
// run: flags=-DFIRST=0 flags=-DSECOND=1 sc,rc11 error race
// run: flags=-DFIRST=1 flags=-DSECOND=0 sc,rc11 error race
// run: flags=-DFIRST=1 flags=-DSECOND=1 sc,rc11 error race
// run: flags=-DFIRST=0 flags=-DSECOND=0 flags=-DEXCEPT sc,rc11 ok 18
// run: flags=-DFIRST=0 flags=-DSECOND=1 flags=-DEXCEPT sc,rc11 ok 18
// run: flags=-DFIRST=1 flags=-DSECOND=0 flags=-DEXCEPT sc,rc11 ok 18
// run: flags=-DFIRST=1 flags=-DSECOND=1 flags=-DEXCEPT sc,rc11 ok 18
#include "../common.h"

#ifndef N
#define N 3
#endif
#ifdef FIRST
#define IS_WRONG(kind) (nth == 2 && waited == FIRST && SECOND == (kind))
#else
#define IS_WRONG(kind) false
#endif
#ifdef EXCEPT
#define WEAK (heddle_assume(false), rlx)
#else
#define WEAK rlx
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_bool must_wait;
};

static _Atomic(struct node *) tail;
static struct node nodes[N];
static int counter;

// Whether it had to wait.
static bool acquire(struct node *me) {
  store(&me->next, NULL, rlx);
  store(&me->must_wait, true, rlx);
  struct node *before = swap(&tail, me, acqrel);
  if (!before)
    return false;
  store(&before->next, me, rel);
  while (load(&me->must_wait, acq))
    continue;
  return true;
}

static bool leave_empty(struct node *me, int nth, bool waited) {
  return IS_WRONG(0) ? cas(&tail, me, NULL, WEAK, rlx)
                     : cas(&tail, me, NULL, rel, rlx);
}

static void release(struct node *me, int nth, bool waited) {
  if (!load(&me->next, acq)) {
    if (leave_empty(me, nth, waited))
      return;
    while (!load(&me->next, acq))
      continue;
  }
  struct node *next = load(&me->next, rlx);
  if (IS_WRONG(1))
    store(&next->must_wait, false, WEAK);
  else
    store(&next->must_wait, false, rel);
}

static void *thread(void *number) {
  struct node *me = &nodes[(uintptr_t)number];
  bool waited = acquire(me);
  int nth = ++counter; // BUG
  release(me, nth, waited);
  return NULL;
}

int main(void) {
  run(N, thread);
  assert(counter == N);
  return 0;
}
