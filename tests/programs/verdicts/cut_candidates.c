// SPDX-License-Identifier: MIT
// What is cut is a thread with a value that was only guessed: the execution
// that would justify it is not found, so there is no verdict.
// run: flags=-DDEPTH=200 xmm error assertion
// run: flags=-DDEPTH=200 rc11 ok 3
// run: args=--max-calls=100 flags=-DDEPTH=200 xmm incomplete 3
// run: args=--max-calls=100 flags=-DDEPTH=200 rc11 ok 3
#include "../common.h"

static atomic_int x, y;

static int deep(int n) {
  return n == 0 ? 0 : deep(n - 1) + 1;
}

static void *one(void *unused) {
  int r = load(&x, rlx);
  if (r == 1)
    deep(DEPTH);
  store(&y, 1, rlx);
  assert(r != 1); // BUG
  return unused;
}

static void *other(void *unused) {
  store(&x, load(&y, rlx), rlx);
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, one, NULL);
  pthread_create(&ids[1], NULL, other, NULL);
  return 0;
}
