// SPDX-License-Identifier: MIT
// A thread counts how often its compare-exchange fails, and multiplies that by
// what it has loaded before, which load buffering makes 1. With 0 the number of
// failures would not matter: they must be explored nevertheless.
// run: imm,armv8,c11,power,riscv error assertion; rc11 ok
// run: flags=-DBEFORE rc11,imm,armv8,c11,riscv ok
#include "../common.h"

atomic_int x, from, to;

static void *counting(void *unused) {
  int old, n = 0, times = 0;
#ifndef BEFORE
  times = load(&from, rlx);
#endif
  old = load(&x, rlx);
  while (!atomic_compare_exchange_strong_explicit(&x, &old, old + 1, rlx, rlx))
    n++;
  int sum = n * times;
  store(&to, 1, rlx);
  assert(sum != 1); // BUG
  return unused;
}

static void *copying(void *unused) {
  store(&from, load(&to, rlx), rlx);
  return unused;
}

static void *adding(void *unused) {
  fetch_add(&x, 1, rlx);
  return unused;
}

int main(void) {
  spawn(counting);
  spawn(copying);
  spawn(adding);
  return 0;
}
