// SPDX-License-Identifier: MIT
// Exercise 8: double-checked initialisation.
//
// The second look is protected by the lock. The first is not: what may a
// thread see that comes in by it? Which orders does the pointer need?
//
// expect: rc11 error race
// run: flags=-DSOLUTION rc11 ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SOLUTION
enum { PUT = memory_order_release, GET = memory_order_acquire };
#else
enum { PUT = memory_order_relaxed, GET = memory_order_relaxed };
#endif

static struct config { int value; } config;
static _Atomic(struct config *) instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void) {
  struct config *c = atomic_load_explicit(&instance, GET);
  if (c)
    return c;
  pthread_mutex_lock(&mutex);
  if (!atomic_load_explicit(&instance, memory_order_relaxed)) {
    config.value = 42;
    atomic_store_explicit(&instance, &config, PUT);
  }
  pthread_mutex_unlock(&mutex);
  return &config;
}

static void *user(void *unused) {
  assert(get()->value == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
