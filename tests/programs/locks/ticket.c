// SPDX-License-Identifier: MIT
// A ticket lock: draw a number, wait until it is shown. FORGET shows the same
// number again, so that the next one waits for ever.
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
#ifdef FORGET
#define STEP 0
#else
#define STEP 1
#endif

static atomic_uint next_ticket, shown;

static void acquire(unsigned me) {
  (void)me;
  unsigned mine = fetch_add(&next_ticket, 1, rlx);
  while (load(&shown, TAKE) != mine)
    continue;
}

static void release(unsigned me) {
  (void)me;
  store(&shown, load(&shown, rlx) + STEP, GIVE);
}

#include "client.h"
