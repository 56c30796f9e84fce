// SPDX-License-Identifier: MIT
// A ticket lock with a waiting array: only the next one polls the number shown,
// the others poll a slot of the array. NOTIFY is how much a release adds to the
// slot of the one after next: with 0 that one sleeps for ever.
// Where no dependencies count, the first look at the number shown is no other
// than those of the loop behind it.
// run: sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DN=3 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DGIVE=rlx sc,tso,pso,ra,rc11,imm,armv8 error race
// run: flags=-DN=3 flags=-DNOTIFY=0 sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef GIVE
#define GIVE rel
#endif
#ifndef NOTIFY
#define NOTIFY 1
#endif
#define SLOTS 4

static atomic_uint next_ticket, shown, slots[SLOTS];

static void wait_far_away(unsigned mine) {
  atomic_uint *slot = &slots[mine % SLOTS];
  unsigned seen = load(slot, acq);
  while (mine - load(&shown, acq) > 1) {
    unsigned now;
    while ((now = load(slot, acq)) == seen)
      continue;
    seen = now;
  }
}

static void acquire(unsigned me) {
  (void)me;
  unsigned mine = fetch_add(&next_ticket, 1, rlx);
  unsigned distance = mine - load(&shown, acq);
  if (distance == 0)
    return;
  if (distance > 1)
    wait_far_away(mine);
  while (load(&shown, acq) != mine)
    continue;
}

static void release(unsigned me) {
  (void)me;
  unsigned next = load(&shown, rlx) + 1;
  store(&shown, next, GIVE);
  fetch_add(&slots[(next + 1) % SLOTS], NOTIFY, rel);
}

#include "client.h"
