// SPDX-License-Identifier: MIT
// Barriers: nobody passes before all have come, one thread of each round is
// told so, and a barrier that waits for too many is a deadlock. Executions
// differ in the order of the arrivals only: N! for each of two waits a round.
// run: flags=-DN=2 flags=-DROUNDS=1 all ok 4
// run: flags=-DN=3 flags=-DROUNDS=1 all ok 36
// run: flags=-DN=2 flags=-DROUNDS=2 all ok 16
// run: flags=-DN=2 flags=-DROUNDS=1 flags=-DCOUNT=3 sc,rc11 error deadlock
// run: flags=-DN=3 flags=-DROUNDS=1 flags=-DCOUNT=1 sc,rc11 error assertion
// run: args=--system-headers flags=-DN=2 flags=-DROUNDS=2 rc11 ok 16
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#ifndef COUNT
#define COUNT N
#endif

static pthread_barrier_t barrier;
static int mine[N], serial[ROUNDS][N];

static void *thread(void *number) {
  long me = (long)number;
  for (int round = 0; round < ROUNDS; round++) {
    mine[me]++;                                  // BUG
    int result = pthread_barrier_wait(&barrier); // BUG
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    serial[round][me] = result != 0;
    for (int i = 0; i < N; i++)
      assert(mine[i] == round + 1); // BUG
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t id[N];
  assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  assert(pthread_barrier_init(&barrier, NULL, COUNT) == 0);
  for (long i = 0; i < N; i++)
    pthread_create(&id[i], NULL, thread, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(id[i], NULL);
  for (int round = 0; round < ROUNDS; round++) {
    int told = 0;
    for (int i = 0; i < N; i++)
      told += serial[round][i];
    assert(told == 1);
  }
  pthread_barrier_destroy(&barrier);
}
