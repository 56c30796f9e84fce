// SPDX-License-Identifier: MIT
// C11 threads, on the same words as the POSIX ones.
#include <errno.h>
#include <threads.h>

#include "clock.h"
#include "sync.h"

int thrd_create(thrd_t *ret, thrd_start_t start, void *argument) {
  time_has_company();
  // Both kinds of function return one register; thrd_join takes its low half.
  *ret = __heddle_spawn((void *)start, argument) + 1;
  return thrd_success;
}

int thrd_join(thrd_t thread, int *result) {
  void *value = __heddle_join(thread - 1);
  if (result)
    *result = (int)(long)value;
  return thrd_success;
}

int thrd_detach(thrd_t thread) {
  __heddle_detach(thread - 1);
  return thrd_success;
}

thrd_t thrd_current(void) {
  return __heddle_self() + 1;
}

int thrd_equal(thrd_t a, thrd_t b) {
  return a == b;
}

void thrd_exit(int result) {
  leave_thread((void *)(long)result);
}

void thrd_yield(void) {
  __heddle_yield();
}

int thrd_sleep(const struct timespec *duration, struct timespec *left) {
  (void)left;
  time_passes_for(duration);
  __heddle_yield();
  return 0;
}

int mtx_init(mtx_t *mutex, int kind) {
  sync_init(&mutex->__lock, 0);
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

int mtx_timedlock(mtx_t *restrict mutex,
                  const struct timespec *restrict deadline) {
  return time_over(mutex_timedlock(&mutex->__lock, mutex->__kind), deadline)
             ? thrd_timedout
             : thrd_success;
}

int cnd_init(cnd_t *cond) {
  cond_init(&cond->__waiting);
  return thrd_success;
}

void cnd_destroy(cnd_t *cond) {
  cond_destroy(&cond->__waiting);
}

int cnd_signal(cnd_t *cond) {
  cond_signal(&cond->__waiting);
  return thrd_success;
}

int cnd_broadcast(cnd_t *cond) {
  cond_broadcast(&cond->__waiting);
  return thrd_success;
}

int cnd_wait(cnd_t *cond, mtx_t *mutex) {
  return cond_wait(&cond->__waiting, &mutex->__lock, mutex->__kind,
                   /*is_timed=*/0)
             ? thrd_error
             : thrd_success;
}

int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
                  const struct timespec *restrict deadline) {
  return time_over(cond_wait(&cond->__waiting, &mutex->__lock, mutex->__kind,
                             /*is_timed=*/1),
                   deadline)
             ? thrd_timedout
             : thrd_success;
}

void call_once(once_flag *flag, void (*init)(void)) {
  once(&flag->__done, init);
}

int tss_create(tss_t *ret, tss_dtor_t destructor) {
  return key_create(ret, destructor) ? thrd_error : thrd_success;
}

void tss_delete(tss_t key) {
  key_delete(key);
}

void *tss_get(tss_t key) {
  return key_get(key);
}

int tss_set(tss_t key, void *value) {
  return key_set(key, value) ? thrd_error : thrd_success;
}
