// SPDX-License-Identifier: MIT
// The exact functions of <math.h> for long double: 64 bits of significand, the
// first of which is not left out, and above them sign and exponent.
#include <errno.h>
#include <limits.h>
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
  if (rest > 0.5L || (rest == 0.5L && whole / 2 != truncl(whole / 2)))
    whole += copysignl(1, x);
  return copysignl(whole, x);
}

long double nearbyintl(long double x) {
  return rintl(x);
}

static long to_long(long double x) { // as in math.c
  return x >= -0x1p63L && x < 0x1p63L ? (long)x : LONG_MIN;
}

long lroundl(long double x) {
  return to_long(roundl(x));
}

long long llroundl(long double x) {
  return to_long(roundl(x));
}

long lrintl(long double x) {
  return to_long(rintl(x));
}

long long llrintl(long double x) {
  return to_long(rintl(x));
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
static long double scale(long double x, int exponent) {
  int has;
  x = frexpl(x, &has);
  if (x == 0 || isnan(x) || isinf(x))
    return x;
  long rest = (long)has + exponent; // x is below 1
  if (rest > EXPONENT_BIAS + 1)
    return copysignl(INFINITY, x);
  if (rest < -EXPONENT_BIAS - 64)
    return copysignl(0, x);
  struct parts factor = {(uint64_t)1 << 63, EXPONENT_BIAS};
  if (rest > EXPONENT_BIAS)
    return x * 2 *
           of_parts((struct parts){factor.significand, 2 * EXPONENT_BIAS});
  if (rest < 1 - EXPONENT_BIAS) { // it may lose bits: at once
    factor.top = 1;
    return x *
           of_parts((struct parts){factor.significand,
                                   (uint16_t)(rest + 2 * EXPONENT_BIAS - 1)}) *
           of_parts(factor);
  }
  factor.top = (uint16_t)(rest + EXPONENT_BIAS);
  return x * of_parts(factor);
}

long double ldexpl(long double x, int exponent) {
  long double result = scale(x, exponent);
  if (isfinite(x) && x != 0 && (isinf(result) || result == 0))
    errno = ERANGE;
  return result;
}

long double scalbnl(long double x, int exponent) {
  return ldexpl(x, exponent);
}

long double modfl(long double x, long double *whole) {
  *whole = truncl(x);
  return isinf(x) ? copysignl(0, x) : copysignl(x - *whole, x);
}

long double nanl(const char *tag) {
  (void)tag;
  return NAN;
}

int ilogbl(long double x) {
  int exponent;
  if (x != 0 && isfinite(x)) {
    frexpl(x, &exponent);
    return exponent - 1;
  }
  errno = EDOM;
  return isinf(x) ? INT_MAX : x == 0 ? FP_ILOGB0 : FP_ILOGBNAN;
}
