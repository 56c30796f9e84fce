// SPDX-License-Identifier: MIT
// Exercise 3: pass a message.
//
// Under sc there is no error: no interleaving loses the message. Which line of
// the report shows that this execution is none? Give the two accesses of
// `ready` the weakest orders with which the program is right.
//
// expect: sc ok; rc11 error assertion; armv8 error assertion
// run: flags=-DSOLUTION rc11 ok; armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SOLUTION
enum { PUT = memory_order_release, GET = memory_order_acquire };
#else
enum { PUT = memory_order_relaxed, GET = memory_order_relaxed };
#endif

static atomic_int data, ready;

static void *sender(void *unused) {
  atomic_store_explicit(&data, 42, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, PUT);
  return unused;
}

static void *receiver(void *unused) {
  if (atomic_load_explicit(&ready, GET))
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
