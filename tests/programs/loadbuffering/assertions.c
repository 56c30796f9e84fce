// SPDX-License-Identifier: MIT
// Errors that need load buffering. FAKE: the value does not really depend on
// what was read, and an optimiser knows. REAL: it does, and nothing comes out of
// thin air. RACE: the data of a flag that is read too early.
// run: rc11 ok 3; imm,xmm error assertion
// run: flags=-DFAKE rc11,imm ok 3; xmm error assertion
// run: flags=-DREAL rc11,imm ok 3; xmm ok 4
// run: flags=-DRACE rc11 ok 2; xmm error race
// run: args=--jobs=2 flags=-DFAKE xmm error assertion
#include "../common.h"

static atomic_int x, y;
static int a, b, data;

static void *left(void *unused) {
  (void)unused;
  a = load(&x, rlx);
#ifdef REAL
  store(&y, a, rlx);
#elif defined FAKE
  store(&y, 1 + a * 0, rlx);
#else
  store(&y, 1, rlx);
#endif
#ifdef RACE
  if (a)
    data = 1; // BUG
#endif
  return NULL;
}

static void *right(void *unused) {
  (void)unused;
  b = load(&y, rlx);
#ifdef RACE
  if (!b)
    return NULL;
  store(&x, 1, rlx);
  data = 2; // BUG
#elif defined REAL
  store(&x, b, rlx);
#elif defined FAKE
  store(&x, 1 + b * 0, rlx);
#else
  store(&x, 1, rlx);
#endif
  return NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, left, NULL);
  pthread_create(&u, NULL, right, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
#ifndef RACE
  assert(!(a == 1 && b == 1)); // BUG
#endif
  return 0;
}
