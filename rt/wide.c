// SPDX-License-Identifier: MIT
// Division of 128-bit integers: bit by bit, as on paper.
#include "builtin.h"

typedef unsigned __int128 wide;

wide __heddle_udiv128(wide a, wide b);
wide __heddle_urem128(wide a, wide b);
wide __heddle_sdiv128(wide a, wide b);
wide __heddle_srem128(wide a, wide b);

static int width_of(wide a) {
  unsigned long high = (unsigned long)(a >> 64), low = (unsigned long)a;
  return high ? 128 - __builtin_clzl(high) : low ? 64 - __builtin_clzl(low) : 0;
}

wide __heddle_udiv128(wide a, wide b) {
  if (b == 0)
    __heddle_fail(FIND_DIV_BY_ZERO, "division by zero");
  if (a >> 64 == 0 && b >> 64 == 0)
    return (unsigned long)a / (unsigned long)b;
  wide quotient = 0;
  for (int i = width_of(a) - width_of(b); i >= 0; i--)
    if (a >= b << i) {
      a -= b << i;
      quotient |= (wide)1 << i;
    }
  return quotient;
}

wide __heddle_urem128(wide a, wide b) {
  return a - b * __heddle_udiv128(a, b);
}

static int is_negative(wide a) {
  return (int)(a >> 127);
}

static wide magnitude(wide a) {
  return is_negative(a) ? 0 - a : a;
}

static void check_overflow(wide a, wide b) {
  if (a == (wide)1 << 127 && b + 1 == 0)
    __heddle_fail(FIND_DIV_OVERFLOW,
                  "the smallest number divided by -1 does not fit");
}

wide __heddle_sdiv128(wide a, wide b) {
  check_overflow(a, b);
  wide quotient = __heddle_udiv128(magnitude(a), magnitude(b));
  return is_negative(a) != is_negative(b) ? 0 - quotient : quotient;
}

wide __heddle_srem128(wide a, wide b) {
  check_overflow(a, b);
  wide rest = __heddle_urem128(magnitude(a), magnitude(b));
  return is_negative(a) ? 0 - rest : rest;
}
