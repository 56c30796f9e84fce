// SPDX-License-Identifier: MIT
// Exercise 10: readers that try again.
//
// The reader takes what it read only if the number was even and has not
// changed. Where are the two fences missing? Check your answer under rc11 and
// under armv8, and let heddle optimize say whether an order can be weaker.
//
// expect: sc ok; rc11 error assertion; armv8 error assertion
// run: flags=-DSOLUTION rc11 ok; armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SOLUTION
#define FENCE(order) atomic_thread_fence(memory_order_##order)
#else
#define FENCE(order) (void)0
#endif
#define READ(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define WRITE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_uint number;
static atomic_int first, second;

static void *writer(void *unused) {
  WRITE(number, 1);
  FENCE(release);
  WRITE(first, 1);
  WRITE(second, 1);
  atomic_store_explicit(&number, 2, memory_order_release);
  return unused;
}

static void *reader(void *unused) {
  unsigned before = atomic_load_explicit(&number, memory_order_acquire);
  int a = READ(first), b = READ(second);
  FENCE(acquire);
  if (before % 2 == 0 && READ(number) == before)
    assert(a == b);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
