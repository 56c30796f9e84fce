// SPDX-License-Identifier: MIT
// Exercise 4: who comes first?
//
// Both threads may think that they are alone, although each raises its flag
// first. Release and acquire do not help: try it. What does, and why does x86
// (tso) need it too?
//
// expect: sc ok; tso error assertion; rc11 error assertion
// run: flags=-DSOLUTION sc ok; tso ok; rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SOLUTION
#define BETWEEN atomic_thread_fence(memory_order_seq_cst)
#else
#define BETWEEN (void)0
#endif

static atomic_int flag[2], inside;

static void enter(int me) {
  atomic_store_explicit(&flag[me], 1, memory_order_release);
  BETWEEN;
  if (!atomic_load_explicit(&flag[1 - me], memory_order_acquire))
    assert(atomic_fetch_add(&inside, 1) == 0);
}

static void *left(void *unused) {
  enter(0);
  return unused;
}

static void *right(void *unused) {
  enter(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
