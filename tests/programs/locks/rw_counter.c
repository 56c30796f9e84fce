// SPDX-License-Identifier: MIT
// A reader-writer lock in one number: how many readers are inside, or -1 for a
// writer. LEAVE is the order in which a reader leaves: if it is relaxed, its
// reads race with the next writer.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DREADERS=2 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DWRITERS=2 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DLEAVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DENTER=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DRUSH sc,tso,ra,rc11,imm,armv8 error race
#include "../common.h"

#ifndef ENTER
#define ENTER acq
#endif
#ifndef LEAVE
#define LEAVE rel
#endif

static atomic_int inside;

static void read_lock(void) {
  int seen = load(&inside, rlx);
#ifdef RUSH // comes in whatever it saw
  (void)seen;
  fetch_add(&inside, 1, ENTER);
#else
  do
    while (seen < 0)
      seen = load(&inside, rlx);
  while (!atomic_compare_exchange_weak_explicit(&inside, &seen, seen + 1, ENTER,
                                                rlx));
#endif
}

static void read_unlock(void) {
  atomic_fetch_sub_explicit(&inside, 1, LEAVE);
}

static void write_lock(void) {
  while (!cas(&inside, 0, -1, acq, rlx))
    continue;
}

static void write_unlock(void) {
#ifdef RUSH
  fetch_add(&inside, 1, rel);
#else
  store(&inside, 0, rel);
#endif
}

#include "rw_client.h"
