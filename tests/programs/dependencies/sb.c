// SPDX-License-Identifier: MIT
// Store buffering: both threads write and then miss the other one's write,
// unless a full fence, or sc, is between. A release store and an acquire load
// are no fence; on arm they are when the load is LDAR ([L];po;[A]), and every
// fence that releases is a full one there.
// run: sc ok 3; tso,pso,ra,rc11,imm,armv8 error assertion
// run: args=--disable=assertion tso,rc11,imm,armv8 ok 4
// run: flags=-DWAY=dmb tso,rc11,imm,armv8 ok 3
// run: flags=-DWAY=seq_cst tso,rc11,imm,armv8 ok 3
// run: flags=-DWAY=ra rc11,imm,armv8 error assertion
// run: args=--arm-acquire=ldar flags=-DWAY=ra armv8 ok 3
// run: args=--arm-acquire=ldapr flags=-DWAY=ra armv8 error assertion
// run: flags=-DWAY=acq_rel armv8 ok 3; rc11,imm error assertion
#include "pairs.h"

#ifndef WAY
#define WAY po
#endif

static atomic_int x, y;

static void *left(void *unused) {
  (void)unused;
  yields(WR(WAY)(&x, &y));
}

static void *right(void *unused) {
  (void)unused;
  yields(WR(WAY)(&y, &x));
}

int main(void) {
  int l, r;
  together(left, right, &l, &r);
  assert(l || r);
  return 0;
}
