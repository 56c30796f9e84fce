// SPDX-License-Identifier: MIT
// One thread misuses an object or a thread unless it sees what the other one
// writes. With --all-errors the execution in which it sees that is explored too,
// although the write is only added behind the error.
// expect: all error double-free
// run: args=--all-errors all error double-free 1
// run: flags=-DWRONG=join_twice() args=--all-errors all error thread-misuse 1
// run: flags=-DWRONG=detach_joined() args=--all-errors rc11 error thread-misuse 1
// run: flags=-DWRONG=realloc_freed() args=--all-errors rc11 error double-free 1
#include "../common.h"

#ifndef WRONG
#define WRONG free_twice()
#endif

static atomic_int x;
static void *object;
static pthread_t third;

static void *nothing(void *unused) {
  return unused;
}

static inline void free_twice(void) {
  free(object);
  free(object); // BUG
}

static inline void realloc_freed(void) {
  free(object);
  object = realloc(object, 8); // BUG
}

static inline void join_twice(void) {
  pthread_join(third, NULL);
  pthread_join(third, NULL); // BUG
}

static inline void detach_joined(void) {
  pthread_join(third, NULL);
  pthread_detach(third); // BUG
}

static void *misuse(void *unused) {
  (void)unused;
  if (!atomic_load_explicit(&x, memory_order_relaxed)) {
    WRONG;
  } else {
    free(object);
    pthread_join(third, NULL);
  }
  return NULL;
}

static void *help(void *unused) {
  (void)unused;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  object = malloc(4);
  pthread_create(&third, NULL, nothing, NULL);
  pthread_create(&a, NULL, misuse, NULL);
  pthread_create(&b, NULL, help, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
