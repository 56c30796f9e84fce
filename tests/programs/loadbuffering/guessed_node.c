// SPDX-License-Identifier: MIT
// Under lkmm values are guessed; here a guessed pointer leads to a node that no
// execution has had so far, and the second load looks at it.
// expect: lkmm ok 3
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(atomic_int *) node;
static atomic_int x, y;

static void *f0(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  {
    atomic_int *p = atomic_load_explicit(&node, memory_order_acquire);
    if (p)
      (void)*(volatile int *)p;
  }
  {
    atomic_int *p = atomic_load_explicit(&node, memory_order_relaxed);
    if (p)
      atomic_load_explicit(p, memory_order_relaxed);
  }
  return arg;
}

static void *f1(void *arg) {
  int r = atomic_load_explicit(&y, memory_order_seq_cst);
  atomic_store_explicit(&y, r, memory_order_relaxed);
  atomic_int *p = malloc(8);
  *(int *)p = r;
  atomic_store_explicit(&node, p, memory_order_seq_cst);
  return arg;
}

static void *f2(void *arg) {
  atomic_store_explicit(&y, 1, memory_order_release);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t id0, id1, id2;
  pthread_create(&id0, NULL, f0, NULL);
  pthread_join(id0, NULL);
  pthread_create(&id1, NULL, f1, NULL);
  pthread_create(&id2, NULL, f2, NULL);
  pthread_join(id1, NULL);
  pthread_join(id2, NULL);
  return 0;
}
