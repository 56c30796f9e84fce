// SPDX-License-Identifier: MIT
// ARM of 32 bits. A word of memory holds a whole address here.
#include "litmus/asm.h"

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

static bool try_barrier(struct build *l, const struct asm_insn *in, bool *ret) {
  bool is_dmb = strcmp(in->name, "dmb") == 0;
  *ret = true;
  if (strcmp(in->name, "isb") == 0)
    return build_fence(l, FENCE_ISB, ORD_NA), true;
  if (!is_dmb && strcmp(in->name, "dsb") != 0)
    return false;
  const char *domain = in->count ? asm_name(l, in, 0) : "sy";
  size_t n = strlen(domain);
  if (n >= 2 && strcasecmp(domain + n - 2, "st") == 0)
    build_fence(l, is_dmb ? FENCE_STORES : FENCE_DSB_ST, ORD_NA);
  else if (strcasecmp(domain, "sy") == 0 || strcasecmp(domain, "ish") == 0 ||
           strcasecmp(domain, "osh") == 0 || strcasecmp(domain, "nsh") == 0)
    build_fence(l, is_dmb ? FENCE_DMB : FENCE_DSB, ORD_SC);
  else
    *ret = build_refuse(l, "unsupported barrier '%s %s'", in->name, domain);
  return true;
}

static bool try_computation(struct build *l, const struct asm_insn *in,
                            bool *ret) {
  static const struct asm_computation rows[] = {
      {"add", OP_add, false}, {"sub", OP_sub, false}, {"and", OP_and, false},
      {"orr", OP_or, false},  {"eor", OP_xor, false},
  };
  return asm_try_computation(l, in, rows, sizeof rows / sizeof *rows, "s", ret);
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

bool lower_arm(struct build *l, const struct asm_insn *in) {
  bool ok;
  if (mentions_counter(l, in))
    return build_refuse(l, "the program counter is no register for data");
  if (strcmp(in->name, "nop") == 0)
    return true;
  if (is_return(l, in))
    return asm_return(l), true;
  if (strcmp(in->name, "mov") == 0 || strcmp(in->name, "movw") == 0)
    return asm_move(l, in);
  if (strcmp(in->name, "movt") == 0) { // the upper half of a word
    if (!asm_expect(l, in, "rn"))
      return false;
    unsigned low = build_cut(l, asm_value(l, &in->at[0]), 16);
    uint64_t high = (in->at[1].number & 0xffff) << 16;
    asm_set(l, &in->at[0],
            build_binary(l, OP_or, low, build_const(l, high), 64));
    return true;
  }
  if (strcmp(in->name, "cmp") == 0) {
    if (!asm_expect(l, in, "rv"))
      return false;
    asm_compare(l, asm_value(l, &in->at[0]), asm_value(l, &in->at[1]), 64);
    return true;
  }
  if (try_access(l, in, &ok) || try_barrier(l, in, &ok) ||
      try_computation(l, in, &ok) || try_branch(l, in, &ok))
    return ok;
  return asm_unknown(l, in);
}
