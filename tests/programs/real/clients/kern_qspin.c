// SPDX-License-Identifier: MIT
// A lock word with a byte for the lock, one for a thread that is next, and a
// half for the end of a queue.
// run: tso,rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct qspinlock {
  union {
    _Atomic uint32_t val;
    struct {
      _Atomic uint8_t locked;
      _Atomic uint8_t pending;
    };
    struct {
      _Atomic uint16_t locked_pending;
      _Atomic uint16_t tail;
    };
  };
} arch_spinlock_t;
#define Q_LOCKED 1u
#define Q_PENDING 0x100u
#define Q_LOCKED_MASK 0xffu
#define Q_TAIL_SHIFT 16
#define MAX_NODES 4
struct mcs_spinlock {
  _Atomic(struct mcs_spinlock *) next;
  atomic_int locked;
};
static struct mcs_spinlock nodes[MAX_NODES];
static _Thread_local unsigned cpu;

static inline void cpu_relax(void) {
  __asm__ volatile("rep; nop" ::: "memory");
}
static void queued_spin_lock_slowpath(arch_spinlock_t *lock, uint32_t val) {
  struct mcs_spinlock *node = &nodes[cpu], *next;
  uint32_t tail = (cpu + 1) << Q_TAIL_SHIFT, old;
#ifndef NO_PENDING
  if (!(val & ~Q_LOCKED_MASK)) {
    val = atomic_fetch_or_explicit(&lock->val, Q_PENDING, memory_order_acquire);
    if (!(val & ~Q_LOCKED_MASK)) {
      if (val & Q_LOCKED_MASK)
        while (atomic_load_explicit(&lock->locked, memory_order_acquire))
          cpu_relax();
      atomic_store_explicit(&lock->locked_pending, Q_LOCKED,
                            memory_order_relaxed);
      return;
    }
    if (!(val & Q_PENDING))
      atomic_store_explicit(&lock->pending, 0, memory_order_relaxed);
  }
#endif
  atomic_store_explicit(&node->locked, 0, memory_order_relaxed);
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  old = (uint32_t)atomic_exchange_explicit(
            &lock->tail, (uint16_t)(tail >> Q_TAIL_SHIFT), memory_order_acq_rel)
        << Q_TAIL_SHIFT;
  if (old) {
    struct mcs_spinlock *prev = &nodes[(old >> Q_TAIL_SHIFT) - 1];
    atomic_store_explicit(&prev->next, node, memory_order_release);
    while (!atomic_load_explicit(&node->locked, memory_order_acquire))
      cpu_relax();
  }
  while ((val = atomic_load_explicit(&lock->val, memory_order_acquire)) &
         0xffffu)
    cpu_relax();
  if ((val & ~0xffffu) == tail &&
      atomic_compare_exchange_strong_explicit(&lock->val, &val, Q_LOCKED,
                                              memory_order_relaxed,
                                              memory_order_relaxed))
    return;
  atomic_store_explicit(&lock->locked, Q_LOCKED, memory_order_relaxed);
  while (!(next = atomic_load_explicit(&node->next, memory_order_acquire)))
    cpu_relax();
  atomic_store_explicit(&next->locked, 1, memory_order_release);
}
static inline void spin_lock(arch_spinlock_t *lock) {
  uint32_t val = 0;
  if (atomic_compare_exchange_strong_explicit(&lock->val, &val, Q_LOCKED,
                                              memory_order_acquire,
                                              memory_order_relaxed))
    return;
  queued_spin_lock_slowpath(lock, val);
}
static inline void spin_unlock(arch_spinlock_t *lock) {
#ifdef WEAK
  atomic_store_explicit(&lock->locked, 0, memory_order_relaxed);
#else
  atomic_store_explicit(&lock->locked, 0, memory_order_release);
#endif
}
#ifndef N
#define N 2
#endif
static arch_spinlock_t lock;
static int x;
static void *run(void *arg) {
  cpu = (unsigned)(uintptr_t)arg;
  spin_lock(&lock);
  x++;
  spin_unlock(&lock);
  return NULL;
}
int main(void) {
  pthread_t t[N];
  for (uintptr_t i = 0; i < N; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(x == N);
}
