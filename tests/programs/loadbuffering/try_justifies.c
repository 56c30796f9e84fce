// SPDX-License-Identifier: MIT
// What justifies load buffering may have the label of a failed try, and not
// that of the load that stands for it. T1 reads x = 0, and its compare-exchange
// fails: it acquires x = 1. That read is committed with z = 1, as both are in
// the execution in which T1 reads p = 0, where x is read by loads that acquire.
// With x = 1 read by the relaxed load at once, nothing has the same labels. If
// failures are relaxed too, no execution has such a read beside z = 1.
// run: xmm error assertion
// run: args=--jobs=2 xmm error assertion
// run: args=--without=retry xmm error assertion
// run: flags=-DEARLY xmm error assertion
// run: flags=-DFAIL=memory_order_relaxed xmm ok
// run: sc,tso,ra,rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
atomic_int p, s, x, y, z;
#ifndef FAIL
#define FAIL memory_order_acquire
#endif
static void *one(void *u) {
  if (load(&p)) {
    int v = load(&x);
    while (!atomic_compare_exchange_strong_explicit(
        &x, &v, v + 7, memory_order_acquire, FAIL)) {
    }
    if (v == 1 && load(&z))
      atomic_store_explicit(&y, 1, memory_order_release);
  } else {
    store(&y, 2);
    (void)atomic_load_explicit(&x, FAIL);
    (void)atomic_load_explicit(&x, FAIL);
    (void)load(&z);
    store(&s, 1);
  }
  return u;
}
static void *two(void *u) {
#ifdef EARLY
  (void)load(&s);
  store(&x, 1);
#else
  store(&x, 1);
  (void)load(&s);
#endif
  int b = load(&y);
  if (b)
    store(&z, 1);
  assert(b != 1); // BUG
  return u;
}
static void *three(void *u) {
  store(&p, 1);
  return u;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  pthread_create(&t[2], 0, three, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
}
