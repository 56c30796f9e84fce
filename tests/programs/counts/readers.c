// SPDX-License-Identifier: MIT
// One writer and N readers, each of which comes before or after it: 2^N.
// run: flags=-DN=2 all ok 4
// run: flags=-DN=8 all ok 256
// run: flags=-DN=13 all ok 8192
#include "../common.h"

atomic_int x;

static void *writer(void *unused) {
  store(&x, 42, rel);
  return unused;
}

static void *reader(void *unused) {
  load(&x, acq);
  return unused;
}

int main(void) {
  spawn(writer);
  run(N, reader);
  return 0;
}
