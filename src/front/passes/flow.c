// SPDX-License-Identifier: MIT
// Cleans the flow of one function: constants reach all their uses, decisions
// on constants (such as the memory order given to an inlined wrapper) are
// taken, jumps to jumps and to switches on constants go to the end at once,
// code that nothing reaches disappears. A conditional branch on anything but a
// constant stays, even when both ways are the same: it is a control dependency.
#include "front/passes/code.h"

#include <string.h>

// -- registers that are written once, by a move

struct once {
  struct code *code;
  uint32_t *writes;
  vreg *source; // of a register whose only write is a move
};

static void count_writes(struct once *o) {
  struct code *c = o->code;
  struct operand ops[MAX_OPERANDS];
  for (vreg r = 0; r < c->params; r++)
    o->writes[r] = 1;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    struct vinsn *v = &c->insns.at[i];
    unsigned n = code_operands(v, ops);
    for (unsigned k = 0; k < n; k++)
      for (uint32_t r = 0; ops[k].is_written && r < ops[k].len; r++) {
        o->writes[ops[k].first + r]++;
        o->source[ops[k].first + r] = v->op == OP_mov ? v->b : VREG_NONE;
      }
  }
}

// What a register always equals. Both are written once, and a value is only
// read after it was written, so neither can change in between.
static vreg origin(const struct once *o, vreg r) {
  for (unsigned steps = 0; steps < 32 && !is_const_reg(r); steps++) {
    vreg from = o->source[r];
    if (o->writes[r] != 1 || from == VREG_NONE ||
        (!is_const_reg(from) && o->writes[from] != 1))
      break;
    r = from;
  }
  return r;
}

static void propagate_once(struct code *c) {
  struct once o = {.code = c};
  o.writes = xcalloc(c->regs.len + 1u, sizeof *o.writes);
  o.source = xmalloc((c->regs.len + 1u) * sizeof *o.source);
  for (uint32_t i = 0; i < c->regs.len; i++)
    o.source[i] = VREG_NONE;
  count_writes(&o);
  struct operand ops[MAX_OPERANDS];
  for (uint32_t i = 0; i < c->insns.len; i++) {
    unsigned n = code_operands(&c->insns.at[i], ops);
    for (unsigned k = 0; k < n; k++)
      if (!ops[k].is_written && ops[k].len == 1)
        *ops[k].at = origin(&o, ops[k].first);
  }
  free(o.writes);
  free(o.source);
}

// -- decisions on constants

static bool constant(const struct code *c, vreg r, uint64_t *ret) {
  if (!is_const_reg(r) || c->consts.at[r & ~VREG_CONST].is_label)
    return false;
  *ret = c->consts.at[r & ~VREG_CONST].value;
  return true;
}

static void jump(struct vinsn *v, label_id to) {
  *v = (struct vinsn){.op = OP_jmp, .imm = to, .source = v->source};
}

static label_id case_of(const struct code *c, const struct vinsn *v,
                        uint64_t value) {
  const struct vtable *t = &c->tables.at[v->imm];
  for (uint32_t i = 0; i < t->cases; i++)
    if (c->cases.at[t->first + i].value == value)
      return c->cases.at[t->first + i].target;
  return t->other;
}

static void fold(struct code *c, struct vinsn *v) {
  uint64_t x, y;
  if (v->op == OP_add && v->imm == 64 && constant(c, v->b, &x) &&
      constant(c, v->c, &y)) {
    v->op = OP_mov;
    v->b = code_const(c, x + y);
    v->imm = 0;
  } else if (v->op == OP_br && constant(c, v->a, &x)) {
    jump(v, (label_id)(x ? v->imm : v->imm >> 32));
  } else if (v->op == OP_switch && constant(c, v->a, &x)) {
    jump(v, case_of(c, v, x));
  }
}

// -- jumps to jumps

// Where control really goes from each label that is followed by a jump.
static label_id *final_targets(const struct code *c) {
  label_id *to = xmalloc((c->labels + 1u) * sizeof *to);
  for (label_id l = 0; l < c->labels; l++)
    to[l] = l;
  bool jumps = false;
  label_id next = 0;
  for (uint32_t i = c->insns.len; i-- > 0;) {
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL) {
      if (jumps)
        to[v->imm] = next;
    } else if (v->op < OP_COUNT) {
      jumps = v->op == OP_jmp;
      next = (label_id)v->imm;
    }
  }
  return to;
}

static label_id follow(const label_id *to, label_id l) {
  for (unsigned steps = 0; steps < 32 && to[l] != l; steps++)
    l = to[l];
  return l;
}

static void thread_jumps(struct code *c) {
  label_id *to = final_targets(c);
  for (uint32_t i = 0; i < c->insns.len; i++) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_jmp)
      v->imm = follow(to, (label_id)v->imm);
    else if (v->op == OP_br)
      v->imm = imm_targets(follow(to, (label_id)v->imm),
                           follow(to, (label_id)(v->imm >> 32)));
  }
  for (uint32_t i = 0; i < c->tables.len; i++)
    c->tables.at[i].other = follow(to, c->tables.at[i].other);
  for (uint32_t i = 0; i < c->cases.len; i++)
    c->cases.at[i].target = follow(to, c->cases.at[i].target);
  free(to);
}

// -- decisions on what was just set
//
// clang leaves a scope early by setting a number, cleaning up, and switching on
// the number; a `for` loop sets its counter and asks whether it is too large
// already. Who comes to such a place and has just set the number goes on to
// where it leads. (A loop that tries some times, yields and begins to count
// again then does the same after each try: idle.c.)

// What stands behind a label: a switch, or a comparison of a register with a
// constant and a branch on that.
struct decision {
  const struct vinsn *switches, *compares, *branch;
};

static const struct vinsn *next_real(const struct code *c, uint32_t i) {
  while (i < c->insns.len &&
         (c->insns.at[i].op == OP_LABEL || c->insns.at[i].op == OP_DELETED))
    i++;
  return i < c->insns.len ? &c->insns.at[i] : NULL;
}

static struct decision decision_at(const struct code *c, uint32_t label) {
  const struct vinsn *v = next_real(c, label);
  if (v && v->op == OP_switch)
    return (struct decision){.switches = v};
  if (!v || v->op < OP_eq || v->op > OP_sle ||
      is_const_reg(v->b) == is_const_reg(v->c))
    return (struct decision){0};
  const struct vinsn *br = next_real(c, (uint32_t)(v - c->insns.at) + 1);
  return br == v + 1 && br->op == OP_br && br->a == v->a
             ? (struct decision){.compares = v, .branch = br}
             : (struct decision){0};
}

static uint32_t *find_labels(const struct code *c) {
  uint32_t *at = xcalloc(c->labels + 1u, sizeof *at);
  for (uint32_t i = 0; i < c->insns.len; i++)
    if (c->insns.at[i].op == OP_LABEL)
      at[c->insns.at[i].imm] = i;
  return at;
}

static int64_t signed_of(uint64_t n, unsigned width) {
  return (int64_t)(n << (64 - width)) >> (64 - width);
}

static bool compare(const struct vinsn *v, uint64_t x, uint64_t y) {
  unsigned width = v->imm & 0xff;
  int64_t signed_x = signed_of(x, width), signed_y = signed_of(y, width);
  switch ((int)v->op) {
  case OP_eq:
    return x == y;
  case OP_ne:
    return x != y;
  case OP_ult:
    return x < y;
  case OP_ule:
    return x <= y;
  case OP_slt:
    return signed_x < signed_y;
  default:
    return signed_x <= signed_y;
  }
}

// What the last write of r before instruction `end`, in the same block, sets r
// to.
static bool was_set(struct code *c, uint32_t end, vreg r, uint64_t *ret) {
  struct operand o[MAX_OPERANDS];
  for (uint32_t i = end; i-- > 0;) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL || code_ends_block(v))
      return false;
    unsigned n = code_operands(v, o);
    for (unsigned k = 0; k < n; k++)
      if (o[k].is_written && r - o[k].first < o[k].len)
        return v->op == OP_mov && constant(c, v->b, ret);
  }
  return false;
}

typedef ARRAY(struct vinsn) vinsn_list;

// Instruction i leads to the decision. If it is made already: what to do
// instead, and true.
static bool decide(struct code *c, uint32_t i, const struct decision *d,
                   vinsn_list *out) {
  struct vinsn go = c->insns.at[i];
  uint64_t x, y;
  if (d->switches) {
    if (!was_set(c, i, d->switches->a, &x))
      return false;
    jump(&go, case_of(c, d->switches, x));
  } else {
    const struct vinsn *v = d->compares;
    bool is_left = !is_const_reg(v->b);
    if (!was_set(c, i, is_left ? v->b : v->c, is_left ? &x : &y) ||
        !constant(c, is_left ? v->c : v->b, is_left ? &y : &x))
      return false;
    bool yes = compare(v, x, y);
    array_push(out, ((struct vinsn){.op = OP_mov,
                                    .a = v->a,
                                    .b = code_const(c, yes),
                                    .source = v->source}));
    jump(&go, (label_id)(yes ? d->branch->imm : d->branch->imm >> 32));
  }
  array_push(out, go);
  return true;
}

static void thread_decisions(struct code *c) {
  uint32_t *at = find_labels(c);
  vinsn_list out = {0};
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    bool falls =
        v->op == OP_LABEL && i && !code_ends_block(&c->insns.at[i - 1]);
    struct decision d = {0};
    if (v->op == OP_jmp || falls)
      d = decision_at(c, at[v->imm]);
    if ((d.switches || d.compares) && decide(c, i, &d, &out) && v->op == OP_jmp)
      continue;
    array_push(&out, *v);
  }
  free(at);
  free(c->insns.at);
  c->insns.at = out.at;
  c->insns.len = out.len;
  c->insns.cap = out.cap;
}

// -- code that nothing reaches

static void mark_targets(const struct code *c, const struct vinsn *v,
                         uint8_t *reached) {
  if (v->op == OP_jmp) {
    reached[v->imm] = 1;
  } else if (v->op == OP_br) {
    reached[(label_id)v->imm] = reached[v->imm >> 32] = 1;
  } else if (v->op == OP_switch) {
    const struct vtable *t = &c->tables.at[v->imm];
    reached[t->other] = 1;
    for (uint32_t i = 0; i < t->cases; i++)
      reached[c->cases.at[t->first + i].target] = 1;
  }
}

static bool has_computed_goto(const struct code *c) {
  if (c->keeps_labels)
    return true;
  for (uint32_t i = 0; i < c->insns.len; i++)
    if (c->insns.at[i].op == OP_ijmp)
      return true;
  return false;
}

// One round: labels that are reached from reached code. Loops that nothing
// enters stay, which is harmless.
static void remove_unreached(struct code *c) {
  if (has_computed_goto(c))
    return;
  uint8_t *reached = xcalloc(c->labels + 1u, 1);
  for (uint32_t i = 0; i < c->insns.len; i++)
    mark_targets(c, &c->insns.at[i], reached);
  bool alive = true;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL && reached[v->imm])
      alive = true;
    bool ends = code_ends_block(v);
    if (!alive || (v->op == OP_LABEL && !reached[v->imm]))
      v->op = OP_DELETED;
    if (ends)
      alive = false;
  }
  free(reached);
}

void code_flow(struct code *c) {
  propagate_once(c);
  for (uint32_t i = 0; i < c->insns.len; i++)
    fold(c, &c->insns.at[i]);
  thread_decisions(c);
  thread_jumps(c);
  remove_unreached(c);
}
