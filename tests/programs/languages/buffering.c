// SPDX-License-Identifier: MIT
// Load buffering with a release store in each thread: only c11 lets the loads
// wait. What goes wrong then is an error of any kind; values that only prove
// themselves (COPY) do not come to be.
// run: rc11,imm,armv8,jam21 ok 3; c11 error assertion
// run: flags=-DWHAT=race rc11,imm,jam21 ok 3; c11 error race
// run: flags=-DWHAT=freed rc11,imm,jam21 ok 3; c11 error free-race
// run: flags=-DREAD=acq c11 ok 3
// run: flags=-DFENCE=rel c11 error assertion
// run: flags=-DFENCE=acq c11 ok 3
// run: flags=-DFENCE=sc c11 ok 3
// run: flags=-DCOPY rc11,c11,jam21 ok
#include "../common.h"

#ifndef READ
#define READ rlx
#endif
#ifndef WHAT
#define WHAT assertion
#endif

static atomic_int x, y;
static atomic_int seen;
static int plain, *cell;

static void assertion(int who) {
  assert(fetch_add(&seen, who, rlx) + who != 3); // BUG
}

static void race(int who) {
  plain = who; // BUG
}

static void freed(int who) {
  if (who == 1)
    free(cell);
  else
    *cell = 1; // BUG
}

static void between(void) {
#ifdef FENCE
  fence(FENCE);
#endif
}

#ifdef COPY
#define VALUE(r) (r)
#else
#define VALUE(r) 1
#endif

static void *left(void *unused) {
  int r = load(&x, READ);
  between();
  store(&y, VALUE(r), rel);
  if (r)
    WHAT(1);
  return unused;
}

static void *right(void *unused) {
  int r = load(&y, READ);
  between();
  store(&x, VALUE(r), rel);
  if (r)
    WHAT(2);
  return unused;
}

int main(void) {
  cell = malloc(sizeof *cell);
  spawn(left);
  spawn(right);
  return 0;
}
