// SPDX-License-Identifier: MIT
// A thread updates a location twice and reads what it wrote itself. By RC11 the
// acquire load synchronises with the release store of the other thread, through
// the chain of updates, so that x = 3 happens before x = 5. On ARMv8 nothing
// orders the first update with the load: it is forwarded from the second one
// (rmw; rfi; [A | Q]), which reads what its own thread wrote. So x = 3 may
// come last although both updates have seen y = 1.
// expect: sc,tso,rc11,imm ok 5; armv8 ok 6
// run: flags=-DLOAD=memory_order_seq_cst sc,tso,rc11,imm ok 5; armv8 ok 6
// run: args=--arm-acquire=ldar armv8 ok 6
// run: args=--arm-rmw=llsc armv8 ok 6
// run: args=--arm-rmw=llsc flags=-DLOAD=memory_order_seq_cst armv8 ok 6
// run: args=--arm-acquire=ldar args=--arm-rmw=llsc armv8 ok 6
// run: flags=-DUPDATE=memory_order_acquire armv8 ok 5
#include "../common.h"

#ifndef LOAD
#define LOAD memory_order_acquire
#endif
#ifndef UPDATE
#define UPDATE memory_order_relaxed
#endif

static atomic_int x, y;

static void *left(void *unused) {
  (void)unused;
  atomic_store_explicit(&x, 3, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  return NULL;
}

static void *right(void *unused) {
  (void)unused;
  atomic_exchange_explicit(&y, 6, UPDATE);
  atomic_exchange_explicit(&y, 4, memory_order_relaxed);
  atomic_load_explicit(&y, LOAD);
  atomic_store_explicit(&x, 5, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, left, NULL);
  pthread_create(&threads[1], NULL, right, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
