// SPDX-License-Identifier: MIT
// Results of threads, exit from a nested call, self and equal, detach,
// thread-local variables, a thread that starts a thread.
// expect: sc,rc11 ok 1
#include "../common.h"

static _Thread_local int local = 7;
static int finished;

static void leave(int value) {
  pthread_exit((void *)(intptr_t)value);
}

static void *leaver(void *number) {
  local += (int)(intptr_t)number;
  leave(local);
  return NULL;
}

static void *parent(void *unused) {
  pthread_t child;
  void *result;
  pthread_create(&child, NULL, leaver, (void *)3);
  assert(!pthread_equal(child, pthread_self()));
  pthread_join(child, &result);
  assert((intptr_t)result == 10 && local == 7);
  finished = 1;
  return unused;
}

static void *loner(void *unused) {
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  void *result;
  pthread_create(&a, NULL, leaver, (void *)1);
  pthread_create(&b, NULL, parent, &finished);
  pthread_create(&c, NULL, loner, NULL);
  pthread_detach(c);
  pthread_join(a, &result);
  assert((intptr_t)result == 8);
  pthread_join(b, &result);
  assert(result == &finished && finished == 1 && local == 7);
  assert(pthread_equal(pthread_self(), pthread_self()));
  return 0;
}
