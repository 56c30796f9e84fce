// SPDX-License-Identifier: MIT
// Two threads meet at a barrier, in two orders, and then buffer loads: with
// each order, 3 executions without cycles of program order and reads-from, and
// one with them. AFTER: what they read was written before the barrier, so that
// there is nothing to buffer.
// run: rc11 ok 6; xmm ok 8
// run: flags=-DAFTER rc11,xmm ok 2
// run: args=--jobs=2 xmm ok 8
#include "../common.h"

static pthread_barrier_t barrier;
static atomic_int x[2];

static void *thread(void *number) {
  int me = (int)(uintptr_t)number;
#ifdef AFTER
  store(&x[1 - me], 1, rlx);
#endif
  pthread_barrier_wait(&barrier);
  (void)load(&x[me], rlx);
#ifndef AFTER
  store(&x[1 - me], 1, rlx);
#endif
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  run(2, thread);
  return 0;
}
