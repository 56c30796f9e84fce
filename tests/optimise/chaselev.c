// SPDX-License-Identifier: MIT
// A deque from which others steal: the owner puts ITEMS in and takes as many
// out, THIEVES try once each. Nothing is taken twice, and what an item stands
// for is seen by who has it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef THIEVES
#define THIEVES 1
#endif

static atomic_int slots[4];
static atomic_int top, bottom;
static int contents[ITEMS + 1], taken[ITEMS + 1]; // by item: 1, 2, ...

static void push(int item) {
  int b = atomic_load(&bottom);
  int t = atomic_load(&top);
  assert(b - t < 4);
  atomic_store(&slots[b % 4], item);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store(&bottom, b + 1);
}

static int pop(void) {
  int b = atomic_load(&bottom) - 1;
  atomic_store(&bottom, b);
  atomic_thread_fence(memory_order_seq_cst);
  int t = atomic_load(&top);
  if (t > b) {
    atomic_store(&bottom, b + 1);
    return 0;
  }
  int item = atomic_load(&slots[b % 4]);
  if (t < b)
    return item;
  int won = atomic_compare_exchange_strong(&top, &t, t + 1);
  atomic_store(&bottom, b + 1);
  return won ? item : 0;
}

static int steal(void) {
  int t = atomic_load(&top);
  atomic_thread_fence(memory_order_seq_cst);
  int b = atomic_load(&bottom);
  if (t >= b)
    return 0;
  int item = atomic_load(&slots[t % 4]);
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : 0;
}

static void use(int item) {
  if (!item)
    return;
  assert(contents[item] == item);
  taken[item]++; // a race, if somebody else has it too
}

static void *owner(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    contents[i] = i;
    push(i);
  }
  for (int i = 0; i < ITEMS; i++)
    use(pop());
  return unused;
}

static void *thief(void *unused) {
  use(steal());
  return unused;
}

int main(void) {
  pthread_t ids[THIEVES + 1];
  for (int i = 0; i <= THIEVES; i++)
    pthread_create(&ids[i], 0, i ? thief : owner, 0);
  for (int i = 0; i <= THIEVES; i++)
    pthread_join(ids[i], 0);
  for (int i = 1; i <= ITEMS; i++)
    assert(taken[i] == 1);
}
