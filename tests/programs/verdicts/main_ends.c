// SPDX-License-Identifier: MIT
// A return from main ends the program (P): threads that wait then go with it,
// and that is no error. Other threads still run to their end.
//
//  1  a thread waits for a condition that nobody signals; main returns
//  2  the same, but main leaves by pthread_exit: the program never ends
//  3  a thread waits for a lock that main never gives back
//  4  a thread spins for ever
//  5  the same, and main waits for it
//  6  what a thread does after main has returned is still checked
//  7  a thread calls exit; whoever joins it does not go on
//  8  a thread joins main, which returns
//  9  two threads miss each other for ever, while main returns
// 10  mutex and semaphore that only one thread can reach
// 11  such a mutex is locked twice
// 12  such a semaphore has nothing to give
// 13  such a mutex is unlocked without being held
//
// run: flags=-DP=1 sc,tso,ra,rc11,imm,armv8 ok 1
// run: flags=-DP=2 sc,rc11,imm error deadlock
// run: flags=-DP=3 sc,rc11,imm ok 2
// run: flags=-DP=4 sc,tso,ra,rc11,imm ok 1
// run: flags=-DP=5 sc,rc11 error hang
// run: flags=-DP=6 sc,rc11,imm error assertion
// run: flags=-DP=7 sc,tso,ra,rc11,imm,armv8 ok 1
// run: flags=-DP=8 sc,rc11,imm ok 1
// run: flags=-DP=9 sc,rc11 ok
// run: flags=-DP=10 sc,rc11,imm ok 1
// run: flags=-DP=11 sc,rc11,imm error relock
// run: flags=-DP=12 sc,rc11,imm error deadlock
// run: flags=-DP=13 sc,rc11,imm error unlock-not-held
#include "../common.h"

#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
                       n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static pthread_t main_thread;

static void take_both(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (;;) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0)
      break;
    pthread_mutex_unlock(first);
  }
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *other(void *unused) {
#if P == 1 || P == 2
  pthread_mutex_lock(&m);
  for (;;)
    pthread_cond_wait(&c, &m);
#elif P == 3
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#elif P == 4 || P == 5
  while (!load(&flag, rlx))
    ;
#elif P == 6
  assert(!load(&flag, rlx));
#elif P == 7
  exit(0);
#elif P == 8
  pthread_join(main_thread, NULL);
  assert(!"main has ended the program");
#elif P == 9
  take_both(&m, &n);
#endif
  (void)take_both;
  return unused;
}

static void *another(void *unused) {
  take_both(&n, &m);
  return unused;
}

static void alone(void) {
  pthread_mutex_t mutex;
  sem_t sem;
  pthread_mutex_init(&mutex, NULL);
  sem_init(&sem, 0, 1);
  if (P != 13)
    pthread_mutex_lock(&mutex);
  if (P == 11)
    pthread_mutex_lock(&mutex);
  sem_wait(&sem);
  if (P == 12)
    sem_wait(&sem);
  sem_post(&sem);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t id;
  main_thread = pthread_self();
  if (P < 10)
    pthread_create(&id, NULL, other, NULL);
  if (P == 9)
    pthread_create(&id, NULL, another, NULL);
  if (P == 2)
    pthread_exit(NULL);
  if (P == 3)
    pthread_mutex_lock(&m);
  if (P == 5 || P == 7)
    pthread_join(id, NULL);
  if (P == 6)
    store(&flag, 1, rlx);
  assert(P != 7);
  if (P >= 10)
    alone();
  return 0;
}
