// SPDX-License-Identifier: MIT
// The arithmetic of the checked program, defined for every input: integers of
// w bits are kept zero-extended, results are cut to w bits, and whether the
// operation was undefined in C is an answer, never behaviour of ours.
#pragma once

#include "base/half.h"
#include "bytecode/prog.h"

#include <math.h>
#include <string.h>

static inline uint64_t cut(uint64_t v, unsigned w) {
  return v & UINT64_MAX >> (64 - w);
}

static inline int64_t signed_of(uint64_t v, unsigned w) {
  return (int64_t)(v << (64 - w)) >> (64 - w);
}

static inline bool fits_signed(__int128 v, unsigned w) {
  return v == signed_of((uint64_t)v, w);
}

// The exact results; 64-bit operands never leave 128 bits.
static inline __int128 signed_add(uint64_t x, uint64_t y, unsigned w) {
  return (__int128)signed_of(x, w) + signed_of(y, w);
}

static inline __int128 signed_sub(uint64_t x, uint64_t y, unsigned w) {
  return (__int128)signed_of(x, w) - signed_of(y, w);
}

static inline __int128 signed_mul(uint64_t x, uint64_t y, unsigned w) {
  return (__int128)signed_of(x, w) * signed_of(y, w);
}

static inline uint64_t multiply_high(uint64_t x, uint64_t y) {
  return (uint64_t)((unsigned __int128)x * y >> 64);
}

// Division by a number that is not 0; MIN / -1 gives MIN, remainder 0.
static inline uint64_t signed_div(uint64_t x, uint64_t y, unsigned w) {
  int64_t b = signed_of(y, w);
  return cut(b == -1 ? 0 - x : (uint64_t)(signed_of(x, w) / b), w);
}

static inline uint64_t signed_rem(uint64_t x, uint64_t y, unsigned w) {
  int64_t b = signed_of(y, w);
  return b == -1 ? 0 : cut((uint64_t)(signed_of(x, w) % b), w);
}

static inline bool is_min_by_minus_one(uint64_t x, uint64_t y, unsigned w) {
  return signed_of(y, w) == -1 && x == UINT64_C(1) << (w - 1);
}

static inline unsigned leading_zeros(uint64_t x, unsigned w) {
  return x ? (unsigned)__builtin_clzll(x) - (64 - w) : w;
}

static inline unsigned trailing_zeros(uint64_t x, unsigned w) {
  return x ? (unsigned)__builtin_ctzll(x) : w;
}

static inline uint64_t swap_bytes(uint64_t x, unsigned w) {
  return __builtin_bswap64(x) >> (64 - w);
}

// -- floating point

static inline double float_of(uint64_t bits, unsigned w) {
  float f;
  double d;
  if (w == 16)
    return half_of((uint16_t)bits);
  uint32_t low = (uint32_t)bits;
  memcpy(&f, &low, sizeof f);
  memcpy(&d, &bits, sizeof d);
  return w == 32 ? (double)f : d;
}

// A double holds the exact operands of smaller types, and rounding its
// correctly rounded result again is harmless for + - * / (53 >= 2 * 24 + 2).
static inline uint64_t float_bits(double d, unsigned w) {
  if (w == 16)
    return half_bits(d);
  float f = (float)d;
  uint32_t low;
  uint64_t bits;
  memcpy(&low, &f, sizeof low);
  memcpy(&bits, &d, sizeof bits);
  return w == 32 ? low : bits;
}

uint64_t float_op(enum op op, uint64_t x, uint64_t y, unsigned w);
// LLVM's real predicates: bit 0 equal, 1 greater, 2 less, 3 unordered.
bool float_compare(unsigned predicate, uint64_t x, uint64_t y, unsigned w);
bool float_fits(double d, unsigned to, bool is_signed);
// Conversions; numbers that do not fit give the nearest one, NaN gives 0.
uint64_t float_to_signed(uint64_t x, unsigned from, unsigned to);
uint64_t float_to_unsigned(uint64_t x, unsigned from, unsigned to);
uint64_t signed_to_float(uint64_t x, unsigned from, unsigned to);
uint64_t unsigned_to_float(uint64_t x, unsigned to);
