// SPDX-License-Identifier: MIT
// Message passing, broken by weak memory.
//
// The same as mp-ok.c, but the flag is only relaxed: it is atomic, and orders
// nothing. On real hardware (ARM, POWER), or after the compiler has moved the
// two stores, the receiver can see the flag raised and still read the old
// message. No interleaving of the four accesses shows that, so tests on a
// developer's machine pass for years, and under the model sc it is no error.
// Under rc11, the model of C and C++, the assertion fails; the report shows
// that the receiver reads the new `ready` and the initial `message`.
//
// To repair it, store `ready` with release and load it with acquire.
//
// expect: rc11 error assertion; sc ok 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int message;
atomic_int ready;

void *sender(void *unused) {
  atomic_store_explicit(&message, 42, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

void *receiver(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    assert(atomic_load_explicit(&message, memory_order_relaxed) == 42);
  return unused;
}

int main(void) {
  pthread_t s, r;
  pthread_create(&s, NULL, sender, NULL);
  pthread_create(&r, NULL, receiver, NULL);
  pthread_join(s, NULL);
  pthread_join(r, NULL);
}
