// SPDX-License-Identifier: MIT
// A locked instruction on a local of its own is how much code writes a full
// fence: on x86 and ARM it orders what is around it, so of store buffering three
// outcomes are left. C11 has no such fence.
// run: sc,tso,pso,armv8 ok 3
// run: flags=-DTHREAD sc,tso,armv8 ok 3
// run: flags=-DSTORE sc,tso ok 3
// run: rc11 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef THREAD
static _Thread_local atomic_int dummy;
#define LOCAL
#else
#define LOCAL atomic_int dummy = 0
#endif

static void fence(void) {
  LOCAL;
#ifdef STORE
  atomic_store(&dummy, 1); // xchg
#else
  int expected = 0;
  atomic_compare_exchange_strong(&dummy, &expected, 1);
#endif
}

static atomic_int x, y;
static int seen;

static void *other(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  fence();
  seen = atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  fence();
  int mine = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  assert(mine || seen); // BUG
  return 0;
}
