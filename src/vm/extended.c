// SPDX-License-Identifier: MIT
// Arithmetic on numbers of 80 bits (bytecode/extended.h), by the host's.
#include "bytecode/extended.h"
#include "bytecode/math.h"
#include "vm/thread.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if LDBL_MANT_DIG == 64

enum { BYTES = 10 };

static long double number_of(const uint64_t v[2]) {
  long double x = 0;
  memcpy(&x, v, BYTES);
  return x;
}

static void put_number(long double x, uint64_t out[2]) {
  out[0] = out[1] = 0;
  memcpy(out, &x, BYTES);
}

// LLVM's predicates are sets: equal 1, greater 2, less 4, not a number 8.
static bool compares(long double x, long double y, unsigned predicate) {
  unsigned is = isunordered(x, y) ? 8 : x < y ? 4 : x > y ? 2 : 1;
  return predicate & is;
}

// What does not fit is what the machine makes of it.
static uint64_t to_signed(long double x) {
  bool fits = x > -0x1p63L - 1 && x < 0x1p63L;
  return fits ? (uint64_t)(int64_t)x : UINT64_C(1) << 63;
}

static uint64_t to_unsigned(long double x) {
  bool fits = x > -1 && x < 0x1p64L;
  return fits ? (uint64_t)x : UINT64_C(1) << 63;
}

static uint64_t float_bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t double_bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static long double from_bits(uint64_t bits, bool is_double) {
  uint32_t low = (uint32_t)bits;
  float single;
  double twice;
  memcpy(&single, &low, sizeof single);
  memcpy(&twice, &bits, sizeof twice);
  return is_double ? (long double)twice : (long double)single;
}

// Operations that yield one word. False: it is none of them.
static bool to_word(unsigned op, long double x, long double y, uint64_t *ret) {
  if (op >= EXTENDED_COMPARE && op <= EXTENDED_COMPARE_LAST) {
    *ret = compares(x, y, op - EXTENDED_COMPARE);
    return true;
  }
  if (op >= EXTENDED_MATH_ERROR) {
    *ret = (uint64_t)math_extended_error(op - EXTENDED_MATH_ERROR, x, y);
    return true;
  }
  switch (op) {
  case EXTENDED_TO_SIGNED:
    *ret = to_signed(x);
    return true;
  case EXTENDED_TO_UNSIGNED:
    *ret = to_unsigned(x);
    return true;
  case EXTENDED_TO_FLOAT:
    *ret = float_bits_of((float)x);
    return true;
  case EXTENDED_TO_DOUBLE:
    *ret = double_bits_of((double)x);
    return true;
  default:
    return false;
  }
}

// `word` is the first part of x, if that is no such number.
static long double to_number(unsigned op, uint64_t word, long double x,
                             long double y) {
  switch (op) {
  case EXTENDED_ADD:
    return x + y;
  case EXTENDED_SUB:
    return x - y;
  case EXTENDED_MUL:
    return x * y;
  case EXTENDED_DIV:
    return x / y;
  case EXTENDED_REM:
    return fmodl(x, y);
  case EXTENDED_NEG:
    return -x;
  case EXTENDED_FROM_SIGNED:
    return (long double)(int64_t)word;
  case EXTENDED_FROM_UNSIGNED:
    return (long double)word;
  case EXTENDED_FROM_FLOAT:
    return from_bits(word, false);
  case EXTENDED_FROM_DOUBLE:
    return from_bits(word, true);
  default:
    check(op >= EXTENDED_MATH);
    return math_extended(op - EXTENDED_MATH, x, y);
  }
}

bool extended_compute(unsigned op, const uint64_t x[2], const uint64_t y[2],
                      uint64_t out[2]) {
  long double a = number_of(x), b = number_of(y);
  out[1] = 0;
  if (!to_word(op, a, b, out))
    put_number(to_number(op, x[0], a, b), out);
  return true;
}

bool extended_fits(const uint64_t x[2], unsigned to, bool is_signed) {
  long double whole = truncl(number_of(x)),
              limit = ldexpl(1, (int)(is_signed ? to - 1 : to));
  return whole < limit && whole >= (is_signed ? -limit : 0);
}

int extended_format(char *out, size_t n, unsigned conversion, int precision,
                    const uint64_t x[2]) {
  long double value = number_of(x);
  switch (conversion) {
#define CONVERSION(letter, rest)                                               \
  case letter:                                                                 \
    return snprintf(out, n, "%" rest, precision, value);                       \
  case FORMAT_ALTERNATE | (letter):                                            \
    return snprintf(out, n, "%#" rest, precision, value);
    CONVERSION('e', ".*Le")
    CONVERSION('E', ".*LE")
    CONVERSION('f', ".*Lf")
    CONVERSION('F', ".*LF")
    CONVERSION('g', ".*Lg")
    CONVERSION('G', ".*LG")
    CONVERSION('a', ".*La")
    CONVERSION('A', ".*LA")
#undef CONVERSION
  default:
    return -1;
  }
}

bool extended_fma(unsigned width, const uint64_t v[6], uint64_t out[2]) {
  long double x = number_of(v), y = number_of(v + 2), z = number_of(v + 4);
  put_number(width == 32   ? (long double)fmaf((float)x, (float)y, (float)z)
             : width == 64 ? (long double)fma((double)x, (double)y, (double)z)
                           : fmal(x, y, z),
             out);
  return true;
}

int extended_parse(const char *text, uint64_t out[2]) {
  errno = 0;
  put_number(strtold(text, NULL), out);
  return errno;
}

#else

bool extended_fits(const uint64_t x[2], unsigned to, bool is_signed) {
  (void)x, (void)to, (void)is_signed;
  return true;
}

int extended_format(char *out, size_t n, unsigned conversion, int precision,
                    const uint64_t x[2]) {
  (void)out, (void)n, (void)conversion, (void)precision, (void)x;
  return -1;
}

int extended_parse(const char *text, uint64_t out[2]) {
  (void)text;
  out[0] = out[1] = 0;
  return 0;
}

bool extended_fma(unsigned width, const uint64_t v[6], uint64_t out[2]) {
  (void)width, (void)v, (void)out;
  return false;
}

bool extended_compute(unsigned op, const uint64_t x[2], const uint64_t y[2],
                      uint64_t out[2]) {
  (void)op, (void)x, (void)y, (void)out;
  return false; // this machine has no such numbers
}

#endif
