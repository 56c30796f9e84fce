// SPDX-License-Identifier: MIT
// Floating point is computed by the host in the type of the operands.
#include "vm/arith.h"

static double apply(enum op op, double x, double y) {
  switch (op) {
  case OP_fadd:
    return x + y;
  case OP_fsub:
    return x - y;
  case OP_fmul:
    return x * y;
  case OP_fdiv:
    return x / y;
  default:
    check(op == OP_frem);
    return fmod(x, y);
  }
}

uint64_t float_op(enum op op, uint64_t x, uint64_t y, unsigned w) {
  return float_bits(apply(op, float_of(x, w), float_of(y, w)), w);
}

bool float_compare(unsigned predicate, uint64_t x, uint64_t y, unsigned w) {
  double a = float_of(x, w), b = float_of(y, w);
  unsigned outcome = isnan(a) || isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return (predicate & outcome) != 0;
}

bool float_fits(double d, unsigned to, bool is_signed) {
  double whole = trunc(d), limit = ldexp(1, (int)(is_signed ? to - 1 : to));
  return whole < limit && whole >= (is_signed ? -limit : 0);
}

uint64_t float_to_signed(uint64_t x, unsigned from, unsigned to) {
  double d = float_of(x, from), limit = ldexp(1, (int)to - 1);
  uint64_t min = UINT64_C(1) << (to - 1);
  if (isnan(d))
    return 0;
  return d >= limit   ? min - 1
         : d < -limit ? min
                      : cut((uint64_t)(int64_t)d, to);
}

uint64_t float_to_unsigned(uint64_t x, unsigned from, unsigned to) {
  double d = float_of(x, from);
  if (isnan(d) || d <= -1)
    return 0;
  return d >= ldexp(1, (int)to) ? cut(UINT64_MAX, to) : (uint64_t)d;
}

// Straight to float, not by way of double: that would round twice.
uint64_t signed_to_float(uint64_t x, unsigned from, unsigned to) {
  int64_t v = signed_of(x, from);
  return float_bits(to == 32 ? (double)(float)v : (double)v, to);
}

uint64_t unsigned_to_float(uint64_t x, unsigned to) {
  return float_bits(to == 32 ? (double)(float)x : (double)x, to);
}
