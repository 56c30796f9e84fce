// SPDX-License-Identifier: MIT
// exit() in one thread, an assumption that fails in another: such an execution
// does not count, as it does not when main has returned, whatever is left out.
// expect: all ok 1
// run: args=--without args=all all ok 1
// run: args=--without args=dominated all ok 1
// run: args=--definition all ok 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_assume(int);

static atomic_int x;

static void *leave(void *unused) {
  exit(0);
  return unused;
}

static void *stop(void *unused) {
  __VERIFIER_assume(atomic_load_explicit(&x, memory_order_relaxed) != 0);
  return unused;
}

static void *go(void *unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, stop, NULL);
  pthread_create(&b, NULL, go, NULL);
  pthread_create(&c, NULL, leave, NULL);
  return 0;
}
