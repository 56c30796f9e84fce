// SPDX-License-Identifier: MIT
// Double-checked initialisation: the first check must acquire.
//
// The object is made once, under a lock; later callers skip the lock when they
// see the pointer. In the well-known wrong version the first look is relaxed:
// the pointer is seen, and what it points to is not yet there. Compile with
// -DWRONG (heddle check double-checked.c -- -DWRONG) to see the race.
//
// expect: rc11 ok; sc ok
// run: flags=-DWRONG rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WRONG
#define FIRST_LOOK memory_order_relaxed
#else
#define FIRST_LOOK memory_order_acquire
#endif

struct config {
  int answer;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic(struct config *) shared;

struct config *get(void) {
  struct config *c = atomic_load_explicit(&shared, FIRST_LOOK);
  if (c)
    return c;
  pthread_mutex_lock(&lock);
  c = atomic_load_explicit(&shared, memory_order_relaxed);
  if (!c) {
    c = malloc(sizeof *c);
    c->answer = 42;
    atomic_store_explicit(&shared, c, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return c;
}

void *thread(void *unused) {
  assert(get()->answer == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, NULL);
  pthread_create(&b, NULL, thread, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(get());
}
