// SPDX-License-Identifier: MIT
// Threads that differ meet at a barrier twice a round, and none looks at what
// it returns: there are N! orders of arrival each time. With COUNT less than N
// it matters who meets whom.
// run: flags=-DN=2 flags=-DROUNDS=3 sc,tso,pso,ra,rc11 ok 64
// run: flags=-DN=3 flags=-DROUNDS=1 sc,tso,pso,ra,rc11,imm,armv8 ok 36
// run: args=--equivalence=rf flags=-DN=3 flags=-DROUNDS=1 sc,rc11 ok 36
// run: args=--jobs args=2 flags=-DN=3 flags=-DROUNDS=2 sc,rc11 ok 1296
// run: flags=-DN=3 flags=-DROUNDS=1 flags=-DCOUNT=4 sc,rc11 error deadlock
// run: flags=-DN=4 flags=-DROUNDS=1 flags=-DCOUNT=2 args=--disable=race sc,rc11 error assertion
// run: args=--system-headers flags=-DN=3 flags=-DROUNDS=1 rc11 ok 36
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef COUNT
#define COUNT N
#endif

static pthread_barrier_t barrier;
static int mine[N];

static void *thread(void *number) {
  long me = (long)number;
  for (int round = 0; round < ROUNDS; round++) {
    mine[me]++;
    pthread_barrier_wait(&barrier); // BUG
    for (int i = 0; i < N; i++)
      assert(mine[i] == round + 1); // BUG
    (void)pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t ids[N];
  pthread_barrier_init(&barrier, NULL, COUNT);
  for (long i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, thread, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
