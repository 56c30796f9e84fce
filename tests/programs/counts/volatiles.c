// SPDX-License-Identifier: MIT
// N threads in a ring, each with M seq_cst accesses: stores to a location of its
// own, then store buffering with the next thread. All but one of the 2^N ways to
// read are sequentially consistent, however many accesses there are.
// run: flags=-DM=2 sc,rc11,c11,jam21 ok 3
// run: flags=-DM=8 sc,rc11,c11,jam21 ok 3
// run: flags=-DM=32 sc,rc11,c11,jam21 ok 3
// run: flags=-DN=4 flags=-DM=16 sc,rc11,c11,jam21 ok 15
// run: flags=-DN=8 flags=-DM=8 sc,rc11,c11,jam21 ok 255
#include "../common.h"

#ifndef N
#define N 2
#endif

static atomic_int own[N], x[N];

static void *thread(void *number) {
  unsigned i = (unsigned)(uintptr_t)number;
  for (int k = 2; k < M; k++)
    store(&own[i], k, sc);
  store(&x[i], 1, sc);
  (void)load(&x[(i + 1) % N], sc);
  return NULL;
}

int main(void) {
  run(N, thread);
  return 0;
}
