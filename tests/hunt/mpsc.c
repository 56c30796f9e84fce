// SPDX-License-Identifier: MIT
// Many producers, one consumer: who is not the first links its node without a
// release.
#include "hunt.h"
#define PRODUCERS sized(8, 2)

struct node {
  _Atomic(struct node *) next;
  atomic_int value;
};
static struct node stub, nodes[PRODUCERS];
static _Atomic(struct node *) newest = &stub;

static void *producer(void *arg) {
  struct node *n = &nodes[(uintptr_t)arg];
  store(&n->value, 1, rlx);
  struct node *before = swap(&newest, n, acqrel);
  store(&before->next, n, before == &stub ? rel : planted(rel, rlx));
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  struct node *n = &stub;
  while ((n = load(&n->next, acq)))
    assert(load(&n->value, rlx) == 1);
  return NULL;
}

int main(void) {
  pthread_t p[PRODUCERS], c;
  start(p, PRODUCERS, producer);
  pthread_create(&c, NULL, consumer, NULL);
  join(p, PRODUCERS);
  join(&c, 1);
}
