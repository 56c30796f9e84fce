// SPDX-License-Identifier: MIT
// A thread waits until x is no longer 1. An update of x that comes before that
// write in co makes no difference to it: it may be read instead, but 1 is the
// newest value all the same, and whoever reads that waits for ever. (So a write
// is only handed over to a thread that waits, and the execution in which the
// thread waits on left out, if the write is the newest.) In all executions
// without that hang the update comes after the write, or before the flag is
// set, which is given up.
// expect: sc,tso ok 2; pso,ra,rc11,imm,armv8 error hang
#include "../common.h"

static atomic_int x, flag, other;

static void *waits(void *unused) {
  (void)unused;
  while (load(&x, rlx) == 1) // BUG
    ;
  return NULL;
}

static void *updates(void *unused) {
  (void)unused;
  heddle_assume(load(&flag, rlx));
  fetch_add(&x, 2, rlx);
  return NULL;
}

// What it reads keeps the writes behind the first read of x, and its end behind
// the update.
static void *writes(void *unused) {
  (void)unused;
  load(&other, rlx);
  store(&x, 1, rlx);
  store(&flag, 1, rlx);
  load(&other, rlx);
  return NULL;
}

int main(void) {
  pthread_t ids[3];
  pthread_create(&ids[0], NULL, waits, NULL);
  pthread_create(&ids[1], NULL, updates, NULL);
  pthread_create(&ids[2], NULL, writes, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
  return 0;
}
