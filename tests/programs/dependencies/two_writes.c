// SPDX-License-Identifier: MIT
// 2+2W: two threads write the same two variables in opposite orders, and the
// first write of each is the last in coherence. tso keeps writes in order;
// armv8 does when there is a barrier, a release store, or a barrier for stores.
// In rc11 and imm only sc fences forbid it: nobody reads, so nothing else makes
// happens-before.
// run: sc,tso ok 3; pso,ra,rc11,imm,armv8 error assertion
// run: args=--disable=assertion pso,ra,rc11,imm,armv8 ok 4
// run: flags=-DWAY=dmb rc11,imm,armv8 ok 3
// run: flags=-DWAY=dmb_st armv8 ok 3; rc11,imm error assertion
// run: flags=-DWAY=dmb_ld rc11,imm,armv8 error assertion
// run: flags=-DWAY=release armv8 ok 3; rc11,imm error assertion
#include "pairs.h"

#ifndef WAY
#define WAY po
#endif

static atomic_int x, y;

static void *left(void *unused) {
  WW(WAY)(&x, &y);
  return unused;
}

static void *right(void *unused) {
  WW(WAY)(&y, &x);
  return unused;
}

int main(void) {
  int unused;
  together(left, right, &unused, &unused);
  assert(!(load(&x, rlx) == 1 && load(&y, rlx) == 1));
  return 0;
}
