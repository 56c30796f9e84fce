// SPDX-License-Identifier: MIT
// W unordered writers of one location; READER: nobody reads (W!), a thread
// reads at any time ((W + 1)!), or main reads at the end (W!).
// run: flags=-DREADER=0 flags=-DW=3 all ok 6
// run: flags=-DREADER=0 flags=-DW=6 all ok 720
// run: flags=-DREADER=1 flags=-DW=2 all ok 6
// run: flags=-DREADER=1 flags=-DW=3 all ok 24
// run: flags=-DREADER=1 flags=-DW=4 all ok 120
// run: flags=-DREADER=1 flags=-DW=5 all ok 720
// run: flags=-DREADER=2 flags=-DW=3 all ok 6
// run: flags=-DREADER=2 flags=-DW=5 all ok 120
#include "../common.h"

atomic_int x;

static void *reader(void *unused) {
  load(&x, acq);
  return unused;
}

static void *writer(void *number) {
  store(&x, (int)(uintptr_t)number, rel);
  return NULL;
}

int main(void) {
  if (READER == 1)
    spawn(reader);
  run(W, writer);
  if (READER == 2)
    load(&x, rlx);
  return 0;
}
