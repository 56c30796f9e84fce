// SPDX-License-Identifier: MIT
// Test, then exchange; a failed exchange writes too. A failed attempt starts
// again (explored) or stops the thread (BLOCK).
// run: args=--explore-retries flags=-DN=2 all ok 6
// run: args=--explore-retries flags=-DN=3 all ok 162
// run: flags=-DN=2 flags=-DBLOCK all ok 4
// run: flags=-DN=3 flags=-DBLOCK all ok 36
// A load that sees another free word than the exchange behind it makes no other
// execution, in a loop (where no dependencies count).
// run: flags=-DN=2 flags=-DSPIN sc,tso,ra,rc11,imm ok 2
// run: flags=-DN=3 flags=-DSPIN sc,tso,ra,rc11,imm ok 6
#include "../common.h"

static atomic_int lock_word;

static void acquire(void) {
  for (;;) {
    await(load(&lock_word, rlx) == 0);
    if (swap(&lock_word, 1, acq) == 0)
      return;
#ifdef BLOCK
    heddle_assume(false);
#endif
  }
}

static void release(void) {
  store(&lock_word, 0, rel);
}

#include "client.h"
