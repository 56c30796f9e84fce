// SPDX-License-Identifier: MIT
// A thread that another one creates on its way comes after what that has done
// before. LOAD: a load, then the new thread's store; somebody copies that to
// where the load looks. It reads 0 or the copy of 0, or the copy is 1 and comes
// too late for it: 3 executions. STORE: a store, then the new thread's load,
// against a store, a full fence and a load: that both loads miss is allowed by
// the language, but not by ARM, whose creation of a thread is a barrier.
// run: flags=-DLOAD sc,rc11,imm,armv8 ok 3
// run: flags=-DSTORE sc,armv8 ok 3; rc11,imm ok 4
// run: flags=-DLOAD flags=-DAFTER imm,armv8,rc11 ok
// run: flags=-DSTORE flags=-DAFTER imm,armv8,rc11 ok
#include "../common.h"

static atomic_int x, y;

static void *created(void *unused) {
#ifdef LOAD
  store(&y, 1, rlx);
#else
  (void)load(&y, rlx);
#endif
  return unused;
}

static void *creator(void *unused) {
  pthread_t t;
#ifdef LOAD
  (void)load(&x, rlx);
#else
  store(&x, 1, rlx);
#endif
  pthread_create(&t, NULL, created, NULL);
#ifdef AFTER
  (void)load(&y, rlx);
  store(&x, 7, rlx);
#endif
  pthread_join(t, NULL);
#ifdef AFTER
  (void)load(&x, rlx);
  store(&y, 9, rlx);
#endif
  return unused;
}

static void *other(void *unused) {
#ifdef LOAD
  store(&x, load(&y, rlx), rlx);
#else
  store(&y, 1, rlx);
  atomic_thread_fence(memory_order_seq_cst);
  (void)load(&x, rlx);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, creator, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
