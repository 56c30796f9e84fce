// SPDX-License-Identifier: MIT
// Loads are buffered if a counter says so, which as many threads could update
// as no chain of updates is followed for (explore/cycles/justify/chains.c): then its
// values are found as those of any other location. All but one of the updates
// never happen; but that is known only from executions.
// run: flags=-DOTHERS=1 rc11 ok 5; xmm ok 6
// run: flags=-DOTHERS=7 xmm ok 6
// run: flags=-DOTHERS=8 rc11 ok 5; xmm ok 6
// run: flags=-DOTHERS=12 xmm ok 6
#include "../common.h"

static atomic_int x, y, counter, never;

static void *one(void *unused) {
  (void)unused;
  load(&x, rlx);
  store(&y, 1, rlx);
  return NULL;
}

static void *two(void *unused) {
  (void)unused;
  load(&y, rlx);
  if (load(&counter, rlx))
    store(&x, 1, rlx);
  return NULL;
}

static void *count(void *unused) {
  (void)unused;
  atomic_fetch_add_explicit(&counter, 1, rlx);
  return NULL;
}

static void *count_never(void *unused) {
  if (load(&never, rlx))
    count(unused);
  return NULL;
}

int main(void) {
  pthread_t t;
  store(&never, 1, rlx);
  store(&never, 0, rlx);
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&t, NULL, two, NULL);
  pthread_create(&t, NULL, count, NULL);
  for (int i = 0; i < OTHERS; i++)
    pthread_create(&t, NULL, count_never, NULL);
  return 0;
}
