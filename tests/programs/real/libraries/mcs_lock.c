// SPDX-License-Identifier: MIT
// A queued lock whose try makes its node ready in each round.
// run: flags=-DTRY sc,tso,rc11,imm,armv8 ok 6
// run: sc,tso,rc11 ok
// run: flags=-DMIXED flags=-DNTHREADS=2 rc11,imm ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct mcs_node {
  _Atomic(struct mcs_node *) next;
  atomic_int locked;
} mcs_node_t;
typedef _Atomic(mcs_node_t *) mcslock_t;

static inline bool mcs_tryacquire(mcslock_t *l, mcs_node_t *me) {
  mcs_node_t *none = NULL;
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(
      l, &none, me, memory_order_acq_rel, memory_order_relaxed);
}

static inline void mcs_acquire(mcslock_t *l, mcs_node_t *me) {
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
  mcs_node_t *prev = atomic_exchange_explicit(l, me, memory_order_acq_rel);
  if (prev) {
    atomic_store_explicit(&prev->next, me, memory_order_release);
    while (atomic_load_explicit(&me->locked, memory_order_acquire))
      ;
  }
}

static inline void mcs_release(mcslock_t *l, mcs_node_t *me) {
  mcs_node_t *next = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!next) {
    mcs_node_t *mine = me;
    if (atomic_compare_exchange_strong_explicit(
            l, &mine, NULL, memory_order_release, memory_order_relaxed))
      return;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
      ;
  }
  atomic_store_explicit(&next->locked, 0, memory_order_release);
}

#ifndef NTHREADS
#define NTHREADS 3
#endif
static mcslock_t lock;
static mcs_node_t nodes[NTHREADS];
static int x;

static void *run(void *arg) {
  mcs_node_t *me = &nodes[(long)arg];
#ifdef TRY
  while (!mcs_tryacquire(&lock, me))
    ;
#elif defined MIXED
  if ((long)arg == 0)
    while (!mcs_tryacquire(&lock, me))
      ;
  else
    mcs_acquire(&lock, me);
#else
  mcs_acquire(&lock, me);
#endif
  x++;
  mcs_release(&lock, me);
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
