// SPDX-License-Identifier: MIT
// A round that waits begins with a store to memory of its own if it chooses to.
// The next round may choose otherwise and find what this one stored, so the
// store is not one that the next round makes again. ALWAYS: it is. VALUE: what
// is stored was chosen as well, so it depends on an event that is no load.
// run: rc11,ra,sc,tso,xmm error assertion
// run: imm,armv8,c11,power error assertion
// run: args=--without=own-rounds args=--unroll=3 rc11 error assertion
// run: flags=-DVALUE rc11,sc,imm,armv8,c11,power,riscv,armv7 ok
// run: flags=-DALWAYS rc11,sc,tso,imm,armv8 ok 2
#include "../common.h"

static atomic_int x;
static int node;

static void *waits(void *unused) {
  bool stores;
#ifdef VALUE
  int value = heddle_choose(6, 7);
#else
  int value = 5;
#endif
  do {
#ifdef ALWAYS
    node = value;
#endif
    stores = heddle_choose(0, 1);
#ifndef ALWAYS
    if (stores)
      node = value;
#endif
  } while (!load(&x, acq));
#ifndef ALWAYS
  assert(stores || node != 5);
#endif
  return unused;
}

int main(void) {
  spawn(waits);
  store(&x, 1, rel);
  return 0;
}
