// SPDX-License-Identifier: MIT
// Condition variables used wrongly: to wait without the mutex, to signal
// before anybody waits and without a flag, to destroy what is waited for.
// run: flags=-DNO_MUTEX sc,rc11 error unlock-not-held
// run: args=--disable=deadlock flags=-DRECURSIVE sc,rc11 error unlock-not-held
// run: flags=-DNO_FLAG sc,rc11 error deadlock
// run: args=--disable=deadlock flags=-DDESTROY sc,rc11 error destroy-held
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static int is_waiting;

static void *waiter(void *unused) {
#if !defined NO_MUTEX && !defined RECURSIVE
  pthread_mutex_lock(&mutex);
#endif
#ifdef DESTROY
  is_waiting = 1;
#endif
  pthread_cond_wait(&changed, &mutex); // BUG
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef RECURSIVE
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &kind);
#endif
  (void)is_waiting;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
#ifdef DESTROY
  if (is_waiting)
    pthread_cond_destroy(&changed); // BUG
#endif
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
