// SPDX-License-Identifier: MIT
// A load takes one half from a store of its own thread, which depends on what
// was read before, and the other half from memory. ARM orders only the first
// half behind that, so the other one may be older; Heddle does not explore it
// and must not say that there is no error.
// expect: armv8 incomplete
// expect: tso ok 6
#include "../common.h"

static union {
  _Atomic uint64_t whole;
  _Atomic uint32_t half[2];
} x;
static uint64_t seen;
static uint32_t first;

static void *writer(void *arg) {
  atomic_store_explicit(&x.half[0], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&x.half[1], 1, memory_order_relaxed);
  return arg;
}

static void *reader(void *arg) {
  first = atomic_load_explicit(&x.half[1], memory_order_relaxed);
  atomic_store_explicit(&x.half[1], first + 1, memory_order_relaxed);
  seen = atomic_load_explicit(&x.whole, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(first == 1 && (uint32_t)seen == 0));
  return 0;
}
