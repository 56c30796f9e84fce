// SPDX-License-Identifier: MIT
// Functions of POSIX threads that are extensions or about scheduling. Where
// threads run, and with what priority, changes nothing: all schedules are
// explored. A timed or trying join may give up whenever the thread might still
// run, which is always: a choice.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "builtin.h"
#include "clock.h"

int pthread_tryjoin_np(pthread_t thread, void **result) {
  return __heddle_choose(0, 1) ? EBUSY : pthread_join(thread, result);
}

int pthread_timedjoin_np(pthread_t thread, void **result,
                         const struct timespec *deadline) {
  return __heddle_choose(0, 1) ? time_over(ETIMEDOUT, deadline)
                               : pthread_join(thread, result);
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                         const struct timespec *deadline) {
  (void)clock;
  return pthread_timedjoin_np(thread, result, deadline);
}

int pthread_getname_np(pthread_t thread, char *name, size_t size) {
  (void)thread;
  if (size == 0)
    return ERANGE;
  *name = 0;
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const void *set) {
  (void)thread, (void)size, (void)set;
  return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, void *set) {
  (void)thread;
  __builtin_memset(set, 0, size);
  if (size)
    *(unsigned char *)set = 1;
  return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size,
                                const void *set) {
  (void)attr, (void)size, (void)set;
  return 0;
}

int pthread_setschedparam(pthread_t thread, int policy,
                          const struct sched_param *param) {
  (void)thread, (void)policy, (void)param;
  return 0;
}

int pthread_getschedparam(pthread_t thread, int *policy,
                          struct sched_param *param) {
  (void)thread;
  *policy = SCHED_OTHER;
  param->sched_priority = 0;
  return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
  (void)thread, (void)priority;
  return 0;
}

// -- attributes of mutexes that say nothing about what executions there are

#define ATTRIBUTE(object, name)                                                \
  int pthread_##object##_set##name(pthread_##object##_t *attr, int value) {    \
    (void)attr, (void)value;                                                   \
    return 0;                                                                  \
  }                                                                            \
  int pthread_##object##_get##name(const pthread_##object##_t *attr,           \
                                   int *ret) {                                 \
    (void)attr;                                                                \
    *ret = 0;                                                                  \
    return 0;                                                                  \
  }
ATTRIBUTE(mutexattr, protocol)
ATTRIBUTE(mutexattr, prioceiling)
ATTRIBUTE(rwlockattr, kind_np)

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *ret) {
  (void)attr;
  *ret = PTHREAD_PROCESS_PRIVATE;
  return 0;
}

// A mutex that outlives its owner needs to know who that was.
void __heddle_unsupported_a_robust_mutex(void);

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
  (void)attr;
  if (robust != PTHREAD_MUTEX_STALLED)
    __heddle_unsupported_a_robust_mutex();
  return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *ret) {
  (void)attr;
  *ret = PTHREAD_MUTEX_STALLED;
  return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  (void)mutex;
  return EINVAL; // it is not robust
}
