// SPDX-License-Identifier: MIT
// Store buffering in which one side is seen through a relaxed read, with sc
// accesses and sc fences. All three reads may be 0 or 1. Where sc stores and
// loads are in one order with everything else, one of the 8 is missing: z = 1
// is before x = 1 for the left thread, and after it for the right one. RC11
// has no edge for this: the way from the right one's sc read to the left one's
// fence goes over a write and a read that are relaxed (rb;rf is not in scb),
// and a way from fence to fence exists in one direction only [PLDI'17, §3].
// run: args=--disable=assertion sc,tso,pso,armv8 ok 7; ra,rc11,imm ok 8
// run: args=--disable=assertion flags=-DRIGHT_FIRST sc,tso,pso,armv8 ok 7; ra,rc11,imm ok 8
// run: sc,tso,pso,armv8 ok 7; ra,rc11,imm error assertion
// run: flags=-DRIGHT_FIRST sc,tso,pso,armv8 ok 7; ra,rc11,imm error assertion
#include "../common.h"

atomic_int x, z;
static int left_z, left_x, right_z;

static void *writer(void *unused) {
  store(&z, 1, rlx);
  return unused;
}

static void *left(void *unused) {
  left_z = load(&z, rlx);
  fence(sc);
  left_x = load(&x, sc);
  return unused;
}

static void *right(void *unused) {
  fence(sc);
  store(&x, 1, sc);
  right_z = load(&z, sc);
  return unused;
}

// The order in which threads are created decides what is added first.
#ifdef RIGHT_FIRST
static void *(*const bodies[])(void *) = {right, writer, left};
#else
static void *(*const bodies[])(void *) = {writer, left, right};
#endif

int main(void) {
  pthread_t ids[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&ids[i], NULL, bodies[i], NULL);
  join(ids, 3);
  assert(!(left_z == 1 && left_x == 0 && right_z == 0)); // BUG
  return 0;
}
