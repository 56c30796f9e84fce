// SPDX-License-Identifier: MIT
// C11 threads and mutexes, on the same words as the POSIX ones.
#include <errno.h>
#include <threads.h>

#include "builtin.h"
#include "mutex.h"

int thrd_create(thrd_t *ret, thrd_start_t start, void *argument) {
  // Both kinds of function return one register; thrd_join takes its low half.
  *ret = __heddle_spawn((void *)start, argument);
  return thrd_success;
}

int thrd_join(thrd_t thread, int *result) {
  void *value = __heddle_join(thread);
  if (result)
    *result = (int)(long)value;
  return thrd_success;
}

int thrd_detach(thrd_t thread) {
  __heddle_detach(thread);
  return thrd_success;
}

thrd_t thrd_current(void) {
  return __heddle_self();
}

int thrd_equal(thrd_t a, thrd_t b) {
  return a == b;
}

void thrd_exit(int result) {
  __heddle_thread_exit((void *)(long)result);
}

void thrd_yield(void) {
  __heddle_yield();
}

int thrd_sleep(const struct timespec *duration, struct timespec *left) {
  (void)duration, (void)left;
  __heddle_yield();
  return 0;
}

int mtx_init(mtx_t *mutex, int kind) {
  mutex->__lock = 0;
  mutex->__kind = kind & mtx_recursive ? MUTEX_RECURSIVE : MUTEX_NORMAL;
  return thrd_success;
}

void mtx_destroy(mtx_t *mutex) {
  mutex_destroy(&mutex->__lock);
}

int mtx_lock(mtx_t *mutex) {
  mutex_lock(&mutex->__lock, mutex->__kind);
  return thrd_success;
}

int mtx_trylock(mtx_t *mutex) {
  return mutex_trylock(&mutex->__lock, mutex->__kind) ? thrd_busy
                                                      : thrd_success;
}

int mtx_unlock(mtx_t *mutex) {
  return mutex_unlock(&mutex->__lock, mutex->__kind) ? thrd_error
                                                     : thrd_success;
}
