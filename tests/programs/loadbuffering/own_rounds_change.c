// SPDX-License-Identifier: MIT
// As rounds_change.c, but the loop that waits keeps its sum in memory that
// nobody else uses while it waits. While what it reads is 0, its rounds store
// what is there already; but a load may be buffered around the whole loop, and
// then they do not. BEFORE: what a round stores never changes, but what was
// there before the loop does.
// run: args=--unroll=3 imm,armv8,c11,power,riscv,armv7 error assertion
// run: args=--unroll=3 flags=-DBEFORE imm,armv8,c11,power,riscv,armv7 error assertion
// run: rc11 ok 3; imm,armv8,c11,power,riscv,armv7 incomplete
// run: flags=-DBEFORE rc11 ok 3; imm,armv8,c11,power,riscv,armv7 incomplete
// run: flags=-DFENCE rc11,imm,armv8,power,riscv,armv7 ok 3
// run: flags=-DREAD=acq rc11,imm,armv8,c11,power,riscv,armv7 ok 3
#include "../common.h"

#ifndef READ
#define READ rlx
#endif

static atomic_int x, ready, done;
static int sum;

static void *waits(void *unused) {
#ifdef BEFORE
  int first = load(&x, READ);
  sum = first;
  while (!load(&ready, rlx))
    sum = 0;
#else
  do {
    sum += load(&x, READ);
#ifdef FENCE
    fence(acq);
#endif
  } while (!load(&ready, rlx));
#endif
  store(&done, 1, rlx);
#ifdef BEFORE
  assert(!first || sum);
#else
  assert(sum != 2);
#endif
  return unused;
}

static void *answers(void *unused) {
  store(&x, load(&done, rlx), rlx);
  return unused;
}

static void *lets_go(void *unused) {
  store(&ready, 1, rlx);
  return unused;
}

int main(void) {
  spawn(waits);
  spawn(answers);
  spawn(lets_go);
  return 0;
}
