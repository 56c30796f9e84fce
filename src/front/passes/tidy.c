// SPDX-License-Identifier: MIT
// Cleans the code of one function, block by block: reads of copies read the
// original, pure results that are not read disappear, a jump to the next
// instruction disappears. Accesses, branches and the operands that make a
// dependency stay as they are.
#include "front/passes/code.h"

#include <string.h>

// -- copies

// Within a block, copy_of[r] says which register or constant r is equal to.
enum { MAX_COPIES = 64 }; // keeps long blocks linear

struct copies {
  struct code *code;
  vreg *copy_of;     // VREG_NONE: itself
  ARRAY(vreg) known; // registers with a copy_of
};

static void forget_all(struct copies *k) {
  for (uint32_t i = 0; i < k->known.len; i++)
    k->copy_of[k->known.at[i]] = VREG_NONE;
  k->known.len = 0;
}

// Register r changes: it is no copy, and nothing is a copy of it.
static void forget(struct copies *k, vreg r) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < k->known.len; i++) {
    vreg copy = k->known.at[i];
    if (copy == r || k->copy_of[copy] == r)
      k->copy_of[copy] = VREG_NONE;
    else
      k->known.at[kept++] = copy;
  }
  k->known.len = kept;
}

static void propagate_insn(struct copies *k, struct vinsn *v) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  for (unsigned i = 0; i < n; i++)
    if (!o[i].is_written && o[i].len == 1 && !is_const_reg(o[i].first) &&
        k->copy_of[o[i].first] != VREG_NONE)
      *o[i].at = k->copy_of[o[i].first];
  for (unsigned i = 0; i < n; i++)
    for (uint32_t r = 0; o[i].is_written && r < o[i].len; r++)
      forget(k, o[i].first + r);
  if (v->op == OP_mov && v->a != v->b) {
    if (k->known.len == MAX_COPIES)
      forget_all(k);
    k->copy_of[v->a] = v->b;
    array_push(&k->known, v->a);
  }
}

static void propagate_copies(struct code *c) {
  struct copies k = {.code = c};
  k.copy_of = xmalloc((c->regs.len + 1u) * sizeof *k.copy_of);
  for (uint32_t i = 0; i < c->regs.len; i++)
    k.copy_of[i] = VREG_NONE;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL)
      forget_all(&k);
    else if (v->op < OP_COUNT)
      propagate_insn(&k, v);
  }
  free(k.copy_of);
  array_done(&k.known);
}

// -- dead results

// May an instruction go when its result is not needed? Not if it could report
// a finding.
static bool is_removable(const struct vinsn *v) {
  if (!code_is_pure(v) || op_may_fail((enum op)v->op, v->imm))
    return false;
  switch ((int)v->op) {
  case OP_add:
  case OP_sub:
  case OP_mul:
    return !(v->imm & (IMM_NSW | IMM_NUW));
  default:
    return true;
  }
}

// Marks what an instruction reads as needed; true if that is news.
static bool need_operands(struct vinsn *v, uint8_t *needed) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  bool news = false;
  for (unsigned i = 0; i < n; i++)
    for (uint32_t r = 0; !o[i].is_written && r < o[i].len; r++)
      if (!is_const_reg(o[i].first) && !needed[o[i].first + r])
        needed[o[i].first + r] = news = true;
  return news;
}

static bool writes_needed(struct vinsn *v, const uint8_t *needed) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t r = 0; o[i].is_written && r < o[i].len; r++)
      if (needed[o[i].first + r])
        return true;
  return false;
}

// Results that no instruction needs which has to stay: not even a counter that
// only counts itself, so that a loop around it can be seen to wait.
static void remove_unneeded(struct code *c) {
  uint8_t *needed = xcalloc(c->regs.len + 1u, 1);
  for (bool news = true; news;) {
    news = false;
    for (uint32_t i = c->insns.len; i-- > 0;) {
      struct vinsn *v = &c->insns.at[i];
      if (v->op < OP_COUNT && (!is_removable(v) || writes_needed(v, needed)))
        news |= need_operands(v, needed);
    }
  }
  for (uint32_t i = 0; i < c->insns.len; i++) {
    struct vinsn *v = &c->insns.at[i];
    if (is_removable(v) && !writes_needed(v, needed))
      v->op = OP_DELETED;
  }
  free(needed);
}

// Results that are written again in the same block before anything reads them.
static void remove_overwritten(struct code *c) {
  uint8_t *dead = xcalloc(c->regs.len + 1u, 1);
  ARRAY(vreg) marked = {0};
  struct operand o[MAX_OPERANDS];
  for (uint32_t i = c->insns.len; i-- > 0;) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_DELETED)
      continue;
    if (v->op == OP_LABEL || code_ends_block(v))
      while (marked.len)
        dead[array_pop(&marked)] = 0;
    unsigned n = code_operands(v, o);
    bool all_dead = is_removable(v);
    for (unsigned k = 0; k < n; k++)
      for (uint32_t r = 0; o[k].is_written && r < o[k].len; r++)
        all_dead &= dead[o[k].first + r];
    if (all_dead) {
      v->op = OP_DELETED;
      continue;
    }
    for (int writes = 1; writes >= 0; writes--)
      for (unsigned k = 0; k < n; k++)
        for (uint32_t r = 0; r < o[k].len; r++) {
          if (o[k].is_written != writes || is_const_reg(o[k].first))
            continue;
          dead[o[k].first + r] = (uint8_t)writes;
          if (writes)
            array_push(&marked, o[k].first + r);
        }
  }
  free(dead);
  array_done(&marked);
}

// -- results that are only moved on

// `t := a + b; x := t` becomes `x := a + b` when nothing else reads t and
// nothing in between names x.
static bool names_register(struct vinsn *v, vreg r) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  for (unsigned i = 0; i < n; i++)
    if (!is_const_reg(o[i].first) && r >= o[i].first &&
        r < o[i].first + o[i].len)
      return true;
  return false;
}

enum { MAX_DISTANCE = 16 }; // how far back the result is looked for

static void write_in_place(struct code *c, uint32_t mov) {
  vreg x = c->insns.at[mov].a, t = c->insns.at[mov].b;
  for (uint32_t i = mov; i-- > 0 && mov - i <= MAX_DISTANCE;) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL || code_ends_block(v))
      return;
    struct operand o[MAX_OPERANDS];
    unsigned n = code_operands(v, o);
    for (unsigned k = 0; k < n; k++)
      if (o[k].is_written && o[k].len == 1 && o[k].first == t) {
        *o[k].at = x;
        c->insns.at[mov].op = OP_DELETED;
        return;
      }
    if (names_register(v, x) || names_register(v, t))
      return;
  }
}

static void count_reads(struct vinsn *v, uint32_t *reads) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t r = 0; !o[i].is_written && r < o[i].len; r++)
      if (!is_const_reg(o[i].first))
        reads[o[i].first + r]++;
}

static void remove_moves(struct code *c) {
  uint32_t *reads = xcalloc(c->regs.len + 1u, sizeof *reads);
  for (uint32_t i = 0; i < c->insns.len; i++)
    count_reads(&c->insns.at[i], reads);
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_mov && !is_const_reg(v->b) && v->b >= c->params &&
        v->a != v->b && c->regs.at[v->b].len == 1 && reads[v->b] == 1)
      write_in_place(c, i);
  }
  free(reads);
}

// -- jumps

static bool is_next_label(const struct code *c, uint32_t at, label_id label) {
  for (; at < c->insns.len; at++) {
    const struct vinsn *v = &c->insns.at[at];
    if (v->op == OP_LABEL && v->imm == label)
      return true;
    if (v->op < OP_COUNT)
      return false;
  }
  return false;
}

static void remove_jumps(struct code *c) {
  for (uint32_t i = 0; i < c->insns.len; i++) {
    struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_jmp && is_next_label(c, i + 1, (label_id)v->imm))
      v->op = OP_DELETED;
  }
}

static void squeeze(struct code *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->insns.len; i++)
    if (c->insns.at[i].op != OP_DELETED)
      c->insns.at[n++] = c->insns.at[i];
  c->insns.len = n;
}

void code_tidy(struct code *c) {
  code_flow(c);
  propagate_copies(c);
  remove_unneeded(c);
  remove_overwritten(c);
  squeeze(c);
  remove_moves(c);
  remove_jumps(c);
  squeeze(c);
}
