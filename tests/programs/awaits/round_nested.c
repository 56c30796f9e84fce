// SPDX-License-Identifier: MIT
// As round_races.c, but the round that looks at the data is inside another one,
// which fails too, and what the thread does instead begins with the outer loop:
// it never comes to where the inner one begins.
//
//  1  both loops wait
//  2  the inner one is in a function, and the one around it is inside a third
//  3  the inner one tries again: it reads another value each time
//
// run: flags=-DP=1 sc,tso,ra,rc11,imm,armv8,c11,xmm error race
// run: flags=-DP=2 sc,tso,rc11,imm,armv8,xmm error race
// run: flags=-DP=3 sc,tso,rc11,imm,armv8,xmm error race
// run: args=--jobs=2 flags=-DP=1 rc11,imm error race
// run: args=--jobs=2 flags=-DP=2 rc11,sc error race
// run: args=--without=all flags=-DP=1 rc11,armv8 error race
// run: args=--definition flags=-DP=1 rc11,armv8 error race
// run: args=--reduce=symmetry flags=-DP=1 flags=-DEQUAL rc11,sc error race
// run: flags=-DP=1 flags=-DRIGHT sc,rc11,armv8 ok 2
// run: flags=-DP=2 flags=-DRIGHT sc,rc11,armv8 ok 2
#include "../common.h"

#ifdef RIGHT
enum { TELL = rel, ASK = acq };
#else
enum { TELL = rlx, ASK = rlx };
#endif

#ifdef EQUAL
enum { WAITING = 2 };
#else
enum { WAITING = 1 };
#endif

static atomic_int x, y, z, told;
static volatile int data;

#if P == 1
static void wait_for_all(void) {
  while (!load(&x, rlx))
    while (!load(&y, rlx))
      if (data == 5) // BUG
        return;
}
#elif P == 2
static int wait_for_y(void) {
  while (!load(&y, rlx))
    if (data == 5) // BUG
      return 0;
  return 1;
}

static void wait_for_all(void) {
  while (!load(&x, rlx))
    while (!load(&z, rlx))
      if (!wait_for_y())
        return;
}
#else
static void wait_for_all(void) {
  while (!load(&x, rlx))
    for (int old = load(&y, rlx);;) {
      if (old == 0 && data == 5) // BUG
        return;
      int now = load(&y, rlx);
      if (now == old && old)
        break;
      old = now;
    }
}
#endif

static void *waits(void *unused) {
  wait_for_all();
  fetch_add(&told, 1, TELL);
  return unused;
}

static void *ends_wait(void *unused) {
  store(&y, 1, rlx);
  store(&z, 1, rlx);
  store(&x, 1, rlx);
  return unused;
}

static void *changes(void *unused) {
  if (load(&told, ASK) == WAITING)
    data = 1; // BUG
  return unused;
}

int main(void) {
  spawn(waits);
#ifdef EQUAL
  spawn(waits);
#endif
  spawn(ends_wait);
  spawn(changes);
  return 0;
}
