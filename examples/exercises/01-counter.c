// SPDX-License-Identifier: MIT
// Exercise 1: two threads count.
//
// What does Heddle call the error, and which two accesses is it about? Mend it
// without a lock.
//
// expect: rc11 error race
// run: flags=-DSOLUTION rc11 ok
#include <pthread.h>
#include <stdatomic.h>

#ifdef SOLUTION
static atomic_int count; // ++ of an atomic variable is one update
#else
static int count;
#endif

static void *worker(void *unused) {
  count++;
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
