// SPDX-License-Identifier: MIT
// A program with GenMC's header: threads, marks around loops, hints.
// expect: all ok 2
// run: flags=-DRELAXED sc ok 2; rc11 error assertion
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static atomic_int data, ready, winner;

static void *writer(void *arg) {
  __VERIFIER_final_write(atomic_store_explicit(&data, 1, memory_order_relaxed));
  atomic_store_explicit(&ready, 1, ORDER);
  int none = 0;
  if (__VERIFIER_final_CAS(atomic_compare_exchange_strong(&winner, &none, 1)))
    return arg;
  return NULL;
}

static void *reader(void *arg) {
  for (__VERIFIER_loop_begin();
       __VERIFIER_spin_start(), !({
         bool done = atomic_load_explicit(&ready, memory_order_acquire);
         __VERIFIER_spin_end(!done);
         done;
       });)
    ;
  int seen = __VERIFIER_speculative_read(
      atomic_load_explicit(&data, memory_order_relaxed));
  assert(seen == 1); // BUG
  int none = 0;
  __VERIFIER_helped_CAS(atomic_compare_exchange_strong(&winner, &none, 2););
  __VERIFIER_optional(sched_yield());
  return arg;
}

int main(void) {
  __VERIFIER_thread_t a = __VERIFIER_spawn(writer, &data);
  __VERIFIER_thread_t b = __VERIFIER_spawn_symmetric(reader, &data, a);
  __VERIFIER_join(a);
  __VERIFIER_join_symmetric(b);
  assert(winner != 0);
  return 0;
}
