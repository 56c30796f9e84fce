// SPDX-License-Identifier: MIT
// The interpreter and its states, on hand-made programs. A test steps the vm
// by hand, as the search would, and looks at the accesses it stops at.
#include "vm/vm.h"

#include "tap.h"
#include "unit/program.h"

#include <float.h>
#include <math.h>

static struct vm *V;

static void start_with(struct vm_config config) {
  struct diag why;
  CHECK(prog_finish(P, &why), "%s", why.text);
  V = vm_new(P, &config);
}

static void start(void) {
  start_with(vm_config_default());
}

static void finish(void) {
  vm_free(V);
  prog_free(P);
}

static const struct access *at(state_id s) {
  return vm_access(V, s);
}

// Is `s` at a finding of that kind whose message contains `text`?
static bool is_error(state_id s, enum finding_kind kind, const char *text) {
  bool ok = at(s)->kind == ACC_ERROR && at(s)->value == kind &&
            strstr(vm_text(V, at(s)->value2), text);
  if (!ok)
    printf("# access %u, value %llu: %s\n", at(s)->kind,
           (unsigned long long)at(s)->value,
           at(s)->kind == ACC_ERROR ? vm_text(V, at(s)->value2) : "");
  return ok;
}

// The result of main, which must not stop before its end.
static uint64_t result(void) {
  start();
  state_id s = vm_main(V);
  if (at(s)->kind == ACC_ERROR)
    printf("# %s\n", vm_text(V, at(s)->value2));
  CHECK_EQ(at(s)->kind, ACC_END, "main stops");
  uint64_t value = at(s)->value;
  finish();
  return value;
}

// Expects that main stops at once with a finding.
#define FINDS(kind, text)                                                      \
  do {                                                                         \
    start();                                                                   \
    CHECK(is_error(vm_main(V), FIND_##kind, text), "no %s", #kind);            \
    finish();                                                                  \
  } while (0)

static void begin_main(void) {
  begin();
  func("main", 0, 1);
}

// -- arithmetic

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
enum { VALUE, UB_OVERFLOW, UB_ZERO, UB_SHIFT };
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
        return UB_OVERFLOW;                                                    \
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
                                            FIND_SHIFT};
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
      config.disabled[FIND_SHIFT] = true;
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

static uint64_t bits(double d) {
  uint64_t v;
  memcpy(&v, &d, 8);
  return v;
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

// -- control

// fib(n) by recursion, result in r0 of main.
static void fib_program(uint64_t n) {
  begin();
  func("main", 0, 1);
  uint32_t fib = prog_add_func(P, "fib", 1, 1);
  prog_begin_func(P, 0);
  emit(OP_call, 0, k(n), call_slots(1, 1), fib);
  ret(0);
  prog_begin_func(P, fib);
  uint32_t pc = P->code.len;
  emit(OP_ult, 1, 0, k(2), 32);
  emit(OP_br, 1, 0, 0, imm_targets(pc + 2, pc + 3));
  ret(0);
  emit(OP_sub, 2, 0, k(1), 32);
  emit(OP_call, 3, 2, call_slots(1, 1), fib);
  emit(OP_sub, 2, 0, k(2), 32);
  emit(OP_call, 4, 2, call_slots(1, 1), fib);
  emit(OP_add, 5, 3, 4, 32);
  ret(5);
}

TEST(recursion) {
  fib_program(15);
  CHECK_EQ(result(), 610, " ");
}

TEST(calls_through_pointers) {
  begin();
  func("main", 0, 1);
  uint32_t twice = func("twice", 1, 1);
  emit(OP_add, 1, 0, 0, 32);
  ret(1);
  prog_begin_func(P, 0);
  emit(OP_mov, 0, k(prog_func_address(P, twice)), 0, 0);
  emit(OP_callr, 1, k(21), call_slots(1, 1), 0);
  ret(1);
  CHECK_EQ(result(), 42, " ");
}

static void bad_call_program(uint64_t pointer, unsigned args) {
  begin();
  uint64_t data = global("data", 8);
  func("main", 0, 1);
  emit(OP_mov, 0, k(pointer == 1 ? data : pointer), 0, 0);
  emit(OP_callr, 1, 2, call_slots(args, 1), 0);
  ret(1);
}

TEST(bad_calls) {
  bad_call_program(0, 0);
  FINDS(BAD_CALL, "null pointer");
  bad_call_program(1, 0);
  FINDS(BAD_CALL, "no function");
}

TEST(wrong_arguments) {
  begin();
  func("main", 0, 1);
  emit(OP_mov, 0, k(prog_func_address(P, 0)), 0, 0);
  emit(OP_callr, 1, 2, call_slots(3, 1), 0);
  ret(1);
  FINDS(BAD_CALL, "wrong arguments (of `main`)");
  begin_main();
  emit(OP_undef, 0, 0, 0, 0);
  emit(OP_callr, 1, 2, call_slots(0, 1), 0);
  ret(1);
  FINDS(UNINITIALIZED, "call");
}

TEST(switch_and_computed_goto) {
  for (uint64_t v = 0; v < 4; v++) {
    begin_main();
    uint32_t table = prog_add_table(P, 3);
    prog_add_case(P, 1, 1);
    prog_add_case(P, 2, 2);
    emit(OP_switch, k(v), 0, 0, table);
    ret(k(10));
    ret(k(20));
    ret(k(30));
    CHECK_EQ(result(), v == 1 ? 10 : v == 2 ? 20 : 30, "case %d", (int)v);
  }
  begin_main();
  emit(OP_mov, 0, k(prog_code_address(3)), 0, 0);
  emit(OP_ijmp, 0, 0, 0, 0);
  ret(k(1));
  ret(k(2));
  CHECK_EQ(result(), 2, " ");
  begin_main();
  emit(OP_mov, 0, k(prog_code_address(2)), 0, 0);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_ijmp, 0, 0, 0, 0);
  ret(k(1));
  FINDS(BAD_CALL, "no label");
}

TEST(endless_loop) {
  begin_main();
  emit(OP_jmp, 0, 0, 0, 0);
  FINDS(ENDLESS_LOOP, "without an access");
}

TEST(stack_overflow) {
  begin_main();
  emit(OP_call, 0, 0, call_slots(0, 1), 0);
  ret(0);
  FINDS(STACK_OVERFLOW, "`main` is nested more than 1024 deep");
  begin_main();
  emit(OP_local, 0, k(2 << 20), 0, 8);
  ret(0);
  FINDS(STACK_OVERFLOW, "more than 1048576 bytes");
}

TEST(trap_and_fail) {
  begin_main();
  emit(OP_trap, 0, 0, 0, FIND_UNREACHABLE);
  FINDS(UNREACHABLE, "unreachable");
  begin();
  uint32_t g = prog_add_global(P, "text", 7, 1);
  memcpy(P->globals.at[g].bytes, "x == 1", 7);
  P->globals.at[g].is_constant = true;
  uint64_t text = prog_global_address(P, g);
  func("main", 0, 1);
  const uint64_t args[4] = {text, text, 3, text};
  sys(BI_assert_fail, 0, 0, prog_const_run(P, args, 4), 4);
  ret(k(0));
  FINDS(ASSERTION, "assertion `x == 1` failed");
}

// -- private memory

static void local_of(unsigned slot, uint64_t size) {
  emit(OP_local, slot, k(size), 0, 8);
}

static void put(unsigned pointer, unsigned from, unsigned size) {
  emit(OP_store, pointer, from, 0, access_imm(size, ORD_NA));
}

static void get(unsigned to, unsigned pointer, unsigned size) {
  emit(OP_load, to, pointer, 0, access_imm(size, ORD_NA));
}

TEST(private_memory_mixes_sizes) {
  begin_main();
  local_of(0, 16);
  put(0, k(0x1122334455667788), 8);
  emit(OP_add, 1, 0, k(3), 64);
  put(1, k(0xaabb), 2);
  get(2, 0, 8);
  ret(2);
  CHECK_EQ(result(), 0x112233aabb667788, " ");
}

TEST(private_memory_is_bounded) {
  begin_main();
  local_of(0, 8);
  emit(OP_add, 1, 0, k(5), 64);
  get(2, 1, 4);
  ret(2);
  FINDS(OUT_OF_BOUNDS, "read of 4 bytes at offset 5 of a local variable, "
                       "which has 8 bytes");
  begin_main();
  local_of(0, 8);
  emit(OP_sub, 1, 0, k(1), 64);
  put(1, k(1), 1);
  ret(k(0));
  start();
  CHECK_EQ(at(vm_main(V))->kind, ACC_ERROR, "below the first local");
  finish();
}

TEST(locals_die_with_their_function) {
  begin();
  func("main", 0, 1);
  uint32_t f = func("f", 0, 1);
  local_of(0, 4);
  ret(0);
  prog_begin_func(P, 0);
  emit(OP_call, 0, 0, call_slots(0, 1), f);
  get(1, 0, 4);
  ret(1);
  FINDS(USE_AFTER_FREE, "has returned");
}

TEST(uninitialised_values) {
  begin_main(); // copying one is fine
  local_of(0, 8);
  get(1, 0, 4);
  put(0, 1, 4);
  emit(OP_add, 2, 1, k(1), 32);
  ret(k(7));
  CHECK_EQ(result(), 7, " ");

  begin_main();
  local_of(0, 8);
  put(0, k(1), 1); // one byte of four
  get(1, 0, 4);
  emit(OP_add, 2, 1, k(1), 32);
  emit(OP_br, 2, 0, 0, imm_targets(5, 5));
  ret(k(0));
  FINDS(UNINITIALIZED, "a branch");

  begin_main();
  emit(OP_undef, 0, 0, 0, 0);
  get(1, 0, 4);
  ret(1);
  FINDS(UNINITIALIZED, "read through an uninitialised pointer");

  begin_main();
  uint32_t table = prog_add_table(P, 2);
  emit(OP_undef, 0, 0, 0, 0);
  emit(OP_switch, 0, 0, 0, table);
  ret(k(0));
  FINDS(UNINITIALIZED, "a switch");

  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  emit(OP_undef, 0, 0, 0, 0);
  store(x, 0, 4);
  ret(k(0));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_WRITE, " ");
  CHECK_EQ(at(s)->flags, ACCF_UNINIT, " ");
  finish();
}

// s.a = 5 in an uninitialised bit-field unit, then a branch on s.a: defined;
// on the rest of the unit: not.
TEST(bit_fields_are_set_one_by_one) {
  for (unsigned part = 0; part < 2; part++) {
    begin_main();
    local_of(0, 4);
    get(1, 0, 4);
    emit(OP_and, 1, 1, k(0xfffffff8), 0);
    emit(OP_or, 1, 1, k(5), 0);
    put(0, 1, 4);
    get(2, 0, 4);
    emit(OP_shl, 3, 2, k(part ? 28 : 29), 32);
    emit(OP_ashr, 3, 3, k(29), 32);
    emit(OP_br, 3, 0, 0, imm_targets(9, 9));
    ret(3);
    start();
    state_id s = vm_main(V);
    if (part)
      CHECK(is_error(s, FIND_UNINITIALIZED, "a branch"), " ");
    else
      CHECK_EQ(at(s)->value, (uint32_t)-3, " ");
    finish();
  }
}

// A struct {char c; int i;} is passed as one 64-bit number with its padding.
TEST(padding_may_be_copied) {
  begin_main();
  local_of(0, 8);
  emit(OP_add, 1, 0, k(4), 64);
  put(0, k(3), 1);
  put(1, k(4), 4);
  get(2, 0, 8);
  local_of(3, 8);
  put(3, 2, 8);
  get(4, 3, 1);
  emit(OP_lshr, 5, 2, k(32), 64);
  emit(OP_add, 5, 5, 4, 32);
  emit(OP_eq, 6, 5, k(7), 32);
  emit(OP_br, 6, 0, 0, imm_targets(12, 12));
  ret(5);
  CHECK_EQ(result(), 7, " ");
}

TEST(equality_is_decided_by_defined_bits) {
  for (unsigned v = 0; v < 2; v++) {
    begin_main();
    local_of(0, 4);
    put(0, k(v), 1);
    get(1, 0, 4);
    emit(OP_eq, 2, 1, k(1), 32);
    emit(OP_br, 2, 0, 0, imm_targets(5, 5));
    ret(2);
    start();
    CHECK_EQ(at(vm_main(V))->kind, v ? ACC_ERROR : ACC_END, " ");
    finish();
  }
}

TEST(uninitialised_reads) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  load(0, x, 4);
  emit(OP_br, 0, 0, 0, imm_targets(2, 2));
  ret(0);
  start();
  state_id s = vm_main(V);
  CHECK(is_error(vm_step_uninit(V, s), FIND_UNINITIALIZED, "a branch"), " ");
  CHECK_EQ(at(vm_step(V, s, 0))->kind, ACC_END, "0 is another value");
  uint64_t misses = V->misses;
  vm_step_uninit(V, s);
  CHECK_EQ(V->misses, misses, "the step is known");
  finish();
}

TEST(thread_locals) {
  begin();
  uint32_t mine = prog_add_global(P, "mine", 4, 4);
  uint32_t seen = prog_add_global(P, "seen", 4, 4);
  P->globals.at[mine].is_thread_local = P->globals.at[mine].is_private = true;
  P->globals.at[seen].is_thread_local = true;
  P->globals.at[mine].bytes[0] = 5;
  P->globals.at[seen].bytes[0] = 6;
  func("main", 0, 1);
  emit(OP_tls, 0, 0, 0, mine);
  get(1, 0, 4);
  emit(OP_tls, 0, 0, 0, seen);
  get(2, 0, 4);
  emit(OP_add, 3, 1, 2, 32);
  ret(3);
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_READ, "only `seen` is an access");
  const struct location *l = vm_location(V, at(s)->loc);
  CHECK(l->is_initialized && l->initial == 6, " ");
  CHECK_EQ(at(vm_step(V, s, 6))->value, 11, " ");
  finish();
}

// -- shared memory

TEST(bad_addresses) {
  static const struct {
    uint64_t address;
    enum finding_kind kind;
    const char *text;
  } row[] = {
      {0, FIND_NULL_ACCESS, "read of 4 bytes through a null pointer"},
      {24, FIND_NULL_ACCESS, "a null pointer plus 24"},
      {UINT64_MAX, FIND_WILD_ACCESS, "no address"},
      {(uint64_t)0x9000 << 24, FIND_WILD_ACCESS, "no object"},
      {(uint64_t)INDEX_FUNC << 24, FIND_WILD_ACCESS, "(function `main`)"},
      {(uint64_t)INDEX_CODE << 24, FIND_WILD_ACCESS, "code"},
      {(1 << 24) + 40, FIND_OUT_OF_BOUNDS, "offset 40 of `x`, which has 40"},
      {(1 << 24) + 38, FIND_OUT_OF_BOUNDS, "offset 38 of `x`"},
      {(1 << 24) - 4, FIND_OUT_OF_BOUNDS, "4 bytes before `x`"},
      {(2 << 24) - 8, FIND_OUT_OF_BOUNDS, "8 bytes before `y`"},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    begin();
    global("x", 40);
    global("y", 40);
    func("main", 0, 1);
    load(0, row[i].address, 4);
    ret(0);
    start();
    CHECK(is_error(vm_main(V), row[i].kind, row[i].text), "%s", row[i].text);
    finish();
  }
}

TEST(constants_are_read_at_once) {
  begin();
  uint32_t g = prog_add_global(P, "c", 8, 8);
  P->globals.at[g].is_constant = true;
  P->globals.at[g].bytes[1] = 3;
  uint64_t c = prog_global_address(P, g);
  func("main", 0, 1);
  load(0, c, 4);
  ret(0);
  CHECK_EQ(result(), 0x300, " ");
  begin();
  g = prog_add_global(P, "c", 8, 8);
  P->globals.at[g].is_constant = true;
  func("main", 0, 1);
  store(c, k(1), 4);
  ret(k(0));
  FINDS(READ_ONLY, "constant `c`");
}

TEST(atomics_are_aligned) {
  begin();
  uint64_t x = global("x", 16);
  func("main", 0, 1);
  emit(OP_load, 0, k(x + 2), 0, access_imm(4, ORD_RLX));
  ret(0);
  FINDS(MISALIGNED, "offset 2");
  begin();
  x = global("x", 16);
  func("main", 0, 1);
  load(0, x + 2, 4);
  ret(0);
  start();
  CHECK_EQ(at(vm_main(V))->kind, ACC_READ, "others need not be");
  finish();
}

TEST(locations_and_overlaps) {
  begin();
  uint32_t g = prog_add_global(P, "x", 16, 8);
  P->globals.at[g].bytes[0] = 9;
  P->globals.at[g].bytes[4] = 1;
  uint64_t x = prog_global_address(P, g);
  func("main", 0, 1);
  load(0, x, 8);
  load(1, x + 4, 4);
  load(2, x + 8, 4);
  load(3, x, 16);
  ret(0);
  start();
  state_id a = vm_main(V), b = vm_step(V, a, 0), c = vm_step(V, b, 0),
           d = vm_step(V, c, 0);
  loc_id la = at(a)->loc, lb = at(b)->loc, lc = at(c)->loc, ld = at(d)->loc;
  CHECK_EQ(vm_location(V, la)->initial, 0x100000009, " ");
  CHECK_EQ(vm_location(V, lb)->initial, 1, " ");
  CHECK_EQ(vm_next_overlap(V, lc, NO_LOC), ld, " ");
  CHECK_EQ(vm_next_overlap(V, lc, ld), NO_LOC, " ");
  unsigned n = 0;
  for (loc_id l = vm_next_overlap(V, ld, NO_LOC); l != NO_LOC;
       l = vm_next_overlap(V, ld, l))
    n++;
  CHECK_EQ(n, 3, "the wide one overlaps all");
  CHECK_EQ(vm_next_overlap(V, la, vm_next_overlap(V, la, NO_LOC)) != NO_LOC, 1,
           "8 bytes overlap two others");
  uint64_t low, high;
  vm_wide_get(V, vm_location(V, ld)->initial, &low, &high);
  CHECK_EQ(low, 0x100000009, " ");
  CHECK_EQ(high, 0, " ");
  finish();
}

TEST(wide_values) {
  begin();
  uint64_t x = global("x", 16);
  func("main", 0, 1);
  const uint64_t pair[2] = {1, 2};
  emit(OP_store, k(x), prog_const_run(P, pair, 2), 0, access_imm(16, ORD_SC));
  load(2, x, 16);
  emit(OP_sub, 4, 3, 2, 64);
  ret(4);
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_WRITE, " ");
  CHECK_EQ(at(s)->value, vm_wide_make(V, 1, 2), "equal bytes, equal handles");
  CHECK_EQ(vm_wide_make(V, 0, 0), 0, "zero is handle 0");
  s = vm_step(V, s, 0);
  CHECK_EQ(at(vm_step(V, s, vm_wide_make(V, 10, 50)))->value, 40, " ");
  finish();
}

static void rmw_program(unsigned size) {
  begin();
  uint64_t x = global("x", 16);
  func("main", 0, 1);
  emit(OP_rmw_load, 0, k(x), 0, access_imm(size, ORD_ACQREL));
  emit(OP_add, 1, 0, k(5), 32);
  emit(OP_rmw_store, k(x), 1, 0, access_imm(size, ORD_ACQREL));
  ret(0);
  start();
}

TEST(updates_have_two_phases) {
  rmw_program(4);
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_RMW_READ, " ");
  state_id w = vm_step(V, s, 37);
  CHECK_EQ(at(w)->kind, ACC_RMW_WRITE, " ");
  CHECK_EQ(at(w)->value, 42, " ");
  CHECK_EQ(at(w)->loc, at(s)->loc, " ");
  CHECK_EQ(at(vm_step(V, w, 0))->value, 37, "the old value");
  finish();
}

static void cas_program(void) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint64_t imm = imm_access(
      (struct imm_access){.size = 4, .order = ORD_SC, .order_fail = ORD_RLX});
  unsigned expected = k(3), wanted = k(8), pointer = k(x);
  emit(OP_cas_load, 0, pointer, expected, imm);
  emit(OP_cas_ok, 1, 0, expected, 32);
  emit(OP_cas_store, pointer, wanted, expected, imm);
  emit(OP_shl, 1, 1, k(8), 32);
  emit(OP_or, 1, 1, 0, 0);
  ret(1);
  start();
}

TEST(compare_exchange) {
  cas_program();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_CAS_READ, " ");
  CHECK_EQ(at(s)->value, 3, "the expected value");
  CHECK_EQ(at(s)->order, ORD_SC, " ");
  CHECK_EQ(at(s)->order_fail, ORD_RLX, " ");
  state_id failed = vm_step(V, s, 4);
  CHECK_EQ(at(failed)->kind, ACC_END, "no write");
  CHECK_EQ(at(failed)->value, 4, " ");
  state_id won = vm_step(V, s, 3);
  CHECK_EQ(at(won)->kind, ACC_RMW_WRITE, " ");
  CHECK_EQ(at(won)->value, 8, " ");
  CHECK_EQ(at(vm_step(V, won, 0))->value, 0x103, " ");
  CHECK(is_error(vm_step_uninit(V, s), FIND_UNINITIALIZED, "compare"), " ");
  finish();
}

TEST(updates_of_private_memory) {
  begin_main();
  local_of(0, 4);
  put(0, k(3), 4);
  emit(OP_rmw_load, 1, 0, 0, access_imm(4, ORD_SC));
  emit(OP_add, 2, 1, k(1), 32);
  emit(OP_rmw_store, 0, 2, 0, access_imm(4, ORD_SC));
  emit(OP_cas_load, 1, 0, k(4), access_imm(4, ORD_SC));
  emit(OP_cas_store, 0, k(9), k(4), access_imm(4, ORD_SC));
  emit(OP_cas_load, 1, 0, k(4), access_imm(4, ORD_SC));
  emit(OP_cas_store, 0, k(10), k(4), access_imm(4, ORD_SC));
  get(3, 0, 4);
  ret(3);
  CHECK_EQ(result(), 9, " ");
}

// -- builtins

TEST(locks) {
  begin();
  uint64_t m = global("m", 4);
  func("main", 0, 1);
  sys(BI_lock, 0, 0, k(m), 1);
  sys(BI_unlock, 0, 0, k(m), 1);
  ret(k(1));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_LOCK_READ, " ");
  CHECK_EQ(at(s)->order, ORD_ACQ, " ");
  state_id w = vm_step(V, s, 0);
  CHECK_EQ(at(w)->kind, ACC_RMW_WRITE, " ");
  CHECK_EQ(at(w)->value, 1, "self + 1");
  CHECK_EQ(at(w)->loc, at(s)->loc, " ");
  state_id u = vm_step(V, w, 0);
  CHECK_EQ(at(u)->kind, ACC_UNLOCK, " ");
  CHECK_EQ(at(u)->order, ORD_REL, " ");
  CHECK_EQ(at(vm_step(V, u, 0))->kind, ACC_END, " ");
  finish();
  begin_main();
  local_of(0, 4);
  sys(BI_lock, 0, 0, 0, 1);
  ret(k(1));
  FINDS(BAD_ARGUMENT, "lock");
}

TEST(heap_objects) {
  begin_main();
  sys(BI_malloc, 0, 1, k(24), 1);
  sys(BI_calloc, 1, 1, k((uint64_t)20 << 20), 1);
  emit(OP_stack_new, 2, k(4), 0, 4);
  emit(OP_add, 3, 1, k((uint64_t)17 << 20), 64);
  get(4, 3, 4);
  emit(OP_stack_end, 2, 0, 0, 0);
  sys(BI_free, 0, 0, 0, 1);
  sys(BI_free, 0, 0, k(0), 1);
  sys(BI_malloc, 5, 1, k((uint64_t)1 << 31), 1);
  ret(5);
  start();
  state_id a = vm_main(V);
  CHECK_EQ(at(a)->kind, ACC_ALLOC, " ");
  CHECK_EQ(at(a)->value, 24, " ");
  CHECK_EQ(at(a)->flags, 0, " ");
  object_no small = at(a)->object;
  state_id b = vm_step(V, a, 0);
  CHECK_EQ(at(b)->flags, ACCF_ZEROED, " ");
  object_no large = at(b)->object;
  state_id c = vm_step(V, b, 0);
  CHECK_EQ(at(c)->flags, ACCF_STACK, " ");
  state_id d = vm_step(V, c, 0);
  CHECK_EQ(at(d)->kind, ACC_READ, " ");
  CHECK_EQ(vm_location(V, at(d)->loc)->object, large, "in its second window");
  state_id e = vm_step(V, d, 0);
  CHECK_EQ(at(e)->kind, ACC_FREE, " ");
  CHECK_EQ(at(e)->flags, ACCF_STACK, " ");
  state_id f = vm_step(V, e, 0);
  CHECK_EQ(at(f)->object, small, " ");
  CHECK_EQ(at(f)->value, vm_object_address(V, small), " ");
  state_id g = vm_step(V, f, 0);
  CHECK_EQ(at(g)->kind, ACC_END, "free(0) is nothing");
  CHECK_EQ(at(g)->value, 0, "too large: null");
  finish();
}

TEST(bad_frees) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  sys(BI_free, 0, 0, k(x), 1);
  ret(k(0));
  FINDS(INVALID_FREE, "free of `x`, which malloc did not return");
  begin_main();
  local_of(0, 8);
  sys(BI_free, 0, 0, 0, 1);
  ret(k(0));
  FINDS(INVALID_FREE, "an address");
}

TEST(too_many_objects) {
  begin_main();
  sys(BI_malloc, 0, 1, k(8), 1);
  emit(OP_jmp, 0, 0, 0, 0);
  start();
  state_id s = vm_main(V);
  uint32_t n = 0;
  for (; at(s)->kind == ACC_ALLOC; n++)
    s = vm_step(V, s, 0);
  CHECK(is_error(s, FIND_BAD_ARGUMENT, "more objects than"), " ");
  CHECK_EQ(n, INDEX_LARGE - INDEX_SHARED, " ");
  finish();
}

static uint32_t spawn_program(void) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t worker = func("worker", 1, 1);
  store(x, 0, 8);
  sys(BI_self, 1, 1, 0, 0);
  emit(OP_add, 2, 0, 1, 64);
  ret(2);
  prog_begin_func(P, 0);
  const uint64_t args[2] = {prog_func_address(P, worker), 40};
  unsigned run = prog_const_run(P, args, 2);
  sys(BI_spawn, 0, 1, run, 2);
  sys(BI_join, 1, 1, 0, 1);
  ret(1);
  start();
  return worker;
}

TEST(threads) {
  spawn_program();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_SPAWN, " ");
  state_id w = vm_spawned(V, s, 2);
  CHECK_EQ(at(w)->kind, ACC_WRITE, " ");
  CHECK_EQ(at(w)->value, 40, " ");
  CHECK_EQ(vm_spawned(V, s, 2), w, "known");
  CHECK(vm_spawned(V, s, 3) != w, "another thread");
  state_id end = vm_step(V, w, 0);
  CHECK_EQ(at(end)->kind, ACC_END, " ");
  CHECK_EQ(at(end)->value, 42, " ");
  state_id j = vm_step(V, s, 2);
  CHECK_EQ(at(j)->kind, ACC_JOIN, " ");
  CHECK_EQ(at(j)->value, 2, " ");
  CHECK_EQ(at(vm_step(V, j, 42))->value, 42, " ");
  finish();
}

TEST(bad_spawns) {
  static const char *const texts[] = {"is null", "is no function",
                                      "does not take one argument"};
  for (unsigned i = 0; i < 3; i++) {
    begin();
    uint64_t x = global("x", 8);
    func("main", 0, 1);
    const uint64_t args[2] = {i == 0   ? 0
                              : i == 1 ? x
                                       : prog_func_address(P, 0),
                              0};
    sys(BI_spawn, 0, 1, prog_const_run(P, args, 2), 2);
    ret(0);
    start();
    CHECK(is_error(vm_main(V), FIND_BAD_CALL, texts[i]), " ");
    finish();
  }
}

TEST(small_builtins) {
  begin_main();
  const uint64_t range[2] = {(uint64_t)-1, 2};
  sys(BI_choose, 0, 1, prog_const_run(P, range, 2), 2);
  sys(BI_assume, 0, 0, 0, 1);
  sys(BI_yield, 0, 0, 0, 0);
  sys(BI_exit, 0, 0, 0, 1);
  ret(k(0));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_CHOOSE, " ");
  CHECK_EQ(at(vm_step(V, s, 0))->kind, ACC_BLOCK, " ");
  CHECK_EQ(at(vm_step(V, s, 2))->kind, ACC_EXIT, " ");
  CHECK_EQ(at(vm_step(V, s, 2))->value, 2, " ");
  finish();
  begin_main();
  sys(BI_thread_exit, 0, 0, k(5), 1);
  ret(k(0));
  CHECK_EQ(result(), 5, " ");
}

TEST(output_and_doubles) {
  begin_main();
  local_of(0, 600);
  emit(OP_mov, 1, k(bits(3.14159)), 0, 0);
  emit(OP_mov, 2, k('f'), 0, 0);
  emit(OP_mov, 3, k(2), 0, 0);
  emit(OP_mov, 4, 0, 0, 0);
  sys(BI_format_double, 6, 1, 1, 4);
  emit(OP_mov, 5, 0, 0, 0);
  sys(BI_output, 0, 0, 5, 2);
  ret(k(0));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_OUTPUT, " ");
  CHECK_STR(vm_text(V, at(s)->value), "3.14");
  finish();
}

// sum(n, ...) adds up its variadic arguments through a va_list.
TEST(variadic_arguments) {
  begin();
  func("main", 0, 1);
  uint32_t sum = func("sum", 1, 1);
  P->funcs.at[sum].is_vararg = true;
  uint32_t pc = P->code.len;
  local_of(1, 24);                                    // pc
  emit(OP_va_start, 1, 0, 0, 0);                      // 1
  emit(OP_add, 2, 1, k(8), 64);                       // 2: &overflow_arg_area
  get(3, 2, 8);                                       // 3
  emit(OP_mov, 4, k(0), 0, 0);                        // 4
  emit(OP_br, 0, 0, 0, imm_targets(pc + 6, pc + 11)); // 5
  get(5, 3, 8);                                       // 6
  emit(OP_add, 4, 4, 5, 64);                          // 7
  emit(OP_add, 3, 3, k(8), 64);                       // 8
  emit(OP_sub, 0, 0, k(1), 64);                       // 9
  emit(OP_jmp, 0, 0, 0, pc + 5);                      // 10
  ret(4);                                             // 11
  prog_begin_func(P, 0);
  const uint64_t args[4] = {3, 10, 20, 12};
  emit(OP_call, 0, prog_const_run(P, args, 4), call_slots(4, 1), sum);
  ret(0);
  CHECK_EQ(result(), 42, " ");
}

// -- copy and fill

TEST(private_copy_and_fill) {
  begin_main();
  local_of(0, 16);
  emit(OP_fill, 0, k(0x11), k(16), 0);
  put(0, k(0xaabbccdd), 4);
  emit(OP_add, 1, 0, k(2), 64);
  emit(OP_copy, 1, 0, k(6), 0); // overlapping
  get(2, 0, 8);
  ret(2);
  CHECK_EQ(result(), 0x1111aabbccddccdd, " ");
}

// A sequential memory behind the vm: runs main to its end and writes down
// what it did, as letters with sizes.
static struct str trace;

static uint64_t run_sequentially(unsigned known_cell) {
  uint64_t value[64] = {0};
  state_id s = vm_main(V);
  trace = (struct str){0};
  for (;;) {
    const struct access *a = at(s);
    uint64_t yields = 0;
    switch ((enum access_kind)a->kind) {
    case ACC_READ:
    case ACC_WRITE: {
      const struct location *l = vm_location(V, a->loc);
      str_add(&trace, "%c%u@%u ", a->kind == ACC_READ ? 'R' : 'W', l->size,
              pointer_offset(l->address));
      CHECK(a->loc < 64, "few locations");
      if (a->kind == ACC_WRITE)
        value[a->loc] = a->value;
      else
        yields = value[a->loc];
      break;
    }
    case ACC_CELL_SIZE:
      yields = known_cell;
      break;
    default:
      return a->value;
    }
    s = vm_step(V, s, yields);
  }
}

static void copy_program(uint64_t from_offset, uint64_t to_offset, uint64_t n) {
  begin();
  uint64_t x = global("x", 64);
  func("main", 0, 1);
  emit(OP_copy, k(x + to_offset), k(x + from_offset), k(n), 0);
  ret(k(0));
  start();
}

TEST(shared_copy_goes_by_cells) {
  copy_program(0, 32, 12);
  run_sequentially(0);
  CHECK_STR(str_text(&trace), "R8@0 W8@32 R4@8 W4@40 ");
  str_done(&trace);
  run_sequentially(4);
  CHECK_STR(str_text(&trace), "R4@0 W4@32 R4@4 W4@36 R4@8 W4@40 ");
  str_done(&trace);
  finish();
  copy_program(1, 33, 3);
  run_sequentially(0);
  CHECK_STR(str_text(&trace), "R1@1 W1@33 R2@2 W2@34 ");
  str_done(&trace);
  finish();
  copy_program(0, 4, 12);
  run_sequentially(4);
  CHECK_STR(str_text(&trace), "R4@0 R4@4 R4@8 W4@4 W4@8 W4@12 ");
  str_done(&trace);
  finish();
}

TEST(copies_between_private_and_shared) {
  begin();
  uint64_t x = global("x", 64);
  func("main", 0, 1);
  local_of(0, 24);
  emit(OP_fill, 0, k(7), k(24), 0);
  put(0, k(0x1234), 8);
  emit(OP_copy, k(x), 0, k(12), 0);
  emit(OP_fill, k(x + 16), k(1), k(4), 0);
  local_of(1, 24);
  emit(OP_copy, 1, k(x), k(20), 0);
  get(2, 1, 8);
  emit(OP_add, 3, 1, k(16), 64);
  get(4, 3, 4);
  emit(OP_add, 5, 4, 2, 64);
  ret(5);
  start();
  CHECK_EQ(run_sequentially(4), 0x1010101 + 0x1234, " ");
  CHECK_STR(str_text(&trace), "W4@0 W4@4 W4@8 W4@16 R4@0 R4@4 R4@8 R4@12 "
                              "R4@16 ");
  str_done(&trace);
  finish();
}

TEST(copies_are_bounded) {
  copy_program(0, 60, 8);
  CHECK(is_error(vm_main(V), FIND_OUT_OF_BOUNDS, "write of 8 bytes"), " ");
  finish();
  copy_program(60, 0, 8);
  CHECK(is_error(vm_main(V), FIND_OUT_OF_BOUNDS, "read of 8 bytes"), " ");
  finish();
  copy_program(64, 64, 0);
  CHECK_EQ(at(vm_main(V))->kind, ACC_END, "nothing to copy");
  finish();
}

// -- states

// for (i = 0; i < n; i++) sum = sum * factor + x; in a callee, with a private
// array that the loop writes.
static void loop_program(uint64_t n, uint64_t factor) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t f = func("f", 0, 1);
  uint32_t pc = P->code.len;
  local_of(0, 1000);
  emit(OP_mov, 1, k(0), 0, 0);                        // 1: i
  emit(OP_mov, 2, k(0), 0, 0);                        // 2: sum
  load(3, x, 8);                                      // 3: loop
  emit(OP_mul, 2, 2, k(factor), 64);                  // 4
  emit(OP_add, 2, 2, 3, 64);                          // 5
  emit(OP_and, 5, 3, k(127), 0);                      // 6
  emit(OP_mul, 5, 5, k(factor ? 4 : 0), 64);          // 7
  emit(OP_add, 4, 0, 5, 64);                          // 8
  put(4, 3, 4);                                       // 9
  emit(OP_add, 1, 1, k(1), 64);                       // 10
  emit(OP_ult, 6, 1, k(n), 64);                       // 11
  emit(OP_br, 6, 0, 0, imm_targets(pc + 3, pc + 13)); // 12
  ret(2);                                             // 13
  prog_begin_func(P, 0);
  emit(OP_call, 0, 0, call_slots(0, 1), f);
  ret(0);
}

TEST(equal_states_merge_and_steps_are_cached) {
  loop_program(10, 0);
  start();
  uint64_t before = 0;
  for (unsigned round = 0; round < 50; round++) {
    state_id s = vm_main(V);
    for (unsigned i = 0; i < 10; i++)
      s = vm_step(V, s, (round >> i % 4) & 1);
    CHECK_EQ(at(s)->kind, ACC_END, " ");
    if (round == 20)
      before = V->misses;
  }
  CHECK_EQ(V->misses, before, "everything is known after some rounds");
  CHECK(vm_stats(V).states < 45,
        "%d states: only i, the last value and its "
        "copy in memory matter",
        (int)vm_stats(V).states);
  finish();
}

TEST(a_read_loop_comes_back_to_its_state) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  load(0, x, 4);
  emit(OP_br, 0, 0, 0, imm_targets(2, 0));
  ret(0);
  start();
  state_id s = vm_main(V);
  CHECK_EQ(vm_step(V, s, 0), s, "a failed iteration changes nothing");
  CHECK(vm_step(V, s, 1) != s, " ");
  finish();
}

static uint64_t next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

TEST(threads_that_never_repeat_are_bypassed) {
  loop_program(20, 31);
  start();
  uint64_t seed = 1, transient = 0;
  for (unsigned round = 0; round < 4000; round++) {
    struct vm_mark mark = vm_mark(V);
    state_id s = vm_main(V);
    uint64_t want = 0;
    for (unsigned i = 0; i < 20; i++) {
      uint64_t v = next_random(&seed) % 100;
      want = want * 31 + v;
      s = vm_step(V, s, v);
    }
    CHECK_EQ(at(s)->kind, ACC_END, " ");
    CHECK_EQ(at(s)->value, want, "round %u", round);
    transient += vm_stats(V).transient;
    vm_release(V, mark);
    CHECK_EQ(vm_stats(V).transient, mark.transient, " ");
  }
  CHECK(transient > 20000, "the bypass was used %d times", (int)transient);
  CHECK(vm_stats(V).states < 60000, "%d states", (int)vm_stats(V).states);
  finish();
}

TEST(bypass_survives_calls_and_returns) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t f = func("f", 1, 1), pc = P->code.len;
  local_of(1, 300);
  put(1, 0, 8);
  load(2, x, 8);
  emit(OP_br, 2, 0, 0, imm_targets(pc + 4, pc + 7));
  emit(OP_mul, 3, 0, 2, 64);
  emit(OP_call, 4, 3, call_slots(1, 1), f);
  emit(OP_jmp, 0, 0, 0, pc + 8);
  load(4, x, 8); // the innermost call
  get(5, 1, 8);
  emit(OP_add, 6, 4, 5, 64);
  ret(6);
  prog_begin_func(P, 0);
  emit(OP_call, 0, k(1), call_slots(1, 1), f);
  ret(0);
  start();
  uint64_t seed = 7;
  for (unsigned round = 0; round < 3000; round++) {
    struct vm_mark mark = vm_mark(V);
    state_id s = vm_main(V);
    uint64_t product = 1, sum = 1;
    for (unsigned i = 0; i < 12; i++) {
      uint64_t v = next_random(&seed) % 1000 + 1;
      product *= v;
      sum += product;
      s = vm_step(V, s, v);
    }
    s = vm_step(V, vm_step(V, s, 0), 1000);
    CHECK_EQ(at(s)->kind, ACC_END, " ");
    CHECK_EQ(at(s)->value, sum + 1000, "round %u", round);
    vm_release(V, mark);
  }
  CHECK(vm_stats(V).states < V->misses, " ");
  finish();
}

TEST(many_transitions_of_one_state) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  load(0, x, 8);
  ret(0);
  start();
  state_id s = vm_main(V);
  for (unsigned round = 0; round < 2; round++)
    for (uint64_t v = 0; v < 200; v++)
      CHECK_EQ(at(vm_step(V, s, v * v))->value, v * v, " ");
  CHECK_EQ(V->misses, 200, "each value is a miss once");
  finish();
}

TEST(sites_and_backtraces) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t user = prog_add_func(P, "user", 0, 0);
  uint32_t lib = prog_add_func(P, "lib", 0, 0);
  P->funcs.at[lib].is_library = true;
  prog_begin_func(P, 0);
  uint32_t c0 = emit(OP_call, 0, 0, call_slots(0, 0), user);
  ret(k(0));
  prog_begin_func(P, user);
  uint32_t c1 = emit(OP_call, 0, 0, call_slots(0, 0), lib);
  emit(OP_ret, 0, 0, 0, 0);
  prog_begin_func(P, lib);
  uint32_t c2 = store(x, k(1), 4);
  emit(OP_ret, 0, 0, 0, 0);
  start();
  state_id s = vm_main(V);
  site_id sites[8];
  CHECK_EQ(vm_site(V, s), c1, "the caller of library code");
  CHECK_EQ(vm_backtrace(V, s, sites, 8), 3, " ");
  CHECK_EQ(sites[0], c2, " ");
  CHECK_EQ(sites[1], c1, " ");
  CHECK_EQ(sites[2], c0, " ");
  CHECK_EQ(vm_backtrace(V, s, sites, 2), 2, " ");
  finish();
}

TEST(long_threads_are_cheap) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  emit(OP_mov, 0, k(0), 0, 0);
  load(1, x, 4);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_ult, 2, 0, k(100000), 64);
  emit(OP_br, 2, 0, 0, imm_targets(1, 5));
  ret(0);
  start();
  state_id s = vm_main(V);
  while (at(s)->kind == ACC_READ)
    s = vm_step(V, s, 0);
  CHECK_EQ(at(s)->value, 100000, " ");
  finish();
}

// -- random programs

// Bytecode that makes no sense but is well-formed: the vm has to stop at every
// access with something a search could take, and must never crash.
static uint64_t random_imm(enum op op, uint64_t *seed, uint32_t length) {
  static const unsigned widths[] = {1, 8, 16, 32, 64, 128};
  static const unsigned sizes[] = {1, 2, 4, 8, 16};
  uint64_t n = next_random(seed);
  switch ((enum imm_kind)op_info(op)->imm) {
  case IMM_WIDTH:
    return widths[n % 6] | (n & 64 ? IMM_NSW : 0);
  case IMM_WIDTH2:
    return widths[n % 6] | widths[n / 8 % 5] << 8;
  case IMM_TARGET:
    return n % length;
  case IMM_TARGETS:
    return imm_targets((uint32_t)(n % length), (uint32_t)(n / 64 % length));
  case IMM_BUILTIN:
    return n % BI_COUNT;
  case IMM_REG:
    return n % 8;
  case IMM_ACCESS:
    return access_imm(sizes[n % 5], (enum order)(n / 8 % 6));
  case IMM_RAW:
    return n % 5;
  case IMM_NONE:
  case IMM_FUNC:
  case IMM_TABLE:
    break;
  }
  return 0;
}

static unsigned random_slot(uint64_t *seed, const uint64_t *constants) {
  uint64_t n = next_random(seed);
  return n % 4 == 0 ? k(constants[n / 4 % 8]) : (unsigned)(n / 4 % 8);
}

// One instruction that the verifier takes on its own.
static void random_insn(uint64_t *seed, const uint64_t *constants,
                        uint32_t length) {
  static const uint8_t args[] = {
#define BUILTIN(name, arguments, results, meaning) arguments,
#include "bytecode/builtin.def"
#undef BUILTIN
  };
  enum op op = (enum op)(next_random(seed) % OP_COUNT);
  const struct op_info *info = op_info(op);
  uint64_t imm = random_imm(op, seed, length);
  unsigned slot[3];
  const char kind[3] = {info->a, info->b, info->c};
  for (unsigned i = 0; i < 3; i++)
    slot[i] = kind[i] == 'S' || (kind[i] == 'L' && op == OP_store)
                  ? random_slot(seed, constants)
                  : (unsigned)(next_random(seed) % 6);
  if (op == OP_ret)
    slot[1] = 1;
  if (op == OP_call || op == OP_callr)
    slot[2] = call_slots(1, 1);
  if (op == OP_sys)
    slot[2] = call_slots(args[imm], 0);
  emit(op, slot[0], slot[1], slot[2], imm);
}

static bool random_program(uint64_t seed) {
  enum { LENGTH = 24 };
  struct diag why;
  begin();
  const uint64_t x = global("x", 64), y = global("y", 16);
  const uint64_t constants[8] = {0,
                                 1,
                                 5,
                                 UINT64_MAX,
                                 x,
                                 y + 8,
                                 prog_func_address(P, func("main", 1, 1)),
                                 prog_code_address(3)};
  uint32_t tls = prog_add_global(P, "tls", 8, 8);
  P->globals.at[tls].is_thread_local = true;
  prog_add_table(P, 2);
  prog_add_case(P, 1, 5);
  emit(OP_local, 6, k(32), 0, 8);
  emit(OP_stack_new, 7, k(16), 0, 8);
  for (uint32_t i = 2; i < LENGTH - 1; i++)
    random_insn(&seed, constants, LENGTH);
  ret(0);
  return prog_finish(P, &why);
}

static void random_run(uint64_t seed) {
  state_id s = vm_main(V);
  for (unsigned i = 0; i < 200; i++) {
    const struct access *a = at(s);
    uint64_t value = next_random(&seed) % 3;
    switch ((enum access_kind)a->kind) {
    case ACC_BLOCK:
    case ACC_END:
    case ACC_EXIT:
    case ACC_ERROR:
      return;
    case ACC_SPAWN:
      s = value ? vm_spawned(V, s, 1) : vm_step(V, s, 1);
      break;
    case ACC_LOCK_READ:
      s = vm_step(V, s, 0);
      break;
    case ACC_READ:
    case ACC_RMW_READ:
    case ACC_CAS_READ:
      s = value == 2 ? vm_step_uninit(V, s)
                     : vm_step(V, s, value ? a->value : 0);
      break;
    case ACC_CELL_SIZE:
      s = vm_step(V, s, value << 2);
      break;
    default:
      s = vm_step(V, s, value);
    }
    CHECK(vm_site(V, s) != NO_SITE, " ");
  }
}

TEST(random_programs_never_crash) {
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 60000; seed++) {
    if (random_program(seed)) {
      struct vm_config config = vm_config_default();
      config.fuel = 2000;
      config.max_frames = 40;
      for (unsigned i = 0; i < FIND_COUNT; i++)
        config.disabled[i] = seed % 2 && i != FIND_ENDLESS_LOOP;
      V = vm_new(P, &config);
      for (uint64_t walk = 0; walk < 4; walk++)
        random_run(seed * 4 + walk);
      vm_free(V);
      ran++;
    }
    prog_free(P);
  }
  CHECK(ran > 1000, "only %u programs were well-formed", ran);
}
