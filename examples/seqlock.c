// SPDX-License-Identifier: MIT
// A sequence lock: readers write nothing, and read again if a writer came.
//
// The sequence is odd while a writer works. A reader that saw the same even
// number before and after has read one version. Its two reads of the data must
// stay between the two looks at the sequence: acquire keeps them behind the
// first, and the fence before the second.
//
// With -DWRONG the fence is missing. On x86 that changes nothing; in C a reader
// can return one half of the old and one of the new version.
//
// expect: sc ok; tso ok; rc11 ok
// run: flags=-DWRONG sc ok; tso ok; rc11 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint sequence;
atomic_int hours, minutes; // always the same number here

void set_time(int now) {
  unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&hours, now, memory_order_relaxed);
  atomic_store_explicit(&minutes, now, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 2, memory_order_release);
}

void get_time(int *h, int *m) {
  unsigned before, after;
  do {
    before = atomic_load_explicit(&sequence, memory_order_acquire);
    *h = atomic_load_explicit(&hours, memory_order_relaxed);
    *m = atomic_load_explicit(&minutes, memory_order_relaxed);
#ifndef WRONG
    atomic_thread_fence(memory_order_acquire);
#endif
    after = atomic_load_explicit(&sequence, memory_order_relaxed);
  } while (before != after || before % 2 == 1);
}

void *clock_thread(void *unused) {
  set_time(1);
  set_time(2);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, clock_thread, NULL);
  int h, m;
  get_time(&h, &m);
  assert(h == m);
  pthread_join(id, NULL);
}
