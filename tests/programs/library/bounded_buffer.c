// SPDX-License-Identifier: MIT
// A buffer of one place with two condition variables: right; with one for both
// directions a signal may wake the wrong kind of thread and all sleep.
// run: flags=-DPRODUCERS=1 flags=-DCONSUMERS=1 flags=-DWAKE=pthread_cond_signal sc,rc11 ok
// run: flags=-DPRODUCERS=2 flags=-DCONSUMERS=2 flags=-DWAKE=pthread_cond_signal sc,rc11 ok
// run: flags=-DPRODUCERS=2 flags=-DCONSUMERS=2 flags=-DWAKE=pthread_cond_signal flags=-DONE_VARIABLE sc,rc11 error deadlock
// run: flags=-DPRODUCERS=2 flags=-DCONSUMERS=1 flags=-DWAKE=pthread_cond_broadcast flags=-DONE_VARIABLE flags=-DITEMS=2 sc,rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#ifdef ONE_VARIABLE
#define not_empty not_full
#else
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
static int item, taken;

static void *producer(void *unused) {
  pthread_mutex_lock(&mutex);
  while (item)
    pthread_cond_wait(&not_full, &mutex); // BUG
  item = 1;
  WAKE(&not_empty);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *consumer(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (!item)
      pthread_cond_wait(&not_empty, &mutex); // BUG
    item = 0;
    taken++;
    WAKE(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_create(&thread[i], NULL, i < PRODUCERS ? producer : consumer, NULL);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_join(thread[i], NULL);
  assert(taken == PRODUCERS);
}
