// SPDX-License-Identifier: MIT
// Loops that make no access: does one end, whatever the numbers are? It does if
// a register is counted up or down by one in each round, nothing else changes
// it, and what it is compared with does not change. Such a counter takes every
// value of its width, so there only has to be one that ends the loop.
#include "front/passes/blocks.h"

#include <stdlib.h>

static uint64_t number_of(const struct blocks *f, vreg constant) {
  return f->code->consts.at[constant & ~VREG_CONST].value;
}

static bool writes(struct vinsn *v, vreg r) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  for (unsigned k = 0; k < n; k++)
    if (o[k].is_written && r - o[k].first < o[k].len)
      return true;
  return false;
}

// What the register is where instruction `at` of its block reads it: a copy of
// another one, or itself.
static vreg copied_from(const struct blocks *f, uint32_t b, uint32_t at,
                        vreg r) {
  for (uint32_t i = at; i-- > f->at[b].first;) {
    struct vinsn *v = &f->code->insns.at[i];
    if (writes(v, r))
      return v->op == OP_mov ? v->b : r;
  }
  return r;
}

// The only instruction of the region that writes r; NULL: there is none, or
// (*many) more than one.
static struct vinsn *writer(const struct blocks *f, const uint64_t *region,
                            vreg r, uint32_t *block, bool *many) {
  struct vinsn *found = NULL;
  for (uint32_t b = 0; b < f->n; b++)
    for (uint32_t i = f->at[b].first; bit_has(region, b) && i < f->at[b].end;
         i++)
      if (writes(&f->code->insns.at[i], r)) {
        *many |= found != NULL;
        found = &f->code->insns.at[i];
        *block = b;
      }
  return found;
}

// Is block b on all ways from the branch of `test` back to it?
static bool is_always_done(const struct blocks *f, uint32_t test,
                           uint32_t meeting, uint32_t b) {
  uint64_t *without = xcalloc(f->words, sizeof *without);
  bit_add(without, meeting);
  bit_add(without, b);
  bool always =
      b == test || (!blocks_reach(f, f->at[test].to[0], test, without) &&
                    !blocks_reach(f, f->at[test].to[1], test, without));
  free(without);
  return always;
}

// Is r counted up or down by one in each round, and nothing else?
static bool is_counter(const struct blocks *f, const uint64_t *region,
                       uint32_t test, uint32_t meeting, vreg r,
                       unsigned width) {
  uint32_t b = f->n, at = f->n;
  bool many = false;
  const struct vinsn *v = writer(f, region, r, &b, &many);
  if (v && v->op == OP_mov && !is_const_reg(v->b)) // r := t, t := r + 1
    v = writer(f, region, v->b, &at, &many);
  if (!v || many || (at != f->n && at != b) ||
      (v->op != OP_add && v->op != OP_sub) || (v->imm & 0xff) != width ||
      v->b != r || !is_const_reg(v->c) || !is_always_done(f, test, meeting, b))
    return false;
  uint64_t all = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
  uint64_t step = number_of(f, v->c) & all;
  return step == 1 || step == all;
}

static bool is_fixed(const struct blocks *f, const uint64_t *region, vreg r) {
  uint32_t b;
  bool many = false;
  return is_const_reg(r) || !writer(f, region, r, &b, &many);
}

// A counter takes every value of its width. Is there one that ends the loop,
// whatever the other operand is? The loop ends when the comparison yields `on`.
static bool can_end(const struct blocks *f, const struct vinsn *cmp, bool on,
                    bool counter_is_left) {
  unsigned width = cmp->imm & 0xff;
  vreg bound = counter_is_left ? cmp->c : cmp->b;
  uint64_t top = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX,
           sign = top / 2 + 1,
           n = is_const_reg(bound) ? number_of(f, bound) & top : 0;
  bool is_signed = cmp->op == OP_slt || cmp->op == OP_sle;
  bool is_strict = cmp->op == OP_slt || cmp->op == OP_ult;
  if (cmp->op == OP_eq || cmp->op == OP_ne)
    return width > 0;
  if (is_strict != on)
    return true; // i < n ends with false: the greatest i does it
  // It ends with i < n, or with n < i: not if n is the least, or the greatest.
  uint64_t least = is_signed ? sign : 0, most = is_signed ? sign - 1 : top;
  bool ends_below = counter_is_left == on;
  return is_const_reg(bound) && n != (ends_below ? least : most);
}

// Is there a cycle in the region that passes neither the test nor that of a
// loop that is known to end?
static bool has_other_cycle(const struct blocks *f, uint32_t test,
                            uint32_t meeting, const uint64_t *region,
                            const uint64_t *ending) {
  uint64_t *without = xcalloc(f->words, sizeof *without);
  bool found = false;
  bit_add(without, test);
  bit_add(without, meeting);
  for (uint32_t w = 0; w < f->words; w++)
    without[w] |= ending[w];
  for (uint32_t o = 0; o < f->n && !found; o++)
    found = bit_has(region, o) && !bit_has(without, o) &&
            (blocks_reach(f, f->at[o].to[0], o, without) ||
             blocks_reach(f, f->at[o].to[1], o, without));
  free(without);
  return found;
}

// The comparison that decides the branch of block b, and where it is.
static const struct vinsn *comparison(const struct blocks *f, uint32_t b,
                                      uint32_t *at) {
  vreg r = blocks_branch(f, b)->a;
  for (*at = f->at[b].end; (*at)-- > f->at[b].first;) {
    struct vinsn *v = &f->code->insns.at[*at];
    if (writes(v, r))
      return v->op >= OP_eq && v->op <= OP_sle ? v : NULL;
  }
  return NULL;
}

// Does the loop end that the branch of block `test` is one of, and that goes
// back when the branch is taken, or when it is not?
static bool is_counted(const struct blocks *f, uint32_t test, uint32_t meeting,
                       const uint64_t *region, bool ends_on) {
  uint32_t at;
  const struct vinsn *cmp = comparison(f, test, &at);
  if (!cmp)
    return false;
  unsigned width = cmp->imm & 0xff;
  vreg left = copied_from(f, test, at, cmp->b);
  vreg right = copied_from(f, test, at, cmp->c);
  return (is_counter(f, region, test, meeting, left, width) &&
          is_fixed(f, region, right) &&
          can_end(f, cmp, ends_on, /*counter_is_left=*/true)) ||
         (is_counter(f, region, test, meeting, right, width) &&
          is_fixed(f, region, left) &&
          can_end(f, cmp, ends_on, /*counter_is_left=*/false));
}

bool loop_ends(const struct blocks *f, uint32_t test, uint32_t meeting,
               const uint64_t *region, const uint64_t *ending) {
  uint64_t *without = xcalloc(f->words, sizeof *without);
  bit_add(without, meeting);
  bool back[2] = {blocks_reach(f, f->at[test].to[0], test, without),
                  blocks_reach(f, f->at[test].to[1], test, without)};
  free(without);
  if (has_other_cycle(f, test, meeting, region, ending) || (back[0] && back[1]))
    return false;
  return (!back[0] && !back[1]) ||
         is_counted(f, test, meeting, region, /*ends_on=*/!back[0]);
}
