// SPDX-License-Identifier: MIT
// Two threads that write x and look at it again after a read of something that
// K writers write: 4 ((K + 1)!)^2 where stores may be late.
// run: flags=-DK=0 all ok 4
// run: flags=-DK=1 sc ok 15; tso,ra,rc11,imm ok 16
// run: flags=-DK=2 sc ok 130; tso,ra,rc11,imm ok 144
// run: flags=-DK=3 sc ok 2028; tso,ra,rc11,imm ok 2304
// run: big flags=-DK=4 sc ok 49776; tso,ra,rc11,imm ok 57600
#include "../common.h"

atomic_int x, y, z;

static void *first(void *unused) {
  store(&x, 1, rel);
  load(&y, acq);
  load(&x, acq);
  return unused;
}

static void *second(void *unused) {
  store(&x, 2, rel);
  load(&z, acq);
  load(&x, acq);
  return unused;
}

static void *writer(void *number) {
  store(&y, (int)(uintptr_t)number, rel);
  store(&z, (int)(uintptr_t)number, rel);
  return NULL;
}

int main(void) {
  spawn(first);
  spawn(second);
  run(K, writer);
  return 0;
}
