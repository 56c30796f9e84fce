// SPDX-License-Identifier: MIT
// Szymanski's lock: a waiting room with a door in and a door out. The states of
// a thread are outside, asking, in the doorway, waiting, inside. All accesses
// are sc; release and acquire (RELAXED) is not enough.
// run: sc,tso,pso,rc11,imm,armv8 ok
// run: flags=-DRELAXED sc ok; tso,pso,ra,rc11,imm error hang
// run: args=--disable args=hang flags=-DRELAXED sc ok; tso,pso,ra,rc11,imm error race
// run: flags=-DNO_DOOR sc,tso,rc11,imm,armv8 error race
#include "../common.h"

#ifdef RELAXED
#define READ acq
#define WRITE rel
#else
#define READ sc
#define WRITE sc
#endif

enum { OUTSIDE, ASKS, WAITS, IN_DOOR, INSIDE };
static atomic_int state[2];

static int of(unsigned who) {
  return load(&state[who], READ);
}

static bool is_waiting(int its_state) {
  return its_state == WAITS || its_state == IN_DOOR;
}

static void acquire(unsigned me) {
  unsigned other = 1 - me;
  store(&state[me], ASKS, WRITE);
  while (of(other) >= IN_DOOR)
    continue;
  store(&state[me], IN_DOOR, WRITE);
  if (of(other) == ASKS) {
    store(&state[me], WAITS, WRITE);
    while (of(other) != INSIDE)
      continue;
  }
  store(&state[me], INSIDE, WRITE);
#ifndef NO_DOOR
  if (me == 1) // the smaller number goes first
    while (of(other) >= WAITS)
      continue;
#endif
}

static void release(unsigned me) {
  unsigned other = 1 - me;
  if (me == 0) // nobody may be left in the waiting room
    while (is_waiting(of(other)))
      continue;
  store(&state[me], OUTSIDE, WRITE);
}

#include "client.h"
