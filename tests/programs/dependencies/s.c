// SPDX-License-Identifier: MIT
// S: a thread writes x and then y; the other one reads the new y and then
// writes x, and its write is overwritten by the first one. Only armv8 has
// coherence in what it orders (obs), so only there a dependency forbids it;
// rc11 and imm need release and acquire.
// run: sc,tso ok 3; rc11,imm,armv8 error assertion
// run: args=--disable=assertion rc11,imm,armv8 ok 4
// run: flags=-DSEND=dmb rc11,imm,armv8 error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=data armv8 ok 3; rc11,imm error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=addr armv8 ok 3; rc11,imm error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=ctrl armv8 ok 3; rc11,imm error assertion
// run: flags=-DSEND=dmb_st flags=-DRECEIVE=data armv8 ok 3; imm error assertion
// run: flags=-DSEND=release flags=-DRECEIVE=data armv8 ok 3; rc11,imm error assertion
// run: flags=-DSEND=release flags=-DRECEIVE=acquire rc11,imm,armv8 ok 3
#include "pairs.h"

#ifndef SEND
#define SEND po
#endif
#ifndef RECEIVE
#define RECEIVE po
#endif

static atomic_int x, y;

static void *sender(void *unused) {
  WW(SEND)(&x, &y);
  return unused;
}

static void *receiver(void *unused) {
  (void)unused;
  yields(RW(RECEIVE)(&y, &x));
}

int main(void) {
  int unused, seen;
  together(sender, receiver, &unused, &seen);
  assert(!(seen && load(&x, rlx) == 1));
  return 0;
}
