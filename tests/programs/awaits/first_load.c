// SPDX-License-Identifier: MIT
// A load before a loop that waits for the same thing is part of a failed round
// in models that track dependencies too: with 42 stores there is one execution,
// not 43 (TEST: the loop is behind a test of what it read). RELEASES: two stores
// of 1, in two orders, either of which ends the loop.
// run: rc11,imm,armv8,c11,power,riscv,armv7 ok 1
// run: flags=-DTEST rc11,imm,armv8,c11,power,riscv,armv7 ok 1
// run: flags=-DRELEASES rc11,imm,armv8,c11,power,riscv,armv7 ok 4
#include "../common.h"

static atomic_int x;

static void *writes(void *unused) {
#ifdef RELEASES
  store(&x, 1, rel);
#else
  for (int i = 1; i <= 42; i++)
    store(&x, i, rlx);
#endif
  return unused;
}

static void *waits(void *unused) {
#ifdef RELEASES
  int seen = load(&x, acq);
  while (!seen)
    seen = load(&x, acq);
#elif defined TEST
  if (load(&x, rlx) != 42)
    while (load(&x, rlx) != 42) {
    }
#else
  int seen = load(&x, rlx);
  while (seen != 42)
    seen = load(&x, rlx);
#endif
  return unused;
}

int main(void) {
  spawn(writes);
#ifdef RELEASES
  spawn(writes);
#endif
  spawn(waits);
  return 0;
}
