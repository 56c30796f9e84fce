// SPDX-License-Identifier: MIT
// A CLH lock: a thread that had to wait frees its node without a release.
#include "hunt.h"
#define THREADS sized(6, 3)

struct node {
  atomic_int is_locked;
};
static struct node first, nodes[THREADS];
static _Atomic(struct node *) tail = &first;
static atomic_int data;

static void *body(void *arg) {
  struct node *me = &nodes[(uintptr_t)arg];
  store(&me->is_locked, 1, rlx);
  struct node *before = swap(&tail, me, acqrel);
  while (load(&before->is_locked, acq))
    ;
  int seen = load(&data, rlx);
  store(&data, seen + 1, rlx);
  store(&me->is_locked, 0, seen == 1 ? planted(rel, rlx) : rel);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  start(t, THREADS, body);
  start_bystanders(sized(4, 1));
  join(t, THREADS);
  assert(load(&data, rlx) == THREADS);
}
