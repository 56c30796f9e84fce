// SPDX-License-Identifier: MIT
// A spin lock whose unlock forgot to release.
//
// The lock is taken with a compare-exchange that acquires, but it is given back
// with a relaxed store. Only one thread at a time is inside, and still it goes
// wrong: without release the next owner is not guaranteed to see what the last
// one did under the lock. For C that is a data race on `counter`, and the
// report names both accesses. With memory_order_release in unlock the program
// is correct.
//
// expect: rc11 error race
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int locked;
int counter;

void lock(void) {
  int expected = 0;
  heddle_assume(atomic_compare_exchange_strong_explicit(
      &locked, &expected, 1, memory_order_acquire, memory_order_relaxed));
}

void unlock(void) {
  atomic_store_explicit(&locked, 0, memory_order_relaxed);
}

void *thread(void *unused) {
  lock();
  counter++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, NULL);
  pthread_create(&b, NULL, thread, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
}
