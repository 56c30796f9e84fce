// SPDX-License-Identifier: MIT
// As round_races.c: a failed round stores what is there, and another thread,
// told by a relaxed store that the loop has ended, reads that. But it does so
// in a failed round of its own (or, with ASSUMES, before an assumption that
// does not hold), since it has read something old. Nothing comes of such a
// graph but the race, so it is left before it is complete.
// run: sc,tso,pso,ra,rc11,imm,armv8,c11,xmm error race
// run: flags=-DASSUMES sc,tso,ra,rc11,imm,armv8 error race
// run: args=--jobs=2 rc11 error race
// run: args=--without=all rc11 error race
// run: flags=-DRIGHT sc,rc11,armv8 ok 1
// run: flags=-DASSUMES flags=-DRIGHT sc,rc11,armv8 ok 1
#include "../common.h"

#ifdef RIGHT
enum { TELL = rel, ASK = acq };
#else
enum { TELL = rlx, ASK = rlx };
#endif

static atomic_int x, y, z;
static volatile int data;

static void *waits(void *unused) {
  while (!load(&x, rlx))
    data = 0; // BUG
  store(&y, 1, TELL);
  return unused;
}

static void *ends_waits(void *unused) {
  store(&x, 1, rlx);
  store(&z, 1, rlx);
  return unused;
}

static bool is_told(void) {
  return load(&y, ASK) && data == 5; // BUG
}

static void *meets(void *unused) {
#ifdef ASSUMES
  if (!load(&z, rlx)) {
    bool told = is_told();
    heddle_assume(told && !told);
  }
#else
  while (!load(&z, rlx))
    if (is_told())
      break;
#endif
  return unused;
}

int main(void) {
  spawn(waits);
  spawn(ends_waits);
  spawn(meets);
  return 0;
}
