// SPDX-License-Identifier: MIT
// A stack of linked nodes; every operation tries once.
// expect: all ok 37
#include "../common.h"

struct node {
  atomic_int data;
  _Atomic(struct node *) next;
};

static _Atomic(struct node *) head;

static bool push(struct node *node, int value) {
  store(&node->data, value, rlx);
  struct node *old = load(&head, rlx);
  store(&node->next, old, rlx);
  return cas(&head, old, node, rel, rlx);
}

static void pop(void) {
  struct node *old = load(&head, acq);
  if (!old)
    return;
  load(&old->data, rlx);
  struct node *next = load(&old->next, rlx);
  (void)cas(&head, old, next, rel, rlx);
}

static struct node nodes[3];

static void *first(void *unused) {
  bool pushed = push(&nodes[0], 1);
  push(&nodes[1], pushed ? 2 : 1);
  pop();
  return unused;
}

static void *second(void *unused) {
  pop();
  push(&nodes[2], 1);
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  return 0;
}
