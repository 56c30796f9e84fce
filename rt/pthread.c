// SPDX-License-Identifier: MIT
// POSIX threads and mutexes. Waiting is the interpreter's work: a normal mutex
// is one lock and one unlock instruction on its first word.
#include <errno.h>
#include <pthread.h>

#include "builtin.h"
#include "mutex.h"

// -- threads

int pthread_create(pthread_t *restrict ret, const pthread_attr_t *restrict attr,
                   void *(*start)(void *), void *restrict argument) {
  unsigned long thread = __heddle_spawn(start, argument);
  *ret = thread;
  int state = PTHREAD_CREATE_JOINABLE;
  if (attr)
    pthread_attr_getdetachstate(attr, &state);
  if (state == PTHREAD_CREATE_DETACHED)
    __heddle_detach(thread);
  return 0;
}

int pthread_join(pthread_t thread, void **result) {
  void *value = __heddle_join(thread);
  if (result)
    *result = value;
  return 0;
}

int pthread_detach(pthread_t thread) {
  __heddle_detach(thread);
  return 0;
}

pthread_t pthread_self(void) {
  return __heddle_self();
}

int pthread_equal(pthread_t a, pthread_t b) {
  return a == b;
}

void pthread_exit(void *result) {
  __heddle_thread_exit(result);
}

int pthread_yield(void) {
  __heddle_yield();
  return 0;
}

// -- attributes of threads: only detached or not means something here

int pthread_attr_init(pthread_attr_t *attr) {
  attr->__word[0] = PTHREAD_CREATE_JOINABLE;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
  (void)attr;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
  attr->__word[0] = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *ret) {
  *ret = attr->__word[0];
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
  (void)attr, (void)size;
  return 0;
}

// -- mutexes

int pthread_mutex_init(pthread_mutex_t *mutex,
                       const pthread_mutexattr_t *attr) {
  mutex->__lock = 0;
  mutex->__kind = attr ? attr->__kind : PTHREAD_MUTEX_NORMAL;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  mutex_destroy(&mutex->__lock);
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  return mutex_lock(&mutex->__lock, mutex->__kind);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  return mutex_trylock(&mutex->__lock, mutex->__kind);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  return mutex_unlock(&mutex->__lock, mutex->__kind);
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
  if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ERRORCHECK)
    return EINVAL;
  attr->__kind = kind;
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
  *lock = 0;
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
