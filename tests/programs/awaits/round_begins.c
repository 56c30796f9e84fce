// SPDX-License-Identifier: MIT
// As round_races.c, but what races is the location with which the round begins:
// the round looks at it by an atomic load first, and so does what the thread
// does instead of the round. Neither races with the access of the other thread.
//
//  1  the round reads it plainly, the other thread stores it atomically
//  2  the round adds 0 to it, the other thread reads it plainly
//  3  the round stores what is there by a compare-exchange, the same
//
// run: flags=-DP=1 sc,tso,ra,rc11,imm,armv8,xmm,jam21 error race
// run: flags=-DP=2 sc,tso,ra,rc11,imm,armv8,xmm error race
// run: flags=-DP=3 sc,rc11,imm,armv8 error race
// run: args=--jobs=2 flags=-DP=1 rc11,imm error race
// run: args=--definition flags=-DP=2 rc11,armv8 error race
// The last event of each execution is one that is counted without adding it.
// run: flags=-DP=2 flags=-DLOOKS sc,rc11,armv8 error race
// run: flags=-DP=1 flags=-DRIGHT sc,rc11,armv8 ok 2
// run: flags=-DP=2 flags=-DRIGHT sc,rc11,armv8 ok 2
#include "../common.h"

#ifdef RIGHT
enum { TELL = rel, ASK = acq };
#else
enum { TELL = rlx, ASK = rlx };
#endif

static atomic_int x, y, go;
static volatile int *const plain = (volatile int *)&x;

static bool look(void) {
#if P == 1
  return load(&x, rlx) == 5 || load(&y, rlx) || *plain == 5; // BUG
#elif P == 2
  return load(&x, rlx) == 5 || load(&y, rlx) || fetch_add(&x, 0, rlx) == 5;
#else
  return load(&x, rlx) == 5 || load(&y, rlx) || !cas(&x, 0, 0, rlx, rlx);
#endif
}

static void *waits(void *unused) {
  while (!look())
    continue;
  store(&go, 1, TELL);
  return unused;
}

static void *ends_wait(void *unused) {
  store(&y, 1, rlx);
  return unused;
}

static void *meets(void *unused) {
  if (load(&go, ASK))
#if P == 1
    store(&x, 1, rlx); // BUG
#else
    (void)*plain; // BUG
#endif
  return unused;
}

static void *looks(void *unused) {
  load(&y, rlx);
  return unused;
}

int main(void) {
  spawn(waits);
  spawn(ends_wait);
  spawn(meets);
#ifdef LOOKS
  spawn(looks);
#else
  (void)looks;
#endif
  return 0;
}
