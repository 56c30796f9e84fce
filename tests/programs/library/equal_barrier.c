// SPDX-License-Identifier: MIT
// Equal threads that meet at a barrier: there are 3! orders in which they
// arrive, with symmetry and without it.
// run: args=--symmetry args=on all ok 6
// run: args=--symmetry args=off all ok 6
#include "../common.h"

static pthread_barrier_t barrier;
static atomic_int x;

static void *meet(void *unused) {
  (void)load(&x, rlx);
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t ids[3];
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 3; i++)
    pthread_create(&ids[i], NULL, meet, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
}
