// SPDX-License-Identifier: MIT
// Peterson's lock for two with real loops. With sc accesses it is right; with
// release and acquire (RELAXED) both get in. An sc fence between the stores
// and the loads (FENCED) repairs that on x86, but not in C: nothing orders a
// wish before the turn of the other, which may come later in the order of turns
// and still be by a thread that does not see the wish. Setting the turn with an
// exchange (SWAP) does order it, and needs neither fence nor sc.
// run: sc,tso,pso,rc11,imm,armv8 ok; ra error race
// run: flags=-DROUNDS=2 sc,tso,rc11,imm,armv8 ok
// run: flags=-DRELAXED sc ok; tso,pso,ra,rc11,imm error race
// run: flags=-DRELAXED flags=-DFENCED sc,tso ok; rc11 error race
// run: flags=-DRELAXED flags=-DSWAP sc,tso,pso,ra,rc11,imm,armv8 ok
// run: flags=-DLATE_WISH sc,tso,rc11,imm,armv8 error race
#include "../common.h"

#ifdef RELAXED
#define READ acq
#define WRITE rel
#else
#define READ sc
#define WRITE sc
#endif

static atomic_bool wants[2];
static atomic_uint turn;

static void acquire(unsigned me) {
  unsigned other = 1 - me;
#ifndef LATE_WISH // the turn before the wish: wrong even under sc
  store(&wants[me], true, WRITE);
#endif
#ifdef SWAP
  swap(&turn, other, acqrel);
#else
  store(&turn, other, WRITE);
#endif
#ifdef LATE_WISH
  store(&wants[me], true, WRITE);
#endif
#ifdef FENCED
  fence(sc);
#endif
  while (load(&wants[other], READ) && load(&turn, READ) == other)
    continue;
}

static void release(unsigned me) {
  store(&wants[me], false, WRITE);
}

#include "client.h"
