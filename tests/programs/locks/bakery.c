// SPDX-License-Identifier: MIT
// Lamport's bakery: draw a number above all others, then wait for everyone who
// draws right now or has a smaller one. All accesses are sc (RELAXED: release
// and acquire). NO_CHOOSING does not wait for those who draw, which lets two
// with the same number in: no weak memory is needed for that.
// run: sc,tso,pso,rc11,imm,armv8 ok
// run: flags=-DN=3 sc ok
// run: flags=-DRELAXED sc ok; tso,pso,ra,rc11,imm error race
// run: flags=-DNO_CHOOSING sc,tso,rc11,imm,armv8 error race
#include "../common.h"

#ifndef N
#define N 2
#endif
#ifdef RELAXED
#define READ acq
#define WRITE rel
#else
#define READ sc
#define WRITE sc
#endif

static atomic_bool draws[N];
static atomic_uint ticket[N];

static unsigned draw(void) {
  unsigned highest = 0;
  for (unsigned i = 0; i < N; i++) {
    unsigned seen = load(&ticket[i], READ);
    highest = seen > highest ? seen : highest;
  }
  return highest + 1;
}

static bool goes_before(unsigned i, unsigned mine, unsigned me) {
  unsigned its = load(&ticket[i], READ);
  return its != 0 && (its < mine || (its == mine && i < me));
}

static void acquire(unsigned me) {
  store(&draws[me], true, WRITE);
  unsigned mine = draw();
  store(&ticket[me], mine, WRITE);
  store(&draws[me], false, WRITE);
  for (unsigned i = 0; i < N; i++) {
#ifndef NO_CHOOSING
    while (load(&draws[i], READ))
      continue;
#endif
    while (goes_before(i, mine, me))
      continue;
  }
}

static void release(unsigned me) {
  store(&ticket[me], 0, WRITE);
}

#include "client.h"
