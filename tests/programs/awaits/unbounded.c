// SPDX-License-Identifier: MIT
// A loop that changes shared memory in every round is followed, not waited in:
// the bug behind its third round is found. ENDLESS: it has no end, and is cut
// only when the user says so (then nothing behind it is explored).
// run: sc,tso,ra,rc11 error assertion
// run: args=--unroll=2 sc,rc11 incomplete 0
// run: args=--unroll=count:2 sc,rc11 incomplete 0
// run: args=--unroll=main:2 sc,rc11 error assertion
// run: args=--unroll=4 sc,rc11 error assertion
// run: args=--max-events=500 flags=-DENDLESS sc,rc11 incomplete
// run: args=--unroll=3 flags=-DENDLESS sc,rc11 incomplete 0
#include "../common.h"

static atomic_int x;

static void *count(void *unused) {
#ifdef ENDLESS
  for (;;)
    fetch_add(&x, 1, rlx);
#else
  while (fetch_add(&x, 1, rlx) < 2)
    continue;
  assert(load(&x, rlx) < 3); // BUG
#endif
  return unused;
}

int main(void) {
  run(1, count);
  return 0;
}
