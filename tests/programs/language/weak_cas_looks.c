// SPDX-License-Identifier: MIT
// A weak compare-exchange fails for no reason, and then the thread finds by a
// load that another one has written, and leaves. Had the compare-exchange
// failed with that value, `old` would have it.
// run: sc,tso,pso,ra,rc11,imm,armv8 error assertion
// run: flags=-DTRIES=2 sc,tso,pso,ra,rc11 error assertion
// run: args=--definition sc,rc11 error assertion
#include "../common.h"

#ifndef TRIES
#define TRIES 1
#endif

static atomic_int y;

static void *other(void *unused) {
  store(&y, 1, rlx);
  return unused;
}

int main(void) {
  pthread_t id;
  int old;
  pthread_create(&id, NULL, other, NULL);
  do {
    old = 0;
    for (int n = 0; n < TRIES; n++)
      if (atomic_compare_exchange_weak_explicit(&y, &old, 1, sc, acq))
        return 0;
  } while (!load(&y, acq));
  assert(old != 0); // BUG
  return 0;
}
