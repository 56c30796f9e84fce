// SPDX-License-Identifier: MIT
// MIPS, in the subset of herd and diy, and what is like it. Branches have no
// delay slots, as in assembly that the assembler may reorder. Sums of words are
// as wide as registers, as in herd, since tests add to addresses with addu.
#include "litmus/asm.h"

#include <string.h>

// What an immediate becomes, of which 16 bits are in the instruction.
enum immediate { NO_NUMBER, EXTENDS_ZERO, EXTENDS_SIGN, COUNTS };

static bool fits_row(const char *name, const char *row, const char *operands,
                     const struct asm_insn *in, struct build *l, bool *ret) {
  if (strcmp(name, row) != 0)
    return false;
  *ret = asm_expect(l, in, operands);
  return true;
}

// -- accesses

static bool try_access(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    enum { LOADS, LOADS_UNSIGNED, LINKS, STORES, MAY_STORE } what;
    unsigned size;
  } rows[] = {
      {"lb", LOADS, 1},           {"lh", LOADS, 2},
      {"lw", LOADS, 4},           {"ld", LOADS, 8},
      {"lbu", LOADS_UNSIGNED, 1}, {"lhu", LOADS_UNSIGNED, 2},
      {"lwu", LOADS_UNSIGNED, 4}, {"ll", LINKS, 4},
      {"lld", LINKS, 8},          {"sb", STORES, 1},
      {"sh", STORES, 2},          {"sw", STORES, 4},
      {"sd", STORES, 8},          {"sc", MAY_STORE, 4},
      {"scd", MAY_STORE, 8},
  };
  unsigned i = 0, n = LENGTH(rows);
  while (i < n && !fits_row(in->name, rows[i].name, "rm", in, l, ret))
    i++;
  if (i == n || !*ret)
    return i < n;
  struct access_how how = {.size = rows[i].size, .order = ORD_RLX};
  unsigned address = asm_address(l, &in->at[1]), value = 0;
  switch (rows[i].what) {
  case LINKS:
    how.how = HOW_LINKED;
    __attribute__((fallthrough));
  case LOADS:
  case LOADS_UNSIGNED:
    value = build_load(l, address, how);
    if (rows[i].what != LOADS_UNSIGNED)
      value = build_extend(l, value, how.size * 8);
    asm_set(l, &in->at[0], value);
    break;
  case STORES:
    build_store(l, address, asm_value(l, &in->at[0]), how);
    break;
  case MAY_STORE: // yields 1 if it did
    value = asm_value(l, &in->at[0]);
    asm_set(l, &in->at[0], build_conditional_store(l, address, value, how));
  }
  return true;
}

// -- branches

// beq A, B, LABEL; blez A, LABEL: a comparison with zero.
static bool try_branch(struct build *l, const struct asm_insn *in, bool *ret) {
  static const struct {
    const char *name;
    enum op op;
    bool with_zero, is_swapped;
  } rows[] = {
      {"beq", OP_eq, false, false},  {"bne", OP_ne, false, false},
      {"beqz", OP_eq, true, false},  {"bnez", OP_ne, true, false},
      {"bltz", OP_slt, true, false}, {"bgez", OP_sle, true, true},
      {"bgtz", OP_slt, true, true},  {"blez", OP_sle, true, false},
  };
  if (strcmp(in->name, "b") == 0 || strcmp(in->name, "j") == 0) {
    *ret = asm_jump(l, in);
    return true;
  }
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    bool with_zero = rows[i].with_zero, swap = rows[i].is_swapped;
    if (!fits_row(in->name, rows[i].name, with_zero ? "rl" : "rrl", in, l, ret))
      continue;
    if (!*ret)
      return true;
    unsigned a = asm_value(l, &in->at[0]);
    unsigned b = with_zero ? build_const(l, 0) : asm_value(l, &in->at[1]);
    asm_branch(l, build_binary(l, rows[i].op, swap ? b : a, swap ? a : b, 64),
               &in->at[with_zero ? 1 : 2]);
    return true;
  }
  return false;
}

// -- computations

static uint64_t extended(enum immediate how, uint64_t n) {
  return how == EXTENDS_ZERO   ? n & UINT16_MAX
         : how == EXTENDS_SIGN ? (uint64_t)(int16_t)(uint16_t)n
                               : n;
}

// D, A, B
static bool try_computation(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  static const struct {
    const char *name;
    enum op op;
    enum immediate number; // what its last operand is
    unsigned width;        // of what is shifted
  } rows[] = {
      {"add", OP_add, NO_NUMBER, 64},      {"addu", OP_add, NO_NUMBER, 64},
      {"dadd", OP_add, NO_NUMBER, 64},     {"daddu", OP_add, NO_NUMBER, 64},
      {"addi", OP_add, EXTENDS_SIGN, 64},  {"addiu", OP_add, EXTENDS_SIGN, 64},
      {"daddi", OP_add, EXTENDS_SIGN, 64}, {"daddiu", OP_add, EXTENDS_SIGN, 64},
      {"sub", OP_sub, NO_NUMBER, 64},      {"subu", OP_sub, NO_NUMBER, 64},
      {"dsub", OP_sub, NO_NUMBER, 64},     {"dsubu", OP_sub, NO_NUMBER, 64},
      {"subi", OP_sub, EXTENDS_SIGN, 64},  {"subiu", OP_sub, EXTENDS_SIGN, 64},
      {"slt", OP_slt, NO_NUMBER, 64},      {"sltu", OP_ult, NO_NUMBER, 64},
      {"slti", OP_slt, EXTENDS_SIGN, 64},  {"sltiu", OP_ult, EXTENDS_SIGN, 64},
      {"and", OP_and, NO_NUMBER, 64},      {"andi", OP_and, EXTENDS_ZERO, 64},
      {"or", OP_or, NO_NUMBER, 64},        {"ori", OP_or, EXTENDS_ZERO, 64},
      {"xor", OP_xor, NO_NUMBER, 64},      {"xori", OP_xor, EXTENDS_ZERO, 64},
      {"sll", OP_shl, COUNTS, 32},         {"sllv", OP_shl, NO_NUMBER, 32},
      {"srl", OP_lshr, COUNTS, 32},        {"srlv", OP_lshr, NO_NUMBER, 32},
      {"sra", OP_ashr, COUNTS, 32},        {"srav", OP_ashr, NO_NUMBER, 32},
      {"dsll", OP_shl, COUNTS, 64},        {"dsllv", OP_shl, NO_NUMBER, 64},
      {"dsrl", OP_lshr, COUNTS, 64},       {"dsrlv", OP_lshr, NO_NUMBER, 64},
      {"dsra", OP_ashr, COUNTS, 64},       {"dsrav", OP_ashr, NO_NUMBER, 64},
  };
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    unsigned width = rows[i].width;
    bool is_number = rows[i].number != NO_NUMBER;
    if (!fits_row(in->name, rows[i].name, is_number ? "rrn" : "rrr", in, l,
                  ret))
      continue;
    if (!*ret)
      return true;
    unsigned a = build_cut(l, asm_value(l, &in->at[1]), width);
    unsigned b =
        is_number ? build_const(l, extended(rows[i].number, in->at[2].number))
                  : asm_value(l, &in->at[2]);
    enum op op = rows[i].op;
    if (op == OP_shl || op == OP_lshr || op == OP_ashr)
      b = build_binary(l, OP_and, b, build_const(l, width - 1), 64);
    asm_set(l, &in->at[0],
            build_extend(l, build_binary(l, op, a, b, width), width));
    return true;
  }
  return false;
}

// dext D, A, FIRST, COUNT: so many bits of A, from that one on.
static bool lower_field(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rrnn"))
    return false;
  uint64_t first = in->at[2].number, count = in->at[3].number;
  if (first > 63 || count == 0 || count > 64 - first)
    return build_refuse(l, "'%s' of bits that a register does not have",
                        in->name);
  unsigned bits = build_binary(l, OP_lshr, asm_value(l, &in->at[1]),
                               build_const(l, first), 64);
  asm_set(l, &in->at[0],
          build_binary(l, OP_and, bits,
                       build_const(l, UINT64_MAX >> (64 - count)), 64));
  return true;
}

static bool try_other(struct build *l, const struct asm_insn *in, bool *ret) {
  if (fits_row(in->name, "nop", "", in, l, ret))
    return true;
  if (fits_row(in->name, "sync", "", in, l, ret)) {
    if (*ret)
      build_fence(l, FENCE_SYNC, ORD_SC);
  } else if (strcmp(in->name, "li") == 0 || strcmp(in->name, "move") == 0) {
    *ret = asm_move(l, in);
  } else if (fits_row(in->name, "lui", "rn", in, l, ret)) {
    if (*ret)
      asm_set(l, &in->at[0],
              build_extend(l, build_const(l, in->at[1].number << 16), 32));
  } else if (fits_row(in->name, "nor", "rrr", in, l, ret)) {
    if (*ret)
      asm_set(l, &in->at[0],
              asm_invert(l, build_binary(l, OP_or, asm_value(l, &in->at[1]),
                                         asm_value(l, &in->at[2]), 64)));
  } else if (strcmp(in->name, "dext") == 0) {
    *ret = lower_field(l, in);
  } else {
    return false;
  }
  return true;
}

// jr $ra, with which functions return
static bool try_return(struct build *l, const struct asm_insn *in, bool *ret) {
  if (!fits_row(in->name, "jr", "r", in, l, ret) || !*ret)
    return strcmp(in->name, "jr") == 0;
  const char *name = strings_get(&l->t->strings, in->at[0].name);
  if ((*ret = strcmp(name, "$31") == 0))
    asm_return(l);
  else
    build_refuse(l, "addresses of code are not supported");
  return true;
}

bool lower_mips(struct build *l, const struct asm_insn *in) {
  bool ok;
  if (try_access(l, in, &ok) || try_branch(l, in, &ok) ||
      try_computation(l, in, &ok) || try_other(l, in, &ok) ||
      try_return(l, in, &ok))
    return ok;
  return asm_unknown(l, in);
}
