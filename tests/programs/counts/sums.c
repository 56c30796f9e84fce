// SPDX-License-Identifier: MIT
// Two threads add each other's last number to their own, all relaxed. What a
// thread stores depends on what it loaded, by way of what it stored before too,
// so there is no load buffering in models that track dependencies.
// run: flags=-DN=3 rc11,imm,armv8,c11,xmm,power,riscv,armv7 ok 175
// run: flags=-DN=4 rc11,imm,armv8,c11,power ok 1764; xmm incomplete
// run: big flags=-DN=5 rc11,imm,armv8 ok 19404
#include "../common.h"

atomic_int x = 1, y = 1;

static void *left(void *unused) {
  for (int i = 0; i < N; i++)
    store(&x, load(&x, rlx) + load(&y, rlx), rlx);
  return unused;
}

static void *right(void *unused) {
  for (int i = 0; i < N; i++)
    store(&y, load(&x, rlx) + load(&y, rlx), rlx);
  return unused;
}

int main(void) {
  spawn(left);
  spawn(right);
  return 0;
}
