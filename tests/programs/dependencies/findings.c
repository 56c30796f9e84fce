// SPDX-License-Identifier: MIT
// Errors of several kinds that need load buffering: the threads do something
// wrong only when each of them has read what the other one writes later. Where
// one thread is enough, the other one copies y to x as a 3, so that 3 says so.
// run: flags=-DRACE rc11 ok 3; imm,armv8 error race
// run: flags=-DBOUNDS rc11 ok 3; imm,armv8 error out-of-bounds
// run: flags=-DHANG rc11 ok 3; imm,armv8 error hang
// run: flags=-DFREED rc11 ok 3; imm,armv8 error double-free
// run: flags=-DDEADLOCK rc11 ok 3; imm,armv8 error deadlock
#include "pairs.h"

static atomic_int x, y;

#if defined RACE
static int plain;

static void *left(void *unused) {
  if (rw_po(&x, &y))
    plain = 1; // BUG
  return unused;
}

static void *right(void *unused) {
  if (rw_po(&y, &x))
    plain = 2; // BUG
  return unused;
}

#elif defined BOUNDS
static void *left(void *unused) {
  static int cells[3];
  int r = rw_po(&x, &y);
  cells[r] = 1; // BUG
  return unused;
}

#elif defined HANG
static atomic_int never;

static void *left(void *unused) {
  int r = rw_po(&x, &y);
  while (r == 3 && !load(&never, rlx)) // BUG
    continue;
  return unused;
}

#elif defined FREED
static void *left(void *unused) {
  int *p = malloc(sizeof *p);
  int r = rw_po(&x, &y);
  free(p);
  if (r == 3)
    free(p); // BUG
  return unused;
}

#elif defined DEADLOCK
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Keeps the mutex when it has read 3, so that main waits for it in vain.
static void *left(void *unused) {
  int r = rw_po(&x, &y);
  pthread_mutex_lock(&lock);
  if (r != 3)
    pthread_mutex_unlock(&lock);
  return unused;
}

#endif

#ifndef RACE
static void *right(void *unused) {
  store(&x, load(&y, rlx) ? 3 : 0, rlx);
  return unused;
}
#endif

int main(void) {
  int unused;
  together(left, right, &unused, &unused);
#ifdef DEADLOCK
  pthread_mutex_lock(&lock); // BUG
#endif
  return 0;
}
