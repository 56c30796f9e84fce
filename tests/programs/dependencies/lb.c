// SPDX-License-Identifier: MIT
// Load buffering: each thread reads what the other one writes later. Models in
// which program order and reads-from form no cycle (all before imm) have 3
// executions. In imm and armv8 both threads read the new value unless both of
// them order their read before their write: by a dependency, or as bob of
// either model has it. A barrier for stores, and isb, do not order a read.
// run: sc,tso,pso,ra,rc11 ok 3; imm,armv8 error assertion
// run: args=--disable=assertion imm,armv8 ok 4
// run: flags=-DLEFT=data flags=-DRIGHT=data rc11,imm,armv8 ok 3
// run: flags=-DLEFT=addr flags=-DRIGHT=addr rc11,imm,armv8 ok 3
// run: flags=-DLEFT=ctrl flags=-DRIGHT=ctrl rc11,imm,armv8 ok 3
// run: flags=-DLEFT=data flags=-DRIGHT=ctrl rc11,imm,armv8 ok 3
// run: flags=-DLEFT=addr flags=-DRIGHT=release rc11,imm,armv8 ok 3
// run: flags=-DLEFT=release flags=-DRIGHT=release rc11,imm,armv8 ok 3
// run: flags=-DLEFT=acquire flags=-DRIGHT=acquire rc11,imm,armv8 ok 3
// run: flags=-DLEFT=release flags=-DRIGHT=acquire rc11,imm,armv8 ok 3
// run: flags=-DLEFT=dmb flags=-DRIGHT=dmb rc11,imm,armv8 ok 3
// run: flags=-DLEFT=dmb_ld flags=-DRIGHT=data rc11,imm,armv8 ok 3
// run: args=--disable=assertion flags=-DLEFT=data rc11 ok 3; imm,armv8 ok 4
// run: args=--disable=assertion flags=-DRIGHT=addr rc11 ok 3; imm,armv8 ok 4
// run: args=--disable=assertion flags=-DRIGHT=ctrl rc11 ok 3; imm,armv8 ok 4
// run: args=--disable=assertion flags=-DLEFT=release rc11 ok 3; imm,armv8 ok 4
// run: args=--disable=assertion flags=-DLEFT=acquire rc11 ok 3; imm,armv8 ok 4
// run: args=--disable=assertion flags=-DRIGHT=dmb rc11 ok 3; imm,armv8 ok 4
// run: flags=-DLEFT=dmb_st flags=-DRIGHT=data rc11 ok 3; armv8 error assertion
// run: flags=-DLEFT=isb flags=-DRIGHT=data rc11 ok 3; armv8 error assertion
// An update orders its read before later writes in imm ([Rex];po), but not in
// armv8: neither instruction does that.
// run: flags=-DLEFT=add flags=-DRIGHT=data rc11,imm ok 3
// run: flags=-DLEFT=add flags=-DRIGHT=data armv8 error assertion
// run: args=--arm-rmw=llsc flags=-DLEFT=add flags=-DRIGHT=data armv8 error assertion
// run: args=--disable=assertion flags=-DLEFT=add flags=-DRIGHT=data armv8 ok 4
#include "pairs.h"

#ifndef LEFT
#define LEFT po
#endif
#ifndef RIGHT
#define RIGHT po
#endif

static atomic_int x, y;

static void *left(void *unused) {
  (void)unused;
  yields(RW(LEFT)(&x, &y));
}

static void *right(void *unused) {
  (void)unused;
  yields(RW(RIGHT)(&y, &x));
}

int main(void) {
  int l, r;
  together(left, right, &l, &r);
  assert(!(l && r));
  return 0;
}
