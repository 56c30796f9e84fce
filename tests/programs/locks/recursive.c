// SPDX-License-Identifier: MIT
// A lock that its owner can take again: the owner's number and a plain depth.
// Reading the owner needs no order, as only a thread itself writes its own
// number there. EARLY frees at the inner release already; NO_DEPTH waits for
// itself.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DTAKE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DEARLY sc,tso,ra,rc11,imm,armv8 error race
// run: flags=-DNO_DEPTH sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef TAKE
#define TAKE acq
#endif
#ifndef GIVE
#define GIVE rel
#endif

static atomic_uint owner;
static int depth;

static void take(unsigned me) {
#ifndef NO_DEPTH
  if (load(&owner, rlx) == me + 1) {
    depth++;
    return;
  }
#endif
  while (!cas(&owner, 0, me + 1, TAKE, rlx))
    continue;
  depth = 1;
}

static void give(void) {
#ifdef EARLY
  depth = 0;
#else
  depth--;
#endif
  if (depth == 0)
    store(&owner, 0, GIVE);
}

static void acquire(unsigned me) {
  take(me);
  take(me);
  give();
}

static void release(unsigned me) {
  (void)me;
  give();
}

#include "client.h"
