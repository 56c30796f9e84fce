// SPDX-License-Identifier: MIT
// --unroll counts the rounds of one activation of a function: calls of it from
// two places, or of itself, begin anew.
// args: --unroll 2
// run: flags=-DCALLS=twice(0),twice(0) sc,rc11,imm ok 1
// run: flags=-DCALLS=twice(2) sc,rc11,imm ok 1
// run: flags=-DCALLS=twice(1),twice(1) sc,rc11 ok 1
// run: flags=-DCALLS=twice(0) flags=-DROUNDS=3 sc,rc11,imm incomplete 0
#include "../common.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int x;

#define TEN(what) what what what what what what what what what what

static void twice(int depth) {
  if (depth > 9) { // never; but the function is too large to be inlined
    TEN(TEN(store(&x, depth, rlx);))
  }
  for (int i = 0; i < ROUNDS; i++)
    fetch_add(&x, 1, rlx);
  if (depth)
    twice(depth - 1);
}

static void *nop(void *unused) {
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, nop, NULL);
  CALLS;
  pthread_join(id, NULL);
  return 0;
}
