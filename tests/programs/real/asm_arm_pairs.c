// SPDX-License-Identifier: MIT
// An exclusive pair is no single instruction, whatever --arm-rmw says of the
// updates of C: what comes after it may be done before its store. After SWPAL
// or CASAL it may not.
// run: flags=-DPAIR flags=--target=aarch64-linux-gnu armv8 error assertion; sc,tso ok
// run: flags=-DPAIR_CAS flags=--target=aarch64-linux-gnu armv8 error assertion; sc,tso ok
// run: flags=-DPAIR flags=-DFENCE flags=--target=aarch64-linux-gnu armv8,sc ok
// run: flags=-DSWAP flags=--target=aarch64-linux-gnu armv8,sc ok
// run: flags=-DCAS=\"casal\" flags=--target=aarch64-linux-gnu armv8,sc ok
// A compare-exchange by one instruction is no branch; that of C is.
// run: flags=-DLB flags=-DCAS=\"cas\" flags=--target=aarch64-linux-gnu armv8 error assertion; sc,tso ok
// run: flags=-DLB flags=-DPAIR_CAS flags=--target=aarch64-linux-gnu armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int set(atomic_int *at) {
#if defined PAIR
  int old, failed;
  __asm__ volatile("1: ldaxr %w0, %2\n"
                   "   stlxr %w1, %w3, %2\n"
                   "   cbnz %w1, 1b"
                   : "=&r"(old), "=&r"(failed), "+Q"(*at)
                   : "r"(1)
                   : "memory");
#elif defined PAIR_CAS
  int old, failed;
  __asm__ volatile("1: ldaxr %w0, %2\n"
                   "   cmp %w0, %w4\n"
                   "   b.ne 2f\n"
                   "   stlxr %w1, %w3, %2\n"
                   "   cbnz %w1, 1b\n"
                   "2:"
                   : "=&r"(old), "=&r"(failed), "+Q"(*at)
                   : "r"(1), "r"(0)
                   : "memory", "cc");
#elif defined SWAP
  int old;
  __asm__ volatile("swpal %w2, %w0, %1"
                   : "=r"(old), "+Q"(*at)
                   : "r"(1)
                   : "memory");
#else
  int old = 0;
  __asm__ volatile(CAS " %w0, %w2, %1"
                   : "+r"(old), "+Q"(*at)
                   : "r"(1)
                   : "memory");
#endif
#ifdef FENCE
  __asm__ volatile("dmb ish" ::: "memory");
#endif
  return old;
}

static atomic_int x, y;
static int seen;

#ifdef LB
static void *other(void *arg) {
  seen = set(&x);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  x = 3;
  pthread_create(&t, NULL, other, NULL);
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, r, memory_order_relaxed);
  pthread_join(t, NULL);
  assert(seen != 1); // BUG
  return 0;
}
#else
static void *other(void *arg) {
  set(&y);
  seen = atomic_load_explicit(&x, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  set(&x);
  int mine = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(t, NULL);
  assert(mine || seen); // BUG
  return 0;
}
#endif
