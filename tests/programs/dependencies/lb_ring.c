// SPDX-License-Identifier: MIT
// Load buffering around a ring: thread i reads x[i] and writes x[i + 1]. Every
// read sees the old or the new value, 2^N; when all see the new one, program
// order and reads-from go round in a circle: not in rc11, and not when every
// thread has a dependency (WAY), one of them without (FIRST) is enough.
// run: flags=-DN=2 rc11 ok 3; imm,armv8 ok 4
// run: flags=-DN=3 sc,tso,ra,rc11 ok 7; imm,armv8 ok 8
// run: flags=-DN=4 rc11 ok 15; imm,armv8 ok 16
// run: flags=-DN=6 rc11 ok 63; imm,armv8 ok 64
// run: flags=-DN=8 rc11 ok 255; imm,armv8 ok 256
// run: flags=-DN=4 flags=-DWAY=data rc11,imm,armv8 ok 15
// run: flags=-DN=4 flags=-DWAY=ctrl rc11,imm,armv8 ok 15
// run: flags=-DN=6 flags=-DWAY=addr rc11,imm,armv8 ok 63
// run: flags=-DN=6 flags=-DWAY=addr flags=-DFIRST=po rc11 ok 63; imm,armv8 ok 64
#include "pairs.h"

#ifndef WAY
#define WAY po
#endif
#ifndef FIRST
#define FIRST WAY
#endif

static atomic_int x[N];

static void *thread(void *number) {
  unsigned i = (unsigned)(uintptr_t)number, next = (i + 1) % N;
  if (i == 0)
    RW(FIRST)(&x[0], &x[1]);
  else
    RW(WAY)(&x[i], &x[next]);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
