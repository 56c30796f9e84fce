// SPDX-License-Identifier: MIT
// Semaphores: as a lock (N! orders and nothing blocked), as a message, and what
// the variants of waiting return. (Trying again after a time-out is one more
// execution, since errno has changed; after that nothing changes any more.)
// run: flags=-DLOCK flags=-DN=2 all ok 2
// run: flags=-DLOCK flags=-DN=3 all ok 6
// run: flags=-DLOCK flags=-DN=2 flags=-DVALUE=2 sc,rc11 error race
// run: flags=-DLOCK flags=-DN=1 flags=-DVALUE=0 sc,rc11 error deadlock
// run: flags=-DMESSAGE sc,tso,ra,rc11 ok 1
// run: flags=-DTRY sc,tso,ra,rc11 ok 2
// run: flags=-DTIMED sc,tso,ra,rc11 ok 2
// run: flags=-DTIMED flags=-DAGAIN sc,tso,ra,rc11 ok 2
// run: args=--system-headers flags=-DLOCK flags=-DN=3 rc11 ok 6
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>
#ifndef N
#define N 1
#endif

static sem_t sem;
static int shared;

static void *thread(void *unused) {
#if defined LOCK
  sem_wait(&sem); // BUG
  shared++;       // BUG
  sem_post(&sem);
#elif defined MESSAGE
  shared = 1;
  sem_post(&sem);
#elif defined TRY
  if (sem_trywait(&sem) == 0)
    assert(shared == 1);
  else
    assert(errno == EAGAIN);
#elif defined TIMED
  struct timespec soon = {0};
#ifdef AGAIN
  while (sem_timedwait(&sem, &soon) != 0)
    ;
#else
  if (sem_timedwait(&sem, &soon) == 0)
    assert(shared == 1);
  else
    assert(errno == ETIMEDOUT);
#endif
#endif
  return unused;
}

int main(void) {
  int value;
  pthread_t id[N];
#ifdef VALUE
  assert(sem_init(&sem, 0, VALUE) == 0);
#elif defined LOCK
  assert(sem_init(&sem, 0, 1) == 0);
#else
  assert(sem_init(&sem, 0, 0) == 0);
#endif
  assert(sem_init(&sem, 0, 1u << 31) == -1 && errno == EINVAL);
  for (int i = 0; i < N; i++)
    pthread_create(&id[i], NULL, thread, NULL);
#if defined MESSAGE
  sem_wait(&sem);
  assert(shared == 1);
#elif !defined LOCK
  shared = 1;
  sem_post(&sem);
#endif
  for (int i = 0; i < N; i++)
    pthread_join(id[i], NULL);
  assert(sem_getvalue(&sem, &value) == 0);
  assert(value >= 0 && value <= 2);
  assert(sem_destroy(&sem) == 0);
}
