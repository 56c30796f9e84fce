// SPDX-License-Identifier: MIT
// Dartagnan's header and names, and Nidhugg's reads and exchanges that wait
// until a comparison holds (1: greater, 2: equal, 4: less, 8: signed).
// expect: all ok 1
#include <assert.h>
#include <dat3m.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_load_await_aint(atomic_int *at, int condition,
                                      int operand);
extern int __VERIFIER_xchg_await_aint(atomic_int *at, int value, int condition,
                                      int operand);
enum { EQUAL = 2, LESS_SIGNED = 4 + 8 };

static atomic_int turn = 5;

static void *follower(void *arg) {
  int seen = __VERIFIER_xchg_await_aint(&turn, 1, LESS_SIGNED, 0);
  assert(seen == -3);
  assert(__VERIFIER_tid() == 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, follower, NULL);
  atomic_store(&turn, -3);
  __VERIFIER_loop_bound(3);
  await_while(atomic_load(&turn) != 1) {}
  assert(__VERIFIER_load_await_aint(&turn, EQUAL, 1) == 1);
  assert(__VERIFIER_tid() == 0);
  pthread_join(t, NULL);
  return 0;
}
