// SPDX-License-Identifier: MIT
// The first half of Dekker's lock; without its fences both threads get in.
// run: flags=-DFENCE=sc sc,tso,rc11,imm ok 3; ra error assertion
// run: flags=-DFENCE=acqrel sc ok 3; tso,ra,rc11,imm error assertion
#include "../common.h"

atomic_int x, y, critical;

static void *first(void *unused) {
  store(&y, 1, rlx);
  fence(FENCE);
  if (load(&x, rlx) == 0) {
    store(&critical, 1, rlx);
    assert(load(&critical, rlx) == 1); // BUG
  }
  return unused;
}

static void *second(void *unused) {
  store(&x, 1, rlx);
  fence(FENCE);
  if (load(&y, rlx) == 0) {
    store(&critical, 0, rlx);
    assert(load(&critical, rlx) == 0); // BUG
  }
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  return 0;
}
