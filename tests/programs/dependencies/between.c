// SPDX-License-Identifier: MIT
// Load buffering around what a thread does in between: the store is done before
// the load, and what is in between is done again with other values. Nothing of it
// is an error in any order.
// run: flags=-DBETWEEN=heap rc11 ok 3; imm,armv8 ok 4
// run: flags=-DBETWEEN=choice rc11 ok 6; imm,armv8 ok 8
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x, y;
int sum;

// The free does not depend on the value, and is there before the write.
static inline int heap(int r) {
  int *p = malloc(sizeof *p);
  *p = r;
  free(p);
  return 1;
}

// The store depends on the choice, not on the load.
static inline int choice(int r) {
  sum = r;
  return heddle_choose(0, 1) ? 1 : 2;
}

static void *left(void *unused) {
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, BETWEEN(r), memory_order_relaxed);
  return unused;
}

static void *right(void *unused) {
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, r != 0, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, left, NULL);
  pthread_create(&ids[1], NULL, right, NULL);
  pthread_join(ids[0], NULL);
  pthread_join(ids[1], NULL);
  return 0;
}
