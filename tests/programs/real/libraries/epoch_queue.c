// SPDX-License-Identifier: MIT
// A queue of linked nodes whose dequeued dummies wait for an epoch: a thread
// announces what epoch it is in, and a node is freed two epochs later. Without
// the announcement, a node may be freed under a reader.
// expect: sc,tso,rc11,imm,armv8 ok; ra error free-race
// run: flags=-DNO_EPOCH all error free-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  int value;
};
struct queue {
  _Alignas(64) _Atomic(struct node *) head;
  _Alignas(64) _Atomic(struct node *) tail;
};

enum { THREADS = 2, OUTSIDE = -1 };
static struct queue queue;
static atomic_int announced[THREADS] = {OUTSIDE, OUTSIDE};

static struct node *new_node(int value) {
  struct node *n = malloc(sizeof *n);
  atomic_init(&n->next, NULL);
  n->value = value;
  return n;
}

static void enter(int self) {
#ifndef NO_EPOCH
  atomic_store(&announced[self], 0);
#endif
  (void)self;
}

static void leave(int self) {
  atomic_store_explicit(&announced[self], OUTSIDE, memory_order_release);
}

// Frees the node if nobody else is inside; it is kept for the end otherwise.
static bool free_if_quiet(int self, struct node *n) {
  if (atomic_load(&announced[1 - self]) != OUTSIDE)
    return false;
  free(n); // BUG
  return true;
}

static void enqueue(int value) {
  struct node *n = new_node(value);
  for (;;) {
    struct node *tail = atomic_load(&queue.tail), *none = NULL;
    if (atomic_compare_exchange_strong(&tail->next, &none, n)) {
      atomic_compare_exchange_strong(&queue.tail, &tail, n);
      return;
    }
    atomic_compare_exchange_strong(&queue.tail, &tail, none);
  }
}

static int dequeue(struct node **ret_dummy) {
  for (;;) {
    struct node *head = atomic_load(&queue.head);
    struct node *next = atomic_load(&head->next); // BUG
    *ret_dummy = NULL;
    if (!next)
      return 0;
    struct node *tail = atomic_load(&queue.tail);
    if (head == tail)
      atomic_compare_exchange_strong(&queue.tail, &tail, next);
    int value = next->value;
    if (atomic_compare_exchange_strong(&queue.head, &head, next)) {
      *ret_dummy = head;
      return value;
    }
  }
}

static int take(int self, struct node **ret_left) {
  struct node *dummy;
  enter(self);
  int value = dequeue(&dummy);
  leave(self);
  *ret_left = dummy && !free_if_quiet(self, dummy) ? dummy : NULL; // BUG
  return value;
}

static void *taker(void *arg) {
  struct node *left;
  *(int *)arg = take(1, &left);
  return left;
}

int main(void) {
  struct node *dummy = new_node(0), *left;
  pthread_t t;
  int other;
  void *other_left;
  atomic_init(&queue.head, dummy);
  atomic_init(&queue.tail, dummy);
  enqueue(3);
  pthread_create(&t, NULL, taker, &other);
  int mine = take(0, &left);
  pthread_join(t, &other_left);
  assert(mine + other == 3);
  free(left);
  free(other_left);
  free(atomic_load(&queue.head));
  return 0;
}
