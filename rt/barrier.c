// SPDX-License-Identifier: MIT
// Barriers. Each arrival draws a number; the last one of a round opens it, and
// the others wait until it is open. Numbers only grow, so a barrier can be
// used again at once.
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "sync.h"

static unsigned count_of(const pthread_barrier_t *barrier) {
  unsigned count = barrier->__count;
  if (count == 0)
    __heddle_fail(FIND_SYNC_MISUSE, "use of a barrier that was destroyed, or "
                                    "never initialised");
  return count;
}

int pthread_barrier_init(pthread_barrier_t *barrier,
                         const pthread_barrierattr_t *attr, unsigned count) {
  (void)attr;
  if (count == 0)
    return EINVAL;
  unsigned had = barrier->__count;
  if (__heddle_is_defined(had) && had != 0)
    __heddle_fail(FIND_SYNC_MISUSE,
                  "initialisation of a barrier that is initialised already");
  barrier->__arrived = 0;
  barrier->__opened = 0;
  barrier->__count = count;
  return 0;
}

// The count alone says that the barrier is gone: threads of the last round may
// still be on their way out.
int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  unsigned count = count_of(barrier);
  if (barrier->__arrived % count != 0)
    __heddle_fail(FIND_DESTROY_HELD,
                  "destruction of a barrier at which threads wait");
  barrier->__count = 0;
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  unsigned count = count_of(barrier);
  unsigned number =
      __atomic_fetch_add(&barrier->__arrived, 1, __ATOMIC_ACQ_REL);
  int round = (int)(number / count) + 1;
  if (number % count == count - 1) {
    // Whoever opened the last round may still be about to say so.
    __heddle_take(&barrier->__opened, round - 1, round - 1, 0, /*is_timed=*/0);
    __atomic_store_n(&barrier->__opened, round, __ATOMIC_RELEASE);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  __heddle_take(&barrier->__opened, round, INT_MAX, 0, /*is_timed=*/0);
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
  attr->__word = 0;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) {
  (void)attr, (void)shared;
  return 0;
}
