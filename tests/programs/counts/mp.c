// SPDX-License-Identifier: MIT
// Message passing to N readers: 3^N with release and acquire, 4^N without.
// run: flags=-DN=1 flags=-DSEND=rel flags=-DTAKE=acq all ok 3
// run: flags=-DN=2 flags=-DSEND=rel flags=-DTAKE=acq all ok 9
// run: flags=-DN=3 flags=-DSEND=rel flags=-DTAKE=acq all ok 27
// run: flags=-DN=1 flags=-DSEND=rlx flags=-DTAKE=rlx sc,tso ok 3; ra,rc11,imm ok 4
// run: flags=-DN=2 flags=-DSEND=rlx flags=-DTAKE=rlx sc,tso ok 9; ra,rc11,imm ok 16
// run: flags=-DN=3 flags=-DSEND=rlx flags=-DTAKE=rlx sc,tso ok 27; ra,rc11,imm ok 64
#include "../common.h"

atomic_int x, y;

static void *writer(void *unused) {
  store(&x, 1, rlx);
  store(&y, 1, SEND);
  return unused;
}

static void *reader(void *unused) {
  load(&y, TAKE);
  load(&x, rlx);
  return unused;
}

int main(void) {
  spawn(writer);
  run(N, reader);
  return 0;
}
