// SPDX-License-Identifier: MIT
// Treiber's stack: a push that was too late once does not release its node.
#include "hunt.h"
#define PUSHERS sized(5, 2)
#define POPPERS sized(2, 1)

struct node {
  struct node *next;
  int value;
};
static struct node nodes[PUSHERS];
static _Atomic(struct node *) top;

static void push(struct node *n) {
  n->value = 1;
  n->next = load(&top, rlx);
  if (cas(&top, n->next, n, rel, rlx))
    return;
  do
    n->next = load(&top, rlx);
  while (!cas(&top, n->next, n, planted(rel, rlx), rlx));
}

static void *pusher(void *arg) {
  push(&nodes[(uintptr_t)arg]);
  return NULL;
}

static void *popper(void *unused) {
  (void)unused;
  struct node *n = load(&top, acq);
  if (n && cas(&top, n, n->next, acqrel, rlx))
    assert(n->value == 1);
  return NULL;
}

int main(void) {
  pthread_t p[PUSHERS], c[POPPERS];
  start(p, PUSHERS, pusher);
  start(c, POPPERS, popper);
  join(p, PUSHERS);
  join(c, POPPERS);
}
