// SPDX-License-Identifier: MIT
// N pairs of threads that do not know of each other, each of them load
// buffering: 3^N executions, 4^N where it is allowed.
// run: flags=-DN=1 sc,tso,ra,rc11 ok 3; imm,armv8 ok 4
// run: flags=-DN=2 sc,tso,ra,rc11 ok 9; imm,armv8 ok 16
// run: flags=-DN=3 rc11 ok 27; imm,armv8 ok 64
// run: flags=-DN=4 rc11 ok 81; imm,armv8 ok 256
// run: big flags=-DN=5 rc11 ok 243; imm,armv8 ok 1024
// run: big flags=-DN=6 rc11 ok 729; imm,armv8 ok 4096
// run: flags=-DN=3 flags=-DWAY=data rc11,imm,armv8 ok 27
#include "pairs.h"

#ifndef WAY
#define WAY po
#endif

static atomic_int x[N], y[N];

static void *thread(void *number) {
  unsigned i = (unsigned)(uintptr_t)number, pair = i / 2;
  if (i % 2)
    RW(WAY)(&x[pair], &y[pair]);
  else
    RW(WAY)(&y[pair], &x[pair]);
  return NULL;
}

int main(void) {
  run(2 * N, thread);
  return 0;
}
