// SPDX-License-Identifier: MIT
// A linked queue that one thread sets up while others may use it already; each
// operation tries once. Its data race is looked away from for the count.
// run: args=--disable args=race sc,tso ok 39; ra,rc11,imm ok 75
#include "../common.h"

struct node {
  int data;
  _Atomic(struct node *) next;
};

static struct node dummy, nodes[2];
static _Atomic(struct node *) head, tail;
static atomic_int ready;

static void enqueue(struct node *node) {
  node->data = 7;
  store(&node->next, NULL, rlx);
  struct node *t;
  for (;;) {
    t = load(&tail, acq);
    struct node *n = load(&t->next, rlx);
    if (!n)
      break;
    store(&tail, n, rel);
  }
  if (cas(&t->next, NULL, node, rel, rlx))
    store(&tail, node, rel);
}

static int dequeue(void) {
  struct node *h = load(&head, acq);
  struct node *n = load(&h->next, acq);
  if (!n || !cas(&head, h, n, rlx, rlx))
    return -1;
  return n->data;
}

static void *first(void *unused) {
  store(&dummy.next, NULL, rel);
  store(&head, &dummy, rel);
  store(&tail, &dummy, rel);
  store(&ready, 1, rel);
  enqueue(&nodes[0]);
  return unused;
}

static void *second(void *unused) {
  if (load(&ready, acq))
    enqueue(&nodes[1]);
  return unused;
}

static void *third(void *unused) {
  if (load(&ready, acq))
    (void)dequeue();
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  spawn(third);
  return 0;
}
