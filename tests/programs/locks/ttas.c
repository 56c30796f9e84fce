// SPDX-License-Identifier: MIT
// Test, then test-and-set: waiting only reads. Both loops are real; the outer
// one goes round as often as another thread was faster.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8,c11,power,riscv ok 6; armv7 ok 36
// run: flags=-DTAKE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DFORGET sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef TAKE
#define TAKE acq
#endif

static atomic_int is_taken;

static void acquire(unsigned me) {
  (void)me;
  do {
    while (load(&is_taken, rlx))
      continue;
  } while (swap(&is_taken, 1, TAKE));
}

static void release(unsigned me) {
  (void)me;
#ifndef FORGET
  store(&is_taken, 0, rel);
#endif
}

#include "client.h"
