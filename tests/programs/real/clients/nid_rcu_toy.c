// SPDX-License-Identifier: MIT
// Readers in two phases of a counter, and an update that flips it twice.
// run: rc11,imm,armv8 ok
// run: flags=-DWRONG rc11 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
void __VERIFIER_assume(bool);
static atomic_int phase, readers[2];
static atomic_int x, y;
static void *reader(void *arg) {
  int p = atomic_load(&phase) & 1;
  atomic_fetch_add(&readers[p], 1);
#ifndef WRONG
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int rx = atomic_load_explicit(&x, memory_order_relaxed);
  int ry = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_fetch_sub_explicit(&readers[p], 1, memory_order_release);
  assert(!(rx == 0 && ry == 1));
  return arg;
}
static void flip(void) {
  int p = atomic_fetch_add(&phase, 1) & 1;
  while (atomic_load(&readers[p]))
    ;
}
static void *updater(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifndef WRONG
  atomic_thread_fence(memory_order_seq_cst);
  flip();
  flip();
#endif
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, reader, 0);
  pthread_create(&t[2], 0, updater, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
