// SPDX-License-Identifier: MIT
// Treiber's stack, each of two threads pushes its node and then takes one.
// Loads of the top are relaxed where a push begins, and a pop acquires it:
// nothing can be known too early, and that has to be found out without looking
// at all ways in which it might.
// run: flags=-DCAS=strong rc11,xmm ok 10
// run: flags=-DCAS=weak rc11 ok 10; xmm incomplete
// run: flags=-DCAS=strong flags=-DFROM_HEAP rc11 ok 10; xmm incomplete
#include "../common.h"

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define try_swap PASTE(atomic_compare_exchange_, CAS, _explicit)

struct node {
  struct node *next;
  int value;
};
static struct node *_Atomic top;
static struct node nodes[2];

static void push(struct node *n) {
  n->next = load(&top, rlx);
  while (!try_swap(&top, &n->next, n, rel, rlx)) {
  }
}

static struct node *pop(void) {
  struct node *n = load(&top, acq);
  while (n && !try_swap(&top, &n, n->next, acq, acq)) {
  }
  return n;
}

static void *thread(void *number) {
  uintptr_t me = (uintptr_t)number;
#ifdef FROM_HEAP
  struct node *mine = malloc(sizeof *mine);
#else
  struct node *mine = &nodes[me];
#endif
  mine->value = (int)me;
  push(mine);
  struct node *n = pop();
  assert(!n || n->value < 2);
  return NULL;
}

int main(void) {
  pthread_t ids[2];
  start(ids, 2, thread);
  join(ids, 2);
  return 0;
}
