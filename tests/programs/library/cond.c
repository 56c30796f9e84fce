// SPDX-License-Identifier: MIT
// Condition variables: a wake-up is neither lost nor invented. A signal wakes
// one waiter, whichever; a broadcast wakes all.
// The order in which the mutex is taken is all that differs between executions:
// with one consumer 2 orders; with two, 2 for each of the 5 ways in which main
// comes before, between or after them.
// run: flags=-DN=1 flags=-DWAKE=pthread_cond_signal all ok 2
// run: flags=-DN=2 flags=-DWAKE=pthread_cond_broadcast all ok 10
// run: flags=-DN=2 flags=-DWAKE=pthread_cond_signal sc,rc11 error deadlock
// run: flags=-DN=1 flags=-DWAKE=(void) sc,rc11 error deadlock
// run: flags=-DN=1 flags=-DWAKE=pthread_cond_signal flags=-DNO_LOOP sc,rc11 ok
// run: args=--spurious-wakeups flags=-DN=1 flags=-DWAKE=pthread_cond_signal sc,rc11 ok
// run: args=--spurious-wakeups flags=-DN=1 flags=-DWAKE=pthread_cond_signal flags=-DNO_LOOP sc,rc11 error assertion
// run: args=--system-headers flags=-DN=2 flags=-DWAKE=pthread_cond_broadcast rc11 ok 10
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *consumer(void *unused) {
  pthread_mutex_lock(&mutex);
#ifdef NO_LOOP
  if (!ready)
#else
  while (!ready)
#endif
    assert(pthread_cond_wait(&changed, &mutex) == 0); // BUG
  assert(data == 1);                                  // BUG
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++)
    pthread_create(&thread[i], NULL, consumer, NULL);
  pthread_mutex_lock(&mutex);
  data = 1;
  ready = 1;
  WAKE(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < N; i++)
    pthread_join(thread[i], NULL);
  pthread_cond_destroy(&changed);
}
