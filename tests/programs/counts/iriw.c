// SPDX-License-Identifier: MIT
// Two writers and N readers that look in either order: 4^N, less those where
// two readers disagree about which write came first.
// run: flags=-DN=2 flags=-DW=rel flags=-DR=acq sc,tso ok 15; ra,rc11,imm ok 16
// run: flags=-DN=3 flags=-DW=rel flags=-DR=acq sc,tso ok 57; ra,rc11,imm ok 64
// run: flags=-DN=4 flags=-DW=rel flags=-DR=acq sc,tso ok 207; ra,rc11,imm ok 256
// run: flags=-DN=2 flags=-DW=sc flags=-DR=sc sc,tso,rc11,imm ok 15; ra ok 16
// run: flags=-DN=3 flags=-DW=sc flags=-DR=sc sc,tso,rc11,imm ok 57; ra ok 64
// run: flags=-DN=4 flags=-DW=sc flags=-DR=sc sc,tso,rc11,imm ok 207; ra ok 256
#include "../common.h"

atomic_int x[2];

static void *writer(void *number) {
  store(&x[(uintptr_t)number], 1, W);
  return NULL;
}

static void *reader(void *number) {
  uintptr_t first = (uintptr_t)number % 2;
  load(&x[first], R);
  load(&x[1 - first], R);
  return NULL;
}

int main(void) {
  pthread_t writers[2];
  start(writers, 2, writer);
  run(N, reader);
  join(writers, 2);
  return 0;
}
