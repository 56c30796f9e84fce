// SPDX-License-Identifier: MIT
// Constants are found again by a hash table, so equal ones share a register.
#include "front/passes/code.h"

#include "base/hash.h"

void code_init(struct code *c, uint32_t name, uint32_t params,
               uint32_t results) {
  *c = (struct code){.name = name, .params = params, .results = results};
  for (uint32_t i = 0; i < params; i++)
    code_regs(c, 1);
}

void code_done(struct code *c) {
  array_done(&c->insns);
  array_done(&c->regs);
  array_done(&c->consts);
  array_done(&c->tables);
  array_done(&c->cases);
  table_done(&c->const_table);
}

vreg code_regs(struct code *c, uint32_t n) {
  vreg first = c->regs.len;
  for (uint32_t i = 0; i < n; i++)
    array_push(&c->regs, (struct vrun){first, n});
  return first;
}

static vreg const_add(struct code *c, struct vconst k) {
  uint32_t hash = (uint32_t)hash_mix(k.is_label, k.value);
  for (uint32_t at = hash, i;
       (i = table_next(&c->const_table, hash, &at)) != TABLE_NONE;)
    if (c->consts.at[i].value == k.value &&
        c->consts.at[i].is_label == k.is_label)
      return VREG_CONST | i;
  array_push(&c->consts, k);
  table_add(&c->const_table, hash, c->consts.len - 1);
  return VREG_CONST | (c->consts.len - 1);
}

vreg code_const(struct code *c, uint64_t value) {
  return const_add(c, (struct vconst){value, /*is_label=*/false});
}

vreg code_label_address(struct code *c, label_id l) {
  c->keeps_labels = true;
  return const_add(c, (struct vconst){l, /*is_label=*/true});
}

void code_emit(struct code *c, unsigned op, vreg a, vreg b, vreg c_,
               uint64_t imm, struct source from) {
  struct vinsn v = {(uint16_t)op, a, b, c_, VREG_NONE, imm, from};
  if (op < OP_COUNT && op_info((enum op)op)->imm == IMM_REG) {
    v.d = (vreg)imm;
    v.imm = 0;
  }
  array_push(&c->insns, v);
}

void code_place(struct code *c, label_id l) {
  code_emit(c, OP_LABEL, 0, 0, 0, l, (struct source){0});
}

// How many registers the run operand `which` ('a', 'b' or 'c') spans.
static uint32_t run_length(const struct vinsn *v, char which) {
  switch ((int)v->op) {
  case OP_movn:
    return v->c;
  case OP_call:
  case OP_callr:
  case OP_sys:
    return which == 'a' ? v->c >> 8 : v->c & 0xff;
  case OP_ret:
    return v->b;
  case OP_cas_ok:
    return (v->imm & 0xff) == 128 ? 2 : 1;
  default:
    if (op_info((enum op)v->op)->imm == IMM_ACCESS)
      return imm_access_of(v->imm).size == 16 ? 2 : 1;
    return 2; // *_ov
  }
}

static inline void operand_add(struct vinsn *v, char kind, char which, vreg *at,
                               struct operand *out, unsigned *n) {
  if (kind == '_' || kind == 'I')
    return;
  uint32_t len = kind == 'L' || kind == 'M' ? run_length(v, which) : 1;
  if (len)
    out[(*n)++] = (struct operand){at, *at, len, kind == 'D' || kind == 'M'};
}

unsigned code_operands(struct vinsn *v, struct operand out[MAX_OPERANDS]) {
  if (v->op >= OP_COUNT)
    return 0;
  const struct op_info *i = op_info((enum op)v->op);
  unsigned n = 0;
  operand_add(v, i->a, 'a', &v->a, out, &n);
  operand_add(v, i->b, 'b', &v->b, out, &n);
  operand_add(v, i->c, 'c', &v->c, out, &n);
  if (i->imm == IMM_REG)
    out[n++] = (struct operand){&v->d, v->d, 1, false};
  return n;
}

bool code_is_pure(const struct vinsn *v) {
  return v->op < OP_COUNT && op_info((enum op)v->op)->pure;
}

bool code_ends_block(const struct vinsn *v) {
  return v->op < OP_COUNT && op_info((enum op)v->op)->ends_block;
}
