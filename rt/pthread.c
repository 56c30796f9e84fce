// SPDX-License-Identifier: MIT
// POSIX threads and mutexes. Waiting is the interpreter's work: a normal mutex
// is one lock and one unlock instruction on its first word.
#include <errno.h>
#include <pthread.h>

#include "clock.h"
#include "sync.h"

// -- threads. Their ids are their numbers and 1: 0 is nobody, as in programs
// that note who holds something.

int pthread_create(pthread_t *restrict ret, const pthread_attr_t *restrict attr,
                   void *(*start)(void *), void *restrict argument) {
  time_has_company();
  unsigned long thread = __heddle_spawn(start, argument);
  *ret = thread + 1;
  int state = PTHREAD_CREATE_JOINABLE;
  if (attr)
    pthread_attr_getdetachstate(attr, &state);
  if (state == PTHREAD_CREATE_DETACHED)
    __heddle_detach(thread);
  return 0;
}

int pthread_join(pthread_t thread, void **result) {
  cancel_begin_join();
  void *value = __heddle_join(thread - 1);
  cancel_end_join();
  if (result)
    *result = value;
  return 0;
}

int pthread_detach(pthread_t thread) {
  __heddle_detach(thread - 1);
  return 0;
}

pthread_t pthread_self(void) {
  return __heddle_self() + 1;
}

int pthread_equal(pthread_t a, pthread_t b) {
  return a == b;
}

int pthread_yield(void) {
  __heddle_yield();
  return 0;
}

int pthread_setname_np(pthread_t thread, const char *name) {
  (void)thread, (void)name;
  return 0;
}

int pthread_setconcurrency(int level) {
  (void)level;
  return 0;
}

// -- mutexes. The kind is looked at only in programs that can set it, because
// looking is an event.

extern const int __heddle_uses_pthread_mutexattr_settype;

static int kind_of(const pthread_mutex_t *mutex) {
  return __heddle_uses_pthread_mutexattr_settype ? mutex->__kind : MUTEX_NORMAL;
}

int pthread_mutex_init(pthread_mutex_t *mutex,
                       const pthread_mutexattr_t *attr) {
  sync_init(&mutex->__lock, 0);
  if (__heddle_uses_pthread_mutexattr_settype)
    mutex->__kind = attr ? attr->__kind : PTHREAD_MUTEX_NORMAL;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  mutex_destroy(&mutex->__lock);
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  return mutex_lock(&mutex->__lock, kind_of(mutex));
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  return mutex_trylock(&mutex->__lock, kind_of(mutex));
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  return mutex_unlock(&mutex->__lock, kind_of(mutex));
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                            const struct timespec *restrict deadline) {
  return time_over(mutex_timedlock(&mutex->__lock, kind_of(mutex)), deadline);
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock,
                            const struct timespec *restrict deadline) {
  (void)clock;
  return pthread_mutex_timedlock(mutex, deadline);
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
  attr->__kind = PTHREAD_MUTEX_NORMAL;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind) {
  if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  attr->__kind =
      kind == PTHREAD_MUTEX_ADAPTIVE_NP ? PTHREAD_MUTEX_NORMAL : kind;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *ret) {
  *ret = attr->__kind;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) {
  (void)attr, (void)shared;
  return 0;
}

// -- spin locks: mutexes without a kind

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  sync_init((int *)lock, 0);
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  mutex_destroy((int *)lock);
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  __heddle_lock((int *)lock);
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  return mutex_trylock((int *)lock, MUTEX_NORMAL);
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __heddle_unlock((int *)lock);
  return 0;
}

// -- condition variables

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
  (void)attr;
  cond_init(&cond->__waiting);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond) {
  cond_destroy(&cond->__waiting);
  return 0;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  return cond_wait(&cond->__waiting, &mutex->__lock, kind_of(mutex),
                   /*is_timed=*/0);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *deadline) {
  return time_over(cond_wait(&cond->__waiting, &mutex->__lock, kind_of(mutex),
                             /*is_timed=*/1),
                   deadline);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           clockid_t clock, const struct timespec *deadline) {
  (void)clock;
  return pthread_cond_timedwait(cond, mutex, deadline);
}

int pthread_cond_signal(pthread_cond_t *cond) {
  cond_signal(&cond->__waiting);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
  cond_broadcast(&cond->__waiting);
  return 0;
}

int pthread_condattr_init(pthread_condattr_t *attr) {
  attr->__word = 0;
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) {
  (void)attr, (void)clock;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared) {
  (void)attr, (void)shared;
  return 0;
}

// -- once, thread-specific data

int pthread_once(pthread_once_t *flag, void (*init)(void)) {
  once(flag, init);
  return 0;
}

int pthread_key_create(pthread_key_t *ret, void (*destructor)(void *)) {
  return key_create(ret, destructor);
}

int pthread_key_delete(pthread_key_t key) {
  key_delete(key);
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  return key_get(key);
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  return key_set(key, (void *)value);
}
