// SPDX-License-Identifier: MIT
// A timed lock gives up only if it finds the mutex held; then it has no lock.
// Orders: the other thread before, after, or in between with a time-out.
// run: flags=-DPOSIX sc,rc11 ok 3
// run: flags=-DC11 sc,rc11 ok 3
// run: flags=-DPOSIX flags=-DALONE sc,rc11 ok 1
// run: flags=-DPOSIX flags=-DIGNORE sc,rc11 error unlock-not-held
// run: flags=-DPOSIX flags=-DLOOP sc,rc11 ok 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static const struct timespec soon;
static int shared;

#ifdef POSIX
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define INIT() 0
#define LOCK() pthread_mutex_lock(&mutex)
#define TIMED() pthread_mutex_timedlock(&mutex, &soon)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#define TIME_OUT ETIMEDOUT
#else
static mtx_t mutex;
#define INIT() mtx_init(&mutex, mtx_timed)
#define LOCK() mtx_lock(&mutex)
#define TIMED() mtx_timedlock(&mutex, &soon)
#define UNLOCK() mtx_unlock(&mutex)
#define TIME_OUT thrd_timedout
#endif

static void *thread(void *unused) {
#ifdef LOOP
  while (TIMED() != 0)
    ;
  int result = 0;
#else
  int result = TIMED();
#endif
#ifdef ALONE
  assert(result == 0);
#endif
#ifndef IGNORE
  if (result == TIME_OUT)
    return unused;
  shared++;
#endif
  UNLOCK(); // BUG
  return unused;
}

int main(void) {
  pthread_t id;
  assert(INIT() == 0);
  pthread_create(&id, NULL, thread, NULL);
#ifndef ALONE
  LOCK();
  shared++;
  UNLOCK();
#endif
  pthread_join(id, NULL);
}
