// SPDX-License-Identifier: MIT
// C that gcc takes: atomic operations on objects that are not declared as
// atomic, pointers of other types, a type that is left out.
// run: all ok 3
// run: flags=-DPLAIN sc,rc11 error race
#include "../common.h"

static int count;
static volatile long value;
static struct pair { int a, b; } pair;
static int *where;

static int *thread(char *unused) {
  atomic_fetch_add(&count, 1); // BUG
  atomic_store_explicit(&value, 2, memory_order_relaxed);
  return (int *)unused;
}

static fallen() { // yields int
  return 1;
}

int main(void) {
  pthread_t id;
  const int *reader = &count;
  atomic_store(&where, &count);
  pthread_create(&id, NULL, thread, NULL);
#ifdef PLAIN
  int seen = count; // BUG
#else
  int seen = atomic_load(reader);
#endif
  int again = atomic_load_explicit(atomic_load(&where), memory_order_acquire);
  assert(seen <= again && again <= 1);
  pthread_join(id, NULL);
  struct pair next = {1, 2}, old = atomic_exchange(&pair, next);
  int expected = 1;
  assert(old.a == 0 && pair.b == 2 && fallen() == 1);
  assert(atomic_compare_exchange_strong(&count, &expected, 7) && count == 7);
  assert(atomic_exchange(&value, 3) == 2);
  return 0;
}
