// SPDX-License-Identifier: MIT
// The first two places of Linux's queued spin lock: the locked byte and the
// pending bit of the second thread. Every update is fully ordered.
#include <linux/atomic.h>
#include <pthread.h>

enum { LOCKED = 1, PENDING = 1 << 8 };
static atomic_t word;
static int shared;

static void lock(void) {
  int seen = atomic_cmpxchg(&word, 0, LOCKED);
  if (seen == 0)
    return;
  seen = atomic_fetch_or(PENDING, &word);
  BUG_ON(seen & ~LOCKED); // a third thread would go to the queue
  if (seen & LOCKED)
    atomic_cond_read_acquire(&word, !(VAL & LOCKED));
  atomic_fetch_xor(LOCKED | PENDING, &word);
}

static void unlock(void) {
  atomic_fetch_andnot(LOCKED, &word);
}

static void *thread(void *arg) {
  lock();
  shared++;
  unlock();
  return arg;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  thread(NULL);
  pthread_join(id, NULL);
  BUG_ON(shared != 2);
}
