// SPDX-License-Identifier: MIT
// Threads whose failed rounds write what the others look at (P). They may meet,
// or miss each other for ever: a livelock, never a hang, since in the execution
// that is shown everything is free again.
//
//  1  each takes a mutex, tries the other's, gives its own back and begins again
//  2  the same in one order: somebody gets on
//  3  each shows its flag for a moment and wants to see the other's
//  4  each adds something for a moment; together it would be enough
//  5  the same, but it would not be enough
//  6  one looks for what the other shows for a moment
//  7  a loop that may also leave by its own choice: no hang
//  8  the same without a choice
//
// run: flags=-DP=1 sc,tso,ra,rc11,imm,armv8 error livelock
// run: args=--net-effect-awaits flags=-DP=1 sc,tso,ra,rc11 error livelock
// run: flags=-DP=2 sc,tso,ra,rc11,imm,armv8 ok 2
// run: args=--net-effect-awaits flags=-DP=3 sc,tso,ra,rc11 error livelock
// run: args=--net-effect-awaits flags=-DP=4 sc,tso,ra,rc11 error livelock
// run: args=--net-effect-awaits flags=-DP=5 sc,tso,ra,rc11 error livelock
// run: args=--net-effect-awaits flags=-DP=6 sc,tso,ra,rc11 error livelock
// run: args=--net-effect-awaits args=--no-await-check flags=-DP=3 sc,rc11 ok 3
// run: flags=-DP=7 sc,tso,ra,rc11,imm,armv8 ok 1
// run: flags=-DP=8 sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

static atomic_int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
                       n = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (;;) {
    pthread_mutex_lock(first); // BUG
    if (pthread_mutex_trylock(second) == 0)
      break;
    pthread_mutex_unlock(first);
  }
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void show(atomic_int *mine, atomic_int *yours) {
  for (;;) {
    store(mine, 1, sc); // BUG
    if (load(yours, sc))
      return;
    store(mine, 0, sc);
  }
}

static void add(int what, int enough) {
  for (;;) {
    fetch_add(&a, what, sc); // BUG
    if (load(&a, sc) == enough)
      return;
    fetch_add(&a, -what, sc);
  }
}

static void look(bool may_leave) {
  while (!load(&a, sc)) // BUG
    if (may_leave && heddle_choose(0, 1))
      return;
}

static void *thread0(void *unused) {
#if P == 1 || P == 2
  take_both(&m, &n);
#elif P == 3
  show(&a, &b);
#elif P == 4 || P == 5
  add(1, P == 4 ? 3 : 7);
#elif P == 6
  show(&a, &b);
#else
  look(P == 7);
#endif
  (void)take_both, (void)show, (void)add, (void)look;
  return unused;
}

static void *thread1(void *unused) {
#if P == 1
  take_both(&n, &m);
#elif P == 2
  take_both(&m, &n);
#elif P == 3
  show(&b, &a);
#elif P == 4 || P == 5
  add(2, P == 4 ? 3 : 7);
#elif P == 6
  look(false);
  store(&b, 1, sc);
#endif
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, thread0, NULL);
  pthread_create(&ids[1], NULL, thread1, NULL);
  join(ids, 2);
  return 0;
}
