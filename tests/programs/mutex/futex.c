// SPDX-License-Identifier: MIT
// A mutex with three states (free, taken, contended) and a count of wake-ups
// in place of a futex.
// run: flags=-DN=2 all ok 12
// run: flags=-DSPIN flags=-DN=2 all ok 12
#include "../common.h"

static atomic_int m, wakeups;

static void acquire(void) {
  if (cas(&m, 0, 1, acq, acq))
    return;
  do {
    (void)cas(&m, 1, 2, rlx, rlx);
    int seen = load(&wakeups, acq);
    if (load(&m, acq) == 2)
      await(load(&wakeups, acq) != seen);
  } while (!cas(&m, 0, 2, acq, acq));
}

static void release(void) {
  if (cas(&m, 1, 0, rel, rlx))
    return;
  store(&m, 0, rel);
  fetch_add(&wakeups, 1, rel);
}

#include "client.h"
