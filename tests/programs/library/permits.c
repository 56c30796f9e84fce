// SPDX-License-Identifier: MIT
// A semaphore with some permits. One thread keeps the one that it takes, two
// give theirs back and count. With two permits and X, Y the threads that count:
// the first two of the three waits come in 3 * 2 orders; of these, each post of
// X and Y may come before or after the third wait and the other's update.
// Counted by hand: 26. With one permit the one that keeps it comes last: 2.
// run: flags=-DPERMITS=2 sc,tso,pso,ra,rc11,imm ok 26
// run: flags=-DPERMITS=2 args=--equivalence args=rf sc,tso,pso,ra,rc11 ok 26
// run: flags=-DPERMITS=2 args=--definition sc,rc11 ok 26
// run: flags=-DPERMITS=1 flags=-DSEEN args=--disable args=deadlock sc,rc11 error assertion
// run: flags=-DPERMITS=1 flags=-DSEEN args=--disable args=deadlock args=--equivalence args=rf sc,rc11 error assertion
#include <semaphore.h>

#include "../common.h"

static sem_t permits;
static atomic_int x;

static void *keeps(void *unused) {
  sem_wait(&permits);
  return unused;
}

static void *adds(void *n) {
  sem_wait(&permits);
  fetch_add(&x, (int)(intptr_t)n, sc);
  sem_post(&permits);
  return NULL;
}

static void *adds_more(void *n) {
  return adds(n);
}

int main(void) {
  pthread_t ids[3];
  sem_init(&permits, 0, PERMITS);
  pthread_create(&ids[0], NULL, keeps, NULL);
  pthread_create(&ids[1], NULL, adds, (void *)1);
  pthread_create(&ids[2], NULL, adds_more, (void *)2);
  for (int i = 0; i < 3; i++)
    pthread_join(ids[i], NULL);
#ifdef SEEN
  assert(x != 3);
#endif
}
