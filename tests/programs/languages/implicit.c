// SPDX-License-Identifier: MIT
// Values that would have to prove themselves by ways that are easy to miss: by
// a branch that was not taken, by where a store went, by synchronisation that
// did not happen. c11 has none of them; LOOSE takes the hidden dependency away,
// and then load buffering shows up.
// run: flags=-DBRANCH rc11,c11,imm,jam21 ok
// run: flags=-DBRANCH flags=-DLOOSE rc11,jam21 ok; c11,imm error assertion
// run: flags=-DNO_STORE rc11,c11,imm,jam21 ok
// run: flags=-DADDRESS rc11,c11,imm,jam21 ok
// run: flags=-DADDRESS flags=-DLOOSE rc11,jam21 ok; c11,imm error assertion
// run: flags=-DNO_SYNC rc11,c11,imm,jam21 ok
// run: flags=-DNO_SYNC_STORE rc11,c11,imm,jam21 ok
// run: flags=-DNO_SYNC_STORE flags=-DLOOSE rc11,jam21 ok; c11,imm error assertion
#include "../common.h"

static int r0, r1, r2, r3;

#if defined BRANCH // what is stored when a branch is not taken
static atomic_int x, y;

static void *first(void *unused) {
  int t = 0;
  r1 = load(&x, rlx);
#ifndef LOOSE
  if (r1 == 0)
    t = 1;
#endif
  if (t == 0)
    store(&y, 1, rlx);
  return unused;
}

static void *second(void *unused) {
  r2 = load(&y, rlx);
  store(&x, r2, rlx);
  return unused;
}

static void *third(void *unused) {
  return unused;
}

static bool is_odd(void) {
  return r1 == 1 && r2 == 1;
}
#elif defined NO_STORE // the same, seen by another thread
static atomic_int x, y, f, s;

static void *first(void *unused) {
  r0 = load(&x, rlx);
  if (r0 == 0)
    store(&f, 1, rlx);
  store(&s, 1, rel);
  return unused;
}

static void *second(void *unused) {
  r1 = load(&s, acq);
  r2 = load(&f, rlx);
  if (r1 == 1 && r2 == 0)
    store(&y, 1, rlx);
  return unused;
}

static void *third(void *unused) {
  r3 = load(&y, rlx);
  store(&x, r3, rlx);
  return unused;
}

static bool is_odd(void) {
  return r0 == 1 && r1 == 1 && r2 == 0 && r3 == 1;
}
#elif defined ADDRESS  // where a store went
static atomic_int x[2] = {1, 0}, at, y;

static void *first(void *unused) {
  r1 = load(&at, rlx);
#ifndef LOOSE
  store(&x[r1], 0, rlx);
#endif
  r2 = load(&x[0], rlx);
  store(&y, r2, rlx);
  return unused;
}

static void *second(void *unused) {
  r3 = load(&y, rlx);
  store(&at, r3, rlx);
  return unused;
}

static void *third(void *unused) {
  return unused;
}

static bool is_odd(void) {
  return r1 == 1 && r2 == 1 && r3 == 1;
}
#elif defined NO_SYNC // an acquire that reads from the wrong store
static atomic_int x, y, z;

static void *first(void *unused) {
  store(&x, 1, rlx);
  store(&y, 1, rel);
  return unused;
}

static void *second(void *unused) {
  r1 = load(&y, acq);
  r2 = load(&x, rlx);
  if (r1 == 1 && r2 == 0)
    store(&z, 1, rlx);
  return unused;
}

static void *third(void *unused) {
  r3 = load(&z, rlx);
  if (r3 == 1)
    store(&y, 1, rlx);
  return unused;
}

static bool is_odd(void) {
  return r1 == 1 && r2 == 0 && r3 == 1;
}
#else // NO_SYNC_STORE: the same, where a store is out of order for it
static atomic_int x = -1, y;

#ifdef LOOSE
#define SECOND rlx
#else
#define SECOND acq
#endif

static void *first(void *unused) {
  store(&y, 10, rlx);
  store(&x, 1, rel);
  return unused;
}

static void *second(void *unused) {
  r0 = load(&x, rlx);
  r1 = load(&x, SECOND);
  store(&y, 11, rlx);
  return unused;
}

static void *third(void *unused) {
  r2 = load(&y, rlx);
  r3 = load(&y, rlx);
  if (r2 == 11 && r3 == 10)
    store(&x, 0, rlx);
  return unused;
}

static bool is_odd(void) {
  return r1 == 0 && r2 == 11 && r3 == 10;
}
#endif

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_create(&c, NULL, third, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  (void)r0;
  assert(!is_odd()); // BUG
  return 0;
}
