// SPDX-License-Identifier: MIT
// A ticket lock: who comes first is served first.
//
// A thread draws a number and waits until it is shown. Handing over is a
// release store that the next owner reads with acquire, so that what was done
// under the lock is visible to it. Drawing the number needs no order at all.
//
// Waiting is written as an assumption, "from here on, only executions in which
// my number is shown": the checker need not run the loop that waits. Three
// threads can be served in 3! = 6 orders, and these are the executions.
//
// expect: rc11 ok 6; sc ok 6
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };

struct ticket_lock {
  atomic_uint next, shown;
};

void acquire(struct ticket_lock *lock) {
  unsigned mine =
      atomic_fetch_add_explicit(&lock->next, 1, memory_order_relaxed);
  heddle_assume(atomic_load_explicit(&lock->shown, memory_order_acquire) ==
                mine);
}

void release(struct ticket_lock *lock) {
  unsigned mine = atomic_load_explicit(&lock->shown, memory_order_relaxed);
  atomic_store_explicit(&lock->shown, mine + 1, memory_order_release);
}

struct ticket_lock lock;
int counter;

void *thread(void *unused) {
  acquire(&lock);
  counter++;
  release(&lock);
  return unused;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, thread, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  assert(counter == THREADS);
}
