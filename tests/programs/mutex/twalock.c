// SPDX-License-Identifier: MIT
// A ticket lock with a waiting array: those far from their turn poll a slot of
// their own.
// run: flags=-DN=2 all ok 4
// run: flags=-DN=3 all ok 96
// run: flags=-DSPIN flags=-DN=3 sc,tso,ra,rc11,imm ok 18
#include "../common.h"

#define SLOTS 64

static atomic_int ticket, grant, waiting[SLOTS];

static void acquire(void) {
  int mine = fetch_add(&ticket, 1, rlx);
  int granted = load(&grant, acq);
  if (mine == granted)
    return;
  if (mine - granted > 1) {
    int u = load(&waiting[mine % SLOTS], acq);
    int k = load(&grant, rlx);
    while (mine - k > 1) {
      int v = load(&waiting[mine % SLOTS], acq);
      heddle_assume(v != u);
      u = v;
      k = load(&grant, rlx);
    }
  }
  await(load(&grant, acq) == mine);
}

static void release(void) {
  int k = 1 + load(&grant, rlx);
  store(&grant, k, rel);
  fetch_add(&waiting[(k + 1) % SLOTS], 1, rel);
}

#include "client.h"
