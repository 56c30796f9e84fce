// SPDX-License-Identifier: MIT
// No loop is cut: a main that starts more threads than a small bound, a long
// loop with shared accesses, a bug in the last round. A loop without an end
// makes the run incomplete, never "ok".
// run: flags=-DTHREADS=12 flags=-DROUNDS=1 sc,rc11 ok 1
// run: flags=-DTHREADS=1 flags=-DROUNDS=3000 sc,tso,pso,ra,rc11 ok 1
// run: flags=-DTHREADS=12 flags=-DROUNDS=1 flags=-DSMALLER sc,rc11 error assertion
// run: flags=-DTHREADS=1 flags=-DROUNDS=3000 flags=-DSMALLER sc,rc11 error assertion
// run: args=--max-events=3000 flags=-DTHREADS=1 flags=-DROUNDS=-1 sc,rc11 incomplete
#include "../common.h"

#ifdef SMALLER
#define SLACK 1
#else
#define SLACK 0
#endif

static atomic_int counts[12];

static void *thread(void *number) {
  atomic_int *own = &counts[(uintptr_t)number];
  for (int i = 0; i != ROUNDS; i++)
    store(own, load(own, rlx) + 1, rlx);
  return NULL;
}

int main(void) {
  run(THREADS, thread);
  int sum = 0;
  for (int i = 0; i < THREADS; i++)
    sum += load(&counts[i], rlx);
  assert(sum < THREADS * ROUNDS + 1 - SLACK);
  return 0;
}
