// SPDX-License-Identifier: MIT
// What counts as a trace of a round that gives back what it took (P), with
// --net-effect-awaits.
//
//  1  who finds the mutex of the round held has seen nothing, so the round is a
//     wait: what is left is T2, which sets the flag, and then T1
//  2  the same with two threads that set the flag: T1 is last or between them
//  3  T2 writes between the two writes of a round, so that round was none: one
//     execution without a failed round, one with T2's write in a failed round
//
// args: --net-effect-awaits --max-events 300
// run: flags=-DP=1 sc,tso,ra,rc11 ok 1
// run: flags=-DP=2 sc,tso,ra,rc11 ok 4
// run: flags=-DP=3 sc,tso,ra,rc11 ok 2
#include "../common.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, flag;

#if P < 3
static void looks(void) {
  for (int is_set = 0; !is_set;) {
    pthread_mutex_lock(&m);
    fetch_add(&x, 1, acqrel);
    is_set = load(&flag, acq);
    fetch_add(&x, -1, acqrel);
    pthread_mutex_unlock(&m);
  }
}

static void sets(void) {
  pthread_mutex_lock(&m);
  store(&flag, 1, rel);
  pthread_mutex_unlock(&m);
}
#else
static void looks(void) {
  while (!load(&flag, acq)) {
    store(&x, 1, rlx);
    store(&x, 0, rlx);
  }
}

static void sets(void) {
  store(&x, 0, rlx);
  store(&flag, 1, rel);
}
#endif

static void *thread(void *number) {
  if ((uintptr_t)number == 0)
    looks();
  else
    sets();
  return NULL;
}

int main(void) {
  run(P == 2 ? 3 : 2, thread);
  return 0;
}
