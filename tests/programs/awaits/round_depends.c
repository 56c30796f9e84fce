// SPDX-License-Identifier: MIT
// A round of a loop that waits leads back to the same state, but what is alive
// there depends on other loads. Without the round it depends on those before
// the loop, which forbids what is allowed with it.
//
//  1  an address is loaded again, from elsewhere: what it points to may be old
//  2  a value is, and written behind the loop: the load before the loop may
//     read what comes of that
//  3  as 1, from the same place: it may not be old
//
// run: flags=-DP=1 armv8,armv7,power,riscv,lkmm incomplete
// run: args=--definition flags=-DP=1 armv8,lkmm incomplete
// run: args=--unroll=2 flags=-DP=1 armv8,armv7,power,riscv,lkmm error assertion
// run: flags=-DP=1 imm,c11,rc11 error assertion
// run: flags=-DP=2 lkmm incomplete
// run: args=--unroll=2 flags=-DP=2 lkmm error assertion
// run: flags=-DP=2 armv8,imm,c11,power error assertion
// run: flags=-DP=3 lkmm ok
#include "../common.h"
#include <stddef.h>

static atomic_int x, y, z, data = 5, same;
static atomic_int *_Atomic p, *_Atomic q = &z;

#if P == 2
static void *waits(void *unused) {
  int first = load(&data, rlx), last = first;
  while (!load(&x, rlx))
    last = load(&same, rlx);
  store(&y, last + 1, rlx);
  assert(first); // BUG
  return unused;
}

static void *tells(void *unused) {
  if (load(&y, rlx) == 1)
    store(&data, 0, rlx);
  return unused;
}
#else
static void *waits(void *unused) {
  atomic_int *at = load(&p, rlx);
  heddle_assume(at != NULL);
  while (!load(&x, rlx))
    at = load(P == 3 ? &p : &q, rlx);
  assert(load(at, rlx)); // BUG
  return unused;
}

static void *tells(void *unused) {
  store(&z, 1, rlx);
  store(&p, &z, rel);
  return unused;
}
#endif

static void *ends_wait(void *unused) {
  store(&x, 1, rlx);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&t, NULL, ends_wait, NULL);
  pthread_create(&t, NULL, tells, NULL);
  return 0;
}
