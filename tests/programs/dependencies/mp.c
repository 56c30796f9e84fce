// SPDX-License-Identifier: MIT
// Message passing: a thread writes data and then a flag (SEND), the other one
// reads the flag and then the data (RECEIVE). In armv8 a dependency of the
// address orders two reads, one of control only together with isb, and a
// barrier for stores is enough on the other side. imm orders reads only by
// happens-before (ar has no fr): dependencies between reads do not count, nor
// do barriers that C11 does not have.
// run: sc,tso ok 3; pso,ra,rc11,imm,armv8 error assertion
// run: args=--disable=assertion rc11,imm,armv8 ok 4
// run: flags=-DSEND=dmb rc11,imm,armv8 error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=addr armv8 ok 3; rc11,imm error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=ctrl rc11,imm,armv8 error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=isb rc11,imm,armv8 error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=ctrl_isb armv8 ok 3; imm error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=addr_isb armv8 ok 3; imm error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=dmb rc11,imm,armv8 ok 3
// run: flags=-DSEND=dmb flags=-DRECEIVE=dmb_ld rc11,imm,armv8 ok 3
// run: flags=-DSEND=dmb flags=-DRECEIVE=dmb_st rc11,imm,armv8 error assertion
// run: flags=-DSEND=dmb flags=-DRECEIVE=acquire rc11,imm,armv8 ok 3
// run: flags=-DSEND=release flags=-DRECEIVE=acquire rc11,imm,armv8 ok 3
// run: flags=-DSEND=release flags=-DRECEIVE=addr armv8 ok 3; rc11,imm error assertion
// run: flags=-DSEND=release flags=-DRECEIVE=ctrl rc11,imm,armv8 error assertion
// run: flags=-DSEND=dmb_st flags=-DRECEIVE=addr armv8 ok 3; imm error assertion
// run: flags=-DSEND=dmb_st flags=-DRECEIVE=acquire armv8 ok 3; rc11,imm error assertion
// run: flags=-DSEND=dmb_st flags=-DRECEIVE=ctrl armv8 error assertion
// run: flags=-DSEND=dmb_ld flags=-DRECEIVE=acquire rc11,imm,armv8 error assertion
// run: flags=-DRECEIVE=addr rc11,imm,armv8 error assertion
// run: flags=-DRECEIVE=acquire rc11,imm,armv8 error assertion
#include "pairs.h"

#ifndef SEND
#define SEND po
#endif
#ifndef RECEIVE
#define RECEIVE po
#endif

static atomic_int message, flag;

static void *sender(void *unused) {
  WW(SEND)(&message, &flag);
  return unused;
}

static void *receiver(void *unused) {
  bool missed = RR(RECEIVE)(&flag, &message);
  assert(!missed);
  return unused;
}

int main(void) {
  spawn(sender);
  spawn(receiver);
  return 0;
}
