// SPDX-License-Identifier: MIT
// A timed wait may give up at any time; a loop around it still has finitely
// many executions, because to wait on and to try again is the same.
// run: flags=-DLOOP sc,rc11 ok 3
// run: flags=-DLOOP flags=-DN=2 sc,rc11 ok 26
// run: flags=-DLOOP flags=-DNO_WAKE sc,rc11 ok 2
// run: flags=-DONCE sc,rc11 ok 4
// run: flags=-DONCE flags=-DTRUST sc,rc11 error assertion
// run: flags=-DPING sc,rc11 ok 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#ifndef N
#define N 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct timespec soon;
static int ready;

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
#ifdef LOOP
  while (!ready)
    pthread_cond_timedwait(&changed, &mutex, &soon);
#else
  if (!ready) {
    int result = pthread_cond_timedwait(&changed, &mutex, &soon);
    assert(result == ETIMEDOUT || (result == 0 && ready));
#ifdef TRUST
    assert(result == 0); // BUG
#endif
  }
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

#ifdef PING
// Both sides wait with a timeout.
static void *pong(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  while (ready)
    pthread_cond_timedwait(&changed, &mutex, &soon);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, pong, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_timedwait(&changed, &mutex, &soon);
  ready = 0;
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
  (void)waiter;
}

#else
int main(void) {
  pthread_t id[N];
  for (int i = 0; i < N; i++)
    pthread_create(&id[i], NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
#ifndef NO_WAKE
  pthread_cond_broadcast(&changed);
#endif
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < N; i++)
    pthread_join(id[i], NULL);
}
#endif
