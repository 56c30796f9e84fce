// SPDX-License-Identifier: MIT
// Threads that stop with something old, when nobody will write any more, are
// not followed: a seqlock whose readers fail with all that was there before,
// and readers with an assumption. (Without that: 1,664 blocked executions, and
// 6,336.) A reader that waits for what never comes is still a hang, although it
// has read something old before.
// run: sc,rc11,imm ok 18+0
// run: args=--symmetry=off flags=-DASSUME sc,rc11,imm,armv8 ok 1764+85
// run: flags=-DNEVER sc,rc11,imm,armv8 error hang
// run: flags=-DEITHER sc,tso,pso,ra,rc11,imm,armv8 error hang
// The same where co does not count: what is old is so in every co, and a reader
// hangs if it does in some.
// run: args=--equivalence=rf sc,tso,pso,ra,rc11 ok 18+0
// run: args=--equivalence=rf args=--symmetry=off flags=-DASSUME sc,rc11 ok 1764+85
// run: args=--equivalence=rf flags=-DNEVER sc,rc11 error hang
// run: args=--equivalence=rf flags=-DEITHER sc,tso,pso,ra,rc11 error hang
#include "../common.h"

#if defined ASSUME
static atomic_int x;

static void *writer(void *unused) {
  for (int i = 1; i <= 4; i++)
    store(&x, i, rlx);
  return unused;
}

static void *reader(void *unused) {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += load(&x, rlx);
  heddle_assume(sum % 3 == 0);
  return unused;
}
#elif defined NEVER
static atomic_int x, y;

static void *writer(void *unused) {
  store(&x, 1, rlx);
  return unused;
}

static void *reader(void *unused) {
  if (load(&x, rlx) == 0)
    while (load(&y, rlx) == 0)
      continue;
  return unused;
}
#elif defined EITHER
static atomic_int x, y;

static void *writer(void *unused) {
  store(&x, 1, rlx);
  store(&y, 1, rlx);
  return unused;
}

static void *reader(void *unused) {
  if (load(&x, rlx) == 0)
    while (load(&y, rlx) != 1)
      continue;
  return unused;
}
#else
static atomic_uint version;
static atomic_int x, y;

static void *writer(void *unused) {
  unsigned v;
  for (;;) {
    v = load(&version, acq);
    if (v % 2 == 0 && cas(&version, v, v + 1, acq, rlx))
      break;
  }
  fence(rel);
  store(&x, 1, rlx);
  store(&y, 1, rlx);
  store(&version, v + 2, rel);
  return unused;
}

static void *reader(void *unused) {
  unsigned before, after;
  int a, b;
  do {
    before = load(&version, acq);
    a = load(&x, rlx);
    b = load(&y, rlx);
    fence(acq);
    after = load(&version, rlx);
  } while (before % 2 == 1 || before != after);
  assert(a == b);
  return unused;
}
#endif

int main(void) {
  pthread_t writers[2], readers[2];
  unsigned n = 1;
#if !defined ASSUME && !defined NEVER && !defined EITHER
  n = 2;
#endif
  start(writers, n, writer);
  start(readers, 2, reader);
#ifdef EITHER
  store(&y, 2, rlx);
#endif
  join(writers, n);
  join(readers, 2);
  return 0;
}
