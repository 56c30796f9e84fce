// SPDX-License-Identifier: MIT
// Locks, semaphores and barriers that only one thread can reach make no events;
// they are what they are all the same.
// expect: rc11,imm ok 1
// run: flags=-DRELOCK rc11,imm error relock
// run: flags=-DNOT_HELD rc11 error unlock-not-held
// run: flags=-DDESTROYED rc11 error sync-misuse
// run: flags=-DDESTROYED args=--disable args=sync-misuse rc11 error deadlock
// run: flags=-DSEM_WAIT rc11,imm error deadlock
// run: flags=-DSEM_TIMED rc11 ok 1
// run: flags=-DSEM_OVERFLOW rc11 error bad-argument
// run: flags=-DSEM_DESTROYED rc11 error sync-misuse
// run: flags=-DREAD_WRITE rc11 error relock
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
  pthread_mutex_t m;
  pthread_mutex_init(&m, NULL);
  pthread_mutex_lock(&m);
#ifdef RELOCK
  pthread_mutex_lock(&m); // BUG
#endif
  assert(pthread_mutex_trylock(&m) != 0);
  pthread_mutex_unlock(&m);
#ifdef NOT_HELD
  pthread_mutex_unlock(&m); // BUG
#endif
  pthread_mutex_destroy(&m);
#ifdef DESTROYED
  pthread_mutex_lock(&m); // BUG
#endif

  sem_t s;
#ifdef SEM_OVERFLOW
  sem_init(&s, 0, INT_MAX);
#else
  sem_init(&s, 0, 1);
#endif
  sem_wait(&s);
#ifdef SEM_WAIT
  sem_wait(&s); // BUG
#endif
#ifdef SEM_TIMED
  struct timespec soon = {0};
  assert(sem_timedwait(&s, &soon) != 0);
#endif
#ifdef SEM_OVERFLOW
  sem_post(&s);
  sem_post(&s); // BUG
#endif
  assert(sem_trywait(&s) != 0);
  sem_post(&s);
  sem_destroy(&s);
#ifdef SEM_DESTROYED
  sem_post(&s); // BUG
#endif

  pthread_rwlock_t rw;
  pthread_rwlock_init(&rw, NULL);
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_rdlock(&rw);
#ifdef READ_WRITE
  pthread_rwlock_wrlock(&rw); // BUG
#endif
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_wrlock(&rw);
  assert(pthread_rwlock_tryrdlock(&rw) != 0);
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_destroy(&rw);

  pthread_barrier_t b;
  pthread_barrier_init(&b, NULL, 1);
  assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
  assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
  pthread_barrier_destroy(&b);
  return 0;
}
