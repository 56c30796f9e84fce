// SPDX-License-Identifier: MIT
// Exercise 6: two locks.
//
// What does each thread wait for in the last row of the report? Name a rule
// that makes such an error impossible.
//
// expect: sc error deadlock
// run: flags=-DSOLUTION sc ok; rc11 ok
#include <pthread.h>

static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t to = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *there(void *unused) {
  pthread_mutex_lock(&from);
  pthread_mutex_lock(&to);
  balance--;
  pthread_mutex_unlock(&to);
  pthread_mutex_unlock(&from);
  return unused;
}

static void *back(void *unused) {
#ifdef SOLUTION
  pthread_mutex_lock(&from); // each thread takes `from` first
  pthread_mutex_lock(&to);
#else
  pthread_mutex_lock(&to);
  pthread_mutex_lock(&from);
#endif
  balance++;
  pthread_mutex_unlock(&to);
  pthread_mutex_unlock(&from);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, there, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
