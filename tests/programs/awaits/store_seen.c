// SPDX-License-Identifier: MIT
// A plain store between the load and the compare-exchange of a round, and
// another thread that looks at it. Where races are no errors that is no end of
// the execution: what the other thread writes then, the compare-exchange can
// read, and the load cannot.
// run: args=--disable=race sc,tso,pso,ra,rc11,imm,c11,jam21,armv8 error assertion
// run: args=--races=off sc,tso,pso,ra,rc11,imm,c11,jam21,armv8 error assertion
// run: args=--warn=race rc11,imm error assertion
// run: args=--races=model sc error assertion
// run: args=--disable=race args=--without=retry sc,rc11 error assertion
// run: sc,tso,pso,ra,rc11,imm,c11,jam21 error race
#include "../common.h"

static atomic_int top;
static int next, seen;

static void *push(void *unused) {
  int old = load(&top, rlx);
  do
    next = 1;
  while (!atomic_compare_exchange_strong_explicit(&top, &old, 5, acqrel, rlx));
  return unused;
}

static void *spy(void *unused) {
  seen = next;
  if (seen)
    store(&top, 0, rlx);
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, push, NULL);
  pthread_create(&ids[1], NULL, spy, NULL);
  join(ids, 2);
  assert(!(seen && load(&top, rlx) == 5));
  return 0;
}
