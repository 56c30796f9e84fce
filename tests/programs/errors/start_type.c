// SPDX-License-Identifier: MIT
// Start functions of other types: those that take no argument are started, and
// a warning says so; more arguments than one are an error.
// run: flags=-DSTART=no_argument all ok 2
// run: flags=-DSTART=yields_int all ok 2
// run: flags=-DSTART=yields_nothing all ok 2
// run: args=--jobs=2 flags=-DSTART=yields_nothing rc11 ok 2
// run: args=--error=start-type flags=-DSTART=no_argument sc,rc11 error start-type
// run: flags=-DSTART=two_arguments sc,rc11 error bad-call
#include "../common.h"

static atomic_int x;

static void *no_argument() {
  x = 1;
  return NULL;
}

static int yields_int() {
  x = 1;
  return 7;
}

static void yields_nothing() {
  x = 1;
}

static void *two_arguments(void *a, void *b) {
  return a ? a : b;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, (void *(*)(void *))START, (void *)&x); // BUG
  int seen = x;
  pthread_join(id, NULL);
  assert(seen <= 1 && x == 1);
  (void)no_argument, (void)yields_int, (void)yields_nothing;
  (void)two_arguments;
  return 0;
}
