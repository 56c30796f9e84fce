// SPDX-License-Identifier: MIT
// Condition variables. A thread that waits sets its bit in the variable before
// it gives the mutex back, so a signal that comes later cannot miss it. A
// signal clears the bit of one waiter (which one is a choice) and wakes that
// thread through a word that is its own. So no wake-up is lost, none goes to a
// thread that began to wait later, and none comes from nowhere unless
// --spurious-wakeups asks for it.
#include <errno.h>

#include "bytecode/pointer.h"
#include "sync.h"

extern const int __heddle_option_spurious_wakeups;

// 1: the thread was woken and has not noticed yet. (Reports know the name:
// src/report/library_wait.c.)
static int __cond_woken[MAX_THREADS];

static void check_alive(unsigned long waiting) {
  if (waiting & COND_DESTROYED)
    __heddle_fail(FIND_SYNC_MISUSE,
                  "use of a condition variable that was destroyed");
}

int cond_wait(unsigned long *waiting, int *mutex, int kind, int is_timed) {
  unsigned long self = __heddle_self();
  if (kind != MUTEX_NORMAL && held_find(mutex) == MAX_HELD) {
    if (kind == MUTEX_ERRORCHECK)
      return EPERM;
    // An unlock would say EPERM, but this is a wait that C does not define.
    __heddle_fail(FIND_UNLOCK_NOT_HELD, "wait for a condition variable with a "
                                        "mutex that this thread does not hold");
  }
  cancel_point();
  // Giving up is a pause without the mutex; nobody has to know of it.
  int gives_up =
      (is_timed || __heddle_option_spurious_wakeups) && __heddle_time_out();
  if (!gives_up)
    check_alive(__atomic_fetch_or(waiting, 1ul << self, __ATOMIC_ACQ_REL));
  mutex_unlock(mutex, kind);
  int is_cancelled =
      !gives_up && !cancel_or_take(&__cond_woken[self], is_timed);
  // If it was woken as well, it may as well have noticed that first.
  if (is_cancelled)
    __heddle_assume(
        (__atomic_fetch_and(waiting, ~(1ul << self), __ATOMIC_ACQ_REL) >>
         self) &
        1);
  mutex_lock(mutex, kind);
  if (is_cancelled)
    cancel_end();
  return gives_up && is_timed ? ETIMEDOUT : 0;
}

static void wake(unsigned long thread) {
  __atomic_store_n(&__cond_woken[thread], 1, __ATOMIC_RELEASE);
}

void cond_signal(unsigned long *waiting) {
  unsigned long all = __atomic_load_n(waiting, __ATOMIC_ACQUIRE), from = all;
  if (!all)
    return;
  check_alive(all);
  long others = __builtin_popcountl(all) - 1;
  for (long skip = others ? __heddle_choose(0, others) : 0; skip > 0; skip--)
    from &= from - 1;
  unsigned long thread = (unsigned long)__builtin_ctzl(from);
  // If somebody came or went meanwhile, the load could as well have seen that.
  __heddle_assume(__atomic_compare_exchange_n(
      waiting, &all, all & ~(1ul << thread), /*weak=*/0, __ATOMIC_ACQ_REL,
      __ATOMIC_RELAXED));
  wake(thread);
}

void cond_broadcast(unsigned long *waiting) {
  unsigned long all = __atomic_exchange_n(waiting, 0, __ATOMIC_ACQ_REL);
  check_alive(all);
  for (; all; all &= all - 1)
    wake((unsigned long)__builtin_ctzl(all));
}

void cond_init(unsigned long *waiting) {
  unsigned long seen = *waiting;
  if (__heddle_is_defined((long)seen) && seen && seen != COND_DESTROYED)
    __heddle_fail(FIND_SYNC_MISUSE, "initialisation of a condition variable "
                                    "that a thread waits for");
  *waiting = 0;
}

void cond_destroy(unsigned long *waiting) {
  unsigned long seen = *waiting;
  check_alive(seen);
  if (seen != 0)
    __heddle_fail(FIND_DESTROY_HELD, "destruction of a condition variable that "
                                     "a thread waits for");
  *waiting = COND_DESTROYED;
}
