// SPDX-License-Identifier: MIT
// Two threads with assembly: a lock by xchg (a race without it), stores that a
// later load overtakes unless a fence stands between, and a data dependency
// that an empty statement hides from the compiler but not from the checker.
// run: flags=-DLOCK all ok 2
// run: flags=-DBUFFERS sc ok 3; tso,rc11 error assertion
// run: flags=-DBUFFERS flags=-DFENCE sc,tso,rc11 ok 3
// run: flags=-DBUFFERS flags=-DINTRINSIC sc,tso,rc11 ok 3
// run: flags=-DDEPENDENCY imm,armv8 ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef INTRINSIC
#include <emmintrin.h>
#endif

static int x, y, a, b;

static inline int load(int *at) {
  int r;
  __asm__ volatile("movl %1, %0" : "=r"(r) : "m"(*at) : "memory");
  return r;
}

static inline void store(int *at, int value) {
  __asm__ volatile("movl %1, %0" : "=m"(*at) : "ir"(value) : "memory");
}

static inline int swap(int *at, int value) {
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at) : : "memory");
  return value;
}

static void fence(void) {
#ifdef FENCE
  __asm__ volatile("mfence" ::: "memory");
#elif defined INTRINSIC
  _mm_mfence();
#endif
}

#ifdef LOCK
static void work(void) {
  while (swap(&x, 1))
    __asm__ volatile("rep; nop" ::: "memory");
  y++;
  store(&x, 0);
}
static void first(void) {
  work();
}
static void second(void) {
  work();
}
#elif defined BUFFERS
static void first(void) {
  store(&x, 1);
  fence();
  a = load(&y);
}
static void second(void) {
  store(&y, 1);
  fence();
  b = load(&x);
}
#else
static atomic_int p, q;
static void copy(atomic_int *from, atomic_int *to) {
  int r = atomic_load_explicit(from, memory_order_relaxed);
  __asm__("" : "+r"(r));
  atomic_store_explicit(to, r, memory_order_relaxed);
}
static void first(void) {
  copy(&p, &q);
}
static void second(void) {
  copy(&q, &p);
}
#endif

static void *thread(void *arg) {
  first();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  second();
  pthread_join(t, NULL);
#ifdef LOCK
  assert(y == 2);
#elif defined BUFFERS
  assert(a == 1 || b == 1); // BUG
#endif
  return 0;
}
