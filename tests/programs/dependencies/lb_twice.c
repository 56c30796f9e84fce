// SPDX-License-Identifier: MIT
// Load buffering in which more than one read is promised something, or may have
// had more than one write before. The threads give up unless the cycles are
// there, so one execution is left where they are allowed.
//
//  1  x is promised to r1, which is in the core of the other cycle, over r0 and
//     z. The write to y that leads to the promise depends on r1; the end of its
//     thread does not.
//  2  x = 1 is promised to r1. The write right before it, x = 2, depends on r1,
//     so that without the promise r1 reads an older one. ARM and RISC-V order
//     the two writes to x, and with that all of it is a cycle.
//
// run: flags=-DP=1 sc,tso,rc11 incomplete 0
// run: flags=-DP=1 imm,armv8,power,riscv ok 1
// run: flags=-DP=2 sc,tso,rc11,armv8,riscv incomplete 0
// run: flags=-DP=2 imm,power ok 1
#include "../common.h"

static atomic_int x, y, z, other;

#if P == 1
static void *first(void *unused) {
  int r = load(&y, rlx);
  store(&x, 1, rlx);
  heddle_assume(r == 1);
  return unused;
}

static void *second(void *unused) {
  int r1 = load(&x, rlx);
  store(&y, r1, rlx);
  int r0 = load(&other, rlx);
  store(&z, 1, rlx);
  heddle_assume(r1 == 1 && r0 == 1);
  return unused;
}

static void *third(void *unused) {
  int r = load(&z, rlx);
  store(&other, 1, rlx);
  heddle_assume(r == 1);
  return unused;
}
#else
static void *first(void *unused) {
  int r2 = load(&other, rlx), r3 = load(&z, rlx);
  store(&x, r2 & r3, rlx);
  return unused;
}

static void *second(void *unused) {
  int r1 = load(&x, rlx);
  store(&y, r1, rlx);
  store(&z, 1, rlx);
  heddle_assume(r1 == 1);
  return unused;
}

static void *third(void *unused) {
  int r = load(&y, rlx);
  store(&x, (r ^ r) + 2, rlx);
  store(&other, 1, rlx);
  heddle_assume(r == 1);
  return unused;
}
#endif

int main(void) {
  pthread_t ids[3];
  pthread_create(&ids[0], NULL, first, NULL);
  pthread_create(&ids[1], NULL, second, NULL);
  pthread_create(&ids[2], NULL, third, NULL);
  join(ids, 3);
  heddle_assume(load(&x, rlx) == 1);
  return 0;
}
