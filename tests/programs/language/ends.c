// SPDX-License-Identifier: MIT
// How a program ends: main returns and the others go on; exit() stops them
// all, after the handlers of atexit.
// run: flags=-DEND=0 sc,rc11 error assertion
// run: flags=-DEND=1 sc,rc11 ok
// run: flags=-DEND=2 sc,rc11 error assertion
#include "../common.h"

static atomic_int x;

static void *thread(void *unused) {
  store(&x, 1, rlx);
#if END == 0
  assert(!"reached after main returned"); // BUG
#endif
  return unused;
}

static void handler(void) {
#if END == 2
  assert(!"a handler of atexit runs"); // BUG
#endif
}

int main(void) {
  atexit(handler);
  spawn(thread);
#if END != 0
  exit(0);
  assert(!"never reached");
#endif
  return 0;
}
