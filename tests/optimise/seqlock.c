// SPDX-License-Identifier: MIT
// One writer, one reader that tries again, and the two fences between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int left, right;

static void *writer(void *unused) {
  unsigned v = atomic_load(&version);
  atomic_store(&version, v + 1);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&left, 1, memory_order_relaxed);
  atomic_store_explicit(&right, 1, memory_order_relaxed);
  atomic_store(&version, v + 2);
  return unused;
}

int main(void) {
  pthread_t id;
  unsigned before, after;
  int l, r;
  pthread_create(&id, 0, writer, 0);
  do {
    before = atomic_load(&version);
    l = atomic_load_explicit(&left, memory_order_relaxed);
    r = atomic_load_explicit(&right, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    after = atomic_load(&version);
  } while (before != after || before % 2);
  assert(l == r);
  pthread_join(id, 0);
}
