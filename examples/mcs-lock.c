// SPDX-License-Identifier: MIT
// The queue lock of Mellor-Crummey and Scott: every thread waits on a flag of
// its own, and who leaves wakes the next in the queue.
//
// The loops are real and need no bound: a round that changes nothing is taken
// as waiting. So a wait that never ends is an error of its own, a hang.
//
// With -DWRONG a thread links itself into the queue with a relaxed store. Then
// nothing orders its own `waits = true` before the `waits = false` of the one
// that wakes it; if they arrive the other way round, it waits for ever. Under
// sc and on x86 the lock is fine. On ARM it depends: an exchange that is one
// instruction (SWPAL) is a barrier between the two stores; if it is a loop, the
// second store may overtake the STLXR.
//
// expect: sc ok; tso ok; rc11 ok; imm ok; armv8 ok
// run: args=--arm-rmw=llsc armv8 ok
// run: flags=-DWRONG sc ok; tso ok; ra error hang; rc11 error hang
// run: flags=-DWRONG imm error hang; armv8 ok
// run: flags=-DWRONG args=--arm-rmw=llsc armv8 error hang
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef WRONG
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

enum { THREADS = 3 };

struct waiter {
  _Atomic(struct waiter *) next;
  atomic_bool waits;
};

_Atomic(struct waiter *) tail;

void acquire(struct waiter *me) {
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->waits, true, memory_order_relaxed);
  struct waiter *before =
      atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  if (!before)
    return;
  atomic_store_explicit(&before->next, me, LINK);
  while (atomic_load_explicit(&me->waits, memory_order_acquire))
    continue;
}

void release(struct waiter *me) {
  struct waiter *next = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!next) {
    struct waiter *last = me;
    if (atomic_compare_exchange_strong_explicit(
            &tail, &last, NULL, memory_order_release, memory_order_relaxed))
      return;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
      continue;
  }
  atomic_store_explicit(&next->waits, false, memory_order_release);
}

struct waiter waiters[THREADS];
int counter;

void *thread(void *number) {
  struct waiter *me = &waiters[(long)number];
  acquire(me);
  counter++;
  release(me);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, thread, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(counter == THREADS);
}
