// SPDX-License-Identifier: MIT
// Read-write locks: the word is -1 when a writer has the lock, else the number
// of readers. Nobody is preferred, so a thread may read-lock twice.
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "clock.h"
#include "sync.h"

int pthread_rwlock_init(pthread_rwlock_t *lock,
                        const pthread_rwlockattr_t *attr) {
  (void)attr;
  sync_init(&lock->__word, 0);
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  int seen = lock->__word;
  sync_check(seen);
  if (seen != 0)
    __heddle_fail(FIND_DESTROY_HELD,
                  "destruction of a read-write lock that is held");
  lock->__word = SYNC_DESTROYED;
  return 0;
}

static int got_for_reading(int *word) {
  int i = held_find(word);
  if (i == MAX_HELD)
    held_add(word, 1);
  else
    held[i].count++;
  return 0;
}

// A lock by a thread whose own lock excludes it would wait for ever.
static void refuse_relock(int *word, int is_write) {
  int i = held_find(word);
  if (i < MAX_HELD && (is_write || held[i].count < 0))
    __heddle_fail(FIND_RELOCK,
                  "lock of a read-write lock that this thread holds already");
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  refuse_relock(&lock->__word, /*is_write=*/0);
  __heddle_take(&lock->__word, 0, INT_MAX - 1, 1, /*is_timed=*/0);
  return got_for_reading(&lock->__word);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int now = __atomic_load_n(&lock->__word, __ATOMIC_RELAXED);
  sync_check(now);
  if (now < 0)
    return EBUSY;
  // If the number changed meanwhile, the load could as well have seen that.
  __heddle_assume(__atomic_compare_exchange_n(&lock->__word, &now, now + 1,
                                              /*weak=*/0, __ATOMIC_ACQUIRE,
                                              __ATOMIC_RELAXED));
  return got_for_reading(&lock->__word);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline) {
  int i = held_find(&lock->__word);
  if (i < MAX_HELD && held[i].count < 0)
    return EDEADLK;
  if (__heddle_choose(0, 1)) {
    int now = __atomic_load_n(&lock->__word, __ATOMIC_RELAXED);
    sync_check(now);
    __heddle_assume(now < 0);
    return time_over(ETIMEDOUT, deadline);
  }
  __heddle_take(&lock->__word, 0, INT_MAX - 1, 1, /*is_timed=*/1);
  return got_for_reading(&lock->__word);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict deadline) {
  (void)clock;
  return pthread_rwlock_timedrdlock(lock, deadline);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  refuse_relock(&lock->__word, /*is_write=*/1);
  __heddle_take(&lock->__word, 0, 0, -1, /*is_timed=*/0);
  held_add(&lock->__word, -1);
  return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  int expected = 0;
  if (!__atomic_compare_exchange_n(&lock->__word, &expected, -1, /*weak=*/0,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    sync_check(expected);
    return EBUSY;
  }
  held_add(&lock->__word, -1);
  return 0;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline) {
  if (held_find(&lock->__word) < MAX_HELD)
    return EDEADLK;
  if (__heddle_choose(0, 1)) {
    int now = __atomic_load_n(&lock->__word, __ATOMIC_RELAXED);
    sync_check(now);
    __heddle_assume(now != 0);
    return time_over(ETIMEDOUT, deadline);
  }
  __heddle_take(&lock->__word, 0, 0, -1, /*is_timed=*/1);
  held_add(&lock->__word, -1);
  return 0;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict deadline) {
  (void)clock;
  return pthread_rwlock_timedwrlock(lock, deadline);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  int i = held_find(&lock->__word);
  if (i == MAX_HELD)
    __heddle_fail(FIND_UNLOCK_NOT_HELD, "unlock of a read-write lock that this "
                                        "thread does not hold");
  int is_writer = held[i].count < 0;
  held[i].count += is_writer ? 1 : -1;
  if (held[i].count == 0)
    held[i].word = 0;
  __heddle_give(&lock->__word, is_writer ? 1 : -1);
  return 0;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
  attr->__word[0] = 0;
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared) {
  (void)attr, (void)shared;
  return 0;
}
