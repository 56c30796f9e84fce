// SPDX-License-Identifier: MIT
// A spin lock that spins for a while and then yields, polled in a loop that
// takes and gives it back in each round: a C port of what server code has.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { kHeld = 1, kSleeper = 8 };

struct spin_lock {
  _Atomic uint32_t word;
};

static uint32_t spin_loop(struct spin_lock *l) {
  int c = 100;
  uint32_t value;
  do {
    value = atomic_load_explicit(&l->word, memory_order_relaxed);
  } while ((value & kHeld) != 0 && --c > 0);
  return value;
}

static void lock_slow(struct spin_lock *l) {
  for (;;) {
    uint32_t value = spin_loop(l);
    if (!(value & kHeld) && atomic_compare_exchange_strong_explicit(
                                &l->word, &value, kHeld, memory_order_acquire,
                                memory_order_relaxed))
      return;
    sched_yield();
  }
}

static void lock(struct spin_lock *l) {
  uint32_t expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&l->word, &expected, kHeld,
                                               memory_order_acquire,
                                               memory_order_relaxed))
    lock_slow(l);
}

static void unlock(struct spin_lock *l) {
  atomic_store_explicit(&l->word, 0, memory_order_release);
}

static struct spin_lock mu;
static bool ready;
static int data;

static void *waiter(void *arg) {
  for (;;) { // Mutex::Await, as one writes it by hand
    lock(&mu);
    bool done = ready;
    unlock(&mu);
    if (done)
      break;
    sched_yield();
  }
  assert(data == 42);
  return arg;
}

static void *setter(void *arg) {
  data = 42;
  lock(&mu);
  ready = true;
  unlock(&mu);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, setter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
