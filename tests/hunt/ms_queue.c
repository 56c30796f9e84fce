// SPDX-License-Identifier: MIT
// Michael and Scott's queue: a node is linked before its value is seen, if the
// tail was behind.
#include "hunt.h"
#define PRODUCERS sized(4, 2)
#define CONSUMERS sized(2, 1)

struct node {
  _Atomic(struct node *) next;
  atomic_int value;
};
static struct node dummy, nodes[PRODUCERS];
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void put(struct node *n, int value) {
  bool was_behind = false;
  store(&n->value, value, rlx);
  for (;;) {
    struct node *last = load(&tail, acq), *next = load(&last->next, acq);
    if (next) {
      cas(&tail, last, next, rel, rlx);
      was_behind = true;
    } else if (cas(&last->next, NULL, n, was_behind ? planted(rel, rlx) : rel,
                   rlx)) {
      cas(&tail, last, n, was_behind ? planted(rel, rlx) : rel, rlx);
      return;
    }
  }
}

static void *producer(void *arg) {
  put(&nodes[(uintptr_t)arg], (int)(uintptr_t)arg + 1);
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  struct node *first = load(&head, acq), *next = load(&first->next, acq);
  if (next && cas(&head, first, next, acqrel, rlx))
    assert(load(&next->value, rlx) != 0);
  return NULL;
}

int main(void) {
  pthread_t p[PRODUCERS], c[CONSUMERS];
  start(p, PRODUCERS, producer);
  start(c, CONSUMERS, consumer);
  start_bystanders(sized(3, 0));
  join(p, PRODUCERS);
  join(c, CONSUMERS);
}
