// SPDX-License-Identifier: MIT
// long double in memory that threads share: handed over by a lock it is whole,
// without one that is a race. It takes sixteen bytes, of which ten count.
// run: all ok 2
// run: flags=-DNO_LOCK all error race
// run: flags=-DUNSET all error uninitialized
#include <assert.h>
#include <pthread.h>

static long double sum = 0.1L;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
#ifndef NO_LOCK
  pthread_mutex_lock(&mutex);
#endif
  sum += *(long double *)arg; // BUG
#ifndef NO_LOCK
  pthread_mutex_unlock(&mutex);
#endif
  return NULL;
}

int main(void) {
  long double one = 1, half = 0.5L;
  pthread_t a, b;
  (void)mutex;
#ifdef UNSET
  long double never;
  if (never > one) // BUG
    half = 1;
#endif
  pthread_create(&a, NULL, add, &one);
  pthread_create(&b, NULL, add, &half);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(sum > 1.59999L && sum < 1.60001L && sizeof sum == 16);
  return 0;
}
