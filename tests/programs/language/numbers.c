// SPDX-License-Identifier: MIT
// Arithmetic of all widths, conversions, floats, bit-fields, 128 bits, VLAs.
// expect: sc,rc11 ok 1
#include "../common.h"
#include <limits.h>

struct bits {
  unsigned a : 3;
  signed b : 5;
  unsigned c : 24;
};

static long vla_sum(int n) {
  long v[n], sum = 0;
  for (int i = 0; i < n; i++)
    v[i] = i * i;
  for (int i = 0; i < n; i++)
    sum += v[i];
  return sum;
}

int main(void) {
  unsigned char narrow = 250;
  narrow = (unsigned char)(narrow + 10);
  assert(narrow == 4);
  assert((signed char)200 == -56 && (unsigned short)-1 == 65535);
  assert(-7 / 2 == -3 && -7 % 2 == -1 && 7u / 2 == 3);
  assert(INT_MAX + 1u == 0x80000000u);
  assert((1ull << 63) >> 63 == 1 && (int)0x80000000 >> 31 == -1);

  double d = 0.1 + 0.2;
  assert(d > 0.3 && d < 0.3000001 && (int)-2.7 == -2);
  float f = 16777216.0f;
  assert(f + 1 == f && (long)1e10 == 10000000000);
  assert((unsigned long)1.8e19 == 18000000000000000000ul);

  struct bits s = {.a = 5, .b = -3, .c = 0xabcdef};
  s.b -= 4;
  s.a++;
  assert(s.a == 6 && s.b == -7 && s.c == 0xabcdef);

  unsigned __int128 wide = (unsigned __int128)UINT64_MAX + 1;
  assert((uint64_t)(wide >> 64) == 1 && (uint64_t)wide == 0);
  assert(vla_sum(5) == 30);
  int r;
  assert(__builtin_add_overflow(INT_MAX, 1, &r) && r == INT_MIN);
  assert(!__builtin_mul_overflow(6, 7, &r) && r == 42);
  assert(__builtin_popcount(0xf0) == 4 && __builtin_clz(1) == 31);
  assert(__builtin_ctz(8) == 3 && __builtin_bswap32(0x11223344) == 0x44332211);
  return 0;
}
