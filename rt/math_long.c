// SPDX-License-Identifier: MIT
// The exact functions of <math.h> for long double: 64 bits of significand, the
// first of which is not left out, and above them sign and exponent.
#include <math.h>
#include <stdint.h>

enum { EXPONENT_MAX = 0x7fff, EXPONENT_BIAS = 0x3fff, SIGN = 0x8000 };

struct parts {
  uint64_t significand;
  uint16_t top; // sign and exponent
};

static struct parts parts_of(long double x) {
  struct parts p;
  __builtin_memcpy(&p.significand, &x, sizeof p.significand);
  __builtin_memcpy(&p.top, (const char *)&x + sizeof p.significand,
                   sizeof p.top);
  return p;
}

static long double of_parts(struct parts p) {
  long double x = 0;
  __builtin_memcpy(&x, &p.significand, sizeof p.significand);
  __builtin_memcpy((char *)&x + sizeof p.significand, &p.top, sizeof p.top);
  return x;
}

static int exponent_of(struct parts p) {
  return (p.top & EXPONENT_MAX) - EXPONENT_BIAS;
}

long double fabsl(long double x) {
  struct parts p = parts_of(x);
  p.top &= EXPONENT_MAX;
  return of_parts(p);
}

long double copysignl(long double x, long double sign) {
  struct parts p = parts_of(x);
  p.top = (uint16_t)((p.top & EXPONENT_MAX) | (parts_of(sign).top & SIGN));
  return of_parts(p);
}

long double fminl(long double x, long double y) {
  return isnan(x) || y < x ? y : x;
}

long double fmaxl(long double x, long double y) {
  return isnan(x) || y > x ? y : x;
}

long double fdiml(long double x, long double y) {
  return isnan(x) || isnan(y) ? NAN : x > y ? x - y : 0;
}

long double truncl(long double x) {
  struct parts p = parts_of(x);
  int exponent = exponent_of(p);
  if (exponent < 0)
    return copysignl(0, x);
  if (exponent < 63)
    p.significand &= ~(((uint64_t)1 << (63 - exponent)) - 1);
  return of_parts(p);
}

long double floorl(long double x) {
  long double whole = truncl(x);
  return whole > x ? whole - 1 : whole;
}

long double ceill(long double x) {
  long double whole = truncl(x);
  return copysignl(whole < x ? whole + 1 : whole, x);
}

long double roundl(long double x) {
  long double whole = truncl(x);
  if (fabsl(x - whole) >= 0.5L)
    whole += copysignl(1, x);
  return copysignl(whole, x);
}

// To the nearest, and of two to the even one: the mode that everybody has.
long double rintl(long double x) {
  long double whole = truncl(x), rest = fabsl(x - whole);
  if (rest > 0.5L || (rest == 0.5L && fmodl(whole, 2) != 0))
    whole += copysignl(1, x);
  return copysignl(whole, x);
}

long double nearbyintl(long double x) {
  return rintl(x);
}

long lroundl(long double x) {
  return (long)roundl(x);
}

long long llroundl(long double x) {
  return (long long)roundl(x);
}

long lrintl(long double x) {
  return (long)rintl(x);
}

long long llrintl(long double x) {
  return (long long)rintl(x);
}

// Long division in base two: every step is exact.
long double fmodl(long double x, long double y) {
  long double rest = fabsl(x), divisor = fabsl(y);
  if (isnan(x) || isnan(y) || isinf(x) || divisor == 0)
    return NAN;
  if (isinf(y) || rest < divisor)
    return x;
  long double part = divisor;
  while (part <= rest / 2)
    part *= 2;
  for (; part >= divisor; part /= 2)
    if (rest >= part)
      rest -= part;
  return copysignl(rest, x);
}

// The fraction is from 0.5 to 1.
long double frexpl(long double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || isnan(x) || isinf(x))
    return x;
  while (fabsl(x) < 0x1p-16000L) { // those without a first bit
    x *= 0x1p100L;
    *exponent -= 100;
  }
  struct parts p = parts_of(x);
  *exponent += exponent_of(p) + 1;
  p.top = (uint16_t)((p.top & SIGN) | (EXPONENT_BIAS - 1));
  return of_parts(p);
}

// Only the last step may round: before it the number has all its bits.
long double ldexpl(long double x, int exponent) {
  int has;
  x = frexpl(x, &has);
  if (x == 0 || isnan(x) || isinf(x))
    return x;
  long rest = (long)has + exponent; // x is below 1
  if (rest > EXPONENT_BIAS + 1)
    return copysignl(INFINITY, x);
  if (rest < -EXPONENT_BIAS - 64)
    return copysignl(0, x);
  struct parts scale = {(uint64_t)1 << 63, EXPONENT_BIAS};
  if (rest > EXPONENT_BIAS)
    return x * 2 *
           of_parts((struct parts){scale.significand, 2 * EXPONENT_BIAS});
  if (rest < 1 - EXPONENT_BIAS) { // it may lose bits: at once
    scale.top = 1;
    return x *
           of_parts((struct parts){scale.significand,
                                   (uint16_t)(rest + 2 * EXPONENT_BIAS - 1)}) *
           of_parts(scale);
  }
  scale.top = (uint16_t)(rest + EXPONENT_BIAS);
  return x * of_parts(scale);
}

long double scalbnl(long double x, int exponent) {
  return ldexpl(x, exponent);
}

long double modfl(long double x, long double *whole) {
  *whole = truncl(x);
  return isinf(x) ? copysignl(0, x) : copysignl(x - *whole, x);
}

// The root of the significand as an integer, bit by bit, and rounded to the
// nearest: it is never halfway between two numbers.
long double sqrtl(long double x) {
  int power;
  if (isnan(x) || x == 0 || (isinf(x) && x > 0))
    return x;
  if (x < 0)
    return NAN;
  uint64_t significand = parts_of(frexpl(x, &power)).significand;
  unsigned __int128 left = (unsigned __int128)significand
                           << (power % 2 ? 63 : 64);
  uint64_t root = 0;
  for (uint64_t bit = (uint64_t)1 << 63; bit > 0; bit >>= 1)
    if ((unsigned __int128)(root | bit) * (root | bit) <= left)
      root |= bit;
  left -= (unsigned __int128)root * root;
  long double result = (long double)root + (left > root ? 1 : 0);
  return ldexpl(result, (power + (power % 2 ? 1 : 0)) / 2 - 64);
}
