// SPDX-License-Identifier: MIT
// N threads in a ring, each with two accesses to its own location and the next
// one: store buffering, load buffering and 2+2W for any number of threads.
// run: flags=-DSB flags=-DN=2 sc ok 3; tso,ra,rc11,imm ok 4
// run: flags=-DSB flags=-DN=3 sc ok 7; tso,ra,rc11,imm ok 8
// run: flags=-DSB flags=-DN=4 sc ok 15; tso,ra,rc11,imm ok 16
// run: flags=-DSB flags=-DN=6 sc ok 63; tso,ra,rc11,imm ok 64
// run: flags=-DSB flags=-DN=10 sc ok 1023; tso,ra,rc11,imm ok 1024
// run: flags=-DSB_SC flags=-DN=2 sc,tso,rc11,imm ok 3; ra ok 4
// run: flags=-DSB_SC flags=-DN=3 sc,tso,rc11,imm ok 7; ra ok 8
// run: flags=-DSB_SC flags=-DN=4 sc,tso,rc11,imm ok 15; ra ok 16
// run: flags=-DLB flags=-DN=2 sc,tso,ra,rc11 ok 3; imm ok 4
// run: flags=-DLB flags=-DN=3 sc,tso,ra,rc11 ok 7; imm ok 8
// run: flags=-DLB flags=-DN=6 sc,tso,ra,rc11 ok 63; imm ok 64
// run: flags=-DLB_RA flags=-DN=2 all ok 3
// run: flags=-DLB_RA flags=-DN=4 all ok 15
// run: flags=-DWW flags=-DN=2 sc,tso ok 3; ra,rc11,imm ok 4
// run: flags=-DWW flags=-DN=4 sc,tso ok 15; ra,rc11,imm ok 16
// run: flags=-DWW_SC flags=-DN=2 sc,tso,rc11,imm ok 3; ra ok 4
// run: flags=-DWW_SC flags=-DN=4 sc,tso,rc11,imm ok 15; ra ok 16
#include "../common.h"

atomic_int x[N];

static void *thread(void *number) {
  uintptr_t i = (uintptr_t)number, next = (i + 1) % N;
#if defined SB
  store(&x[i], 1, rel);
  load(&x[next], acq);
#elif defined SB_SC
  store(&x[i], 1, sc);
  load(&x[next], sc);
#elif defined LB
  load(&x[i], rlx);
  store(&x[next], 1, rlx);
#elif defined LB_RA
  load(&x[i], acq);
  store(&x[next], 1, rel);
#elif defined WW
  store(&x[i], 1, rel);
  store(&x[next], 2, rel);
#elif defined WW_SC
  store(&x[i], 1, sc);
  store(&x[next], 2, sc);
#endif
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
