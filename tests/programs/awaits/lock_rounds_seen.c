// SPDX-License-Identifier: MIT
// Rounds that take a lock of the program's own making, look and give it back,
// and that something comes of; so they are not left out.
//
//  AGAIN    The lock is held when the loop begins, given back and taken again
//           in each round, but with another value: its holder can tell whether
//           there was a round.
//  FORCED   Another thread stores into the lock, which it does not hold. What a
//           round gives back then is not what it took: the lock of a thread
//           that never gives it back itself. So who sees that it was given back
//           knows that there was a round.
//
// run: flags=-DAGAIN=1 sc,rc11,imm ok
// run: flags=-DAGAIN=2 sc,rc11,imm,armv8 error assertion
// run: args=--disable=hang args=--disable=livelock args=--unroll=looks:2 flags=-DFORCED sc,rc11 error assertion
#include "../common.h"

static atomic_int word, flag;

static void take(int value) {
  while (!cas(&word, 0, value, acq, rlx))
    continue;
}

static void give(void) {
  store(&word, 0, rel);
}

#ifdef AGAIN
static void *looks(void *unused) {
  take(1);
  while (!load(&flag, rlx)) {
    give();
    take(AGAIN);
  }
  assert(load(&word, rlx) == 1); // BUG
  give();
  return unused;
}

static void *sets(void *unused) {
  store(&flag, 1, rlx);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, looks, NULL);
  pthread_create(&t[1], NULL, sets, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
#else
static atomic_int is_forced, is_taken, is_given;

static void *looks(void *unused) {
  for (;;) {
    take(1);
    if (load(&flag, rlx))
      break;
    give();
  }
  assert(!load(&is_given, rlx)); // BUG
  return unused;
}

static void *forces(void *unused) {
  give();
  store(&is_forced, 1, rel);
  return unused;
}

static void *keeps(void *unused) {
  while (!load(&is_forced, acq))
    continue;
  take(1);
  store(&is_taken, 1, rel);
  return unused;
}

static void *needs(void *unused) {
  while (!load(&is_taken, acq))
    continue;
  take(1);
  store(&is_given, 1, rlx);
  give();
  return unused;
}

int main(void) {
  void *(*const all[])(void *) = {looks, forces, keeps, needs};
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, all[i], NULL);
  store(&flag, 1, rlx);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  return 0;
}
#endif
