// SPDX-License-Identifier: MIT
// As behind_branch.c, in the words of C11: relaxed accesses are READ_ONCE and
// WRITE_ONCE, and a branch orders no more than it guards here either.
// expect: lkmm error assertion
// run: args=--variant args=no-thin-air lkmm ok 3
// run: flags=-DGUARDED lkmm ok 2
// run: rc11,armv8 ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, w;

static void *left(void *unused) {
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  if (r)
    atomic_store_explicit(&w, 1, memory_order_relaxed);
#ifdef GUARDED
  if (r)
#endif
    atomic_store_explicit(&y, 1, memory_order_relaxed);
  return (void *)(long)r;
}

static void *right(void *unused) {
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, r, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  void *got;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, &got);
  pthread_join(b, 0);
  assert(!got); // BUG
  return 0;
}
