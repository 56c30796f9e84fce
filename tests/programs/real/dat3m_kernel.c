// SPDX-License-Identifier: MIT
// Kernel code in terms of Dartagnan's functions, as its headers have it: message
// passing in four ways, a section of RCU, updates of all kinds.
// run: flags=-DWAY=0 lkmm ok; armv8,power,riscv ok
// run: flags=-DWAY=1 lkmm ok
// run: flags=-DWAY=2 lkmm ok
// run: flags=-DWAY=3 lkmm error assertion
// run: flags=-DWAY=4 lkmm ok
// run: flags=-DWAY=5 lkmm ok
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { relaxed, once, acquire, release, mb, wmb, rmb, rcu_lock, rcu_unlock, rcu_sync };
enum { op_add, op_sub, op_and, op_or };
extern long __LKMM_load(const volatile void *, size_t, int);
extern void __LKMM_store(volatile void *, size_t, long, int);
extern void __LKMM_fence(int);
extern long __LKMM_xchg(volatile void *, size_t, long, int);
extern long __LKMM_cmpxchg(volatile void *, size_t, long, long, int, int);
extern void __LKMM_atomic_op(volatile void *, size_t, long, int);
extern long __LKMM_atomic_fetch_op(volatile void *, size_t, long, int, int);
extern long __LKMM_atomic_op_return(volatile void *, size_t, long, int, int);
extern int __LKMM_LOAD(int *, int);
extern void __LKMM_STORE(int *, int, int);
extern void __LKMM_FENCE(int);
extern int __LKMM_ATOMIC_FETCH_OP(int *, int, int, int);
extern int __LKMM_CMPXCHG(int *, int, int, int, int);
extern int __LKMM_XCHG(int *, int, int);
extern int __LKMM_ATOMIC_OP_RETURN(int *, int, int, int);
extern void __LKMM_ATOMIC_OP(int *, int, int);

static int x, y;

static void *one(void *arg) {
#if WAY == 4 // no section spans a grace period
  __LKMM_fence(rcu_lock);
  __LKMM_store(&x, sizeof x, 1, once);
  __LKMM_store(&y, sizeof y, 1, once);
  __LKMM_fence(rcu_unlock);
#else
  __LKMM_store(&x, sizeof x, 1, once);
  if (WAY == 0)
    __LKMM_fence(wmb);
  if (WAY == 2)
    __LKMM_FENCE(mb);
  __LKMM_store(&y, sizeof y, 1, WAY == 1 ? release : once);
#endif
  return arg;
}

static void *two(void *arg) {
#if WAY == 4
  long seen = __LKMM_load(&x, sizeof x, once);
  __LKMM_fence(rcu_sync);
  long later = __LKMM_load(&y, sizeof y, once);
  assert(!seen || later);
#else
  long seen = __LKMM_load(&y, sizeof y, WAY == 1 ? acquire : once);
  if (WAY == 0)
    __LKMM_fence(rmb);
  if (WAY == 2)
    __LKMM_FENCE(mb);
  assert(!seen || __LKMM_load(&x, sizeof x, once)); // BUG
#endif
  return arg;
}

static void count(void) {
  static long wide;
  static int old;
  static short narrow;
  assert(__LKMM_atomic_fetch_op(&wide, 8, 5, mb, op_add) == 0);
  assert(__LKMM_atomic_op_return(&wide, 8, 2, relaxed, op_sub) == 3);
  __LKMM_atomic_op(&wide, 8, 4, op_or);
  __LKMM_atomic_op(&wide, 8, 6, op_and);
  assert(__LKMM_xchg(&wide, 8, -1, acquire) == 6);
  assert(__LKMM_cmpxchg(&wide, 8, -1, 9, mb, mb) == -1 && wide == 9);
  assert(__LKMM_cmpxchg(&wide, 8, -1, 7, release, relaxed) == 9 && wide == 9);
  __LKMM_store(&narrow, 2, -3, release);
  assert(__LKMM_load(&narrow, 2, acquire) == -3);
  __LKMM_STORE(&old, 3, once);
  __LKMM_ATOMIC_OP(&old, 1, op_sub);
  assert(__LKMM_ATOMIC_FETCH_OP(&old, 2, mb, op_add) == 2);
  assert(__LKMM_ATOMIC_OP_RETURN(&old, 12, mb, op_and) == 4);
  assert(__LKMM_CMPXCHG(&old, 4, -4, mb, mb) == 4);
  assert(__LKMM_XCHG(&old, 1, mb) == -4 && __LKMM_LOAD(&old, once) == 1);
}

int main(void) {
  pthread_t t, u;
  if (WAY == 5) {
    count();
    return 0;
  }
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
