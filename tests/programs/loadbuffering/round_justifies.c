// SPDX-License-Identifier: MIT
// That T1 reads v = 1 has to be justified by an execution in which it reads
// v = 0: there its fence and that of T2 order the two accesses of v, so they do
// not race. What races is something that T1 does in a failed round of its loop:
// it reads z (by default); or what it reads there was written behind a read of
// z (OLD: by a loop that waits, TRY: by one that tries again). Without the
// round T1 does the same, but justifies nothing.
//
// BOUNDED makes at most two rounds, which are all explored.
//
// expect: xmm error assertion; rc11,imm,armv8 ok
// run: flags=-DBOUNDED xmm error assertion; rc11 ok
// run: flags=-DOLD xmm error assertion; rc11 ok
// run: flags=-DOLD flags=-DBOUNDED xmm error assertion
// run: flags=-DTRY xmm error assertion; rc11 ok
// run: flags=-DTRY args=--without args=retry xmm error assertion
// run: args=--definition xmm error assertion
// run: args=--jobs args=2 xmm error assertion
// run: args=--equivalence args=rf xmm error assertion
// run: flags=-DACQUIRE xmm ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ACQUIRE // then T1 reads z before T2 writes it, in every execution
#define LOADED memory_order_acquire
#define STORED memory_order_release
#else
#define LOADED memory_order_relaxed
#define STORED memory_order_relaxed
#endif

static atomic_int x, y, z, v;

static int load(atomic_int *at) {
  return atomic_load_explicit(at, memory_order_relaxed);
}

static void store(atomic_int *at, int value) {
  atomic_store_explicit(at, value, memory_order_relaxed);
}

static int waits(void) {
#ifdef TRY
  int old = load(&x);
  while (!atomic_compare_exchange_strong_explicit(
      &x, &old, old + 10, memory_order_relaxed, memory_order_relaxed))
    ;
  return old == 2;
#elif defined(OLD) && defined(BOUNDED)
  return load(&x) == 2 || load(&x) == 2;
#elif defined(OLD)
  while (load(&x) != 2)
    ;
  return 1;
#elif defined(BOUNDED)
  if (load(&x))
    return 1;
  (void)load(&z);
  return load(&x);
#else
  while (!load(&x))
    (void)load(&z);
  return 1;
#endif
}

static void *one(void *unused) {
  if (!waits())
    return unused;
  int a = load(&v);
  if (!a)
    atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&y, 1, STORED);
  assert(!a);
  return unused;
}

static void *two(void *unused) {
  if (atomic_load_explicit(&y, LOADED)) {
    store(&z, 1);
    atomic_thread_fence(memory_order_acquire);
    store(&v, 1);
  }
  return unused;
}

static void *three(void *unused) {
#if defined(OLD) || defined(TRY)
  if (!load(&z))
    store(&x, 1);
#endif
  return unused;
}

static void *four(void *unused) {
  store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  pthread_create(&t[2], NULL, three, NULL);
  pthread_create(&t[3], NULL, four, NULL);
  return 0;
}
