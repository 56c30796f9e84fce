// SPDX-License-Identifier: MIT
// Burns' lock for two: the second thread is polite.
// expect: sc,tso,rc11,imm ok 4; ra error assertion
#include "../common.h"

atomic_int flag[2], shared;

static void critical(int me) {
  store(&shared, me, rlx);
  assert(load(&shared, rlx) == me); // BUG
}

static void *first(void *unused) {
  store(&flag[0], 1, sc);
  await(load(&flag[1], sc) == 0);
  critical(0);
  store(&flag[0], 0, sc);
  return unused;
}

static void *second(void *unused) {
  store(&flag[1], 0, sc);
  await(load(&flag[0], sc) == 0);
  store(&flag[1], 1, sc);
  await(load(&flag[0], sc) == 0);
  critical(1);
  store(&flag[1], 0, sc);
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  return 0;
}
