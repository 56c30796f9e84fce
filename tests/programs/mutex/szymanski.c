// SPDX-License-Identifier: MIT
// Szymanski's lock for two threads: a waiting room with two doors. Written
// symmetrically, as here, both threads can wait at the second one for ever:
// no complete execution shows it, but the loops hang.
// run: sc,tso,rc11,imm ok 6; ra error assertion
// run: flags=-DROUNDS=2 rc11 ok 78; xmm incomplete
// run: big flags=-DROUNDS=3 rc11 ok 1068
// run: flags=-DSPIN sc,rc11 error hang
#include "../common.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif

atomic_int flag[2], shared;

static void once(int me, int other) {
  store(&flag[me], 1, rlx);
  fence(sc);
  await(load(&flag[other], rlx) < 3);
  store(&flag[me], 3, rlx);
  fence(sc);
  if (load(&flag[other], rlx) == 1) {
    store(&flag[me], 2, rlx);
    fence(sc);
    await(load(&flag[other], rlx) == 4);
  }
  store(&flag[me], 4, rlx);
  fence(sc);
  await(load(&flag[other], rlx) < 2); // BUG

  store(&shared, me, rlx);
  load(&shared, rlx);
  assert(load(&shared, rlx) == me); // BUG

  fence(sc);
  await(load(&flag[other], rlx) < 2 || load(&flag[other], rlx) > 3);
  store(&flag[me], 0, rlx);
}

static void *thread(void *number) {
  int me = (int)(uintptr_t)number;
  for (int i = 0; i < ROUNDS; i++)
    once(me, 1 - me);
  return NULL;
}

int main(void) {
  run(2, thread);
  return 0;
}
