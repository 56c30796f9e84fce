// SPDX-License-Identifier: MIT
// A ticket lock: N!. With a relaxed hand-over the protected data races.
// run: flags=-DN=2 flags=-DHANDOVER=rel all ok 2
// run: flags=-DN=3 flags=-DHANDOVER=rel all ok 6
// run: flags=-DN=4 flags=-DHANDOVER=rel all ok 24
// run: flags=-DSPIN flags=-DN=3 flags=-DHANDOVER=rel all ok 6
// run: flags=-DSPIN flags=-DN=5 flags=-DHANDOVER=rel all ok 120
// run: flags=-DN=2 flags=-DHANDOVER=rlx ra,rc11 error race
#include "../common.h"

static atomic_int next_ticket, owner;

static void acquire(void) {
  int mine = fetch_add(&next_ticket, 1, rlx);
  await(load(&owner, acq) == mine);
}

static void release(void) {
  store(&owner, load(&owner, rlx) + 1, HANDOVER);
}

#include "client.h"
