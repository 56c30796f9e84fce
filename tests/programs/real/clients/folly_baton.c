// SPDX-License-Identifier: MIT
// A baton that is posted once and waited for: spins a while, then sleeps.
// run: rc11,imm ok
// run: flags=-DNO_WAKE rc11 error deadlock
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { INIT, EARLY_DELIVERY, WAITING, LATE_DELIVERY };
struct baton {
  _Atomic uint32_t state;
};
static int futex_wait(_Atomic uint32_t *w, uint32_t v) {
  return (int)syscall(SYS_futex, w, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, v, NULL,
                      NULL, 0);
}
static int futex_wake(_Atomic uint32_t *w, int n) {
  return (int)syscall(SYS_futex, w, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n, NULL,
                      NULL, 0);
}
static void baton_post(struct baton *b) {
  uint32_t before = atomic_load_explicit(&b->state, memory_order_acquire);
  if (before == INIT && atomic_compare_exchange_strong_explicit(
                            &b->state, &before, EARLY_DELIVERY,
                            memory_order_release, memory_order_relaxed))
    return;
  assert(before == WAITING);
  atomic_store_explicit(&b->state, LATE_DELIVERY, memory_order_release);
#ifndef NO_WAKE
  futex_wake(&b->state, 1);
#endif
}
static bool spin_wait(struct baton *b) {
  for (int i = 0; i < 300; i++) {
    if (atomic_load_explicit(&b->state, memory_order_acquire) == EARLY_DELIVERY)
      return true;
    __asm__ volatile("pause");
  }
  return false;
}
static void baton_wait(struct baton *b) {
  if (spin_wait(b))
    return;
  uint32_t expected = INIT;
  if (!atomic_compare_exchange_strong_explicit(&b->state, &expected, WAITING,
                                               memory_order_relaxed,
                                               memory_order_acquire)) {
    assert(expected == EARLY_DELIVERY);
    return;
  }
  while (1) {
    futex_wait(&b->state, WAITING);
    uint32_t s = atomic_load_explicit(&b->state, memory_order_acquire);
    assert(s == WAITING || s == LATE_DELIVERY);
    if (s == LATE_DELIVERY)
      return;
  }
}
static struct baton baton;
static int payload;
static void *waiter(void *arg) {
  baton_wait(&baton);
  assert(payload == 42);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  payload = 42;
  baton_post(&baton);
  pthread_join(t, NULL);
}
