// SPDX-License-Identifier: MIT
// What the order of writes is good for. N writes that nobody reads (READERS 0)
// have N! orders, and are one execution without co; each of READERS reads one
// of N writes or the initial one, and then the order never matters. With LAST,
// main reads the last write.
// run: args=--symmetry=off flags=-DN=4 all ok 24
// run: args=--equivalence=rf flags=-DN=4 sc,tso,pso,ra,rc11,xmm ok 1
// run: args=--equivalence=rf flags=-DN=20 sc,tso,pso,ra,rc11,xmm ok 1
// run: args=--equivalence=rf flags=-DN=20 args=--jobs args=2 sc,rc11 ok 1
// run: args=--symmetry=off flags=-DN=3 flags=-DREADERS=2 sc ok 96
// run: args=--equivalence=rf flags=-DN=3 flags=-DREADERS=2 sc,tso,pso,ra,rc11,xmm ok 16
// run: args=--equivalence=rf flags=-DN=5 flags=-DREADERS=3 rc11 ok 216
// run: args=--equivalence=rf flags=-DN=5 flags=-DLAST=0 sc,tso,pso,ra,rc11,xmm ok 5
// run: args=--equivalence=rf flags=-DN=5 flags=-DLAST=3 sc,tso,pso,ra,rc11,xmm error assertion
#include "../common.h"

#ifndef READERS
#define READERS 0
#endif

static atomic_int x;

static void *writes(void *arg) {
  store(&x, 1 + (int)(intptr_t)arg, rlx);
  return NULL;
}

static void *reads(void *arg) {
  (void)load(&x, rlx);
  return arg;
}

int main(void) {
  pthread_t ids[N + READERS];
  for (int i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, writes, (void *)(intptr_t)i);
  for (int i = 0; i < READERS; i++)
    pthread_create(&ids[N + i], NULL, reads, NULL);
  for (int i = 0; i < N + READERS; i++)
    pthread_join(ids[i], NULL);
#ifdef LAST
  assert(load(&x, rlx) != LAST);
#endif
  return 0;
}
