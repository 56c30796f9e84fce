// SPDX-License-Identifier: MIT
// Instructions that several architectures have, by other names.
#include "litmus/asm.h"

#include <stdio.h>
#include <string.h>

bool asm_move(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "rv"))
    return false;
  asm_set(l, &in->at[0], asm_value(l, &in->at[1]));
  return true;
}

bool asm_expect_access(struct build *l, const struct asm_insn *in,
                       const char *registers) {
  char plain[8], moves[8], after[8];
  snprintf(plain, sizeof plain, "%sm", registers);
  snprintf(moves, sizeof moves, "%s!", registers);
  snprintf(after, sizeof after, "%smn", registers);
  return asm_matches(in, moves) || asm_matches(in, after) ||
         asm_expect(l, in, plain);
}

void asm_move_base(struct build *l, const struct asm_insn *in, unsigned nth) {
  const struct operand *o = &in->at[nth];
  bool is_after = nth + 1 < in->count;
  struct operand base = {.kind = OPERAND_REG, .name = o->base, .width = 64};
  if (is_after || o->moves_base)
    asm_set(l, &base,
            build_binary(l, OP_add, asm_value(l, &base),
                         build_const(l, in->at[nth + is_after].number), 64));
}

bool asm_jump(struct build *l, const struct asm_insn *in) {
  if (!asm_expect(l, in, "l"))
    return false;
  build_jump(l, asm_label(l, &in->at[0]));
  return true;
}

bool asm_branch_on_zero(struct build *l, const struct asm_insn *in,
                        bool if_zero) {
  if (!asm_expect(l, in, "rl"))
    return false;
  unsigned value = asm_value(l, &in->at[0]);
  if (l->t->arch == ARCH_ARM)
    value = build_cut(l, value, 32);
  unsigned slot =
      build_binary(l, if_zero ? OP_eq : OP_ne, value, build_const(l, 0), 64);
  asm_branch(l, slot, &in->at[1]);
  return true;
}

bool asm_conditional_store(struct build *l, const struct asm_insn *in,
                           struct access_how how) {
  if (!asm_expect(l, in, "rrm"))
    return false;
  unsigned ok = build_conditional_store(l, asm_address(l, &in->at[2]),
                                        asm_value(l, &in->at[1]), how);
  asm_set(l, &in->at[0], build_binary(l, OP_xor, ok, build_const(l, 1), 64));
  return true;
}

unsigned asm_invert(struct build *l, unsigned value) {
  return build_binary(l, OP_xor, value, build_const(l, UINT64_MAX), 64);
}

unsigned asm_negate(struct build *l, unsigned value) {
  return build_binary(l, OP_sub, build_const(l, 0), value, 64);
}

unsigned asm_shift_word(struct build *l, enum op op, unsigned value,
                        unsigned by) {
  value = op == OP_ashr ? build_extend(l, value, 32) : build_cut(l, value, 32);
  by = build_binary(l, OP_and, by, build_const(l, 63), 64);
  value = build_binary(l, op, value, by, 64);
  return op == OP_ashr ? value : build_cut(l, value, 32);
}

unsigned asm_choice(struct build *l, enum op less, unsigned a, unsigned b,
                    bool is_max, unsigned width) {
  unsigned to = build_slot(l), is_less = build_binary(l, less, a, b, width);
  build_emit(l, OP_select, to, is_less, is_max ? b : a, is_max ? a : b);
  return to;
}

bool asm_try_computation(struct build *l, const struct asm_insn *in,
                         const struct asm_computation *rows, size_t n,
                         const char *sets_flags, bool *ret) {
  for (size_t i = 0; i < n; i++) {
    size_t len = strlen(rows[i].name);
    const char *rest = in->name + len;
    if (strncmp(in->name, rows[i].name, len) != 0 ||
        (*rest && strcmp(rest, sets_flags) != 0))
      continue;
    if (!(*ret = asm_expect(l, in, "rrv")))
      return true;
    unsigned a = asm_value(l, &in->at[1]), b = asm_value(l, &in->at[2]);
    if (rows[i].inverts_last)
      b = asm_invert(l, b);
    bool swap = rows[i].is_swapped;
    unsigned result =
        build_binary(l, rows[i].op, swap ? b : a, swap ? a : b, 64);
    if (rows[i].inverts_result)
      result = asm_invert(l, result);
    if (*rest == 's' && rows[i].op == OP_sub)
      asm_compare(l, swap ? b : a, swap ? a : b, 64);
    else if (*rest == 's' && rows[i].op == OP_add)
      asm_flag_sum(l, a, b, 64);
    else if (*rest)
      asm_flag_result(l, result, 64, /*keeps=*/*rest == 's');
    asm_set(l, &in->at[0], result);
    return true;
  }
  return false;
}
