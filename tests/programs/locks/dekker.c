// SPDX-License-Identifier: MIT
// Dekker's lock for two with real loops: the one whose turn it is not steps
// back while the other wants in. FENCE stands between a wish and the look at
// the other's; STUBBORN does not step back, and both wait for ever.
// run: sc,tso,pso,rc11,imm,armv8 ok
// run: flags=-DFENCE=acqrel sc ok; tso,pso,ra,rc11,imm error race
// run: flags=-DEXIT=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DSTUBBORN sc,tso,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef FENCE
#define FENCE sc
#endif
#ifndef EXIT
#define EXIT rel
#endif

static atomic_bool wants[2];
static atomic_uint turn;

static void acquire(unsigned me) {
  unsigned other = 1 - me;
  store(&wants[me], true, rlx);
  fence(FENCE);
  while (load(&wants[other], acq)) {
#ifndef STUBBORN
    if (load(&turn, acq) == me)
      continue;
    store(&wants[me], false, rlx);
    while (load(&turn, acq) != me)
      continue;
    store(&wants[me], true, rlx);
    fence(FENCE);
#endif
  }
}

static void release(unsigned me) {
  store(&turn, 1 - me, EXIT);
  store(&wants[me], false, EXIT);
}

#include "client.h"
