// SPDX-License-Identifier: MIT
// Which of several waiters a signal wakes is a choice; a thread that begins to
// wait later does not get an old signal.
// run: flags=-DFIRST=0 sc,rc11 error assertion
// run: flags=-DFIRST=1 sc,rc11 error assertion
// run: flags=-DFIRST=2 sc,rc11 ok
// run: flags=-DLATE sc,rc11 error deadlock
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef LATE
#define ENOUGH 1
#else
#define ENOUGH 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, woken[2], first = -1;

static void *waiter(void *number) {
  int me = (int)(long)number;
  pthread_mutex_lock(&mutex);
  waiting++;
  pthread_cond_wait(&changed, &mutex); // BUG
  if (first < 0)
    first = me;
  woken[me] = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t id[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&id[i], NULL, waiter, (void *)i);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    while (waiting < ENOUGH) {
      pthread_mutex_unlock(&mutex);
      pthread_mutex_lock(&mutex);
    }
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
#ifndef LATE
    pthread_mutex_lock(&mutex);
    while (woken[0] + woken[1] == i) {
      pthread_mutex_unlock(&mutex);
      pthread_mutex_lock(&mutex);
    }
    assert(woken[0] + woken[1] == i + 1);
#ifdef FIRST
    assert(first != FIRST); // BUG
#endif
    pthread_mutex_unlock(&mutex);
#endif
  }
  for (int i = 0; i < 2; i++)
    pthread_join(id[i], NULL);
}
