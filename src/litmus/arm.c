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
    if ((*ret = asm_expect(l, in, "rm")))
      asm_set(l, &in->at[0], build_load(l, asm_address(l, &in->at[1]), how));
  } else if (strcmp(name, "str") == 0) {
    if ((*ret = asm_expect(l, in, "rm")))
      build_store(l, asm_address(l, &in->at[1]), asm_value(l, &in->at[0]), how);
  } else if (strcmp(name, "strex") == 0) {
    if (!(*ret = asm_expect(l, in, "rrm")))
      return true;
    unsigned ok = build_conditional_store(l, asm_address(l, &in->at[2]),
                                          asm_value(l, &in->at[1]), how);
    asm_set(l, &in->at[0], build_binary(l, OP_xor, ok, build_const(l, 1), 64));
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
  static const struct {
    const char *name;
    enum op op;
  } rows[] = {
      {"add", OP_add}, {"sub", OP_sub}, {"and", OP_and},
      {"orr", OP_or},  {"eor", OP_xor},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *rest = in->name + 3;
    if (strncmp(in->name, rows[i].name, 3) != 0 ||
        (*rest && strcmp(rest, "s") != 0))
      continue;
    if (!(*ret = asm_expect(l, in, "rrv")))
      return true;
    unsigned result = build_binary(l, rows[i].op, asm_value(l, &in->at[1]),
                                   asm_value(l, &in->at[2]), 64);
    if (*rest)
      asm_compare(l, result, build_const(l, 0), 64);
    asm_set(l, &in->at[0], result);
    return true;
  }
  return false;
}

static bool try_branch(struct build *l, const struct asm_insn *in, bool *ret) {
  const char *name = in->name;
  unsigned slot;
  if (strcmp(name, "b") == 0) {
    if ((*ret = asm_expect(l, in, "l")))
      build_jump(l, asm_label(l, &in->at[0]));
    return true;
  }
  if (strcmp(name, "cbz") == 0 || strcmp(name, "cbnz") == 0) {
    if ((*ret = asm_expect(l, in, "rl")))
      asm_branch(l,
                 build_binary(l, name[2] == 'z' ? OP_eq : OP_ne,
                              asm_value(l, &in->at[0]), build_const(l, 0), 64),
                 &in->at[1]);
    return true;
  }
  if (name[0] != 'b' || !asm_condition(l, name + 1, &slot))
    return false;
  if ((*ret = asm_expect(l, in, "l")))
    asm_branch(l, slot, &in->at[0]);
  return true;
}

bool lower_arm(struct build *l, const struct asm_insn *in) {
  bool ok;
  if (strcmp(in->name, "nop") == 0)
    return true;
  if (strcmp(in->name, "mov") == 0 || strcmp(in->name, "movw") == 0) {
    if (!asm_expect(l, in, "rv"))
      return false;
    asm_set(l, &in->at[0], asm_value(l, &in->at[1]));
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
