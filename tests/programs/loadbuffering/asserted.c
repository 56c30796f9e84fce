// SPDX-License-Identifier: MIT
// An assertion observes and orders nothing: the store behind it may be read by
// what the load in front of it reads from, and then it fails. (Where one value
// comes back by a copy, the load may read 1; GUARD makes the assertion a branch,
// which keeps the store from it in models with dependencies and, since nothing
// else stores to y, under xmm.)
// expect: sc ok 3; tso ok 3; rc11 ok 3
// expect: imm error assertion; armv8 error assertion; power error assertion
// expect: riscv error assertion; c11 error assertion; xmm error assertion
// run: flags=-DGUARD=1 rc11 ok 3; imm ok 3; armv8 ok 3; c11 ok 3; xmm ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef GUARD
#define GUARD 0
#endif

static atomic_int x, y;

static void *asserts(void *unused) {
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  if (GUARD && r)
    return unused;
  assert(!r); // BUG
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *copies(void *unused) {
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, r, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, asserts, NULL);
  pthread_create(&b, NULL, copies, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
