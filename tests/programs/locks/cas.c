// SPDX-License-Identifier: MIT
// Compare-exchange until the lock was free, strong or weak.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DN=4 sc,tso,ra,rc11,imm,armv8 ok 24
// run: flags=-DN=3 flags=-DWEAK_CAS sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DTAKE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
#include "../common.h"

#ifndef TAKE
#define TAKE acq
#endif
#ifndef GIVE
#define GIVE rel
#endif

static atomic_uint owner;

static void acquire(unsigned me) {
#ifdef WEAK_CAS
  unsigned nobody = 0;
  while (!atomic_compare_exchange_weak_explicit(&owner, &nobody, me + 1, TAKE,
                                                rlx))
    nobody = 0;
#else
  while (!cas(&owner, 0, me + 1, TAKE, rlx))
    continue;
#endif
}

static void release(unsigned me) {
  assert(load(&owner, rlx) == me + 1);
  store(&owner, 0, GIVE);
}

#include "client.h"
