// SPDX-License-Identifier: MIT
// Division of 128-bit integers, bit by bit, as on paper; and what they are as
// floating-point numbers.
#include "builtin.h"

typedef unsigned __int128 wide;

wide __heddle_udiv128(wide a, wide b);
wide __heddle_urem128(wide a, wide b);
wide __heddle_sdiv128(wide a, wide b);
wide __heddle_srem128(wide a, wide b);
float __heddle_u128_to_float(wide a);
float __heddle_s128_to_float(wide a);
double __heddle_u128_to_double(wide a);
double __heddle_s128_to_double(wide a);
long double __heddle_u128_to_extended(wide a);
long double __heddle_s128_to_extended(wide a);
wide __heddle_float_to_u128(float x);
wide __heddle_float_to_s128(float x);
wide __heddle_double_to_u128(double x);
wide __heddle_double_to_s128(double x);
wide __heddle_extended_to_u128(long double x);
wide __heddle_extended_to_s128(long double x);

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

// -- to floating point: rounded once

// The first 64 bits; the last one of them also stands for all that follow, if
// these are not 0. As a number it is `power` as large.
static unsigned long first_bits(wide a, double *power) {
  int more = width_of(a) - 64;
  *power = 1;
  if (more <= 0)
    return (unsigned long)a;
  *power = (double)(1ul << (more - 1)) * 2;
  return (unsigned long)(a >> more) | (a << (128 - more) != 0);
}

float __heddle_u128_to_float(wide a) {
  double power;
  float first = (float)first_bits(a, &power);
  return first * (float)power;
}

double __heddle_u128_to_double(wide a) {
  double power;
  double first = (double)first_bits(a, &power);
  return first * power;
}

// It has room for 64 bits, so only the sum is rounded.
long double __heddle_u128_to_extended(wide a) {
  return (long double)(unsigned long)(a >> 64) * 0x1p64L +
         (long double)(unsigned long)a;
}

float __heddle_s128_to_float(wide a) {
  float x = __heddle_u128_to_float(magnitude(a));
  return is_negative(a) ? -x : x;
}

double __heddle_s128_to_double(wide a) {
  double x = __heddle_u128_to_double(magnitude(a));
  return is_negative(a) ? -x : x;
}

long double __heddle_s128_to_extended(wide a) {
  long double x = __heddle_u128_to_extended(magnitude(a));
  return is_negative(a) ? -x : x;
}

// -- from floating point: what does not fit is the nearest number that does

wide __heddle_extended_to_u128(long double x) {
  if (!(x >= 1))
    return 0;
  if (x >= 0x1p128L)
    return ~(wide)0;
  unsigned long high = (unsigned long)(x * 0x1p-64L);
  return (wide)high << 64 | (unsigned long)(x - (long double)high * 0x1p64L);
}

wide __heddle_extended_to_s128(long double x) {
  const wide least = (wide)1 << 127;
  if (x < 0)
    return x <= -0x1p127L ? least : 0 - __heddle_extended_to_u128(-x);
  return x >= 0x1p127L ? least - 1 : __heddle_extended_to_u128(x);
}

wide __heddle_double_to_u128(double x) {
  return __heddle_extended_to_u128((long double)x);
}

wide __heddle_double_to_s128(double x) {
  return __heddle_extended_to_s128((long double)x);
}

wide __heddle_float_to_u128(float x) {
  return __heddle_extended_to_u128((long double)x);
}

wide __heddle_float_to_s128(float x) {
  return __heddle_extended_to_s128((long double)x);
}
