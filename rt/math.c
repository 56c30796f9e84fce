// SPDX-License-Identifier: MIT
// The exact functions of <math.h>, on the bits of a double. The float forms go
// through double, which is exact for all of them.
#include <math.h>
#include <stdint.h>

enum { FRACTION_BITS = 52, EXPONENT_MAX = 0x7ff, EXPONENT_BIAS = 0x3ff };

static uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double of_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static const uint64_t sign_bit = (uint64_t)1 << 63;

double fabs(double x) {
  return of_bits(bits_of(x) & ~sign_bit);
}

double copysign(double x, double sign) {
  return of_bits((bits_of(x) & ~sign_bit) | (bits_of(sign) & sign_bit));
}

double fmin(double x, double y) {
  return isnan(x) || y < x ? y : x;
}

double fmax(double x, double y) {
  return isnan(x) || y > x ? y : x;
}

double trunc(double x) {
  uint64_t bits = bits_of(x);
  int exponent = (int)(bits >> FRACTION_BITS & EXPONENT_MAX) - EXPONENT_BIAS;
  if (exponent < 0)
    return of_bits(bits & sign_bit);
  if (exponent >= FRACTION_BITS)
    return x;
  return of_bits(bits & ~(((uint64_t)1 << (FRACTION_BITS - exponent)) - 1));
}

double floor(double x) {
  double whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}

double ceil(double x) {
  double whole = trunc(x);
  return copysign(whole < x ? whole + 1 : whole, x);
}

double round(double x) {
  double whole = trunc(x);
  if (fabs(x - whole) >= 0.5)
    whole += copysign(1, x);
  return copysign(whole, x);
}

// To the nearest, and of two to the even one: the mode that everybody has.
double rint(double x) {
  double whole = trunc(x), rest = fabs(x - whole);
  if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0))
    whole += copysign(1, x);
  return copysign(whole, x);
}

double nearbyint(double x) {
  return rint(x);
}

long lround(double x) {
  return (long)round(x);
}

long long llround(double x) {
  return (long long)round(x);
}

long lrint(double x) {
  return (long)rint(x);
}

long long llrint(double x) {
  return (long long)rint(x);
}

double fdim(double x, double y) {
  return isnan(x) || isnan(y) ? NAN : x > y ? x - y : 0;
}

// Those of long double are exact; only what they yield may be rounded.
double frexp(double x, int *exponent) {
  return (double)frexpl((long double)x, exponent);
}

double ldexp(double x, int exponent) {
  return (double)ldexpl((long double)x, exponent);
}

double scalbn(double x, int exponent) {
  return ldexp(x, exponent);
}

double modf(double x, double *whole) {
  *whole = trunc(x);
  return isinf(x) ? copysign(0, x) : copysign(x - *whole, x);
}

// Long division in base two: every step is exact.
double fmod(double x, double y) {
  double rest = fabs(x), divisor = fabs(y);
  if (isnan(x) || isnan(y) || isinf(x) || divisor == 0)
    return NAN;
  if (isinf(y) || rest < divisor)
    return x;
  double part = divisor;
  while (part <= rest / 2)
    part *= 2;
  for (; part >= divisor; part /= 2)
    if (rest >= part)
      rest -= part;
  return copysign(rest, x);
}

// The root of the fraction as an integer, bit by bit; rounded to nearest. The
// root of a number with 106 bits has 53, and is never halfway between two.
double sqrt(double x) {
  if (isnan(x) || x == 0 || (isinf(x) && x > 0))
    return x;
  if (x < 0)
    return NAN;
  int exponent = 0;
  for (; x < 0x1p-500; exponent -= 100)
    x *= 0x1p200;
  uint64_t bits = bits_of(x);
  int power = (int)(bits >> FRACTION_BITS) - EXPONENT_BIAS - FRACTION_BITS;
  uint64_t fraction = (bits & (((uint64_t)1 << FRACTION_BITS) - 1)) |
                      (uint64_t)1 << FRACTION_BITS;
  if (power % 2 != 0) {
    fraction *= 2;
    power--;
  }
  // fraction * 2^56 has a root of 54 or 55 bits: one or two more than needed.
  unsigned __int128 rest = (unsigned __int128)fraction << 56;
  uint64_t root = 0;
  for (uint64_t bit = (uint64_t)1 << 54; bit > 0; bit >>= 1) {
    unsigned __int128 square = (unsigned __int128)(root | bit) * (root | bit);
    if (square <= rest)
      root |= bit;
  }
  if ((unsigned __int128)root * root != rest)
    root |= 1; // inexact: keeps the conversion below from seeing a tie
  double scale = of_bits((uint64_t)(power / 2 - 28 + exponent + EXPONENT_BIAS)
                         << FRACTION_BITS);
  return (double)root * scale;
}

float fabsf(float x) {
  return (float)fabs((double)x);
}

float copysignf(float x, float sign) {
  return (float)copysign((double)x, (double)sign);
}

float fminf(float x, float y) {
  return (float)fmin((double)x, (double)y);
}

float fmaxf(float x, float y) {
  return (float)fmax((double)x, (double)y);
}

float truncf(float x) {
  return (float)trunc((double)x);
}

float floorf(float x) {
  return (float)floor((double)x);
}

float ceilf(float x) {
  return (float)ceil((double)x);
}

float roundf(float x) {
  return (float)round((double)x);
}

float rintf(float x) {
  return (float)rint((double)x);
}

float nearbyintf(float x) {
  return (float)rint((double)x);
}

float fmodf(float x, float y) {
  return (float)fmod((double)x, (double)y);
}

float sqrtf(float x) {
  return (float)sqrt((double)x);
}
