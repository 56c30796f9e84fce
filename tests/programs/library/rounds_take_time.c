// SPDX-License-Identifier: MIT
// A day has passed for one thread, and another one knows that from a value
// which it has only found in a failed round: its own clock is a day later then,
// or two. The round is left out, but not the time that it takes.
// run: args=--disable=hang rc11,ra,sc,tso,imm,armv8 error assertion
// run: args=--disable=hang args=--jobs=2 rc11 error assertion
// run: flags=-DUNROLLED rc11,ra,sc,tso,imm,armv8 error assertion
// run: flags=-DUPDATE rc11,ra,sc,tso,imm,armv8 error assertion
// run: flags=-DUPDATE args=--without=retry rc11,sc error assertion
// run: flags=-DUPDATE flags=-DDAYS=5 rc11,sc ok 40
// run: flags=-DUPDATE flags=-DDAYS=5 args=--without=retry rc11,sc ok 40
#include "../common.h"
#include <time.h>

#ifndef DAYS
#define DAYS 2
#endif

static atomic_int x;

static void *looks(void *unused) {
  store(&x, time(NULL) > 80000 ? 2 : 3, rlx);
  return unused;
}

static void *tells(void *unused) {
  store(&x, 10, rlx);
  return unused;
}

static void *waits(void *unused) {
#ifdef UNROLLED
  int old = load(&x, rlx);
  if (old != 10) {
    old = load(&x, rlx);
    heddle_assume(old == 10);
  }
#elif defined UPDATE
  int old = load(&x, rlx);
  while (
      !atomic_compare_exchange_strong_explicit(&x, &old, old + 100, rlx, rlx))
    ;
#else
  while (load(&x, rlx) != 10)
    ;
  int old = 10;
#endif
  assert(old != 10 || time(NULL) < DAYS * 86400);
  return unused;
}

int main(void) {
  spawn(waits);
  spawn(looks);
  spawn(tells);
  return 0;
}
