// SPDX-License-Identifier: MIT
// Equal threads that clear bits until they succeed, beside one that sets them:
// what one of them has read comes before what the other did, and the failed
// round of the one is taken back without the load that it began with.
// args: --symmetry on
// run: flags=-DCREATE=set,clear,clear sc,tso,pso,ra,rc11,xmm error assertion
// run: flags=-DCREATE=clear,set,clear sc,tso,pso,ra,rc11,xmm error assertion
// run: flags=-DCREATE=clear,clear,set sc,tso,pso,ra,rc11,xmm error assertion
// As many as without symmetry:
// run: flags=-DCREATE=set,clear,clear flags=-DRIGHT sc ok 24
// run: flags=-DCREATE=clear,set,clear flags=-DRIGHT sc ok 24
// run: flags=-DCREATE=clear,clear,set flags=-DRIGHT sc ok 24
// run: flags=-DCREATE=set,clear,clear flags=-DRIGHT args=--equivalence args=rf sc ok 22
#include "../common.h"

static atomic_int x, w, early, done;

static void *clear(void *unused) {
  int v = x;
  while (!atomic_compare_exchange_strong(&x, &v, v & ~3))
    ;
  if (v == 0 && w == 0)
    early = 1;
  return unused;
}

static void *set(void *unused) {
  int expected = 0;
  w = 1;
  x = 3;
  done = atomic_compare_exchange_strong(&x, &expected, 8);
  return unused;
}

int main(void) {
  void *(*run[])(void *) = {CREATE};
  pthread_t ids[3];
  pthread_create(&ids[0], NULL, run[0], NULL);
  pthread_create(&ids[1], NULL, run[1], NULL);
  pthread_create(&ids[2], NULL, run[2], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
#ifndef RIGHT
  assert(!(done && x == 8 && early)); // BUG
#endif
}
