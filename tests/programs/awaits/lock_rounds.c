// SPDX-License-Identifier: MIT
// A loop that takes a lock of the program's own making, looks, and gives it
// back only waits: nobody does more with the lock than to wait for it too. So
// there are as many executions as with a mutex of the library. (Two if the lock
// is tried before it is looked at: the look is before or after the setter's
// critical section.)
//
//  LOCK 0  a mutex              1  exchange           2  compare-exchange
//       3  test, then exchange  4  try, then a loop   5  holds the thread's id
//       6  given back by an update
//
// run: flags=-DLOCK=0 sc,tso,pso,ra,rc11,imm,armv8 ok 1
// run: flags=-DLOCK=1 sc,tso,pso,ra,rc11,imm,armv8 ok 1
// run: flags=-DLOCK=2 sc,tso,pso,ra,rc11,imm,armv8 ok 1
// run: flags=-DLOCK=3 sc,rc11,imm,armv8 ok 1
// run: flags=-DLOCK=4 sc,rc11,imm,armv8 ok 2
// run: flags=-DLOCK=5 sc,rc11,imm,armv8 ok 1
// run: flags=-DLOCK=6 sc,rc11,imm,armv8 ok 1
// Two that look, or two that write, or a lock around another one.
// run: flags=-DLOCK=0 flags=-DLOOKERS=2 rc11 ok 2
// run: flags=-DLOCK=1 flags=-DLOOKERS=2 sc,rc11,imm ok 2
// run: flags=-DLOCK=5 flags=-DLOOKERS=2 rc11 ok 2
// run: args=--jobs=2 flags=-DLOCK=1 flags=-DLOOKERS=2 rc11 ok 2
// run: flags=-DLOCK=1 flags=-DNESTED sc,rc11,armv8 ok 1
// Held when the loop begins: given back and taken again in each round. The
// setter comes before the first round, or in it.
// run: flags=-DLOCK=0 flags=-DHELD rc11 ok 2
// run: flags=-DLOCK=1 flags=-DHELD sc,rc11,imm ok 2
// What is wrong is found.
// run: flags=-DLOCK=1 flags=-DNEVER sc,rc11,imm,armv8 error hang
// run: flags=-DLOCK=1 flags=-DNEVER flags=-DLOOKERS=2 sc,rc11 error hang
// run: flags=-DLOCK=1 flags=-DRELAXED rc11 error race
// run: flags=-DLOCK=1 flags=-DKEEPS sc,rc11 error hang
// Somebody tries the lock and does something else if it is taken: the rounds
// are seen, and all of them are explored.
// run: args=--max-events=500 flags=-DLOCK=1 flags=-DTRIES sc,rc11 incomplete
// run: args=--unroll=2 flags=-DLOCK=1 flags=-DTRIES=0 sc,rc11 error assertion
#include "../common.h"

#ifndef LOOKERS
#define LOOKERS 1
#endif

static atomic_int word, outer;
static int flag, data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(int me) {
  (void)me;
#if LOCK == 0
  pthread_mutex_lock(&mutex);
#elif LOCK == 1
  while (swap(&word, 1, acq)) // BUG
    continue;
#elif LOCK == 2
  while (!cas(&word, 0, 1, acq, rlx))
    continue;
#elif LOCK == 3
  do
    while (load(&word, rlx))
      continue;
  while (swap(&word, 1, acq));
#elif LOCK == 4
  if (!cas(&word, 0, 1, acq, rlx))
    do
      while (load(&word, rlx))
        continue;
    while (!cas(&word, 0, 1, acq, rlx));
#elif LOCK == 5
  while (!cas(&word, 0, me + 1, acq, rlx))
    continue;
#else
  while (swap(&word, 1, acq))
    continue;
#endif
  (void)mutex;
}

static void give(void) {
#if LOCK == 0
  pthread_mutex_unlock(&mutex);
#elif LOCK == 6
  atomic_fetch_sub_explicit(&word, 1, rel);
#elif defined RELAXED
  store(&word, 0, rlx);
#else
  store(&word, 0, rel);
#endif
}

static void *look(void *number) {
  int me = (int)(uintptr_t)number;
#ifdef HELD
  take(me);
  while (!flag) {
    give();
    take(me);
  }
  give();
#else
  for (;;) {
#ifdef NESTED
    while (swap(&outer, 1, acq))
      continue;
#endif
    take(me);
    bool is_set = flag; // BUG
    give();
#ifdef NESTED
    store(&outer, 0, rel);
#endif
    if (is_set)
      break;
  }
#endif
  assert(data == 1); // BUG
  return NULL;
}

static void *set(void *unused) {
#ifdef TRIES
  if (swap(&word, 1, acq)) {
    assert(TRIES + 0); // BUG
    return unused;
  }
#else
  take(MAX_THREADS);
#endif
  data = 1; // BUG
#ifndef NEVER
  flag = 1; // BUG
#endif
#ifndef KEEPS
  give();
#endif
  return unused;
}

int main(void) {
  pthread_t lookers[MAX_THREADS], setter;
  (void)outer;
  start(lookers, LOOKERS, look);
  pthread_create(&setter, NULL, set, NULL);
  join(lookers, LOOKERS);
  pthread_join(setter, NULL);
  return 0;
}
