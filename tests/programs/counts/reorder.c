// SPDX-License-Identifier: MIT
// S setters of a pair, C checkers of it: (S!)^2 (S + 1)^(2 C) in any model.
// run: flags=-DS=1 flags=-DC=1 flags=-DORDER=rlx all ok 4
// run: flags=-DS=2 flags=-DC=1 flags=-DORDER=rlx all ok 36
// run: flags=-DS=2 flags=-DC=2 flags=-DORDER=rlx all ok 324
// run: flags=-DS=3 flags=-DC=1 flags=-DORDER=rlx all ok 576
// run: flags=-DS=2 flags=-DC=1 flags=-DORDER=sc all ok 36
#include "../common.h"

atomic_int a, b;

static void *setter(void *unused) {
  store(&a, 1, ORDER);
  store(&b, -1, ORDER);
  return unused;
}

static void *checker(void *unused) {
  load(&a, ORDER);
  load(&b, ORDER);
  return unused;
}

int main(void) {
  pthread_t setters[S];
  start(setters, S, setter);
  run(C, checker);
  join(setters, S);
  return 0;
}
