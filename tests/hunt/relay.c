// SPDX-License-Identifier: MIT
// A message is passed on from thread to thread; one in the middle does not
// release what it has got, and the last one may miss the letter.
#include "hunt.h"
#define STAGES sized(11, 3)

static atomic_int passed[STAGES + 1], letter;
static atomic_int log;

static void *stage(void *arg) {
  unsigned me = (unsigned)(uintptr_t)arg;
  if (!me)
    store(&letter, 1, rlx);
  if (!me || load(&passed[me], acq))
    store(&passed[me + 1], 1, me == STAGES / 2 ? planted(rel, rlx) : rel);
  if (me == STAGES - 1 && load(&passed[STAGES], rlx))
    assert(load(&letter, rlx) == 1);
  fetch_add(&log, 1, rlx);
  return NULL;
}

int main(void) {
  run(STAGES, stage);
}
