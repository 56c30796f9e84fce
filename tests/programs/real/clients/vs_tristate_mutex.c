// SPDX-License-Identifier: MIT
// A mutex over a futex whose word says free, taken, or taken with somebody who
// waits.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
typedef struct {
  _Atomic uint32_t v;
} tri_mutex_t;
static inline int sys_futex(_Atomic uint32_t *w, int op, uint32_t val) {
  return (int)syscall(SYS_futex, w, op, val, NULL, NULL, 0);
}
static inline void tri_acquire(tri_mutex_t *m) {
  uint32_t s = 0;
  if (atomic_compare_exchange_strong_explicit(
          &m->v, &s, 1, memory_order_acquire, memory_order_relaxed))
    return;
  while (1) {
    s = 1;
    if (atomic_compare_exchange_strong_explicit(
            &m->v, &s, 2, memory_order_relaxed, memory_order_relaxed) ||
        s == 2)
      sys_futex(&m->v, FUTEX_WAIT_PRIVATE, 2);
    s = 0;
    if (atomic_compare_exchange_strong_explicit(
            &m->v, &s, 2, memory_order_acquire, memory_order_relaxed))
      return;
  }
}
static inline void tri_release(tri_mutex_t *m) {
  if (atomic_exchange_explicit(&m->v, 0, memory_order_release) == 2)
    sys_futex(&m->v, FUTEX_WAKE_PRIVATE, 1);
}
#ifndef NTHREADS
#define NTHREADS 2
#endif
static tri_mutex_t lock;
static int x, y;
static void *run(void *arg) {
  tri_acquire(&lock);
  x++;
  y++;
  tri_release(&lock);
  return arg;
}
int main(void) {
  pthread_t t[NTHREADS];
  for (uintptr_t i = 0; i < NTHREADS; i++)
    if (pthread_create(&t[i], NULL, run, (void *)i))
      exit(EXIT_FAILURE);
  for (uintptr_t i = 0; i < NTHREADS; i++)
    pthread_join(t[i], NULL);
  assert(x == y && x == NTHREADS);
  return 0;
}
