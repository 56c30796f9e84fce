// SPDX-License-Identifier: MIT
// Anderson's array lock: a ring of flags, one place for each thread, the flag
// goes round. With fewer places than threads (PLACES) two of them share one.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DN=4 sc,tso,ra,rc11,imm,armv8 ok 24
// run: flags=-DROUNDS=2 sc,tso,ra,rc11,imm,armv8 ok 6
// run: flags=-DTAKE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DN=3 flags=-DPLACES=1 sc,tso,ra,rc11,imm,armv8 error race
#include "../common.h"

#ifndef TAKE
#define TAKE acq
#endif
#ifndef GIVE
#define GIVE rel
#endif
#ifndef PLACES
#define PLACES 4
#endif

static atomic_uint next_place;
static atomic_bool may_enter[PLACES] = {true};
static unsigned place[8];

static void acquire(unsigned me) {
  place[me] = fetch_add(&next_place, 1, rlx) % PLACES;
  while (!load(&may_enter[place[me]], TAKE))
    continue;
  store(&may_enter[place[me]], false, rlx);
}

static void release(unsigned me) {
  store(&may_enter[(place[me] + 1) % PLACES], true, GIVE);
}

#include "client.h"
