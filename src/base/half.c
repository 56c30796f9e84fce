// SPDX-License-Identifier: MIT
// Half precision is cut out of double: scaled so that its last bit is the last
// one before the point, and rounded there.
#include "base/half.h"

#include <math.h>

// A sign, 5 bits of exponent, 10 of what follows the leading one.
enum { HALF_INFINITE = 0x7c00, HALF_SIGN = 0x8000, HALF_QUIET = 0x200 };

double half_of(uint16_t bits) {
  int exponent = bits >> 10 & 31, rest = bits & 1023;
  double size = exponent == 31 ? (rest ? (double)NAN : (double)INFINITY)
                : exponent     ? ldexp(1024 + rest, exponent - 25)
                               : ldexp(rest, -24);
  return bits & HALF_SIGN ? -size : size;
}

uint16_t half_bits(double d) {
  enum { LEAST = -14 }; // exponent; below that, numbers have a fixed point
  unsigned sign = signbit(d) ? HALF_SIGN : 0;
  double size = fabs(d);
  int exponent = size >= ldexp(1, LEAST) ? ilogb(size) : LEAST;
  if (isnan(d))
    return (uint16_t)(sign | HALF_INFINITE | HALF_QUIET);
  if (size >= 65520) // half way from the largest number to the next
    return (uint16_t)(sign | HALF_INFINITE);
  // A carry out of what follows the leading one adds to the exponent.
  unsigned whole = (unsigned)rint(ldexp(size, 10 - exponent));
  unsigned above = (unsigned)(exponent - LEAST) << 10;
  return (uint16_t)(sign | (above + whole));
}
