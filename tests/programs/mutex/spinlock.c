// SPDX-License-Identifier: MIT
// Test, then compare-exchange. A failed attempt starts again (explored) or
// stops the thread (BLOCK), as an await would.
// run: args=--explore-retries flags=-DN=2 all ok 6
// run: args=--explore-retries flags=-DN=3 all ok 144
// run: flags=-DN=2 flags=-DBLOCK all ok 4
// run: flags=-DN=3 flags=-DBLOCK all ok 36
// As a loop, an attempt that found the lock free need not have seen the same
// release of it twice: one execution per way to succeed.
// run: flags=-DN=2 flags=-DSPIN sc,tso,ra,rc11,imm ok 2
// run: flags=-DN=3 flags=-DSPIN sc,tso,ra,rc11,imm ok 6
#include "../common.h"

static atomic_int lock_word;

static void acquire(void) {
  for (;;) {
    await(load(&lock_word, rlx) == 0);
    if (cas(&lock_word, 0, 1, acq, acq))
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
