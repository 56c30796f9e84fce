// SPDX-License-Identifier: MIT
// An MCS lock that hands over without a release when the successor came late.
#include "hunt.h"
#define THREADS sized(4, 2)

struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
};
static _Atomic(struct node *) tail;
static struct node nodes[THREADS];
static int data;

static void lock(struct node *me) {
  struct node *before;
  store(&me->waits, 1, rlx);
  before = swap(&tail, me, acqrel);
  if (!before)
    return;
  store(&before->next, me, rel);
  while (load(&me->waits, acq))
    ;
}

static void unlock(struct node *me) {
  struct node *next = load(&me->next, acq);
  if (next) {
    store(&next->waits, 0, rel);
    return;
  }
  if (cas(&tail, me, NULL, acqrel, rlx))
    return;
  while (!(next = load(&me->next, acq)))
    ;
  store(&next->waits, 0, planted(rel, rlx));
}

static void *body(void *arg) {
  struct node *me = &nodes[(uintptr_t)arg];
  lock(me);
  data++;
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  start(t, THREADS, body);
  start_bystanders(sized(5, 1));
  join(t, THREADS);
  assert(data == THREADS);
}
