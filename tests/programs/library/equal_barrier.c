// SPDX-License-Identifier: MIT
// Equal threads that meet at a barrier: the order in which they arrive is no
// difference between executions, with symmetry and without it. With all orders
// there are 3!.
// run: args=--reduce args=barriers,sections,readers args=--symmetry args=on sc,tso,ra,rc11 ok 1
// run: args=--reduce args=barriers,sections,readers args=--symmetry args=off sc,tso,ra,rc11 ok 1
// run: args=--reduce args=barriers,sections,readers args=--symmetry args=on flags=-DREADS sc,tso,ra,rc11 ok 1
// run: args=--reduce args=barriers,sections,readers args=--symmetry args=off flags=-DREADS sc,tso,ra,rc11 ok 1
// run: args=--symmetry args=on args=--explore-orders all ok 6
// run: args=--symmetry args=off args=--explore-orders all ok 6
#include "../common.h"

static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int x;

static void *meet(void *unused) {
  (void)load(&x, rlx);
#ifdef READS
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#endif
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
