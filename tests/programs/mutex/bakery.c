// SPDX-License-Identifier: MIT
// Lamport's bakery for two: draw a number, wait for the smaller one.
// run: sc,tso,rc11,imm ok 9; ra error assertion
// run: flags=-DSPIN sc,tso,rc11,imm ok 9; ra error assertion
#include "../common.h"

atomic_int choosing[2], ticket[2], shared;

static bool may_enter(int me, int mine) {
  int q = load(&ticket[1 - me], sc);
  return q == 0 || q > mine || (q == mine && me == 0);
}

static void *thread(void *number) {
  int me = (int)(uintptr_t)number, other = 1 - me;
  store(&choosing[me], 1, sc);
  int mine = load(&ticket[other], sc) + 1;
  store(&ticket[me], mine, sc);
  store(&choosing[me], 0, sc);
  await(load(&choosing[other], sc) == 0);
  await(may_enter(me, mine));

  store(&shared, me, rlx);
  assert(load(&shared, rlx) == me); // BUG

  store(&ticket[me], 0, sc);
  return NULL;
}

int main(void) {
  run(2, thread);
  return 0;
}
