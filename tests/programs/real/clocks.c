// SPDX-License-Identifier: MIT
// A wait that gives up has come to its deadline, and who sleeps comes to the
// end of it: on the clock of the thread that does it, and not on that of
// another. WAY is what takes time. One thread alone: a wait gives up, or waits
// for ever, which is no execution. With LOOP, a thread waits again and again
// for another: 1 execution in which it need not wait, 2 in which it is woken
// or not (then the other has the mutex next), and two more for each time that
// the clock passes before, which is twice. That is with --still-clocks; a day
// that may have passed at each look is in library/deadlines.c.
// run: args=--still-clocks flags=-DWAY=0 sc,rc11,armv8 ok 1
// run: args=--still-clocks flags=-DWAY=1 sc,rc11,armv8 ok 1
// run: args=--still-clocks flags=-DWAY=2 sc,rc11,armv8 ok 1
// run: args=--still-clocks flags=-DWAY=3 sc,rc11,armv8 ok 1
// run: args=--still-clocks flags=-DWAY=4 sc,rc11,armv8 ok 1
// run: args=--still-clocks flags=-DWAY=5 sc,rc11,armv8 ok 1
// run: args=--still-clocks flags=-DLOOP sc,rc11,armv8 ok 7
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

#ifdef LOOP
static int is_ready;

static void *other(void *arg) {
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&mutex);
  while (!is_ready) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    pthread_cond_timedwait(&changed, &mutex, &end);
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
#else
static void take_time(const struct timespec *end) {
  if (WAY == 0) {
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&changed, &mutex, end) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
  } else if (WAY == 1) {
    sem_t none;
    sem_init(&none, 0, 0);
    assert(sem_timedwait(&none, end) == -1 && errno == ETIMEDOUT);
  } else if (WAY == 2) {
    sleep(3);
  } else if (WAY == 3) {
    nanosleep(end, 0);
  } else if (WAY == 4) {
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_timedlock(&mutex, end) == ETIMEDOUT);
  } else {
    thrd_sleep(end, 0);
  }
}

int main(void) {
  struct timespec now, end = {2, 500};
  assert(time(0) == 1); // 0 is for "never"
  take_time(&end);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec > 2 || (now.tv_sec == 2 && now.tv_nsec >= 500));
  struct timeval day;
  gettimeofday(&day, 0);
  assert(day.tv_sec == now.tv_sec && time(0) == now.tv_sec);
  return 0;
}
#endif
