// SPDX-License-Identifier: MIT
// Load buffering that a byte decides on, of an int that main has written before
// it created the threads: all of that is ordered, so the byte is 1. Whoever
// looks for cycles has to know how memory is cut, else the byte is one of its
// own that nobody has written, and a = b = 1 is lost ("No errors" under xmm
// once). With LATE only the thread that reads the 1 looks at the byte, which no
// execution without a cycle has; then it is told that something is missing.
// (In imm and armv8 a store waits for the branch before it.)
// expect: sc ok 3; rc11 ok 3; xmm error assertion; imm error assertion
// expect: armv8 error assertion
// run: args=--definition xmm error assertion
// run: args=--jobs args=2 xmm error assertion
// run: flags=-DLATE xmm incomplete; imm ok 3; armv8 ok 3
// run: flags=-DLATE args=--jobs args=2 xmm incomplete
#include "../common.h"

static atomic_int x, y;
static int word, a, b;

static bool has_byte(void) {
  return *(volatile char *)&word;
}

static void *reads_x(void *unused) {
  a = load(&x, rlx);
#ifdef LATE
  if (a == 0 || has_byte())
#endif
    store(&y, 1, rlx);
  return unused;
}

static void *reads_y(void *unused) {
  b = load(&y, rlx);
#ifndef LATE
  if (has_byte())
#endif
    store(&x, b, rlx);
  return unused;
}

int main(void) {
  pthread_t one, two;
  word = 1;
  pthread_create(&one, NULL, reads_x, NULL);
  pthread_create(&two, NULL, reads_y, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(!(a == 1 && b == 1)); // BUG
  return 0;
}
