// SPDX-License-Identifier: MIT
// Michael and Scott's queue: a linked list with a dummy node at its head.
//
// enqueue links a node behind the last one with a compare-exchange and then
// moves the tail; whoever finds the tail behind helps to move it. dequeue moves
// the head to the first real node, which becomes the new dummy, and takes the
// value out of it. Nodes are not freed while others may look at them.
//
// With -DWRONG a node is linked by a relaxed operation: it can be seen before
// its value, which C calls a race.
//
// expect: sc ok; tso ok; rc11 ok
// run: flags=-DWRONG sc error race; rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef WRONG
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
  _Atomic(struct node *) next;
  int value;
};

struct queue {
  _Atomic(struct node *) head, tail;
};

struct node *new_node(int value) {
  struct node *n = malloc(sizeof *n);
  atomic_init(&n->next, NULL);
  n->value = value;
  return n;
}

void queue_init(struct queue *q) {
  struct node *dummy = new_node(0);
  atomic_init(&q->head, dummy);
  atomic_init(&q->tail, dummy);
}

void enqueue(struct queue *q, int value) {
  struct node *n = new_node(value);
  for (;;) {
    struct node *last = atomic_load_explicit(&q->tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (next) {
      atomic_compare_exchange_strong_explicit(
          &q->tail, &last, next, memory_order_release, memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit(
                   &last->next, &next, n, LINK, memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit(
          &q->tail, &last, n, memory_order_release, memory_order_relaxed);
      return;
    }
  }
}

bool dequeue(struct queue *q, int *value) {
  for (;;) {
    struct node *dummy = atomic_load_explicit(&q->head, memory_order_acquire);
    struct node *next =
        atomic_load_explicit(&dummy->next, memory_order_acquire);
    if (!next)
      return false;
    if (atomic_compare_exchange_strong_explicit(&q->head, &dummy, next,
                                                memory_order_release,
                                                memory_order_relaxed)) {
      *value = next->value;
      return true;
    }
  }
}

struct queue queue;

void *producer(void *value) {
  enqueue(&queue, (int)(long)value);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  queue_init(&queue);
  pthread_create(&a, NULL, producer, (void *)1);
  pthread_create(&b, NULL, producer, (void *)2);
  int first = 0, second = 0, third = 0;
  bool early = dequeue(&queue, &first);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (!early)
    assert(dequeue(&queue, &first));
  assert(dequeue(&queue, &second));
  assert(first + second == 3);
  assert(!dequeue(&queue, &third));
}
