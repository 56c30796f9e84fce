// SPDX-License-Identifier: MIT
// Store buffering in graphs of more than a thousand events: what orders the
// accesses, and what does not, is the same however much comes in between.
// args: --max-events 5000
// run: flags=-DFENCE=fence(sc) sc,tso,rc11,imm,armv8 ok 3
// run: flags=-DFENCE=fence(acqrel) sc ok 3; tso,rc11,imm ok 4
// run: flags=-DFENCE=(void)0 sc ok 3; tso,rc11,imm,armv8 ok 4
#include "../common.h"

enum { MANY = 600 };

static atomic_int x[2], own[2];

static void *thread(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  store(&x[me], 1, rlx);
  for (int i = 0; i < MANY; i++)
    store(&own[me], i, rlx);
  FENCE;
  (void)load(&x[1 - me], rlx);
  return NULL;
}

int main(void) {
  run(2, thread);
  return 0;
}
