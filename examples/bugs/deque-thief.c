// SPDX-License-Identifier: MIT
// A work-stealing deque: the owner pushes and pops at the bottom, thieves steal
// at the top. With one item left, owner and thief race for it by moving the
// top. The thief looks at the top, then at the bottom; if it sees a top that
// the owner has moved, and a bottom from before, it takes an item that is gone.
// Nothing forbids that where the owner moves the top relaxed, although all
// accesses to the bottom that matter are seq_cst.
//
// run: rc11,armv8 error assertion; sc,tso ok
// run: flags=-DMENDED rc11,armv8,sc,tso ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define relaxed memory_order_relaxed
#define release memory_order_release
#define seq_cst memory_order_seq_cst
#ifdef MENDED
#define LOOK memory_order_acquire
#define MOVE memory_order_seq_cst
#else
#define LOOK memory_order_relaxed
#define MOVE memory_order_relaxed
#endif

static atomic_int bottom, top, items[2]; // 1 and 2, or 0

static void push(int item) {
  int b = atomic_load_explicit(&bottom, relaxed);
  atomic_store_explicit(&items[b], item, relaxed);
  atomic_store_explicit(&bottom, b + 1, release);
}

static int pop(void) {
  int b = atomic_load_explicit(&bottom, relaxed) - 1;
  atomic_store_explicit(&bottom, b, seq_cst);
  int item = atomic_load_explicit(&items[b], relaxed);
  int t = atomic_load_explicit(&top, seq_cst);
  if (t < b)
    return item;
  if (t > b ||
      !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, MOVE, relaxed))
    item = 0; // stolen
  atomic_store_explicit(&bottom, b + 1, relaxed);
  return item;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, LOOK);
  int b = atomic_load_explicit(&bottom, seq_cst);
  if (t >= b)
    return 0;
  int item = atomic_load_explicit(&items[t], relaxed);
  return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, seq_cst,
                                                 relaxed)
             ? item
             : 0;
}

static void *thief(void *stolen) {
  *(int *)stolen = steal();
  return NULL;
}

int main(void) {
  pthread_t thread;
  int stolen;
  push(1);
  push(2);
  pthread_create(&thread, NULL, thief, &stolen);
  int first = pop(), second = pop();
  pthread_join(thread, NULL);
  assert(first + second + stolen == 3); // each item once
  return 0;
}
