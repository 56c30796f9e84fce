// SPDX-License-Identifier: MIT
// A compare-exchange of assembly whose result no register gets does not
// acquire; with a register it does.
// run: flags=--target=aarch64-linux-gnu armv8 error assertion
// run: flags=--target=aarch64-linux-gnu flags=-DKEPT armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag = 1;

static void *send(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 0, memory_order_release);
  return unused;
}

static int take(void) {
#ifdef KEPT
  int old = 0;
  __asm__ volatile("casa %w0, %w2, %1" : "+r"(old), "+Q"(flag) : "r"(2));
  return old == 0;
#else
  __asm__ volatile("casa wzr, %w1, %0" : "+Q"(flag) : "r"(2));
  return 1;
#endif
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, send, NULL);
  int taken = take();
  int seen = atomic_load_explicit(&data, memory_order_relaxed);
  pthread_join(t, NULL);
  if (taken && atomic_load_explicit(&flag, memory_order_relaxed) == 2)
    assert(seen == 1); // BUG
  return 0;
}
