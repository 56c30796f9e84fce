// SPDX-License-Identifier: MIT
// A deque that its owner pushes to and takes from, while others steal.
// run: rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error assertion
#include <assert.h>
#include <dat3m.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LEN 4
#define EMPTY -1
#define ABORT -2
struct Deque {
  atomic_int bottom, top;
  atomic_int buffer[LEN];
};
static struct Deque deq;
#ifdef WEAK
#define FENCE() atomic_thread_fence(memory_order_acq_rel)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif
static void push(struct Deque *d, int v) {
  int b = atomic_load_explicit(&d->bottom, memory_order_relaxed);
  int t = atomic_load_explicit(&d->top, memory_order_acquire);
  if (b - t > LEN - 1)
    abort();
  atomic_store_explicit(&d->buffer[b % LEN], v, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
}
static int take(struct Deque *d) {
  int b = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&d->bottom, b, memory_order_relaxed);
  FENCE();
  int t = atomic_load_explicit(&d->top, memory_order_relaxed), x;
  if (t <= b) {
    x = atomic_load_explicit(&d->buffer[b % LEN], memory_order_relaxed);
    if (t == b) {
      if (!atomic_compare_exchange_strong_explicit(
              &d->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        x = EMPTY;
      atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
    }
  } else {
    x = EMPTY;
    atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
  }
  return x;
}
static int steal(struct Deque *d) {
  int t = atomic_load_explicit(&d->top, memory_order_acquire), x = EMPTY;
  FENCE();
  int b = atomic_load_explicit(&d->bottom, memory_order_acquire);
  if (t < b) {
    x = atomic_load_explicit(&d->buffer[t % LEN], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(
            &d->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      return ABORT;
  }
  return x;
}
static atomic_int taken[3];
static void note(int v) {
  if (v > 0)
    assert(atomic_fetch_add(&taken[v], 1) == 0);
}
static void *owner(void *arg) {
  push(&deq, 1);
  push(&deq, 2);
  note(take(&deq));
  note(take(&deq));
  return arg;
}
static void *thief(void *arg) {
  note(steal(&deq));
  note(steal(&deq));
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, owner, NULL);
  pthread_create(&t[1], NULL, thief, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(taken[1] == 1 && taken[2] == 1);
}
