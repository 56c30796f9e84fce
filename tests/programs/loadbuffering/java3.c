// SPDX-License-Identifier: MIT
// The third causality test for Java, with relaxed atomics: a compiler that makes
// one load of the two of x knows that they are equal, and may store first.
// run: rc11,imm ok; xmm error assertion
#include "../common.h"

static atomic_int x, y;
static int a, b, c;

static void *one(void *unused) {
  a = load(&x, rlx);
  b = load(&x, rlx);
  if (a == b)
    store(&y, 1, rlx);
  return unused;
}

static void *two(void *unused) {
  c = load(&y, rlx);
  store(&x, c, rlx);
  return unused;
}

static void *three(void *unused) {
  store(&x, 2, rlx);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  pthread_create(&t[2], NULL, three, NULL);
  join(t, 3);
  assert(!(a == 1 && b == 1 && c == 1)); // BUG
  return 0;
}
