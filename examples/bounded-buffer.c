// SPDX-License-Identifier: MIT
// A bounded buffer with a mutex and two condition variables.
//
// Whoever is woken looks again before it goes on: between the signal and its
// turn another thread may have been faster. With -DWRONG=1 it does not look
// again, and takes from an empty buffer. With -DWRONG=2 the producers forget
// to signal, and a consumer that waited already waits for ever.
//
// expect: sc ok; rc11 ok
// run: flags=-DWRONG=1 sc error assertion; rc11 error assertion
// run: flags=-DWRONG=2 sc error deadlock; rc11 error deadlock
#include <assert.h>
#include <pthread.h>

#ifndef WRONG
#define WRONG 0
#endif

enum { SIZE = 1, ITEMS = 2 };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int buffer[SIZE], count; // under the lock

void put(int item) {
  pthread_mutex_lock(&lock);
  while (count == SIZE)
    pthread_cond_wait(&not_full, &lock);
  buffer[count++] = item;
  if (WRONG != 2)
    pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

int get(void) {
  pthread_mutex_lock(&lock);
  if (WRONG == 1) {
    if (count == 0)
      pthread_cond_wait(&not_empty, &lock);
  } else {
    while (count == 0)
      pthread_cond_wait(&not_empty, &lock);
  }
  assert(count > 0);
  int item = buffer[--count];
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return item;
}

int got[ITEMS];

void *consumer(void *number) {
  got[(long)number] = get();
  return NULL;
}

int main(void) {
  pthread_t t[ITEMS];
  for (long i = 0; i < ITEMS; i++)
    pthread_create(&t[i], NULL, consumer, (void *)i);
  for (int i = 0; i < ITEMS; i++)
    put(i + 1);
  for (int i = 0; i < ITEMS; i++)
    pthread_join(t[i], NULL);
  assert(got[0] + got[1] == 3);
}
