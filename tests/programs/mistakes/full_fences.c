// SPDX-License-Identifier: MIT
// On x86 only a full fence drains the store buffer: acquire and release fences,
// release stores and acquire loads leave store buffering as it is. So do they
// in C.
// run: flags=-DFENCE=fence(sc) sc,tso,pso,rc11,imm,armv8 ok 3
// run: flags=-DFENCE=fence(acqrel) sc ok 3; tso,pso,ra,rc11 ok 4
// run: flags=-DFENCE=fence(rel) sc ok 3; tso,pso,ra,rc11 ok 4
// run: flags=-DFENCE=fence(acq) sc ok 3; tso,pso,ra,rc11 ok 4
// run: flags=-DFENCE=atomic_signal_fence(sc) sc ok 3; tso,pso,ra,rc11 ok 4
// run: flags=-DFENCE=(void)fetch_add(&own[me],1,rlx) sc,tso,pso ok 3; ra,rc11 ok 4
#include "../common.h"

static atomic_int x[2], own[2];

static void *thread(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  store(&x[me], 1, rel);
  FENCE;
  (void)load(&x[1 - me], acq);
  return NULL;
}

int main(void) {
  run(2, thread);
  return 0;
}
