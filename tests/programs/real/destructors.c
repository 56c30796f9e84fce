// SPDX-License-Identifier: MIT
// The end of a program: handlers of atexit, then destructors, the smallest
// priority last; quick_exit runs its own handlers alone.
// expect: all ok 1
// run: flags=-DBY_EXIT all ok 1
// run: flags=-DQUICK all ok 1
#include <assert.h>
#include <stdlib.h>

static int step;

__attribute__((constructor)) static void before(void) {
  assert(step == 0);
  step = 1;
}

static void at_exit(void) {
#ifdef QUICK
  assert(0);
#endif
  assert(step == 2);
  step = 3;
}

__attribute__((destructor)) static void after(void) {
#ifdef QUICK
  assert(0);
#endif
  assert(step == 3);
  step = 4;
}

__attribute__((destructor(101))) static void after_all(void) {
  assert(step == 4);
  step = 5;
}

static void quickly(void) {
  assert(step == 2);
}

int main(void) {
  assert(step == 1);
  step = 2;
  atexit(at_exit);
  at_quick_exit(quickly);
#ifdef BY_EXIT
  exit(0);
#elif defined QUICK
  quick_exit(0);
#endif
  return 0;
}
