// SPDX-License-Identifier: MIT
// Semaphores: the word is the number of waits that can pass.
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "clock.h"
#include "sync.h"

static int error(int number) {
  errno = number;
  return -1;
}

int sem_init(sem_t *sem, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX)
    return error(EINVAL);
  sync_init(&sem->__value, (int)value);
  return 0;
}

int sem_destroy(sem_t *sem) {
  sync_check(sem->__value);
  sem->__value = SYNC_DESTROYED;
  return 0;
}

int sem_wait(sem_t *sem) {
  if (!cancel_or_take(&sem->__value, /*is_timed=*/0))
    cancel_end();
  return 0;
}

int sem_trywait(sem_t *sem) {
  int now = __atomic_load_n(&sem->__value, __ATOMIC_RELAXED);
  sync_check(now);
  if (now == 0)
    return error(EAGAIN);
  // If the number changed meanwhile, the load could as well have seen that.
  __heddle_assume(__atomic_compare_exchange_n(&sem->__value, &now, now - 1,
                                              /*weak=*/0, __ATOMIC_ACQUIRE,
                                              __ATOMIC_RELAXED));
  return 0;
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict end) {
  cancel_point();
  if (__heddle_choose(0, 1)) {
    int now = __atomic_load_n(&sem->__value, __ATOMIC_RELAXED);
    sync_check(now);
    __heddle_assume(now == 0);
    return error(time_over(ETIMEDOUT, end));
  }
  if (!cancel_or_take(&sem->__value, /*is_timed=*/1))
    cancel_end();
  return 0;
}

int sem_clockwait(sem_t *restrict sem, clockid_t clock,
                  const struct timespec *restrict deadline) {
  (void)clock;
  return sem_timedwait(sem, deadline);
}

int sem_post(sem_t *sem) {
  __heddle_give(&sem->__value, 1);
  return 0;
}

int sem_getvalue(sem_t *restrict sem, int *restrict ret) {
  int now = __atomic_load_n(&sem->__value, __ATOMIC_RELAXED);
  sync_check(now);
  *ret = now;
  return 0;
}
