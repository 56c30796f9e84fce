// SPDX-License-Identifier: MIT
// Exercise 7: a signal that comes too early.
//
// A condition variable has no memory. In which execution does the consumer
// sleep for ever? Mend it, and use --spurious-wakeups to see why `while` and
// not `if`.
//
// expect: sc error deadlock
// run: flags=-DSOLUTION sc ok
// run: args=--spurious-wakeups flags=-DSOLUTION sc ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *producer(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *consumer(void *unused) {
  pthread_mutex_lock(&mutex);
#ifdef SOLUTION
  while (!ready)
#endif
    pthread_cond_wait(&condition, &mutex);
  assert(ready);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
