// SPDX-License-Identifier: MIT
// A loop that waits adds up what it reads. While that is 0 its rounds change
// nothing; but a load may be buffered around the whole loop, and then they do.
// There are as many executions as one likes, and it must be said that not all
// are explored; with a bound the one is found in which the sum is 2. KEPT: what
// is added was read before the loop. UPDATE: each round has an update that puts
// back what it has read, and with a load that is buffered does not. With FENCE
// or READ=acq no load is buffered, and with IDLE the rounds have nothing to do
// with it.
// run: args=--unroll=3 imm,armv8,c11,power,riscv,armv7 error assertion
// run: args=--unroll=3 flags=-DKEPT imm,armv8,c11,power,riscv,armv7 error assertion
// run: args=--unroll=3 flags=-DUPDATE rc11 ok 6; c11,armv8,riscv error assertion
// run: rc11 ok 3; imm,armv8,c11,power,riscv,armv7 incomplete
// run: flags=-DKEPT rc11 ok 3; imm,armv8,c11,power,riscv,armv7 incomplete
// run: flags=-DUPDATE rc11 ok 6; c11,armv8,riscv incomplete
// run: flags=-DFENCE rc11,imm,armv8,power,riscv,armv7 ok 3
// run: flags=-DREAD=acq rc11,imm,armv8,c11,power,riscv,armv7 ok 3
// run: flags=-DIDLE rc11 ok 3; imm,armv8,c11,power,riscv,armv7 ok 4
#include "../common.h"

#ifndef READ
#define READ rlx
#endif

static atomic_int x, ready, done;

static void *waits(void *unused) {
  int sum = 0;
#if defined KEPT
  int step = load(&x, READ);
  while (!load(&ready, rlx))
    sum += step;
#elif defined IDLE
  sum = load(&x, READ);
  while (!load(&ready, rlx)) {
  }
#elif defined UPDATE
  do
    atomic_fetch_or_explicit(&x, 2, READ);
  while (!load(&ready, rlx));
#else
  do {
    sum += load(&x, READ);
#ifdef FENCE
    fence(acq);
#endif
  } while (!load(&ready, rlx));
#endif
  store(&done, 1, rlx);
  assert(sum != 2);
  return unused;
}

static void *answers(void *unused) {
  int is_done = load(&done, rlx);
#ifdef UPDATE
  int times = 0;
  for (int i = 0; i < 2; i++) {
    store(&x, 2 - 2 * is_done, rlx);
    times += load(&x, rlx) == 2;
  }
  assert(!is_done || times != 2);
#else
  store(&x, is_done, rlx);
#endif
  return unused;
}

static void *lets_go(void *unused) {
  store(&ready, 1, rlx);
  return unused;
}

int main(void) {
#ifdef UPDATE
  x = 2;
#endif
  spawn(waits);
  spawn(answers);
  spawn(lets_go);
  return 0;
}
