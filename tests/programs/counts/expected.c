// SPDX-License-Identifier: MIT
// A compare-exchange without a load before it: each failure says what to expect
// next. With which of N stores, or with none before it, it succeeds is all that
// differs.
// run: flags=-DN=3 sc,tso,pso,ra,rc11,imm,armv8,c11,power,riscv,armv7 ok 4
// run: flags=-DN=42 rc11,imm,armv8,c11,power ok 43
#include "../common.h"

atomic_int x;

static void *storing(void *unused) {
  for (int i = 1; i <= N; i++)
    store(&x, i, sc);
  return unused;
}

static void *trying(void *unused) {
  int old = 0;
  while (!atomic_compare_exchange_strong(&x, &old, 100)) {
  }
  return unused;
}

int main(void) {
  spawn(storing);
  spawn(trying);
  return 0;
}
