// SPDX-License-Identifier: MIT
// Exercise 5: a lock of your own.
//
// The lock excludes, as the value of `held` shows. So why is there a race?
// Which of the two orders of the lock is missing?
//
// expect: rc11 error race
// run: flags=-DSOLUTION rc11 ok
#include <pthread.h>
#include <stdatomic.h>

#ifdef SOLUTION
enum { UNLOCK = memory_order_release };
#else
enum { UNLOCK = memory_order_relaxed };
#endif

static atomic_int held;
static int data;

static void *worker(void *unused) {
  while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
    ;
  data++;
  atomic_store_explicit(&held, 0, UNLOCK);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
