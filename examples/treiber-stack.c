// SPDX-License-Identifier: MIT
// Treiber's stack: a linked list whose head is moved by compare-exchange.
//
// push fills in a node and makes it the head with a release operation; pop
// takes the head with acquire before it looks inside. So the contents of a node
// are ordinary memory: they were written before the node became visible.
//
// Popped nodes are not freed here. A thread that still holds the old head may
// look at its `next`; safe reclamation is a problem of its own.
//
// With -DWRONG the compare-exchange in push is relaxed instead of release. The
// head then becomes visible before what it points to, and another thread can
// pop a node whose contents have not arrived. C calls that a data race on the
// node.
//
// expect: rc11 ok; sc ok
// run: flags=-DWRONG rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WRONG
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct node {
  int value;
  struct node *next;
};

_Atomic(struct node *) head;

void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = atomic_load_explicit(&head, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&head, &n->next, n, PUBLISH,
                                                memory_order_relaxed))
    continue;
}

// The popped value, or -1 when the stack is empty.
int pop(void) {
  struct node *n = atomic_load_explicit(&head, memory_order_acquire);
  while (n && !atomic_compare_exchange_weak_explicit(&head, &n, n->next,
                                                     memory_order_acquire,
                                                     memory_order_acquire))
    continue;
  return n ? n->value : -1;
}

void *pusher(void *value) {
  push((int)(long)value);
  return NULL;
}

int popped;

void *popper(void *unused) {
  popped = pop();
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, pusher, (void *)1);
  pthread_create(&b, NULL, pusher, (void *)2);
  pthread_create(&c, NULL, popper, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  assert(popped == -1 || popped == 1 || popped == 2);
  int rest = pop() + pop();
  assert(popped == -1 ? rest == 3 : rest == 3 - popped - 1);
}
