// SPDX-License-Identifier: MIT
// A compare-exchange is a branch, also where others access some of its bytes
// only, so that it is made in pieces: when it fails because it has seen y, what
// is written behind it comes after what was written before y.
// expect: sc,armv8 ok
// A load is none.
// run: flags=-DLOAD sc ok; armv8 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint16_t y;
static atomic_int x;
static int seen;

static void *left(void *unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *right(void *unused) {
#ifdef LOAD
  uint16_t was = atomic_load_explicit(&y, memory_order_relaxed);
#else
  uint16_t was = 7;
  atomic_compare_exchange_strong_explicit(&y, &was, 8, memory_order_relaxed,
                                          memory_order_relaxed);
#endif
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  seen = was;
  return unused;
}

static void *look_at_half(void *unused) {
  atomic_load_explicit((_Atomic uint8_t *)&y, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, left, NULL);
  pthread_create(&t[1], NULL, right, NULL);
  pthread_create(&t[2], NULL, look_at_half, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  assert(!(seen == 1 && x == 2));
}
