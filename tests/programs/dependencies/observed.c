// SPDX-License-Identifier: MIT
// An assertion is an observation: a store behind it may be done before the load
// that it looks at. So it fails with a value that comes round the back, though
// the thread then stops before the store that made it.
// run: sc,rc11 ok 3; imm,armv8 error assertion
// run: args=--all-errors rc11 ok 3; imm,armv8 error assertion 3
// run: flags=-DMORE args=--all-errors imm,armv8 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, n) atomic_store_explicit(&(a), n, memory_order_relaxed)

void *look(void *unused) {
  int r = LOAD(x);
  assert(r != 1); // BUG
#ifdef MORE
  int q = LOAD(z);
  assert(q < 3);
#endif
  STORE(y, 1);
#ifdef MORE
  STORE(z, q + 1);
#endif
  return unused;
}

void *copy(void *unused) {
  int r = LOAD(y);
  STORE(x, r);
#ifdef MORE
  int q = LOAD(z);
  assert(q < 2);
  STORE(z, 2);
#endif
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, look, NULL);
  pthread_create(&other, NULL, copy, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
