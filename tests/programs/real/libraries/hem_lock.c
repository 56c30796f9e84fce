// SPDX-License-Identifier: MIT
// A queue lock without nodes (each thread has one word), with a try, in the
// style of verified synchronisation libraries.
// The tries store what is there already, so three threads have 3! executions.
// run: flags=-DTRY sc,tso,rc11,imm,armv8 ok 6
// run: sc,tso,rc11 ok
// run: flags=-DMIXED flags=-DNTHREADS=2 rc11,imm ok 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct hem_node {
  _Atomic(void *) grant;
} __attribute__((aligned(64))) hem_node_t;
typedef struct {
  _Atomic(hem_node_t *) tail;
} hemlock_t;

static inline void hemlock_acquire(hemlock_t *l, hem_node_t *node) {
  atomic_store_explicit(&node->grant, NULL, memory_order_relaxed);
  hem_node_t *pred =
      atomic_exchange_explicit(&l->tail, node, memory_order_acq_rel);
  if (pred == NULL)
    return;
  while (atomic_load_explicit(&pred->grant, memory_order_acquire) != l)
    ;
  atomic_store_explicit(&pred->grant, NULL, memory_order_release);
}

static inline bool hemlock_tryacquire(hemlock_t *l, hem_node_t *node) {
  hem_node_t *none = NULL;
  atomic_store_explicit(&node->grant, NULL, memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(
      &l->tail, &none, node, memory_order_acq_rel, memory_order_relaxed);
}

static inline void hemlock_release(hemlock_t *l, hem_node_t *node) {
  hem_node_t *me = node;
  if (atomic_load_explicit(&l->tail, memory_order_relaxed) == node &&
      atomic_compare_exchange_strong_explicit(
          &l->tail, &me, NULL, memory_order_release, memory_order_relaxed))
    return;
  atomic_store_explicit(&node->grant, l, memory_order_release);
  while (atomic_load_explicit(&node->grant, memory_order_acquire) != NULL)
    ;
}

static hemlock_t lock;
static _Thread_local hem_node_t node;
static int x;

#ifndef NTHREADS
#define NTHREADS 3
#endif

static void *run(void *arg) {
#ifdef TRY
  while (!hemlock_tryacquire(&lock, &node))
    ;
#elif defined MIXED
  if ((long)arg == 0)
    while (!hemlock_tryacquire(&lock, &node))
      ;
  else
    hemlock_acquire(&lock, &node);
#else
  hemlock_acquire(&lock, &node);
#endif
  x++;
  hemlock_release(&lock, &node);
  return arg;
}

int main(void) {
  pthread_t t[NTHREADS];
  for (long i = 0; i < NTHREADS; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (int i = 0; i < NTHREADS; i++)
    pthread_join(t[i], NULL);
  assert(x == NTHREADS);
  return 0;
}
