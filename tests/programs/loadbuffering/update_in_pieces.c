// SPDX-License-Identifier: MIT
// Load buffering around an update that is made in pieces, since a byte of it is
// read later. All accesses to the word are ordered. The text of c11 is about
// updates as single events, by which it judges such executions, so that none
// was found: that is said now.
// expect: c11 incomplete; imm error assertion; armv8 error assertion
// run: rc11 ok 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, word;
static int a, b;

static void *one(void *unused) {
  a = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
  (void)atomic_load_explicit((atomic_char *)&word, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *other(void *unused) {
  b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, other, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(!(a && b)); // BUG
}
