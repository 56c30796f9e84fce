// SPDX-License-Identifier: MIT
// One writer that writes WRITES times, READERS readers that try again, and the
// two fences between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITES
#define WRITES 1
#endif
#ifndef READERS
#define READERS 1
#endif

static atomic_uint version;
static atomic_int left, right;

static void *writer(void *unused) {
  for (int i = 1; i <= WRITES; i++) {
    unsigned v = atomic_load(&version);
    atomic_store(&version, v + 1);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&left, i, memory_order_relaxed);
    atomic_store_explicit(&right, i, memory_order_relaxed);
    atomic_store(&version, v + 2);
  }
  return unused;
}

static void *reader(void *unused) {
  unsigned before, after;
  int l, r;
  do {
    before = atomic_load(&version);
    l = atomic_load_explicit(&left, memory_order_relaxed);
    r = atomic_load_explicit(&right, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    after = atomic_load(&version);
  } while (before != after || before % 2);
  assert(l == r);
  return unused;
}

int main(void) {
  pthread_t ids[READERS + 1];
  for (int i = 0; i <= READERS; i++)
    pthread_create(&ids[i], 0, i ? reader : writer, 0);
  for (int i = 0; i <= READERS; i++)
    pthread_join(ids[i], 0);
}
