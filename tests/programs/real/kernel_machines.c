// SPDX-License-Identifier: MIT
// Barriers of the kernel on machines: what its headers compile them to there.
// smp_wmb keeps two stores in order, smp_rmb two loads; without them only sc and
// tso do (and pso the loads). An atomic that returns nothing orders nothing by
// itself; smp_mb__after_atomic() makes store buffering impossible.
// expect: sc,tso,pso,armv8,armv7,power,riscv,lkmm ok
// run: flags=-DNO_WMB sc,tso ok; pso,armv8,armv7,power,riscv,lkmm error assertion
// run: flags=-DNO_RMB sc,tso,pso ok; armv8,armv7,power,riscv,lkmm error assertion
// run: flags=-DBUFFERS sc,tso,pso,armv8,armv7,power,riscv,lkmm ok
// run: flags=-DBUFFERS flags=-DNO_AFTER sc,tso ok; armv8,armv7,power,riscv,lkmm error assertion
// run: rc11 error assertion
#include <lkmm.h>
#include <pthread.h>

static int x, y;
static atomic_t a, b;

#ifdef BUFFERS
static int r0, r1;

static void after(void) {
#ifndef NO_AFTER
  smp_mb__after_atomic();
#endif
}

static void *one(void *arg) {
  atomic_inc(&a);
  after();
  r0 = atomic_read(&b);
  return arg;
}

static void *two(void *arg) {
  atomic_inc(&b);
  after();
  r1 = atomic_read(&a);
  return arg;
}
#else
static void *one(void *arg) {
  WRITE_ONCE(x, 1);
#ifndef NO_WMB
  smp_wmb();
#endif
  WRITE_ONCE(y, 1);
  return arg;
}

static void *two(void *arg) {
  int seen = READ_ONCE(y);
#ifndef NO_RMB
  smp_rmb();
#endif
  assert(!seen || READ_ONCE(x)); // BUG
  return arg;
}
#endif

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifdef BUFFERS
  assert(r0 || r1); // BUG
#endif
  return 0;
}
