// SPDX-License-Identifier: MIT
// tzcnt and lzcnt, which older processors do not have: of 0 they yield the
// width, and the carry says so.
// run: sc,rc11 ok 1
#include "../common.h"

static unsigned trailing(unsigned x, unsigned char *is_none) {
  unsigned n = 99;
  __asm__("tzcntl %2, %0\n\tsetc %1" : "=r"(n), "=q"(*is_none) : "r"(x) : "cc");
  return n;
}

static unsigned long leading(unsigned long x) {
  unsigned long n;
  __asm__("lzcntq %1, %0" : "=r"(n) : "rm"(x) : "cc");
  return n;
}

int main(void) {
  unsigned char is_none;
  assert(trailing(8, &is_none) == 3 && !is_none);
  assert(trailing(0, &is_none) == 32 && is_none);
  assert(leading(1) == 63 && leading(0) == 64 && leading(~0ul) == 0);
  return 0;
}
