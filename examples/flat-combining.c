// SPDX-License-Identifier: MIT
// Flat combining: one thread does the work of all that wait.
//
// A thread puts its request into its slot. Then it either gets the lock and
// serves every slot, or waits until somebody has served its own. The data are
// only touched under the lock and the results travel through the slots, so both
// are plain memory.
//
// With -DWRONG=1 a served slot is marked by a relaxed store, and the result
// races. With -DWRONG=2 a thread that did not get the lock only waits for its
// slot and never tries again: when the combiner has just passed it, it hangs.
//
// expect: sc ok; tso ok; rc11 ok
// run: flags=-DWRONG=1 sc error race; rc11 error race
// run: flags=-DWRONG=2 sc error hang; rc11 error hang
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef WRONG
#define WRONG 0
#endif
#define SERVED (WRONG == 1 ? memory_order_relaxed : memory_order_release)

enum { THREADS = 2 };

struct slot {
  atomic_bool is_open;
  int amount, result;
};

struct slot slots[THREADS];
atomic_flag lock = ATOMIC_FLAG_INIT;
int total; // under the lock

bool try_lock(void) {
  return !atomic_flag_test_and_set_explicit(&lock, memory_order_acquire);
}

void serve_all(void) {
  for (int i = 0; i < THREADS; i++) {
    if (!atomic_load_explicit(&slots[i].is_open, memory_order_acquire))
      continue;
    total += slots[i].amount;
    slots[i].result = total;
    atomic_store_explicit(&slots[i].is_open, false, SERVED);
  }
}

int add(int me, int amount) {
  struct slot *own = &slots[me];
  own->amount = amount;
  atomic_store_explicit(&own->is_open, true, memory_order_release);
  bool may_try = true;
  while (atomic_load_explicit(&own->is_open, memory_order_acquire)) {
    if (may_try && try_lock()) {
      serve_all();
      atomic_flag_clear_explicit(&lock, memory_order_release);
    }
    may_try = WRONG != 2;
  }
  return own->result;
}

int results[THREADS];

void *thread(void *number) {
  int me = (int)(long)number;
  results[me] = add(me, me + 1);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, thread, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(total == 3);
  assert((results[0] == 1 && results[1] == 3) ||
         (results[0] == 3 && results[1] == 2));
}
