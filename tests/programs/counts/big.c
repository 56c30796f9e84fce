// SPDX-License-Identifier: MIT
// Two long readers of four locations with two writers of K rounds.
// run: flags=-DK=1 sc,tso ok 290; ra,rc11,imm ok 320
// run: flags=-DK=2 sc,tso ok 6992; ra,rc11,imm ok 8112
// run: big flags=-DK=3 sc,tso ok 69112; ra,rc11,imm ok 82472
#include "../common.h"

atomic_int w, x, y, z;

static void *long_reader(void *unused) {
  load(&x, acq);
  load(&y, acq);
  load(&z, acq);
  load(&w, acq);
  load(&x, acq);
  load(&y, acq);
  load(&z, acq);
  return unused;
}

static void *short_reader(void *unused) {
  load(&x, acq);
  load(&y, acq);
  load(&z, acq);
  return unused;
}

static void *writer_xy(void *unused) {
  for (int i = 1; i <= K; i++) {
    store(&x, i, rel);
    store(&y, i, rel);
  }
  return unused;
}

static void *writer_zw(void *unused) {
  for (int i = 1; i <= K; i++) {
    store(&z, i, rel);
    store(&w, i, rel);
  }
  return unused;
}

int main(void) {
  spawn(long_reader);
  spawn(short_reader);
  spawn(writer_xy);
  spawn(writer_zw);
  return 0;
}
