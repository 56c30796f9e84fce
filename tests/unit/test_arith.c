// SPDX-License-Identifier: MIT
// Arithmetic of the checked program against the compiler's own, at the edges.
#include "unit/machine.h"

#include <math.h>

// main() { r0 = x; r1 = y; return r0 OP r1; } with x and y in shared memory,
// so that one program serves all operands.
static void binary_program(enum op op, uint64_t imm, unsigned result_slot) {
  begin();
  uint64_t x = global("x", 8), y = global("y", 8);
  func("main", 0, 1);
  load(0, x, 8);
  load(1, y, 8);
  emit(op, 2, 0, 1, imm);
  ret(2 + result_slot);
  start();
}

static state_id apply(uint64_t x, uint64_t y) {
  return vm_step(V, vm_step(V, vm_main(V), x), y);
}

static const uint64_t numbers[] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   8,
                                   31,
                                   32,
                                   33,
                                   63,
                                   64,
                                   127,
                                   128,
                                   255,
                                   256,
                                   32767,
                                   32768,
                                   65535,
                                   65536,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x100000000,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xfffffffffffffffe,
                                   0xffffffffffffffff,
                                   0x123456789abcdef0};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

// What C says, or UB. Written with the compiler's own types, unlike the vm.
enum { VALUE, UB_OVERFLOW, UB_ZERO, UB_SHIFT, UB_DIVISION };
#define MODEL(N)                                                               \
  static int c##N(enum op op, uint64_t x64, uint64_t y64, uint64_t *out) {     \
    uint##N##_t x = (uint##N##_t)x64, y = (uint##N##_t)y64;                    \
    int##N##_t sx = (int##N##_t)x, sy = (int##N##_t)y, s = 0;                  \
    bool over = false;                                                         \
    switch (op) {                                                              \
    case OP_add:                                                               \
      over = __builtin_add_overflow(sx, sy, &s);                               \
      break;                                                                   \
    case OP_sub:                                                               \
      over = __builtin_sub_overflow(sx, sy, &s);                               \
      break;                                                                   \
    case OP_mul:                                                               \
      over = __builtin_mul_overflow(sx, sy, &s);                               \
      break;                                                                   \
    case OP_udiv:                                                              \
    case OP_urem:                                                              \
      if (y == 0)                                                              \
        return UB_ZERO;                                                        \
      s = (int##N##_t)(op == OP_udiv ? x / y : x % y);                         \
      break;                                                                   \
    case OP_sdiv:                                                              \
    case OP_srem:                                                              \
      if (y == 0)                                                              \
        return UB_ZERO;                                                        \
      if (sx == INT##N##_MIN && sy == -1)                                      \
        return UB_DIVISION;                                                    \
      s = (int##N##_t)(op == OP_sdiv ? sx / sy : sx % sy);                     \
      break;                                                                   \
    default:                                                                   \
      if (y >= N)                                                              \
        return UB_SHIFT;                                                       \
      s = (int##N##_t)(op == OP_shl    ? (uint64_t)x << y                      \
                       : op == OP_lshr ? (uint64_t)(x >> y)                    \
                                       : (uint64_t)(int64_t)(sx >> y));        \
    }                                                                          \
    *out = (uint##N##_t)s;                                                     \
    return over ? UB_OVERFLOW : VALUE;                                         \
  }
MODEL(8)
MODEL(16)
MODEL(32)
MODEL(64)

static int c_says(enum op op, unsigned w, uint64_t x, uint64_t y,
                  uint64_t *out) {
  return w == 8    ? c8(op, x, y, out)
         : w == 16 ? c16(op, x, y, out)
         : w == 32 ? c32(op, x, y, out)
                   : c64(op, x, y, out);
}

static void compare_with_c(enum op op, unsigned w) {
  static const enum finding_kind kinds[] = {0, FIND_OVERFLOW, FIND_DIV_BY_ZERO,
                                            FIND_SHIFT, FIND_DIV_OVERFLOW};
  uint64_t mask = UINT64_MAX >> (64 - w), want = 0;
  for (unsigned i = 0; i < NUMBERS; i++)
    for (unsigned j = 0; j < NUMBERS; j++) {
      uint64_t x = numbers[i] & mask, y = numbers[j] & mask;
      int ub = c_says(op, w, x, y, &want);
      const struct access *a = at(apply(x, y));
      if (ub)
        CHECK(a->kind == ACC_ERROR && a->value == kinds[ub],
              "%s i%u %llx %llx is undefined", op_name(op), w,
              (unsigned long long)x, (unsigned long long)y);
      else
        CHECK(a->kind == ACC_END && a->value == want,
              "%s i%u %llx %llx: %llx, not %llx", op_name(op), w,
              (unsigned long long)x, (unsigned long long)y,
              (unsigned long long)a->value, (unsigned long long)want);
    }
}

TEST(integers_are_as_in_c) {
  static const enum op ops[] = {OP_add,  OP_sub,  OP_mul, OP_udiv, OP_urem,
                                OP_sdiv, OP_srem, OP_shl, OP_lshr, OP_ashr};
  static const unsigned widths[] = {8, 16, 32, 64};
  for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
    for (unsigned w = 0; w < 4; w++) {
      binary_program(ops[i], widths[w] | IMM_NSW, 0);
      compare_with_c(ops[i], widths[w]);
      finish();
    }
}

TEST(switched_off_findings_wrap) {
  struct vm_config config = vm_config_default();
  config.disabled[FIND_OVERFLOW] = config.disabled[FIND_DIV_BY_ZERO] =
      config.disabled[FIND_SHIFT] = config.disabled[FIND_DIV_OVERFLOW] = true;
  static const struct {
    enum op op;
    uint64_t x, y, want;
  } row[] = {
      {OP_add, 0x7fffffff, 1, 0x80000000},
      {OP_mul, 0x10000, 0x10000, 0},
      {OP_sdiv, 0x80000000, 0xffffffff, 0x80000000},
      {OP_srem, 0x80000000, 0xffffffff, 0},
      {OP_udiv, 5, 0, 0},
      {OP_shl, 3, 32, 3},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    begin_main();
    unsigned x = k(row[i].x), y = k(row[i].y);
    emit(row[i].op, 0, x, y, 32 | IMM_NSW);
    ret(0);
    start_with(config);
    CHECK_EQ(at(vm_main(V))->value, row[i].want, "%s", op_name(row[i].op));
    finish();
  }
}

TEST(warnings_let_the_thread_go_on) {
  struct vm_config config = vm_config_default();
  config.warned[FIND_OVERFLOW] = true;
  begin_main();
  unsigned x = k(0x7fffffff), y = k(1);
  emit(OP_add, 0, x, y, 32 | IMM_NSW);
  ret(0);
  start_with(config);
  CHECK_EQ(at(vm_main(V))->value, 0x80000000, "the sum wraps");
  CHECK_EQ(V->warnings.len, 1, "one warning");
  CHECK_EQ(V->warnings.at[0].kind, FIND_OVERFLOW, "of this kind");
  finish();
}

static uint64_t compute(enum op op, uint64_t x, uint64_t y, uint64_t imm) {
  begin_main();
  unsigned a = k(x), b = k(y);
  emit(op, 0, a, b, imm);
  ret(0);
  return result();
}

TEST(odd_widths_and_bits) {
  CHECK_EQ(compute(OP_sext, 0x1f, 0, 5 | 8 << 8), 0xff, " ");
  CHECK_EQ(compute(OP_sext, 0x0f, 0, 5 | 64 << 8), 0x0f, " ");
  CHECK_EQ(compute(OP_sext, 1, 0, 1 | 32 << 8), 0xffffffff, " ");
  CHECK_EQ(compute(OP_trunc, 0x1234, 0, 8), 0x34, " ");
  CHECK_EQ(compute(OP_popcount, 0xf0f0, 0, 32), 8, " ");
  CHECK_EQ(compute(OP_clz, 0, 0, 32), 32, " ");
  CHECK_EQ(compute(OP_clz, 1, 0, 16), 15, " ");
  CHECK_EQ(compute(OP_ctz, 0, 0, 16), 16, " ");
  CHECK_EQ(compute(OP_ctz, 8, 0, 64), 3, " ");
  CHECK_EQ(compute(OP_bswap, 0x11223344, 0, 32), 0x44332211, " ");
  CHECK_EQ(compute(OP_bswap, 0x1122, 0, 16), 0x2211, " ");
  CHECK_EQ(compute(OP_umulh, UINT64_MAX, UINT64_MAX, 0), UINT64_MAX - 1, " ");
  CHECK_EQ(compute(OP_slt, 0xff, 1, 8), 1, " ");
  CHECK_EQ(compute(OP_ult, 0xff, 1, 8), 0, " ");
  CHECK_EQ(compute(OP_sle, 0x80000000, 0x7fffffff, 32), 1, " ");
  CHECK_EQ(compute(OP_xor, 6, 6, 0), 0, " ");
}

static void check_overflow(enum op op, unsigned w, uint64_t x, uint64_t y,
                           uint64_t value, bool over) {
  for (unsigned slot = 0; slot < 2; slot++) {
    binary_program(op, w, slot);
    CHECK_EQ(at(apply(x, y))->value, slot ? over : value, "%s i%u slot %u",
             op_name(op), w, slot);
    finish();
  }
}

TEST(overflow_bits) {
  check_overflow(OP_sadd_ov, 32, 0x7fffffff, 1, 0x80000000, true);
  check_overflow(OP_sadd_ov, 32, 0xffffffff, 1, 0, false);
  check_overflow(OP_uadd_ov, 32, 0xffffffff, 1, 0, true);
  check_overflow(OP_uadd_ov, 64, UINT64_MAX, 1, 0, true);
  check_overflow(OP_usub_ov, 8, 1, 2, 0xff, true);
  check_overflow(OP_ssub_ov, 8, 0x80, 1, 0x7f, true);
  check_overflow(OP_smul_ov, 64, UINT64_C(1) << 62, 2, UINT64_C(1) << 63, true);
  check_overflow(OP_umul_ov, 32, 0x10000, 0x10000, 0, true);
  check_overflow(OP_umul_ov, 64, UINT64_C(1) << 63, 2, 0, true);
  check_overflow(OP_umul_ov, 32, 0xffff, 0x10001, 0xffffffff, false);
}

static uint64_t bits32(float f) {
  uint32_t v;
  memcpy(&v, &f, 4);
  return v;
}

TEST(floats) {
  volatile float third = 1.0f / 3.0f, tenth = 0.1f;
  CHECK_EQ(compute(OP_fadd, bits(0.1), bits(0.2), 64), bits(0.1 + 0.2), " ");
  CHECK_EQ(compute(OP_fmul, bits32(third), bits32(tenth), 32),
           bits32(third * tenth), " ");
  CHECK_EQ(compute(OP_fdiv, bits(1), bits(0), 64), bits(INFINITY), " ");
  CHECK_EQ(compute(OP_frem, bits(7.5), bits(2), 64), bits(1.5), " ");
  CHECK_EQ(compute(OP_fneg, bits32(1.5f), 0, 32), bits32(-1.5f), " ");
  CHECK_EQ(compute(OP_fneg, bits(0), 0, 64), bits(-0.0), " ");
  CHECK_EQ(compute(OP_fptosi, bits(-3.99), 0, 64 | 32 << 8), (uint32_t)-3, " ");
  CHECK_EQ(compute(OP_fptosi, bits(1e30), 0, 64 | 32 << 8), INT32_MAX, " ");
  CHECK_EQ(compute(OP_fptosi, bits(-1e30), 0, 64 | 64 << 8),
           (uint64_t)INT64_MIN, " ");
  CHECK_EQ(compute(OP_fptosi, bits(NAN), 0, 64 | 32 << 8), 0, " ");
  CHECK_EQ(compute(OP_fptoui, bits(1e30), 0, 64 | 64 << 8), UINT64_MAX, " ");
  CHECK_EQ(compute(OP_fptoui, bits(-0.5), 0, 64 | 8 << 8), 0, " ");
  CHECK_EQ(compute(OP_sitofp, 0xff, 0, 8 | 64 << 8), bits(-1), " ");
  CHECK_EQ(compute(OP_uitofp, UINT64_MAX, 0, 64 | 32 << 8),
           bits32((float)UINT64_MAX), " ");
  CHECK_EQ(compute(OP_sitofp, 0x20000010000001, 0, 64 | 32 << 8),
           bits32((float)0x20000010000001), "rounded once");
  CHECK_EQ(compute(OP_fpconv, bits(1e300), 0, 64 | 32 << 8), bits32(INFINITY),
           " ");
  CHECK_EQ(compute(OP_fpconv, bits32(0.1f), 0, 32 | 64 << 8),
           bits((double)0.1f), " ");
}

TEST(float_predicates) {
  enum { OEQ = 1, OGT = 2, OLT = 4, ORD = 7, UNO = 8, UNE = 14 };
  uint64_t one = bits(1), two = bits(2), nan = bits(NAN);
  CHECK_EQ(compute(OP_fcmp, one, one, 64 | OEQ << 8), 1, " ");
  CHECK_EQ(compute(OP_fcmp, one, two, 64 | OLT << 8), 1, " ");
  CHECK_EQ(compute(OP_fcmp, one, two, 64 | OGT << 8), 0, " ");
  CHECK_EQ(compute(OP_fcmp, nan, one, 64 | ORD << 8), 0, " ");
  CHECK_EQ(compute(OP_fcmp, nan, nan, 64 | UNO << 8), 1, " ");
  CHECK_EQ(compute(OP_fcmp, nan, nan, 64 | UNE << 8), 1, " ");
  CHECK_EQ(compute(OP_fcmp, one, two, 64 | 15 << 8), 1, "always true");
  CHECK_EQ(compute(OP_fcmp, bits(0), bits(-0.0), 64 | OEQ << 8), 1, " ");
}
