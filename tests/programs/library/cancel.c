// SPDX-License-Identifier: MIT
// pthread_cancel: a thread ends at its next cancellation point, or where it
// waits in one; handlers run, and what it did is seen by whoever joins it.
// Executions of LOOK: cancelled or not at the one point. WAIT: cancelled
// before it waits or while it does. PASS: the semaphore is there, and the
// thread takes it or is cancelled before. OFF: never, until it is on again.
// run: flags=-DLOOK sc,rc11,armv8 ok 2
// run: flags=-DWAIT sc,rc11,armv8 ok 2
// run: flags=-DSEMAPHORE sc,rc11,armv8 ok 1
// run: flags=-DPASS sc,rc11 ok 2
// run: flags=-DOFF sc,rc11 ok 2
// run: flags=-DTIMED sc,rc11 ok
// run: flags=-DSIGNAL sc,rc11 ok
// run: flags=-DLOST sc,rc11 error hang
// run: flags=-DHELD sc,rc11 error deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int cleaned, went_on, ready;

static void count(void *arg) {
  cleaned++;
  (void)arg;
}

static void unlock(void *arg) {
  cleaned++;
#ifdef HELD // forgotten
  (void)arg;
#else
  pthread_mutex_unlock(arg);
#endif
}

static void wait_for_it(void) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  while (!ready)
#ifdef TIMED
  {
    struct timespec soon = {1, 0};
    if (pthread_cond_timedwait(&cond, &mutex, &soon))
      break;
  }
#else
    pthread_cond_wait(&cond, &mutex); // BUG
#endif
  pthread_cleanup_pop(1);
}

static void *run(void *arg) {
  pthread_cleanup_push(count, NULL);
#if defined LOOK
  pthread_testcancel();
#elif defined SEMAPHORE || defined PASS
  sem_wait(&sem);
#elif defined OFF
  int old;
  assert(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
  assert(old == PTHREAD_CANCEL_ENABLE);
  pthread_testcancel();
  nanosleep(&(struct timespec){1, 0}, NULL);
  went_on = 1;
  pthread_setcancelstate(old, NULL);
  pthread_testcancel();
#else
  wait_for_it();
#endif
  pthread_cleanup_pop(0);
  return arg;
}

int main(void) {
  pthread_t thread;
  void *result;
  sem_init(&sem, 0, 0);
  pthread_create(&thread, NULL, run, NULL);
#ifdef SIGNAL
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
#endif
#ifdef PASS
  sem_post(&sem);
#endif
#ifdef LOST // nobody cancels the thread
  if (ready)
#endif
  assert(pthread_cancel(thread) == 0);
  pthread_join(thread, &result); // BUG
  int is_cancelled = result == PTHREAD_CANCELED;
#if defined WAIT || defined SEMAPHORE
  assert(is_cancelled);
#elif defined OFF
  assert(went_on);
#endif
#if defined WAIT
  assert(cleaned == 2);
#elif defined LOOK || defined SEMAPHORE || defined PASS || defined OFF
  assert(cleaned == is_cancelled);
#endif
  assert(result == NULL || is_cancelled);
  pthread_mutex_lock(&mutex); // BUG
  pthread_mutex_unlock(&mutex);
  return 0;
}
