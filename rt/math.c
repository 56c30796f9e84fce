// SPDX-License-Identifier: MIT
// The exact functions of <math.h>, on the bits of a double. The float forms go
// through double, which is exact for all of them.
#include <errno.h>
#include <limits.h>
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
  if (rest > 0.5 || (rest == 0.5 && whole / 2 != trunc(whole / 2)))
    whole += copysign(1, x);
  return copysign(whole, x);
}

double nearbyint(double x) {
  return rint(x);
}

// What does not fit is unspecified, not undefined: as x86-64 has it.
static long to_long(double x) {
  return x >= -0x1p63 && x < 0x1p63 ? (long)x : LONG_MIN;
}

long lround(double x) {
  return to_long(round(x));
}

long long llround(double x) {
  return to_long(round(x));
}

long lrint(double x) {
  return to_long(rint(x));
}

long long llrint(double x) {
  return to_long(rint(x));
}

double nan(const char *tag) {
  (void)tag; // what is said there is up to the library
  return NAN;
}

float nanf(const char *tag) {
  (void)tag;
  return NAN;
}

int ilogb(double x) {
  return ilogbl((long double)x);
}

int ilogbf(float x) {
  return ilogbl((long double)x);
}

// Those of long double are exact; only what they yield may be rounded.
double frexp(double x, int *exponent) {
  return (double)frexpl((long double)x, exponent);
}

double ldexp(double x, int exponent) {
  double result = (double)ldexpl((long double)x, exponent);
  if (isfinite(x) && x != 0 && (isinf(result) || result == 0))
    errno = ERANGE;
  return result;
}

double scalbn(double x, int exponent) {
  return ldexp(x, exponent);
}

double modf(double x, double *whole) {
  *whole = trunc(x);
  return isinf(x) ? copysign(0, x) : copysign(x - *whole, x);
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

long lroundf(float x) {
  return lround((double)x);
}

long long llroundf(float x) {
  return lround((double)x);
}

long lrintf(float x) {
  return lrint((double)x);
}

long long llrintf(float x) {
  return lrint((double)x);
}

float frexpf(float x, int *exponent) {
  return (float)frexp((double)x, exponent);
}

float ldexpf(float x, int exponent) {
  float result = (float)ldexpl((long double)x, exponent);
  if (isfinite(x) && x != 0 && (isinf(result) || result == 0))
    errno = ERANGE;
  return result;
}

float scalbnf(float x, int exponent) {
  return ldexpf(x, exponent);
}

float modff(float x, float *whole) {
  *whole = truncf(x);
  return isinf(x) ? copysignf(0, x) : copysignf(x - *whole, x);
}
