// SPDX-License-Identifier: MIT
// Preserved order through a thread's own write: message passing in which the
// receiver writes z after it read the flag (HOW), reads its z back, and takes
// the address of the message from there. On arm the write may be read back
// before a branch is decided (PPOCA), but not before its address or its value
// are known (PPOAA): dob has (addr | data); rfi, and no ctrl; rfi.
// run: flags=-DHOW=ctrl rc11,imm,armv8 error assertion
// run: flags=-DHOW=addr armv8 ok 3; rc11,imm error assertion
// run: flags=-DHOW=data armv8 ok 3; rc11,imm error assertion
// run: flags=-DHOW=po armv8 error assertion
// run: args=--disable=assertion flags=-DHOW=addr rc11,imm ok 4
#include "pairs.h"

static atomic_int message, flag, z;

static void *sender(void *unused) {
  ww_dmb(&message, &flag);
  return unused;
}

static void *receiver(void *unused) {
  int r = RW(HOW)(&flag, &z);
  int back = load(&z, rlx);
  int s = load(&(&message)[back & 0], rlx);
  assert(!(r && !s));
  return unused;
}

int main(void) {
  spawn(sender);
  spawn(receiver);
  return 0;
}
