// SPDX-License-Identifier: MIT
// Threads in a ring that each raise a flag and look at the next one's: not all
// of them can find it down. One of them has no fence.
#include "hunt.h"
#define THREADS sized(11, 4)

static atomic_int flag[THREADS], down;

static void *body(void *arg) {
  unsigned me = (unsigned)(uintptr_t)arg;
  store(&flag[me], 1, rlx);
  if (me != THREADS / 2 || planted(true, false))
    fence(sc);
  if (!load(&flag[(me + 1) % THREADS], rlx))
    fetch_add(&down, 1, rlx);
  return NULL;
}

int main(void) {
  run(THREADS, body);
  assert(load(&down, rlx) < THREADS);
}
