// SPDX-License-Identifier: MIT
// Two threads compute Fibonacci numbers by adding each other's last one. How
// far they come in N rounds, if they take turns, is the bound of the third.
// run: flags=-DN=1 all ok 11
// run: flags=-DN=2 sc ok 140; tso,ra,rc11,imm ok 153
// run: flags=-DN=3 sc ok 1698; tso,ra,rc11,imm ok 2258
// run: flags=-DN=4 sc ok 19605; tso,ra,rc11,imm ok 34205
// run: big flags=-DN=5 sc ok 218243; tso,ra,rc11,imm ok 525630
// run: flags=-DN=3 lkmm ok 2258
// run: flags=-DN=3 flags=-DALL_RELAXED flags=-DBOUND=1000 rc11,imm,xmm ok 2800
// run: flags=-DN=3 flags=-DBOUND=20 sc,rc11 error assertion
#include "../common.h"

#ifndef BOUND
#define BOUND 144
#endif

atomic_int x = 1, y = 1;

static void *left(void *unused) {
  for (int i = 0; i < N; i++) {
    int p = load(&x, acq), q = load(&y, acq);
    store(&x, p + q, rel);
  }
  return unused;
}

static void *right(void *unused) {
  for (int i = 0; i < N; i++) {
    int p = load(&x, acq), q = load(&y, acq);
    store(&y, p + q, rel);
  }
  return unused;
}

static void *observer(void *unused) {
  if (load(&x, acq) > BOUND || load(&y, acq) > BOUND)
    assert(!"the numbers grow faster than Fibonacci's"); // BUG
  return unused;
}

int main(void) {
  spawn(left);
  spawn(right);
  spawn(observer);
  return 0;
}
