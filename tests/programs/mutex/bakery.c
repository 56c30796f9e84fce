// SPDX-License-Identifier: MIT
// Lamport's bakery for two: draw a number, wait for the smaller one.
// expect: sc,tso,rc11,imm ok 9; ra error assertion
#include "../common.h"

atomic_int choosing[2], ticket[2], shared;

static void *thread(void *number) {
  int me = (int)(uintptr_t)number, other = 1 - me;
  store(&choosing[me], 1, sc);
  int mine = load(&ticket[other], sc) + 1;
  store(&ticket[me], mine, sc);
  store(&choosing[me], 0, sc);
  await(load(&choosing[other], sc) == 0);
  int q = load(&ticket[other], sc);
  heddle_assume(q == 0 || q > mine || (q == mine && me < other));

  store(&shared, me, rlx);
  assert(load(&shared, rlx) == me); // BUG

  store(&ticket[me], 0, sc);
  return NULL;
}

int main(void) {
  run(2, thread);
  return 0;
}
