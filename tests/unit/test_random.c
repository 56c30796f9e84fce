// SPDX-License-Identifier: MIT
// Random bytecode that makes no sense but is well-formed: the vm has to stop at
// every access with something a search could take, and must never crash. And
// the loop for simple instructions (vm/quick.c) does what the other does.
#include "setting.h"
#include "unit/machine.h"

static unsigned random_width(enum op op, uint64_t n) {
  static const unsigned widths[] = {16, 32, 64, 1, 8, 33};
  bool is_float = op >= OP_fadd && op <= OP_fneg;
  return is_float          ? widths[1 + n % 2]
         : op == OP_bswap  ? widths[n % 3]
         : op == OP_cas_ok ? widths[n % 6] * (n & 64 ? 1 : 2)
                           : widths[n % 6];
}

static uint64_t random_widths(enum op op, uint64_t n) {
  unsigned real = n & 1 ? 32 : 64, whole = 1 + (unsigned)(n / 2 % 64);
  switch (op) {
  case OP_fcmp:
    return real | (n / 2 % 16) << 8;
  case OP_fptosi:
  case OP_fptoui:
    return real | whole << 8;
  case OP_sitofp:
  case OP_uitofp:
    return whole | real << 8;
  case OP_fpconv:
    return real | (n & 2 ? 32u : 64u) << 8;
  default:
    return whole | 64 << 8;
  }
}

static uint64_t random_imm(enum op op, uint64_t n, uint32_t length) {
  switch ((enum imm_kind)op_info(op)->imm) {
  case IMM_WIDTH:
    return random_width(op, n) | (n & 128 ? IMM_NSW : 0);
  case IMM_WIDTH2:
    return random_widths(op, n);
  case IMM_TARGET:
    return n % length;
  case IMM_TARGETS:
    return imm_targets((uint32_t)(n % length), (uint32_t)(n / 64 % length));
  case IMM_BUILTIN:
    return n % BI_COUNT;
  case IMM_REG:
    return n % 8;
  case IMM_ACCESS:
    return access_imm(1u << n % 5, (enum order)(1 + n / 8 % 5));
  case IMM_RAW:
    return op == OP_tls ? 2 : n % 5;
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

// One well-formed instruction; updates come as both halves.
static void random_insn(uint64_t *seed, const uint64_t *constants,
                        uint32_t length) {
  static const uint8_t args[] = {
#define BUILTIN(name, arguments, results, meaning) arguments,
#include "bytecode/builtin.def"
#undef BUILTIN
  };
  enum op op = (enum op)(next_random(seed) % OP_COUNT);
  if (op == OP_rmw_store || op == OP_cas_store)
    op = OP_load;
  const struct op_info *info = op_info(op);
  uint64_t imm = random_imm(op, next_random(seed), length);
  unsigned slot[3];
  const char kind[3] = {info->a, info->b, info->c};
  for (unsigned i = 0; i < 3; i++)
    slot[i] = kind[i] == 'S' ? random_slot(seed, constants)
                             : (unsigned)(next_random(seed) % 6);
  if (op == OP_ret)
    slot[1] = 1;
  if (op == OP_call || op == OP_callr)
    slot[2] = call_slots(1, 1);
  if (op == OP_sys)
    slot[2] = call_slots(args[imm], 0);
  emit(op, slot[0], slot[1], slot[2], imm);
  if (op == OP_rmw_load)
    emit(OP_rmw_store, slot[1], slot[0], 0, imm);
  if (op == OP_cas_load)
    emit(OP_cas_store, slot[1], slot[0], slot[2], imm);
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
  while (P->code.len < LENGTH - 1)
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
    case ACC_CUT:
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
    case ACC_TAKE:
      s = vm_step(V, s, (uint32_t)a->value);
      break;
    case ACC_READ:
    case ACC_RMW_READ:
    case ACC_CAS_READ:
      s = value == 2 ? vm_step_undef(V, s, 0, UNDEF_ALL)
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

// HEDDLE_SEEDS=n tries more.
TEST(random_programs_never_crash) {
  uint64_t seeds = setting_many("HEDDLE_SEEDS", 5000);
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    if (random_program(seed)) {
      struct vm_config config = vm_config_default();
      config.max_steps = 2000;
      config.max_calls = 40;
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
  CHECK(ran > seeds / 2, "only %u programs were well-formed", ran);
}

// -- simple instructions, done quickly and one by one

static void simple_insn(uint64_t *seed, const uint64_t *constants,
                        uint64_t shared, uint32_t length) {
  static const enum op ops[] = {
      OP_mov,  OP_select, OP_pick, OP_number, OP_undef, OP_add,  OP_sub,
      OP_mul,  OP_udiv,   OP_sdiv, OP_urem,   OP_srem,  OP_shl,  OP_lshr,
      OP_ashr, OP_and,    OP_or,   OP_xor,    OP_trunc, OP_sext, OP_jmp};
  static const enum op less[] = {OP_eq, OP_ne, OP_ult, OP_ule, OP_slt, OP_sle};
  uint64_t n = next_random(seed), imm = next_random(seed);
  unsigned to = (unsigned)(n % 6), size = 1u << n / 6 % 4;
  unsigned x = random_slot(seed, constants), y = random_slot(seed, constants);
  enum op op = ops[n / 64 % (sizeof ops / sizeof *ops)];
  switch (n / 4096 % 10) {
  case 9: // its life ends or begins anew, seldom
    if (imm % 8 == 0)
      emit(OP_scope, 6, 0, 0, imm / 8 % 2);
    __attribute__((fallthrough));
  case 0: // at an address in the local, mostly
    emit(OP_add, 5, 6, k(imm % 36), 64);
    emit(OP_load, to, 5, 0, access_imm(size, ORD_NA));
    break;
  case 1:
  case 8:
    emit(OP_add, 5, 6, k(imm % 36), 64);
    emit(OP_store, 5, x, 0, access_imm(size, ORD_NA));
    break;
  case 2:
  case 3:
    op = less[n / 64 % 6];
    emit(op, to, x, y, random_width(op, imm));
    emit(OP_br, imm % 8 ? to : (unsigned)(imm / 64 % 6), 0, 0,
         imm_targets((uint32_t)(imm / 8 % length),
                     (uint32_t)(imm / 512 % length)));
    break;
  case 4: // seen at once; what is private is frozen and thawed
    if (imm % 2 == 0) {
      emit(OP_store, k(shared), x, 0, access_imm(8, ORD_RLX));
      break;
    }
    __attribute__((fallthrough));
  default:
    emit(op, to, op == OP_number ? 0 : x, y,
         op == OP_number ? imm : random_imm(op, imm, length));
  }
}

// Behind the code all slots are stored, so that their values are seen.
static bool simple_program(uint64_t seed) {
  enum { LENGTH = 40, SLOTS = 6 };
  struct diag why;
  begin();
  const uint64_t x = global("x", 64);
  const uint64_t constants[8] = {0,  1,        5,          UINT64_MAX,
                                 31, 1u << 31, 0xffffffff, UINT64_C(1) << 63};
  func("main", 0, 1);
  for (unsigned i = 0; i < SLOTS; i++)
    emit(OP_number, i, 0, 0, constants[next_random(&seed) % 8]);
  emit(OP_local, 6, k(32), 0, 8);
  emit(OP_fill, 6, k(next_random(&seed) % 3), k(30), 0);
  while (P->code.len < LENGTH)
    simple_insn(&seed, constants, x, LENGTH);
  for (unsigned i = 0; i < SLOTS; i++)
    emit(OP_store, k(x + 8 * i), i, 0, access_imm(8, ORD_RLX));
  ret(0);
  return prog_finish(P, &why);
}

static bool is_equal(struct vm *a, state_id in_a, struct vm *b, state_id in_b) {
  const struct access *x = vm_access(a, in_a), *y = vm_access(b, in_b);
  if (x->kind == ACC_CUT && y->kind == ACC_CUT)
    return true; // perhaps a few instructions later
  return memcmp(x, y, sizeof *x) == 0 && vm_site(a, in_a) == vm_site(b, in_b) &&
         a->warnings.len == b->warnings.len;
}

static void compare_runs(struct vm *quick, struct vm *slow, uint64_t seed) {
  state_id a = vm_main(quick), b = vm_main(slow);
  for (unsigned i = 0; i < 100; i++) {
    CHECK(is_equal(quick, a, slow, b), "seed %llu, access %u",
          (unsigned long long)seed, i);
    if (vm_access(quick, a)->kind != ACC_WRITE)
      return;
    a = vm_step(quick, a, 0);
    b = vm_step(slow, b, 0);
  }
}

TEST(quick_and_slow_are_the_same) {
  uint64_t seeds = setting_many("HEDDLE_SEEDS", 5000);
  unsigned ran = 0, whole = 0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    if (simple_program(seed)) {
      struct vm_config config = vm_config_default();
      config.max_steps = 2000;
      for (unsigned i = 0; i < FIND_COUNT; i++)
        config.disabled[i] = seed % 2 && i != FIND_ENDLESS_LOOP;
      struct vm *quick = vm_new(P, &config);
      config.is_slow = true;
      struct vm *slow = vm_new(P, &config);
      compare_runs(quick, slow, seed);
      whole += vm_access(quick, vm_main(quick))->kind == ACC_WRITE;
      vm_free(quick);
      vm_free(slow);
      ran++;
    }
    prog_free(P);
  }
  CHECK(ran > seeds / 2, "only %u programs were well-formed", ran);
  CHECK(whole > seeds / 20, "only %u programs came to their end", whole);
}
