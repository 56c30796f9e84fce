// SPDX-License-Identifier: MIT
// A full fence by a locked instruction on a local, in each round of a loop that
// waits (the default) or retries. It makes no round another state, neither of
// the function that has the local nor of one that gets its address; a count of
// rounds does (-DCOUNT): the thread leaves in the third, or before.
// run: sc,tso,pso,armv8,power,riscv,armv7,rc11,imm,xmm,lkmm ok 1
// run: flags=-DRETRY sc,tso,pso,armv8,rc11,imm ok 2
// run: flags=-DGIVEN sc,tso,armv8,rc11 ok 1
// run: flags=-DCOUNT args=--without args=all sc,tso,armv8,rc11 ok 4
// run: flags=-DFENCE sc,tso,pso,armv8 ok 3
// run: flags=-DFENCE flags=-DGIVEN sc,tso,pso,armv8 ok 3
// run: flags=-DFENCE flags=-DGIVEN flags=-DFAILS armv8 error assertion
// run: flags=-DFENCE flags=-DGIVEN flags=-DFAILS tso,pso,power,riscv ok 3
// run: flags=-DFENCE flags=-DXCHG tso,pso,armv8 ok 3
// run: flags=-DFENCE flags=-DCMPXCHG=0 tso,pso,armv8 ok 3
// run: flags=-DFENCE flags=-DCMPXCHG=1 tso,pso ok 3
// run: flags=-DFENCE args=--arm-rmw args=llsc armv8 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void swap_in(atomic_int *local) {
#ifdef FAILS // and orders nothing on ARM
  int expected = 2;
#else
  int expected = 0;
#endif
  atomic_compare_exchange_strong(local, &expected, 1);
}

static void fence(void) {
  atomic_int local = 0;
#ifdef GIVEN
  swap_in(&local);
#elif defined XCHG
  int one = 1;
  __asm__ volatile("xchg %0, %1" : "+r"(one), "+m"(local)::"memory");
#elif defined CMPXCHG // 1: which fails
  int old = CMPXCHG, one = 1;
  __asm__ volatile("lock cmpxchgl %2, %1"
                   : "+a"(old), "+m"(local)
                   : "r"(one)
                   : "memory");
#else
  atomic_fetch_add(&local, 1);
#endif
}

static atomic_int x, y;

#if defined FENCE
static int seen, mine;

static void *other(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  fence();
  seen = atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}

static void here(void) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  fence();
  mine = atomic_load_explicit(&x, memory_order_relaxed);
}
#elif defined RETRY
static void *other(void *arg) {
  int old = atomic_load_explicit(&x, memory_order_relaxed);
  do
    fence();
  while (!atomic_compare_exchange_strong(&x, &old, old + 1));
  return arg;
}

static void here(void) { other(0); }
#else
static void *other(void *arg) {
  x = 1;
  return arg;
}

static void here(void) {
  atomic_int rounds = 0;
  while (!x) {
    fence();
#ifdef COUNT
    if (atomic_fetch_add(&rounds, 1) == 2)
      break;
#endif
  }
}
#endif

int main(int argc, char **argv) {
  assert(argc == 1 && argv[0]);
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  here();
  pthread_join(t, 0);
#ifdef FENCE
  assert(seen || mine); // BUG
#endif
  return 0;
}
