// SPDX-License-Identifier: MIT
// Test-and-set: exchange until the lock was free. TAKE and GIVE are the orders
// of the exchange and of the store that frees the lock.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DN=4 sc,tso,ra,rc11,imm,armv8 ok 24
// run: flags=-DROUNDS=2 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DTAKE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DFORGET sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef TAKE
#define TAKE acq
#endif
#ifndef GIVE
#define GIVE rel
#endif

static atomic_int is_taken;

static void acquire(unsigned me) {
  (void)me;
  while (swap(&is_taken, 1, TAKE))
    continue;
}

static void release(unsigned me) {
  (void)me;
#ifndef FORGET
  store(&is_taken, 0, GIVE);
#endif
}

#include "client.h"
