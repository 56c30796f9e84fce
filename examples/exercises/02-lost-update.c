// SPDX-License-Identifier: MIT
// Exercise 2: no race, and still wrong.
//
// Each access is atomic, and there is no race. Why can the sum be 1? How many
// executions are there, and in how many of them does the assertion fail?
// (heddle explore)
//
// expect: sc error assertion; rc11 error assertion
// run: flags=-DSOLUTION sc ok; rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *worker(void *unused) {
#ifdef SOLUTION
  atomic_fetch_add(&count, 1);
#else
  atomic_store(&count, atomic_load(&count) + 1);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&count) == 2);
  return 0;
}
