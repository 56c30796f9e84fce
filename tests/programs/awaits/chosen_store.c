// SPDX-License-Identifier: MIT
// A round that waits begins with a store to memory of its own if it chooses to.
// The next round may choose otherwise and find what this one stored, so the
// store is not one that the next round makes again. ALWAYS: it is.
// run: rc11,ra,sc,tso,xmm error assertion
// run: imm,armv8,c11,power error assertion
// run: args=--without=own-rounds args=--unroll=3 rc11 error assertion
// run: flags=-DALWAYS rc11,sc,tso,imm,armv8 ok 2
#include "../common.h"

static atomic_int x;
static int node;

static void *waits(void *unused) {
  bool stores;
  do {
#ifdef ALWAYS
    node = 5;
#endif
    stores = heddle_choose(0, 1);
#ifndef ALWAYS
    if (stores)
      node = 5;
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
