// SPDX-License-Identifier: MIT
// ARM of 32 bits. A word of memory holds a whole address here.
#include "litmus/asm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool try_access(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  struct access_how how = {.size = 8, .order = ORD_RLX};
  if (strcmp(name, "ldr") == 0 || strcmp(name, "ldrex") == 0) {
    how.how = name[3] ? HOW_LINKED : 0;
    if (!(*ret = asm_expect_access(l, in, "r")))
      return true;
    unsigned value = build_load(l, asm_address(l, &in->at[1]), how);
    asm_move_base(l, in, 1);
    asm_set(l, &in->at[0], value);
  } else if (strcmp(name, "str") == 0) {
    if (!(*ret = asm_expect_access(l, in, "r")))
      return true;
    build_store(l, asm_address(l, &in->at[1]), asm_value(l, &in->at[0]), how);
    asm_move_base(l, in, 1);
  } else if (strcmp(name, "strex") == 0) {
    *ret = asm_conditional_store(l, in, how);
  } else {
    return false;
  }
  return true;
}

// ldrb, ldrexb, strh, ...: bytes and halves.
static bool try_part(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  bool is_load = strncmp(name, "ldr", 3) == 0;
  if (!is_load && strncmp(name, "str", 3) != 0)
    return false;
  bool is_exclusive = strncmp(name + 3, "ex", 2) == 0;
  const char *size = name + (is_exclusive ? 5 : 3);
  if (!*size || size[1] || !strchr("bh", *size))
    return false;
  struct access_how how = {.size = *size == 'b' ? 1 : 2,
                           .order = ORD_RLX,
                           .how = is_exclusive ? HOW_LINKED : 0};
  if (is_exclusive && !is_load) {
    *ret = asm_conditional_store(l, in, how);
    return true;
  }
  if (!(*ret = asm_expect_access(l, in, "r")))
    return true;
  unsigned value = 0, address = asm_address(l, &in->at[1]);
  if (is_load)
    value = build_load(l, address, how);
  else
    build_store(l, address, asm_value(l, &in->at[0]), how);
  asm_move_base(l, in, 1);
  if (is_load)
    asm_set(l, &in->at[0], value);
  return true;
}

// lda, ldaexh, stl, stlexb, ...: these acquire and release as LDAR and STLR of
// AArch64 do. They came with ARMv8, which armv8 is about.
static bool try_ordered(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  bool is_load = strncmp(name, "lda", 3) == 0;
  if (!is_load && strncmp(name, "stl", 3) != 0)
    return false;
  bool is_exclusive = strncmp(name + 3, "ex", 2) == 0;
  const char *size = name + (is_exclusive ? 5 : 3);
  if (*size && (size[1] || !strchr("bh", *size)))
    return false;
  struct access_how how = {.size = !*size         ? 8
                                   : *size == 'b' ? 1
                                                  : 2,
                           .order = is_load ? ORD_SC : ORD_REL,
                           .how = is_exclusive ? HOW_LINKED : 0};
  l->t->is_v8 = true;
  if (is_exclusive && !is_load)
    *ret = asm_conditional_store(l, in, how);
  else if (!(*ret = asm_expect(l, in, "rm")))
    return true;
  else if (is_load)
    asm_set(l, &in->at[0], build_load(l, asm_address(l, &in->at[1]), how));
  else
    build_store(l, asm_address(l, &in->at[1]), asm_value(l, &in->at[0]), how);
  return true;
}

// Words one behind the other: no model here orders accesses of one instruction,
// nor what is only behind each other in a thread, so they are like several
// instructions. The base may be among what is loaded.
static void access_words(struct build *l, unsigned address, bool is_load,
                         const struct operand *words, unsigned n) {
  struct access_how how = {.size = 8, .order = ORD_RLX};
  unsigned at[MAX_OPERANDS], value[MAX_OPERANDS];
  for (unsigned i = 0; i < n; i++)
    at[i] = build_binary(l, OP_add, address, build_const(l, 4 * i), 64);
  for (unsigned i = 0; i < n && is_load; i++)
    value[i] = build_load(l, at[i], how);
  for (unsigned i = 0; i < n; i++)
    if (is_load)
      asm_set(l, &words[i], value[i]);
    else
      build_store(l, at[i], asm_value(l, &words[i]), how);
}

static int register_number(const struct build *l, const struct operand *o) {
  return atoi(strings_get(&l->t->strings, o->name) + 1);
}

// The register behind this one.
static bool next_register(struct build *l, const struct operand *o,
                          struct operand *ret) {
  char name[16];
  int n = register_number(l, o);
  if (n >= 14)
    return build_refuse(l, "a register below R14 expected");
  snprintf(name, sizeof name, "R%d", n + 1);
  *ret = *o;
  ret->name = strings_add(&l->t->strings, name);
  return true;
}

// ldrd rt, [rt2,] address; strd
static bool lower_double(struct build *l, const struct asm_insn *in,
                         bool is_load) {
  struct operand words[2] = {in->at[0], in->at[1]};
  bool has_both = in->count > 1 && in->at[1].kind == OPERAND_REG;
  if (!asm_expect_access(l, in, has_both ? "rr" : "r") ||
      (!has_both && !next_register(l, &in->at[0], &words[1])))
    return false;
  unsigned address = build_binary(
      l, OP_add, asm_address(l, &in->at[1 + has_both]), build_const(l, 0), 64);
  if (is_load) // the base may be among them
    asm_move_base(l, in, 1 + has_both);
  access_words(l, address, is_load, words, 2);
  if (!is_load)
    asm_move_base(l, in, 1 + has_both);
  return true;
}

// ldm rn, {r1, r2}; ldmib: from the word behind; stm
static bool try_several(struct build *l, const struct asm_insn *in, bool *ret) {
  bool is_load = strncmp(in->name, "ldm", 3) == 0;
  const char *way = in->name + 3;
  if (strcmp(in->name, "ldrd") == 0 || strcmp(in->name, "strd") == 0) {
    *ret = lower_double(l, in, *in->name == 'l');
    return true;
  }
  if ((!is_load && strncmp(in->name, "stm", 3) != 0) ||
      (*way && strcmp(way, "ia") != 0 && strcmp(way, "ib") != 0))
    return false;
  char kinds[MAX_OPERANDS + 1] = "rr";
  for (unsigned i = 2; i < in->count; i++)
    kinds[i] = 'r';
  if (!(*ret = asm_expect(l, in, kinds)))
    return true;
  for (unsigned i = 2; i < in->count; i++)
    if (register_number(l, &in->at[i]) <= register_number(l, &in->at[i - 1]))
      return *ret = build_refuse(l, "registers in ascending order expected"),
             true;
  unsigned address = asm_value(l, &in->at[0]);
  if (strcmp(way, "ib") == 0)
    address = build_binary(l, OP_add, address, build_const(l, 4), 64);
  access_words(l, address, is_load, in->at + 1, in->count - 1);
  return true;
}

static bool try_barrier(struct build *l, const struct asm_insn *in, bool *ret) {
  static const char *const domains[] = {"sy", "ish",   "osh",   "nsh",
                                        "st", "ishst", "oshst", "nshst"};
  enum { OF_STORES = 4, ALL = 8 };
  bool is_dmb = strcmp(in->name, "dmb") == 0;
  bool is_isb = strcmp(in->name, "isb") == 0;
  if (!is_isb && !is_dmb && strcmp(in->name, "dsb") != 0)
    return false;
  const char *domain = in->count ? asm_name(l, in, 0) : "sy";
  unsigned i = 0, n = is_isb ? 1 : ALL;
  while (i < n && strcasecmp(domain, domains[i]) != 0)
    i++;
  *ret = i < n && in->count <= 1;
  if (!*ret)
    build_refuse(l, "unsupported barrier '%s %s'", in->name, domain);
  else if (is_isb)
    build_fence(l, FENCE_ISB, ORD_NA);
  else if (i >= OF_STORES)
    build_fence(l, is_dmb ? FENCE_STORES : FENCE_DSB_ST, ORD_NA);
  else
    build_fence(l, is_dmb ? FENCE_DMB : FENCE_DSB, ORD_SC);
  return true;
}

static bool shift_op(const char *name, enum op *ret) {
  static const struct {
    const char *name;
    enum op op;
  } rows[] = {{"lsl", OP_shl}, {"lsr", OP_lshr}, {"asr", OP_ashr}};
  for (unsigned i = 0; i < LENGTH(rows); i++)
    if (strcasecmp(name, rows[i].name) == 0) {
      *ret = rows[i].op;
      return true;
    }
  return false;
}

// Numbers are kept with their signs.
static unsigned shifted(struct build *l, enum op op, unsigned value,
                        unsigned by) {
  return build_extend(l, asm_shift_word(l, op, value, by), 32);
}

// add r0, r1, r2, lsl #2: the last operand, if it is shifted.
static bool take_shift(struct build *l, const struct asm_insn *in,
                       struct asm_insn *ret) {
  enum op op;
  *ret = *in;
  unsigned last = in->count - 1;
  if (in->count < 2 || in->at[last].kind != OPERAND_NAME ||
      in->at[last - 1].kind != OPERAND_REG ||
      !shift_op(asm_name(l, in, last), &op))
    return true;
  if (in->at[last].number > 31)
    return build_refuse(l, "a shift by a number below 32 expected");
  struct operand *to = &ret->at[last - 1];
  unsigned value =
      shifted(l, op, asm_value(l, to), build_const(l, in->at[last].number));
  to->name = strings_add(&l->t->strings, "shifted");
  build_move(l, build_register(l, to->name), value);
  ret->count--;
  return true;
}

static bool try_computation(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  static const struct asm_computation rows[] = {
      {.name = "add", .op = OP_add},
      {.name = "sub", .op = OP_sub},
      {.name = "rsb", .op = OP_sub, .is_swapped = true},
      {.name = "and", .op = OP_and},
      {.name = "bic", .op = OP_and, .inverts_last = true},
      {.name = "orr", .op = OP_or},
      {.name = "eor", .op = OP_xor},
      {.name = "xor", .op = OP_xor}, // herd's name for it
      {.name = "mul", .op = OP_mul},
  };
  enum op op;
  if (!shift_op(in->name, &op))
    return asm_try_computation(l, in, rows, LENGTH(rows), "s", ret);
  if ((*ret = asm_expect(l, in, "rrv")))
    asm_set(l, &in->at[0],
            shifted(l, op, asm_value(l, &in->at[1]), asm_value(l, &in->at[2])));
  return true;
}

static bool is_compare(const char *name) {
  return strcmp(name, "cmp") == 0 || strcmp(name, "cmn") == 0 ||
         strcmp(name, "tst") == 0 || strcmp(name, "teq") == 0;
}

static bool try_compare(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  bool is_sum = strcmp(name, "cmn") == 0, is_and = strcmp(name, "tst") == 0;
  bool is_xor = strcmp(name, "teq") == 0;
  if (!is_compare(name))
    return false;
  if (!(*ret = asm_expect(l, in, "rv")))
    return true;
  unsigned a = asm_value(l, &in->at[0]), b = asm_value(l, &in->at[1]);
  if (is_sum)
    asm_flag_sum(l, a, b, 64);
  else if (is_and || is_xor)
    asm_flag_result(l, build_binary(l, is_and ? OP_and : OP_xor, a, b, 64), 64,
                    /*keeps=*/true);
  else
    asm_compare(l, a, b, 64);
  return true;
}

static bool try_branch(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  unsigned slot;
  if (strcmp(name, "b") == 0) {
    *ret = asm_jump(l, in);
    return true;
  }
  if (strcmp(name, "cbz") == 0 || strcmp(name, "cbnz") == 0) {
    *ret = asm_branch_on_zero(l, in, name[2] == 'z');
    return true;
  }
  if (name[0] != 'b' || !asm_condition(l, name + 1, &slot))
    return false;
  if ((*ret = asm_expect(l, in, "l")))
    asm_branch(l, slot, &in->at[0]);
  return true;
}

// The end of a function that a compiler made: BX LR.
static bool is_return(const struct build *l, const struct asm_insn *in) {
  return strcmp(in->name, "bx") == 0 && in->count == 1 &&
         in->at[0].kind == OPERAND_REG &&
         strcmp(strings_get(&l->t->strings, in->at[0].name), "R14") == 0;
}

static bool is_counter(const struct build *l, uint32_t name) {
  return name && strcmp(strings_get(&l->t->strings, name), "R15") == 0;
}

static bool mentions_counter(const struct build *l, const struct asm_insn *in) {
  for (unsigned i = 0; i < in->count; i++)
    if ((in->at[i].kind == OPERAND_REG && is_counter(l, in->at[i].name)) ||
        is_counter(l, in->at[i].base) || is_counter(l, in->at[i].index))
      return true;
  return false;
}

// -- conditional instructions. If the condition does not hold they do nothing,
// and nothing depends on that. If it does, what they write depends on it by
// pick (armv7.cat), and that they access memory does, but nothing behind them:
// they are no branches.

static bool lower_always(struct build *l, const struct asm_insn *in);

// movne: mov, ne
static bool split_condition(const char *name, char stem[MNEMONIC]) {
  static const char *const stems[] = {
      "mov",  "movw",  "movt",   "mvn",    "add",   "sub",    "rsb",   "and",
      "bic",  "orr",   "eor",    "mul",    "lsl",   "lsr",    "asr",   "adds",
      "subs", "rsbs",  "ands",   "bics",   "orrs",  "eors",   "muls",  "cmp",
      "cmn",  "tst",   "teq",    "ldr",    "str",   "ldrb",   "strb",  "ldrh",
      "strh", "ldrex", "ldrexb", "ldrexh", "strex", "strexb", "strexh"};
  struct isa_condition unused;
  size_t n = strlen(name);
  if (n < 5 || (!isa_arm_condition(name + n - 2, &unused) &&
                strcmp(name + n - 2, "al") != 0))
    return false;
  snprintf(stem, MNEMONIC, "%.*s", (int)n - 2, name);
  for (unsigned i = 0; i < LENGTH(stems); i++)
    if (strcmp(stem, stems[i]) == 0)
      return true;
  return false;
}

// adds, not lsls or str
static bool sets_flags(const char *name) {
  return is_compare(name) || (strlen(name) == 4 && name[3] == 's');
}

// The registers that an instruction writes: its first, unless that is compared
// or stored (a store-conditional says in it whether it succeeded), and the base
// that it moves.
static unsigned find_written(const struct asm_insn *in, uint32_t ret[2]) {
  unsigned n = 0;
  bool stores =
      strncmp(in->name, "str", 3) == 0 && strncmp(in->name, "strex", 5) != 0;
  if (in->at[0].kind == OPERAND_REG && !stores && !is_compare(in->name))
    ret[n++] = in->at[0].name;
  for (unsigned i = 0; i < in->count; i++)
    if (in->at[i].kind == OPERAND_MEMORY &&
        (in->at[i].moves_base || i + 1 < in->count))
      ret[n++] = in->at[i].base;
  return n;
}

// Which values there are depends on the condition, too, though by no way that
// is followed: a pick of its own says so (promise/pieces.c).
static bool lower_if(struct build *l, const struct asm_insn *in,
                     unsigned condition) {
  uint32_t holds = build_label(l, 0), end = build_label(l, 0), written[2];
  unsigned decides = build_slot(l), n = find_written(in, written);
  build_move(l, decides, condition);
  build_pick(l, decides, decides, build_const(l, 0));
  build_branch(l, build_decide(l, decides), holds, end);
  build_place(l, holds);
  l->decides = decides;
  bool ok = lower_always(l, in);
  l->decides = 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned to = build_register(l, written[i]);
    build_move(l, to, build_pick(l, decides, to, to));
  }
  if (sets_flags(in->name))
    asm_pick_flags(l, decides);
  build_jump(l, end);
  build_place(l, end);
  build_decide(l, build_const(l, 0)); // on no later access
  return ok;
}

static bool try_conditional(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  struct asm_insn plain = *in;
  unsigned condition;
  if (!split_condition(in->name, plain.name))
    return false;
  check(asm_condition(l, in->name + strlen(in->name) - 2, &condition));
  *ret = lower_if(l, &plain, condition);
  return true;
}

bool lower_arm(struct build *l, const struct asm_insn *in) {
  bool ok;
  return try_conditional(l, in, &ok) ? ok : lower_always(l, in);
}

static bool lower_always(struct build *l, const struct asm_insn *given) {
  bool ok;
  struct asm_insn now;
  const struct asm_insn *in = &now;
  if (!take_shift(l, given, &now))
    return false;
  if (mentions_counter(l, in))
    return build_refuse(l, "the program counter is no register for data");
  if (strcmp(in->name, "nop") == 0)
    return asm_expect(l, in, "");
  if (strcmp(in->name, "pld") == 0)
    return true;
  if (is_return(l, in))
    return asm_return(l), true;
  if (strcmp(in->name, "mov") == 0 || strcmp(in->name, "movw") == 0)
    return asm_move(l, in);
  if (strcmp(in->name, "mvn") == 0) {
    if (!asm_expect(l, in, "rv"))
      return false;
    asm_set(l, &in->at[0], asm_invert(l, asm_value(l, &in->at[1])));
    return true;
  }
  if (strcmp(in->name, "movt") == 0) { // the upper half of a word
    if (!asm_expect(l, in, "rn"))
      return false;
    unsigned low = build_cut(l, asm_value(l, &in->at[0]), 16);
    uint64_t high = (in->at[1].number & 0xffff) << 16;
    asm_set(l, &in->at[0],
            build_binary(l, OP_or, low, build_const(l, high), 64));
    return true;
  }
  if (try_access(l, in, &ok) || try_part(l, in, &ok) ||
      try_ordered(l, in, &ok) || try_several(l, in, &ok) ||
      try_barrier(l, in, &ok) || try_compare(l, in, &ok) ||
      try_computation(l, in, &ok) || try_branch(l, in, &ok))
    return ok;
  return asm_unknown(l, in);
}
