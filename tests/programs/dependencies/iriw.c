// SPDX-License-Identifier: MIT
// Two readers see two independent writes in different orders. armv8 is
// multi-copy atomic: whatever orders both pairs of reads forbids that, so 15 of
// the 16 ways to read are left. In rc11 and imm only sc accesses and fences do.
// run: sc,tso ok 15; rc11,imm,armv8 error assertion
// run: args=--disable=assertion rc11,imm,armv8 ok 16
// run: flags=-DWAY=addr armv8 ok 15; rc11,imm error assertion
// run: args=--disable=assertion flags=-DWAY=addr rc11,imm ok 16
// run: flags=-DWAY=ctrl rc11,imm,armv8 error assertion
// run: flags=-DWAY=ctrl_isb armv8 ok 15; imm error assertion
// run: flags=-DWAY=acquire armv8 ok 15; rc11,imm error assertion
// run: flags=-DWAY=dmb_ld armv8 ok 15; rc11,imm error assertion
// run: flags=-DWAY=dmb rc11,imm,armv8 ok 15
// run: flags=-DWAY=seq_cst flags=-DWRITE=sc rc11,imm,armv8 ok 15
#include "pairs.h"

#ifndef WAY
#define WAY po
#endif
#ifndef WRITE
#define WRITE rlx
#endif

static atomic_int x, y;

static void *writer(void *number) {
  store(number ? &x : &y, 1, WRITE);
  return NULL;
}

static void *x_first(void *unused) {
  (void)unused;
  yields(RR(WAY)(&x, &y));
}

static void *y_first(void *unused) {
  (void)unused;
  yields(RR(WAY)(&y, &x));
}

int main(void) {
  pthread_t writers[2];
  start(writers, 2, writer);
  int one, other;
  together(x_first, y_first, &one, &other);
  assert(!(one && other));
  return 0;
}
