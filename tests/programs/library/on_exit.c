// SPDX-License-Identifier: MIT
// Handlers that are told the status and an argument of their own, among those
// of atexit: the last one is the first that runs.
// run: sc,rc11 ok 1
// run: flags=-DEXIT sc,rc11 ok 1
// run: flags=-DWRONG sc,rc11 error assertion
#include <assert.h>
#include <stdlib.h>

static int step;

static void last(int status, void *argument) {
  assert(status == 7 && argument == &step);
#ifdef WRONG
  assert(step == 0); // BUG
#else
  assert(step == 2);
#endif
}

static void middle(void) {
  assert(step++ == 1);
}

static void first(int status, void *argument) {
  assert(status == 7 && !argument && step++ == 0);
}

int main(void) {
  on_exit(last, &step);
  atexit(middle);
  on_exit(first, NULL);
#ifdef EXIT
  exit(7);
#endif
  return 7;
}
