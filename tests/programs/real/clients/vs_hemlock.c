// SPDX-License-Identifier: MIT
// A compact queue lock: each thread has one cell, which says which lock it
// hands over, and the next thread answers by clearing it.
// run: rc11,imm,armv8 ok
// run: flags=-DNO_WAIT flags=-DTWICE rc11 error hang
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct hem {
  _Atomic(struct hem_node *) tail;
} hem_t;
struct hem_node {
  _Atomic(hem_t *) grant;
} __attribute__((aligned(64)));

static void hem_acquire(hem_t *l, struct hem_node *me) {
  atomic_store_explicit(&me->grant, NULL, memory_order_relaxed);
  struct hem_node *pred =
      atomic_exchange_explicit(&l->tail, me, memory_order_acq_rel);
  if (pred == NULL)
    return;
  while (atomic_load_explicit(&pred->grant, memory_order_acquire) != l)
    ;
  atomic_store_explicit(&pred->grant, NULL, memory_order_release);
}

static int hem_tryacquire(hem_t *l, struct hem_node *me) {
  struct hem_node *none = NULL;
  atomic_store_explicit(&me->grant, NULL, memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(
      &l->tail, &none, me, memory_order_acq_rel, memory_order_relaxed);
}

static void hem_release(hem_t *l, struct hem_node *me) {
  struct hem_node *self = me;
  if (atomic_compare_exchange_strong_explicit(
          &l->tail, &self, NULL, memory_order_release, memory_order_relaxed))
    return;
  atomic_store_explicit(&me->grant, l, memory_order_release);
#ifndef NO_WAIT
  while (atomic_load_explicit(&me->grant, memory_order_acquire) == l)
    ;
#endif
}

static hem_t lock;
static struct hem_node nodes[3];
static int x, y;

static void *run(void *arg) {
  size_t i = (size_t)arg;
  if (i == 2) {
    while (!hem_tryacquire(&lock, &nodes[i]))
      ;
  } else {
    hem_acquire(&lock, &nodes[i]);
  }
  x++;
  y++;
  hem_release(&lock, &nodes[i]);
#ifdef TWICE
  hem_acquire(&lock, &nodes[i]);
  x++;
  y++;
  hem_release(&lock, &nodes[i]);
#endif
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (size_t i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (size_t i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(x == y);
  return 0;
}
