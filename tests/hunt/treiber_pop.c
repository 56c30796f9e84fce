// SPDX-License-Identifier: MIT
// Treiber's stack: the second pop of a thread does not acquire.
#include "hunt.h"
#define PUSHERS sized(5, 2)
#define POPPERS sized(2, 1)

struct node {
  struct node *next;
  atomic_int value;
};
static struct node nodes[PUSHERS];
static _Atomic(struct node *) top;

static void *pusher(void *arg) {
  struct node *n = &nodes[(uintptr_t)arg];
  store(&n->value, 1, rlx);
  struct node *seen = load(&top, rlx);
  do
    n->next = seen;
  while (!atomic_compare_exchange_strong_explicit(&top, &seen, n, rel, rlx));
  return NULL;
}

static void pop(enum memory_order order) {
  struct node *n = load(&top, acq);
  if (n && cas(&top, n, n->next, acq, rlx)) {
    n = load(&top, order); // what is on top now: a look at it
    if (n)
      assert(load(&n->value, rlx) == 1);
  }
}

static void *popper(void *unused) {
  (void)unused;
  pop(planted(acq, rlx));
  return NULL;
}

int main(void) {
  pthread_t p[PUSHERS], c[POPPERS];
  start(p, PUSHERS, pusher);
  start(c, POPPERS, popper);
  join(p, PUSHERS);
  join(c, POPPERS);
}
