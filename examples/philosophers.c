// SPDX-License-Identifier: MIT
// Dining philosophers: each needs the fork on the left and the one on the
// right.
//
// If everybody takes the fork with the smaller number first, no circle of
// waiting can close. With -DWRONG everybody takes the left one first: each may
// hold one fork and wait for the next, for ever. Heddle reports the deadlock
// with who waits for whom.
//
// expect: sc ok; rc11 ok
// run: flags=-DWRONG sc error deadlock; rc11 error deadlock
#include <assert.h>
#include <pthread.h>

enum { PHILOSOPHERS = 3 };

pthread_mutex_t forks[PHILOSOPHERS];
int meals[PHILOSOPHERS];

void *philosopher(void *number) {
  int left = (int)(long)number, right = (left + 1) % PHILOSOPHERS;
  int first = left, second = right;
#ifndef WRONG
  if (right < left) {
    first = right;
    second = left;
  }
#endif
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  meals[left]++;
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t t[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < PHILOSOPHERS; i++)
    pthread_create(&t[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < PHILOSOPHERS; i++) {
    pthread_join(t[i], NULL);
    assert(meals[i] == 1);
  }
}
