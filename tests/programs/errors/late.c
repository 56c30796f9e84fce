// SPDX-License-Identifier: MIT
// Many executions, of which some are wrong, and none of the first: N threads
// each draw a number, and main refuses some of the orders in which they did.
// With several jobs, each comes to another wrong one first.
// run: flags=-DN=7 sc,rc11 error assertion
// run: flags=-DN=4 flags=-DEVERY=1000 sc,tso,ra,rc11 ok 24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 7
#endif
#ifndef EVERY
#define EVERY 611
#endif

static atomic_int next;
static int drawn[N];

static void *draw(void *arg) {
  *(int *)arg = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, draw, &drawn[i]);
  int order = 0;
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], NULL);
    order = order * N + drawn[i];
  }
  assert(order % EVERY != EVERY - 1); // BUG
  return 0;
}
