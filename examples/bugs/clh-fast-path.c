// SPDX-License-Identifier: MIT
// A CLH lock: each thread puts a node into the queue and waits for the one
// before it. The loop reads the flag of that node with acquire, but a first
// look, which spares the loop when the lock is free, is relaxed. Who comes in
// by this fast path has not synchronised with the thread before.
//
// expect: rc11 error race
// run: flags=-DMENDED rc11 ok
#include <pthread.h>
#include <stdatomic.h>

#ifdef MENDED
#define FIRST_LOOK memory_order_acquire
#else
#define FIRST_LOOK memory_order_relaxed
#endif

struct node {
  atomic_int must_wait;
};

static struct node first, nodes[2];
static _Atomic(struct node *) tail = &first;
static int data;

static void lock(struct node *mine) {
  atomic_store_explicit(&mine->must_wait, 1, memory_order_relaxed);
  struct node *before =
      atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (!atomic_load_explicit(&before->must_wait, FIRST_LOOK))
    return;
  while (atomic_load_explicit(&before->must_wait, memory_order_acquire))
    ;
}

static void unlock(struct node *mine) {
  atomic_store_explicit(&mine->must_wait, 0, memory_order_release);
}

static void *run(void *argument) {
  struct node *mine = argument;
  lock(mine);
  data++;
  unlock(mine);
  return argument;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, run, &nodes[1]);
  run(&nodes[0]);
  pthread_join(other, NULL);
  return 0;
}
