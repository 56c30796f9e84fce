// SPDX-License-Identifier: MIT
// Peterson's lock, with release and acquire (which is not enough) and with sc.
// run: flags=-DW=rel flags=-DR=acq sc ok 4; tso,ra,rc11,imm ok 22
// run: flags=-DW=sc flags=-DR=sc sc,tso,rc11,imm ok 4; ra ok 22
// run: flags=-DW=rel flags=-DR=acq flags=-DCHECK sc ok 4; rc11 error assertion
// run: flags=-DW=sc flags=-DR=sc flags=-DCHECK sc,tso,rc11 ok 4; ra error assertion
// run: flags=-DSPIN flags=-DW=rel flags=-DR=acq sc ok 4; tso,ra,rc11,imm ok 22
// run: flags=-DSPIN flags=-DW=sc flags=-DR=sc sc,tso,rc11,imm ok 4; ra ok 22
#include "../common.h"

atomic_bool flag[2], shared;
atomic_int turn;

static void *thread(void *number) {
  int me = (int)(uintptr_t)number, other = 1 - me;
  store(&flag[me], true, W);
  store(&turn, other, W);
  await(!load(&flag[other], R) || load(&turn, R) != other);
  store(&shared, me, W);
  bool seen = load(&shared, R);
#ifdef CHECK
  assert(seen == me); // BUG
#endif
  (void)seen;
  store(&flag[me], false, W);
  return NULL;
}

int main(void) {
  run(2, thread);
  return 0;
}
