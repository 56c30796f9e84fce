// SPDX-License-Identifier: MIT
// Inline assembly that Heddle understands: a compiler barrier is nothing, a
// full fence of the machine is an sc fence.
// run: flags=-DBARRIER="" sc ok 3; rc11 ok 4
// run: flags=-DBARRIER=mfence sc,rc11 ok 3
// run: flags=-DBARRIER=nop sc ok 3; rc11 ok 4
#include "../common.h"

#define STRING(x) #x
#define TEXT(x) STRING(x)

static atomic_int x, y;

static void *first(void *unused) {
  store(&x, 1, rlx);
  __asm__ volatile(TEXT(BARRIER)::: "memory");
  load(&y, rlx);
  return unused;
}

static void *second(void *unused) {
  store(&y, 1, rlx);
  __asm__ volatile(TEXT(BARRIER)::: "memory");
  load(&x, rlx);
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  return 0;
}
