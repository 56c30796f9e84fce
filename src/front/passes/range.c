// SPDX-License-Identifier: MIT
// Which signed additions and multiplications always fit into their 32 bits?
// Each register has a range of values, which the code changes, comparisons make
// smaller and joins make larger, until nothing changes [Cousot and Cousot,
// Static determination of dynamic properties of programs, 1976]. A range that
// keeps growing grows to the next constant of the function.
#include "front/passes/code.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 1 << 20, MAX_STEPS = 1 << 16, GROWS = 3 };

struct range {
  int64_t least, most; // least > most: nothing
};

static const struct range everything = {INT32_MIN, INT32_MAX}, nothing = {1, 0};

struct flow {
  struct code *code;
  uint32_t *at_label;  // by label: its instruction
  struct range *known; // by instruction and register, before it
  uint8_t *visits;     // by instruction
  uint32_t n;
  ARRAY(uint32_t) todo;
};

static bool is_nothing(struct range r) {
  return r.least > r.most;
}

static struct range join(struct range a, struct range b) {
  if (is_nothing(a) || is_nothing(b))
    return is_nothing(a) ? b : a;
  return (struct range){a.least < b.least ? a.least : b.least,
                        a.most > b.most ? a.most : b.most};
}

static struct range in_bits(int64_t least, int64_t most) {
  return least < INT32_MIN || most > INT32_MAX ? everything
                                               : (struct range){least, most};
}

static struct range range_of(const struct flow *f, const struct range *known,
                             vreg r) {
  if (!is_const_reg(r))
    return known[r];
  int32_t n = (int32_t)f->code->consts.at[r & ~VREG_CONST].value;
  return (struct range){n, n};
}

// The exact results of an instruction of 32 bits.
static struct range exact(const struct flow *f, const struct vinsn *v,
                          const struct range *known) {
  struct range x = range_of(f, known, v->b), y = range_of(f, known, v->c);
  if (is_nothing(x) || is_nothing(y))
    return nothing;
  if (v->op == OP_add)
    return (struct range){x.least + y.least, x.most + y.most};
  if (v->op == OP_sub)
    return (struct range){x.least - y.most, x.most - y.least};
  struct range r = {INT64_MAX, INT64_MIN};
  for (unsigned i = 0; i < 4; i++) {
    int64_t p = (i & 1 ? x.least : x.most) * (i & 2 ? y.least : y.most);
    r.least = p < r.least ? p : r.least;
    r.most = p > r.most ? p : r.most;
  }
  return r;
}

static bool is_arithmetic(const struct vinsn *v) {
  return (v->op == OP_add || v->op == OP_sub || v->op == OP_mul) &&
         (v->imm & 0xff) == 32;
}

static void pass(const struct flow *f, struct vinsn *v, struct range *known) {
  struct operand o[MAX_OPERANDS];
  struct range result = everything;
  unsigned n = code_operands(v, o);
  if (v->op == OP_mov) {
    result = range_of(f, known, v->b);
  } else if (is_arithmetic(v)) {
    result = exact(f, v, known);
    if (!is_nothing(result))
      result = in_bits(result.least, result.most);
  } else if (v->op >= OP_eq && v->op <= OP_sle && v->op < OP_COUNT) {
    result = (struct range){0, 1};
  }
  for (unsigned k = 0; k < n; k++)
    for (uint32_t r = 0; o[k].is_written && r < o[k].len; r++)
      known[o[k].first + r] = result;
}

// -- comparisons

// x <= y + slack holds: less is possible.
static void at_most(const struct flow *f, struct range *known, vreg x, vreg y,
                    int64_t slack) {
  struct range a = range_of(f, known, x), b = range_of(f, known, y);
  if (!is_const_reg(x) && known[x].most > b.most + slack)
    known[x].most = b.most + slack;
  if (!is_const_reg(y) && known[y].least < a.least - slack)
    known[y].least = a.least - slack;
}

// The comparison just before a branch yields `is_true`.
static void refine(const struct flow *f, const struct vinsn *cmp, bool is_true,
                   struct range *known) {
  bool is_strict = cmp->op == OP_slt;
  if ((cmp->op != OP_slt && cmp->op != OP_sle) || (cmp->imm & 0xff) != 32)
    return;
  if (is_true) // x < y
    at_most(f, known, cmp->b, cmp->c, is_strict ? -1 : 0);
  else // y <= x
    at_most(f, known, cmp->c, cmp->b, is_strict ? 0 : -1);
}

// What was copied from a register that is compared, in the same block and
// before the comparison, is as small. (`delay = t; if (t > 100) delay = 100;`)
static void refine_copies(const struct flow *f, uint32_t cmp, vreg of,
                          struct range *known) {
  struct code *c = f->code;
  struct operand o[MAX_OPERANDS];
  for (uint32_t i = cmp; !is_const_reg(of) && i-- > 0;) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_mov && v->b == of) {
      struct range *r = &known[v->a];
      r->least = r->least > known[of].least ? r->least : known[of].least;
      r->most = r->most < known[of].most ? r->most : known[of].most;
      return;
    }
    if (v->op == OP_LABEL || code_ends_block(v) || code_operands(v, o) == 0 ||
        o[0].is_written)
      return; // the nearest instruction or none: nothing is written after it
  }
}

static const struct vinsn *comparison_of(const struct flow *f, uint32_t br) {
  const struct vinsn *v = br ? &f->code->insns.at[br - 1] : NULL;
  return v && v->op < OP_COUNT && v->op >= OP_eq && v->op <= OP_sle &&
                 v->a == f->code->insns.at[br].a && v->a != v->b && v->a != v->c
             ? v
             : NULL;
}

// -- the flow

// The next constant of the function, or its neighbour, that is not below n.
static int64_t next_constant(const struct flow *f, int64_t n, int64_t end,
                             int sign) {
  int64_t best = end;
  for (uint32_t i = 0; i < f->code->consts.len; i++)
    for (int64_t d = -1; d <= 1; d++) {
      int64_t k = sign * ((int64_t)(int32_t)f->code->consts.at[i].value + d);
      if (k >= sign * n && k < sign * best)
        best = sign * k;
    }
  return best;
}

static struct range grow(const struct flow *f, struct range a, struct range b) {
  if (is_nothing(a))
    return b;
  return (struct range){
      b.least < a.least ? next_constant(f, b.least, INT32_MIN, -1) : a.least,
      b.most > a.most ? next_constant(f, b.most, INT32_MAX, 1) : a.most};
}

static void reach(struct flow *f, uint32_t to, const struct range *now) {
  uint32_t regs = f->code->regs.len;
  if (to >= f->n)
    return;
  struct range *known = f->known + (size_t)to * regs;
  bool changed = f->visits[to] == 0;
  for (uint32_t r = 0; r < regs; r++) {
    struct range all = join(known[r], now[r]);
    if (is_nothing(now[r])) // whatever its bounds are
      continue;
    if (all.least == known[r].least && all.most == known[r].most)
      continue;
    if (f->visits[to] > GROWS)
      all = grow(f, known[r], all);
    known[r] = all;
    changed = true;
  }
  if (!changed)
    return;
  if (f->visits[to] < UINT8_MAX)
    f->visits[to]++;
  array_push(&f->todo, to);
}

static void reach_by(struct flow *f, uint32_t br, bool is_true,
                     const struct range *now) {
  const struct vinsn *v = &f->code->insns.at[br];
  const struct vinsn *cmp = comparison_of(f, br);
  size_t bytes = (f->code->regs.len + 1u) * sizeof *now;
  struct range *refined = xmalloc(bytes);
  memcpy(refined, now, f->code->regs.len * sizeof *now);
  if (cmp) {
    refine(f, cmp, is_true, refined);
    refine_copies(f, br - 1, cmp->b, refined);
    refine_copies(f, br - 1, cmp->c, refined);
  }
  reach(f, f->at_label[is_true ? (label_id)v->imm : v->imm >> 32], refined);
  free(refined);
}

static void go_on(struct flow *f, uint32_t i, const struct range *now) {
  struct vinsn *v = &f->code->insns.at[i];
  if (v->op == OP_jmp) {
    reach(f, f->at_label[v->imm], now);
  } else if (v->op == OP_br) {
    reach_by(f, i, true, now);
    reach_by(f, i, false, now);
  } else if (v->op == OP_switch) {
    const struct vtable *t = &f->code->tables.at[v->imm];
    reach(f, f->at_label[t->other], now);
    for (uint32_t k = 0; k < t->cases; k++)
      reach(f, f->at_label[f->code->cases.at[t->first + k].target], now);
  } else if (!code_ends_block(v)) {
    reach(f, i + 1, now);
  }
}

// False: it takes too long.
static bool run(struct flow *f) {
  uint32_t regs = f->code->regs.len;
  struct range *now = xmalloc((regs + 1u) * sizeof *now);
  for (uint32_t r = 0; r < regs; r++)
    now[r] = r < f->code->params ? everything : nothing;
  for (size_t i = 0; i < (size_t)f->n * regs; i++)
    f->known[i] = nothing;
  for (uint32_t i = 0; i < f->n; i++)
    if (f->code->insns.at[i].op == OP_LABEL)
      f->at_label[f->code->insns.at[i].imm] = i;
  reach(f, 0, now);
  for (unsigned n = 0; f->todo.len && n < MAX_STEPS; n++) {
    uint32_t i = array_pop(&f->todo);
    memcpy(now, f->known + (size_t)i * regs, regs * sizeof *now);
    if (f->code->insns.at[i].op < OP_COUNT)
      pass(f, &f->code->insns.at[i], now);
    go_on(f, i, now);
  }
  free(now);
  return f->todo.len == 0;
}

uint8_t *range_find(struct code *c) {
  struct flow f = {.code = c, .n = c->insns.len};
  uint8_t *fits = xcalloc(f.n + 1u, 1);
  bool any = false;
  for (uint32_t i = 0; i < f.n; i++)
    any |= is_arithmetic(&c->insns.at[i]) && (c->insns.at[i].imm & IMM_NSW);
  if (!any || (uint64_t)f.n * c->regs.len > MAX_CELLS)
    return fits;
  f.known = xmalloc((size_t)f.n * c->regs.len * sizeof *f.known + 1);
  f.visits = xcalloc(f.n + 1u, 1);
  f.at_label = xcalloc(c->labels + 1u, sizeof *f.at_label);
  bool is_known = run(&f);
  for (uint32_t i = 0; is_known && i < f.n; i++) {
    if (!is_arithmetic(&c->insns.at[i]))
      continue;
    struct range r =
        exact(&f, &c->insns.at[i], f.known + (size_t)i * c->regs.len);
    fits[i] = r.least >= INT32_MIN && r.most <= INT32_MAX;
  }
  free(f.known);
  free(f.visits);
  free(f.at_label);
  array_done(&f.todo);
  return fits;
}
