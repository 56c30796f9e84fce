// SPDX-License-Identifier: MIT
// A loop that makes its own node ready in each round, as the tries of queued
// locks do, only waits: it stores what is there already, where nobody else
// looks meanwhile. So N threads have N! executions, as without the node.
// run: flags=-DN=2 sc,tso,pso,ra,rc11 ok 2
// run: flags=-DN=3 sc,tso,pso,ra,rc11 ok 6
// run: flags=-DN=3 flags=-DPLAIN sc,rc11 ok 6
// run: flags=-DN=3 flags=-DBEFORE sc,rc11 ok 6
// run: flags=-DN=2 flags=-DWEAK rc11 error race
// With another value, or where another thread writes too, it is no wait: both
// ends of that are found.
// run: args=--unroll args=3 flags=-DSHARED=0 sc,rc11 error assertion
// run: args=--unroll args=3 flags=-DSHARED=1 sc,rc11 error assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
#ifdef PLAIN
  int locked;
#else
  atomic_int locked;
#endif
};

#ifdef WEAK
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif

#ifdef SHARED
static atomic_int mine, go;

static void *waits(void *arg) {
  do
    atomic_store_explicit(&mine, 0, memory_order_relaxed);
  while (!atomic_load_explicit(&go, memory_order_relaxed));
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  atomic_store_explicit(&mine, 1, memory_order_relaxed);
  atomic_store_explicit(&go, 1, memory_order_relaxed);
  pthread_join(t, NULL);
  assert(mine == SHARED); // BUG
  return 0;
}
#else
static _Atomic(struct node *) tail;
static struct node nodes[N];
static int x;

static void *work(void *arg) {
  struct node *me = arg, *free;
  do {
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    me->locked = 0;
    free = NULL;
  } while (!atomic_compare_exchange_strong_explicit(
      &tail, &free, me, TAKE, memory_order_relaxed));
  x++; // BUG
  atomic_store_explicit(&tail, NULL, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
#ifdef BEFORE
    nodes[i].locked = 0;
#endif
    pthread_create(&t[i], NULL, work, &nodes[i]);
  }
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(x == N);
  return 0;
}
#endif
