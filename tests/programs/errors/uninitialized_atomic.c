// SPDX-License-Identifier: MIT
// An atomic object is read before anything was written to it: an error of its
// own, even if nothing is done with the value. (Objects that no other thread can
// reach are not looked at.)
// run: flags=-DINIT=0 all ok 1
// run: all error uninitialized-atomic
// run: flags=-DSTACK all error uninitialized-atomic
// run: flags=-DSTACK flags=-DINIT=0 all ok 1
// run: flags=-DUPDATE all error uninitialized-atomic
// run: flags=-DPLAIN all ok 1
// run: args=--disable args=uninitialized-atomic all ok 1
#include "../common.h"

static atomic_int *shared;

int main(void) {
#ifdef STACK
  atomic_int local, *x = shared = &local;
#else
  atomic_int *x = malloc(sizeof *x);
#endif
#ifdef INIT
  atomic_init(x, INIT);
#endif
#ifdef PLAIN
  int copy = *(int *)x; // nothing is said about plain objects
  (void)copy;
#elif defined UPDATE
  fetch_add(x, 1, rlx); // BUG
#else
  (void)load(x, rlx); // BUG
#endif
#ifndef STACK
  free(x);
#endif
  return 0;
}
