// SPDX-License-Identifier: MIT
// Equal threads take turns with a lock, and each writes its turn to an element
// of its own. Main looks at the last element behind the joins, so they are not
// equal.
// args: --symmetry on
// run: flags=-DLOCK=MUTEX sc,tso,pso,ra,rc11,imm,armv8 error assertion
// run: flags=-DLOCK=SEMAPHORE sc,tso,pso,ra,rc11,imm,armv8 error assertion
// run: flags=-DLOCK=READS sc,tso,pso,ra,rc11,imm,armv8 error assertion
// run: flags=-DLOCK=MUTEX args=--equivalence args=rf sc,tso,pso,ra,rc11 error assertion
// run: flags=-DLOCK=SEMAPHORE args=--equivalence args=rf sc,rc11 error assertion
// run: flags=-DLOCK=READS args=--equivalence args=rf sc,rc11 error assertion
// run: flags=-DLOCK=MUTEX args=--jobs args=2 rc11 error assertion
// Every turn is another execution.
// run: flags=-DLOCK=MUTEX flags=-DRIGHT sc,rc11,imm ok 6
// With a read-write lock around it, the readers' coming and going has 5 of the
// 6 orders for each of the two: the first was there before the second leaves.
// run: flags=-DLOCK=READS flags=-DRIGHT flags=-DN=2 sc,rc11 ok 10
#include "../common.h"

#include <semaphore.h>

#ifndef N
#define N 3
#endif
enum { MUTEX, SEMAPHORE, READS };

static struct { int turn; } slots[N];
static int next;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

static void *come(void *mine) {
  if (LOCK == READS)
    pthread_rwlock_rdlock(&rwlock);
  if (LOCK == SEMAPHORE)
    sem_wait(&semaphore);
  else
    pthread_mutex_lock(&mutex);
  *(int *)mine = next++;
  if (LOCK == SEMAPHORE)
    sem_post(&semaphore);
  else
    pthread_mutex_unlock(&mutex);
  if (LOCK == READS)
    pthread_rwlock_unlock(&rwlock);
  return NULL;
}

int main(void) {
  pthread_t ids[N];
  sem_init(&semaphore, 0, 1);
  for (int i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, come, &slots[i]);
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
#ifndef RIGHT
  assert(slots[2].turn != 0); // BUG
#endif
}
