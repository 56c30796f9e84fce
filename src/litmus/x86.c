// SPDX-License-Identifier: MIT
// x86, in the order of Intel (X86: to, from) and of AT&T (X86_64: from, to).
// A read-modify-write that is not locked is a load and a store.
#include "litmus/asm.h"

#include <string.h>

// `name` without its size suffix is `base`; *width: what the suffix says.
static bool is_op(const char *name, const char *base, unsigned *width) {
  size_t n = strlen(base);
  if (strncmp(name, base, n) != 0)
    return false;
  *width = isa_x86_width(name[n]);
  return !name[n] || (*width && !name[n + 1]);
}

static const struct {
  const char *name;
  enum op op;
} computations[] = {
    {"add", OP_add}, {"sub", OP_sub}, {"and", OP_and},
    {"or", OP_or},   {"xor", OP_xor},
};

static const struct {
  const char *name;
  enum op op;
} shifts[] = {
    {"shl", OP_shl}, {"sal", OP_shl}, {"shr", OP_lshr}, {"sar", OP_ashr}};

// Operands in the order of Intel.
struct operands {
  struct operand to, from;
  unsigned width;
};

static bool is_memory(const struct build *l, const struct operand *o) {
  // movl x, %eax: a bare name is a location.
  return o->kind == OPERAND_MEMORY ||
         (o->kind == OPERAND_NAME && l->t->arch == ARCH_X86_64);
}

static struct operand as_memory(struct operand o) {
  if (o.kind == OPERAND_NAME)
    o = (struct operand){.kind = OPERAND_MEMORY, .symbol = o.name};
  return o;
}

// How wide the instruction is: by its suffix, by its registers, else a word. A
// word of X86 is a cell.
static unsigned width_of(unsigned suffix, const struct asm_insn *in,
                         enum arch arch) {
  for (unsigned i = 0; !suffix && i < in->count; i++)
    if (in->at[i].kind == OPERAND_REG)
      suffix = in->at[i].width;
  if (arch == ARCH_X86)
    return suffix == 8 || suffix == 16 ? suffix : 64;
  return suffix ? suffix : 32;
}

static unsigned read_operand(struct build *l, const struct operand *o,
                             unsigned width) {
  struct access_how how = {.size = width / 8, .order = ORD_RLX};
  if (o->kind == OPERAND_MEMORY)
    return build_load(l, asm_address(l, o), how);
  return build_cut(l, asm_value(l, o), width);
}

static void write_operand(struct build *l, const struct operand *o,
                          unsigned value, unsigned width) {
  struct access_how how = {.size = width / 8, .order = ORD_RLX};
  if (o->kind == OPERAND_MEMORY)
    build_store(l, asm_address(l, o), value, how);
  else
    asm_set(l, o, value);
}

static bool two_operands(struct build *l, const struct asm_insn *in,
                         unsigned suffix, struct operands *ret) {
  if (in->count != 2)
    return build_refuse(l, "'%s' takes two operands", in->name);
  bool is_intel = l->t->arch == ARCH_X86;
  ret->to = in->at[is_intel ? 0 : 1];
  ret->from = in->at[is_intel ? 1 : 0];
  if (is_memory(l, &ret->to))
    ret->to = as_memory(ret->to);
  if (is_memory(l, &ret->from))
    ret->from = as_memory(ret->from);
  ret->width = width_of(suffix, in, l->t->arch);
  bool is_good =
      (ret->to.kind == OPERAND_REG || ret->to.kind == OPERAND_MEMORY) &&
      ret->from.kind != OPERAND_NAME &&
      !(ret->to.kind == OPERAND_MEMORY && ret->from.kind == OPERAND_MEMORY);
  return is_good ||
         build_refuse(l, "'%s' does not take such operands", in->name);
}

static bool lower_mov(struct build *l, const struct asm_insn *in,
                      unsigned suffix) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  write_operand(l, &o.to, read_operand(l, &o.from, o.width), o.width);
  return true;
}

static struct access_how locked(unsigned width) {
  return (struct access_how){.size = width / 8, .order = ORD_SC};
}

static void put_memory_first(struct operands *o) {
  if (o->from.kind != OPERAND_MEMORY)
    return;
  struct operand to = o->to;
  o->to = o->from;
  o->from = to;
}

static bool lower_xchg(struct build *l, const struct asm_insn *in,
                       unsigned suffix) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  put_memory_first(&o); // it is the same either way
  if (o.from.kind != OPERAND_REG)
    return build_refuse(l, "'%s' takes a register", in->name);
  unsigned value = read_operand(l, &o.from, o.width);
  if (o.to.kind == OPERAND_MEMORY) {
    value = build_update(l, OP_mov, asm_address(l, &o.to), value,
                         locked(o.width), locked(o.width));
  } else {
    unsigned old = build_slot(l), new = build_slot(l);
    build_move(l, old, read_operand(l, &o.to, o.width));
    build_move(l, new, value);
    asm_set(l, &o.to, new);
    value = old;
  }
  asm_set(l, &o.from, value);
  return true;
}

// The carry is the borrow of a subtraction here, so it is kept turned round.
static void turn_carry(struct build *l) {
  asm_set_carry(l,
                build_binary(l, OP_xor, asm_carry(l), build_const(l, 1), 64));
}

static void set_flags(struct build *l, enum op op, unsigned a, unsigned b,
                      unsigned width) {
  if (op == OP_sub) {
    asm_compare(l, a, b, width);
    return;
  }
  if (op == OP_add)
    asm_flag_sum(l, a, b, width);
  else
    asm_flag_result(l, build_binary(l, op, a, b, width), width,
                    /*keeps=*/false);
  turn_carry(l);
}

static bool lower_computation(struct build *l, const struct asm_insn *in,
                              enum op op, unsigned suffix, bool is_locked) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  bool is_update = is_locked && o.to.kind == OPERAND_MEMORY;
  unsigned by = read_operand(l, &o.from, o.width);
  unsigned old = is_update ? build_update(l, op, asm_address(l, &o.to), by,
                                          locked(o.width), locked(o.width))
                           : read_operand(l, &o.to, o.width);
  unsigned result = build_binary(l, op, old, by, o.width);
  set_flags(l, op, old, by, o.width);
  if (!is_update)
    write_operand(l, &o.to, result, o.width);
  return true;
}

static bool lower_step(struct build *l, const struct asm_insn *in, enum op op,
                       unsigned suffix, bool is_locked) {
  struct asm_insn two = {.count = 2};
  bool is_intel = l->t->arch == ARCH_X86;
  if (in->count != 1)
    return build_refuse(l, "'%s' takes one operand", in->name);
  memcpy(two.name, in->name, sizeof two.name);
  two.at[is_intel ? 0 : 1] = in->at[0];
  two.at[is_intel ? 1 : 0] =
      (struct operand){.kind = OPERAND_NUMBER, .number = 1};
  unsigned carry = build_slot(l); // inc and dec leave it as it is
  build_move(l, carry, asm_carry(l));
  bool ok = lower_computation(l, &two, op, suffix, is_locked);
  asm_set_carry(l, carry);
  return ok;
}

// xadd: the register gets the old value, memory the sum.
static bool lower_xadd(struct build *l, const struct asm_insn *in,
                       unsigned suffix) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  if (o.from.kind != OPERAND_REG || o.to.kind != OPERAND_MEMORY)
    return build_refuse(l, "'%s' takes memory and a register", in->name);
  unsigned by = read_operand(l, &o.from, o.width);
  unsigned old = build_update(l, OP_add, asm_address(l, &o.to), by,
                              locked(o.width), locked(o.width));
  set_flags(l, OP_add, old, by, o.width);
  asm_set(l, &o.from, old);
  return true;
}

// `value`, with the upper half of the register if `ok`; the register becomes
// all of it.
static unsigned keep_upper_half(struct build *l, struct operand *o, unsigned ok,
                                unsigned value) {
  o->width = 64;
  unsigned half = build_const(l, UINT64_MAX << 32);
  unsigned upper = build_binary(l, OP_and, asm_value(l, o), half, 64);
  return build_binary(l, OP_or, value,
                      build_pick(l, ok, upper, build_const(l, 0)), 64);
}

// cmpxchg: compares with rax, which gets what was there if that is another.
static bool lower_cmpxchg(struct build *l, const struct asm_insn *in,
                          unsigned suffix) {
  struct operands o;
  struct operand rax = {.kind = OPERAND_REG};
  char name[32];
  if (!two_operands(l, in, suffix, &o))
    return false;
  put_memory_first(&o); // herd has it first in X86_64, too
  if (o.from.kind != OPERAND_REG || o.to.kind != OPERAND_MEMORY)
    return build_refuse(l, "'%s' takes memory and a register", in->name);
  register_name(l->t->arch,
                o.width == 64   ? "rax"
                : o.width == 32 ? "eax"
                : o.width == 16 ? "ax"
                                : "al",
                name, &rax.width);
  rax.name = strings_add(&l->t->strings, name);
  struct access_how how = locked(o.width);
  how.how = HOW_PICK;
  how.order_fail = ORD_SC; // locked in any case
  unsigned ok, expected = build_slot(l);
  build_move(l, expected, read_operand(l, &rax, o.width));
  unsigned old = build_cas(l, asm_address(l, &o.to), expected,
                           read_operand(l, &o.from, o.width), how, how, &ok);
  asm_compare(l, expected, old, o.width);
  if (o.width == 32) // a write of eax would clear the rest of rax
    old = keep_upper_half(l, &rax, ok, old);
  asm_set(l, &rax, old);
  return true;
}

static bool lower_compare(struct build *l, const struct asm_insn *in,
                          unsigned suffix) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  unsigned a = read_operand(l, &o.to, o.width);
  asm_compare(l, a, read_operand(l, &o.from, o.width), o.width);
  return true;
}

static bool lower_test(struct build *l, const struct asm_insn *in,
                       unsigned suffix) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  unsigned a = read_operand(l, &o.to, o.width);
  set_flags(l, OP_and, a, read_operand(l, &o.from, o.width), o.width);
  return true;
}

// not and neg: 0 - x is what sub computes; not leaves the flags alone.
static bool lower_negation(struct build *l, const struct asm_insn *in,
                           unsigned suffix, bool is_not, bool is_locked) {
  struct operands o = {.width = width_of(suffix, in, l->t->arch)};
  if (in->count != 1)
    return build_refuse(l, "'%s' takes one operand", in->name);
  o.to = is_memory(l, &in->at[0]) ? as_memory(in->at[0]) : in->at[0];
  if (o.to.kind != OPERAND_REG && o.to.kind != OPERAND_MEMORY)
    return build_refuse(l, "'%s' takes a register or memory", in->name);
  uint64_t all = UINT64_MAX >> (64 - o.width);
  if (is_locked && o.to.kind == OPERAND_MEMORY) {
    if (!is_not)
      return asm_unknown(l, in);
    build_update(l, OP_xor, asm_address(l, &o.to), build_const(l, all),
                 locked(o.width), locked(o.width));
    return true;
  }
  unsigned old = read_operand(l, &o.to, o.width), zero = build_const(l, 0);
  unsigned result = is_not
                        ? build_binary(l, OP_xor, old, build_const(l, all), 64)
                        : build_binary(l, OP_sub, zero, old, o.width);
  if (!is_not)
    set_flags(l, OP_sub, zero, old, o.width);
  write_operand(l, &o.to, result, o.width);
  return true;
}

static unsigned bit_of(struct build *l, unsigned value, uint64_t n) {
  return build_binary(l, OP_and,
                      build_binary(l, OP_lshr, value, build_const(l, n), 64),
                      build_const(l, 1), 64);
}

// shl, shr, sar by a number. The carry is the last bit that went out; a shift
// by one overflows if it changes the sign (by more: that is open).
static bool lower_shift(struct build *l, const struct asm_insn *in, enum op op,
                        unsigned suffix) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  unsigned width = o.width;
  if (l->t->arch == ARCH_X86 && width == 64)
    width = 32; // cells hold more
  uint64_t by = o.from.number & (width == 64 ? 63 : 31);
  if (o.from.kind != OPERAND_NUMBER || by >= width)
    return build_refuse(l, "'%s' by a number below %u expected", in->name,
                        width);
  unsigned old = build_cut(l, read_operand(l, &o.to, o.width), width);
  if (!by) { // flags stay, but half a register is written
    if (o.to.kind == OPERAND_REG && o.width == 32)
      asm_set(l, &o.to, old);
    return true;
  }
  uint64_t last = op == OP_shl ? width - by : by - 1;
  unsigned result = build_binary(l, op, old, build_const(l, by), width);
  unsigned signs = build_binary(l, OP_xor, old, result, width);
  unsigned out = bit_of(l, old, last), over = bit_of(l, signs, width - 1);
  write_operand(l, &o.to, result, o.width);
  asm_flag_result(l, result, width, /*keeps=*/false);
  asm_set_carry(l, out);
  turn_carry(l);
  if (by == 1)
    asm_set_overflow(l, over);
  return true;
}

// cmov<condition>: memory is read in any case.
static bool lower_cmov(struct build *l, const struct asm_insn *in,
                       struct isa_condition c, unsigned suffix) {
  struct operands o;
  if (!two_operands(l, in, suffix, &o))
    return false;
  if (o.to.kind != OPERAND_REG || o.from.kind == OPERAND_NUMBER)
    return build_refuse(l, "'%s' does not take such operands", in->name);
  unsigned value = read_operand(l, &o.from, o.width), to = build_slot(l);
  build_emit(l, OP_select, to, asm_test(l, c), value,
             read_operand(l, &o.to, o.width));
  asm_set(l, &o.to, to);
  return true;
}

// set<condition>: one byte
static bool lower_set(struct build *l, const struct asm_insn *in,
                      struct isa_condition c) {
  struct operand to = in->at[0];
  if (in->count != 1)
    return build_refuse(l, "'%s' takes one operand", in->name);
  if (is_memory(l, &to))
    to = as_memory(to);
  if (to.kind != OPERAND_REG && to.kind != OPERAND_MEMORY)
    return build_refuse(l, "'%s' takes a register or memory", in->name);
  write_operand(l, &to, asm_test(l, c), 8);
  return true;
}

// A condition may have a size behind it: cmovel, cmovll.
static bool try_conditional(struct build *l, const struct asm_insn *in,
                            const char *name, bool *ret) {
  struct isa_condition c;
  char condition[MNEMONIC];
  if (strncmp(name, "set", 3) == 0 && isa_x86_condition(name + 3, &c)) {
    *ret = lower_set(l, in, c);
    return true;
  }
  if (strncmp(name, "cmov", 4) != 0)
    return false;
  if (isa_x86_condition(name + 4, &c)) {
    *ret = lower_cmov(l, in, c, 0);
    return true;
  }
  size_t n = strlen(name + 4);
  if (n < 2 || n > sizeof condition || !isa_x86_width(name[4 + n - 1]))
    return false;
  memcpy(condition, name + 4, n - 1);
  condition[n - 1] = 0;
  if (!isa_x86_condition(condition, &c))
    return false;
  *ret = lower_cmov(l, in, c, isa_x86_width(name[4 + n - 1]));
  return true;
}

// jmp and j<condition>
static bool lower_jump_insn(struct build *l, const struct asm_insn *in) {
  struct isa_condition condition;
  if (!asm_expect(l, in, "l"))
    return false;
  if (strcmp(in->name, "jmp") == 0) {
    build_jump(l, asm_label(l, &in->at[0]));
    return true;
  }
  const char *name = in->name + 1; // herd has jlt and jgt, too
  name = strcmp(name, "lt") == 0 ? "l" : strcmp(name, "gt") == 0 ? "g" : name;
  if (!isa_x86_condition(name, &condition))
    return asm_unknown(l, in);
  asm_branch(l, asm_test(l, condition), &in->at[0]);
  return true;
}

// movzbl, movslq and relatives: from one width to a larger one.
static bool try_extension(struct build *l, const struct asm_insn *in,
                          const char *name, bool *ret) {
  bool is_signed = strncmp(name, "movs", 4) == 0;
  if ((!is_signed && strncmp(name, "movz", 4) != 0) || strlen(name) != 6)
    return false;
  unsigned from = isa_x86_width(name[4]), to = isa_x86_width(name[5]);
  struct operands o;
  if (l->t->arch != ARCH_X86_64 || !from || from >= to)
    return false;
  *ret = two_operands(l, in, to, &o) &&
         (o.to.kind == OPERAND_REG ||
          build_refuse(l, "'%s' does not take such operands", in->name));
  if (!*ret)
    return true;
  unsigned value = read_operand(l, &o.from, from);
  asm_set(l, &o.to, is_signed ? build_extend(l, value, from) : value);
  return true;
}

// lea: the address alone.
static bool try_address(struct build *l, const struct asm_insn *in,
                        const char *name, bool *ret) {
  struct operands o;
  unsigned width = 0;
  if (!is_op(name, "lea", &width))
    return false;
  *ret = two_operands(l, in, width, &o) &&
         ((o.from.kind == OPERAND_MEMORY && o.to.kind == OPERAND_REG) ||
          build_refuse(l, "'%s' takes an address and a register", in->name));
  if (*ret)
    asm_set(l, &o.to, asm_address(l, &o.from));
  return true;
}

// movzx, movsx: as wide as the registers are.
static bool try_wide_move(struct build *l, const struct asm_insn *in,
                          const char *name, bool *ret) {
  bool is_signed = strcmp(name, "movsx") == 0;
  struct operands o;
  if ((!is_signed && strcmp(name, "movzx") != 0) || l->t->arch != ARCH_X86_64 ||
      !asm_matches(in, "rr"))
    return false;
  if (!(*ret = two_operands(l, in, 0, &o)))
    return true;
  unsigned value = asm_value(l, &o.from);
  asm_set(l, &o.to, is_signed ? build_extend(l, value, o.from.width) : value);
  return true;
}

static bool lower_plain(struct build *l, const struct asm_insn *in,
                        const char *name, bool is_locked) {
  unsigned width = 0;
  if (is_op(name, "mov", &width) || is_op(name, "movabs", &width))
    return lower_mov(l, in, width);
  if (is_op(name, "xchg", &width))
    return lower_xchg(l, in, width);
  if (is_op(name, "cmp", &width))
    return lower_compare(l, in, width);
  if (is_op(name, "inc", &width) || is_op(name, "dec", &width))
    return lower_step(l, in, name[0] == 'i' ? OP_add : OP_sub, width,
                      is_locked);
  for (unsigned i = 0; i < LENGTH(computations); i++)
    if (is_op(name, computations[i].name, &width))
      return lower_computation(l, in, computations[i].op, width, is_locked);
  if (is_op(name, "test", &width) && !is_locked)
    return lower_test(l, in, width);
  if (is_op(name, "not", &width) || is_op(name, "neg", &width))
    return lower_negation(l, in, width, name[1] == 'o', is_locked);
  for (unsigned i = 0; !is_locked && i < LENGTH(shifts); i++)
    if (is_op(name, shifts[i].name, &width))
      return lower_shift(l, in, shifts[i].op, width);
  bool ok;
  if (!is_locked &&
      (try_conditional(l, in, name, &ok) || try_extension(l, in, name, &ok) ||
       try_wide_move(l, in, name, &ok) || try_address(l, in, name, &ok)))
    return ok;
  if (is_locked && is_op(name, "xadd", &width))
    return lower_xadd(l, in, width);
  if (is_locked && is_op(name, "cmpxchg", &width))
    return lower_cmpxchg(l, in, width);
  return name[0] == 'j' ? lower_jump_insn(l, in) : asm_unknown(l, in);
}

bool lower_x86(struct build *l, const struct asm_insn *in) {
  const char *name = in->name;
  unsigned width;
  if (is_op(name, "nop", &width) || strcmp(name, "endbr64") == 0 ||
      strcmp(name, "pause") == 0)
    return true;
  if (is_op(name, "ret", &width) && !in->count)
    return asm_return(l), true;
  static const struct {
    const char *name;
    enum fence_kind kind;
    enum order order;
  } fences[] = {{"mfence", FENCE_MFENCE, ORD_SC},
                {"lfence", FENCE_LFENCE, ORD_NA},
                {"sfence", FENCE_SFENCE, ORD_NA}};
  for (unsigned i = 0; i < LENGTH(fences); i++)
    if (strcmp(name, fences[i].name) == 0)
      return asm_expect(l, in, "") &&
             (build_fence(l, fences[i].kind, fences[i].order), true);
  bool is_locked = strncmp(name, "lock ", 5) == 0;
  if (!is_locked && strncmp(name, "lock_", 5) == 0)
    is_locked = true;
  return lower_plain(l, in, name + (is_locked ? 5 : 0), is_locked);
}
