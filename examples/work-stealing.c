// SPDX-License-Identifier: MIT
// Chase and Lev's deque: its owner pushes and pops at the bottom, others steal
// at the top.
//
// Only the last item is fought for. The owner first takes the bottom down and
// then looks at the top; a thief looks at the top and then at the bottom. One
// of them must see the other, and that is what the two sc fences are for.
//
// With -DWRONG the fences are weaker: on every model but sc, x86 included,
// owner and thief can take the same item.
//
// expect: sc ok; tso ok; rc11 ok
// run: flags=-DWRONG sc ok; tso error assertion; rc11 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif

enum { SIZE = 4, NOTHING = -1 };

atomic_int items[SIZE];
atomic_int top, bottom;

void push(int item) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&items[b % SIZE], item, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

int claim(int t) {
  int item = atomic_load_explicit(&items[t % SIZE], memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(
             &top, &t, t + 1, memory_order_release, memory_order_relaxed)
             ? item
             : NOTHING;
}

int pop(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(FENCE);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t < b)
    return atomic_load_explicit(&items[b % SIZE], memory_order_relaxed);
  int item = t == b ? claim(t) : NOTHING;
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return item;
}

int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(FENCE);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  return t < b ? claim(t) : NOTHING;
}

atomic_int times_taken[2];

void take(int item) {
  if (item != NOTHING)
    assert(atomic_fetch_add(&times_taken[item], 1) == 0);
}

void *thief(void *unused) {
  take(steal());
  take(steal());
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thief, NULL);
  push(0);
  push(1);
  take(pop());
  take(pop());
  pthread_join(id, NULL);
  assert(times_taken[0] == 1 && times_taken[1] == 1);
}
