// SPDX-License-Identifier: MIT
// Recursive and error-checking mutexes: what they return, that they exclude,
// and that a normal one reports the same misuse as an error.
// run: flags=-DKIND=PTHREAD_MUTEX_RECURSIVE sc,rc11 ok 2
// run: flags=-DKIND=PTHREAD_MUTEX_ERRORCHECK sc,rc11 ok 2
// run: flags=-DKIND=PTHREAD_MUTEX_NORMAL sc,rc11 error relock
// run: args=--system-headers flags=-DKIND=PTHREAD_MUTEX_RECURSIVE rc11 ok 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int counter;

static void *thread(void *unused) {
  int again = KIND == PTHREAD_MUTEX_RECURSIVE ? 0 : EDEADLK;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == again); // BUG
  counter++;
  if (KIND == PTHREAD_MUTEX_RECURSIVE) {
    assert(pthread_mutex_trylock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  assert(pthread_mutexattr_settype(&attr, 77) == EINVAL);
  assert(pthread_mutexattr_settype(&attr, KIND) == 0);
  pthread_mutex_init(&mutex, &attr);
  pthread_mutexattr_destroy(&attr);
  pthread_t a, b;
  pthread_create(&a, NULL, thread, NULL);
  pthread_create(&b, NULL, thread, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  pthread_mutex_destroy(&mutex);
}
