// SPDX-License-Identifier: MIT
// Code that only passes the time, such as the back-off of a lock:
//
//   while (exchange(&lock, 1)) {
//     for (i = 0; i < delay; i++) pause();
//     if (delay < 1024) delay *= 2;
//   }
//
// Only the loop that waits asks for `delay`, and that loop does nothing.
// Yet it is another number in each round, so that the thread would never come
// back to a state in which it was, and each number of failed rounds would be
// another execution. So a branch goes if it decides about nothing:
//
//   - both ways meet again (in the immediate post-dominator), and what is done
//     before that only computes, or yields;
//   - nothing that is computed there is needed later, by anything that stays
//     (this is dead code elimination that takes branches for dead at first, and
//     finds out which are not [Cytron et al., TOPLAS'91, section 7.1]);
//   - it is no control dependency: what it branches on was computed from
//     constants alone;
//   - it is defined: nothing of that was uninitialised;
//   - both ways do meet: if the branch is one of a loop, the loop ends whatever
//     the numbers are (see `ends`);
//   - no finding goes with it: nothing is divided or shifted there, and signed
//     arithmetic that may overflow has to fit. (Counters that grow by a small
//     constant are believed: it would take some ten thousand rounds and more.)
//
// What is then not needed is taken out as well.
#include "front/passes/blocks.h"

#include <stdlib.h>
#include <string.h>

enum {
  SMALL = 1 << 16, // a step of a 32-bit counter
  MAX_COPIES = 3,  // of a counter
  MAX_LOOKS = 64,  // at writers, per instruction
  MAX_DEPTH = 4,   // of calls that only yield
};

struct idle {
  struct code *code;
  struct code **codes; // all functions, by number
  struct blocks b;
  uint8_t *closed;  // by register: computed from constants alone
  uint8_t *needed;  // by register
  uint8_t *fits;    // by instruction: it does not overflow (range.c)
  uint64_t *idle;   // blocks whose branch decides about nothing, so far
  uint64_t *ending; // blocks whose branch is no loop, or one that ends
  uint32_t *meets;  // by block: where its ways meet
  uint64_t *region; // by block: what lies between its branch and that
  uint64_t *undef;  // by block: registers that may be undefined at its begin
  uint32_t regwords;
  uint32_t *writes;  // by register: where those of it begin in `writers`
  uint32_t *writers; // instructions
  uint64_t *looks;   // how many may still be had at writers
};

// -- who writes what

static void find_writers(struct idle *d) {
  struct operand o[MAX_OPERANDS];
  const struct code *c = d->code;
  d->writes = xcalloc(c->regs.len + 2u, sizeof *d->writes);
  // Counted, added up from behind the last, then filled in from behind.
  for (unsigned fills = 0; fills < 2; fills++) {
    for (uint32_t i = c->insns.len; i-- > 0;) {
      unsigned n = code_operands(&c->insns.at[i], o);
      for (unsigned k = 0; k < n; k++)
        for (uint32_t r = 0; o[k].is_written && r < o[k].len; r++)
          if (fills)
            d->writers[--d->writes[o[k].first + r]] = i;
          else
            d->writes[o[k].first + r]++;
    }
    for (uint32_t r = 0; !fills && r <= c->regs.len; r++)
      d->writes[r + 1] += d->writes[r];
    if (!fills)
      d->writers = xcalloc(d->writes[c->regs.len] + 1u, sizeof *d->writers);
  }
}

// A function that has too many of them is no back-off of a lock.
static bool may_look(const struct idle *d) {
  return *d->looks && (*d->looks)--;
}

// -- instructions

static uint64_t number_of(const struct idle *d, vreg constant) {
  return d->code->consts.at[constant & ~VREG_CONST].value;
}

static int64_t signed_number(const struct idle *d, vreg constant,
                             unsigned width) {
  uint64_t n = number_of(d, constant);
  return width == 32 ? (int32_t)n : (int64_t)n;
}

static bool is_small(const struct idle *d, vreg r, unsigned width,
                     int64_t limit) {
  if (!is_const_reg(r))
    return false;
  int64_t step = signed_number(d, r, width);
  return step > -limit && step < limit;
}

static bool is_small_step(const struct idle *d, const struct vinsn *v,
                          int64_t limit) {
  unsigned width = v->imm & 0xff;
  return width >= 32 && ((v->op == OP_add && is_small(d, v->b, width, limit)) ||
                         (v->op <= OP_sub && is_small(d, v->c, width, limit)));
}

// Registers that are looked at, each for the sake of the one before. Numbers
// and steps below `limit` are small.
struct tally {
  vreg r;
  int64_t limit;
  const struct tally *before;
};

static bool is_tally(const struct idle *d, vreg r, int64_t limit,
                     const struct tally *before);

// Does the instruction put a small number, or a small step, into a tally?
static bool counts(const struct idle *d, const struct vinsn *v,
                   const struct tally *t) {
  if (v->op == OP_undef)
    return true;
  if (v->op == OP_mov)
    return is_tally(d, v->b, t->limit, t);
  return (v->op == OP_add || v->op == OP_sub) &&
         is_small_step(d, v, t->limit) &&
         is_tally(d, is_const_reg(v->b) ? v->c : v->b, t->limit, t);
}

// Does the register, which begins with a small number, only grow or shrink by
// small steps?
static bool is_tally(const struct idle *d, vreg r, int64_t limit,
                     const struct tally *before) {
  const struct tally t = {r, limit, before};
  unsigned depth = 0;
  if (is_const_reg(r))
    return is_small(d, r, 32, limit);
  for (const struct tally *b = before; b; b = b->before, depth++)
    if (b->r == r)
      return true;
  if (depth == MAX_COPIES)
    return false;
  for (uint32_t i = d->writes[r]; i < d->writes[r + 1]; i++)
    if (!may_look(d) || !counts(d, &d->code->insns.at[d->writers[i]], &t))
      return false;
  return true;
}

// Is it a tally times a constant, and does that grow by small steps as well?
static bool is_multiple(const struct idle *d, const struct vinsn *v) {
  vreg factor = is_const_reg(v->b) ? v->b : v->c;
  unsigned width = v->imm & 0xff;
  if (v->op != OP_mul || width < 32 || !is_small(d, factor, width, SMALL))
    return false;
  int64_t by = signed_number(d, factor, width), size = by < 0 ? -by : by;
  return is_tally(d, factor == v->b ? v->c : v->b, SMALL / (size ? size : 1),
                  NULL);
}

// Is the register 0 or 1, as the outcome of a comparison?
static bool is_outcome(const struct idle *d, vreg r) {
  if (is_const_reg(r) || r < d->code->params)
    return false;
  for (uint32_t i = d->writes[r]; i < d->writes[r + 1]; i++) {
    const struct vinsn *v = &d->code->insns.at[d->writers[i]];
    if (!may_look(d) || v->op < OP_eq || v->op > OP_sle)
      return false;
  }
  return true;
}

// May it be left out, if what it computes is not needed?
static bool only_computes(const struct idle *d, const struct vinsn *v) {
  bool is_shift = v->op == OP_shl || v->op == OP_lshr || v->op == OP_ashr;
  if (v->op < OP_COUNT && op_may_fail((enum op)v->op, v->imm))
    return is_shift &&
           (is_const_reg(v->c) ? number_of(d, v->c) < (v->imm & 0xff)
                               : (v->imm & 0xff) > 1 && is_outcome(d, v->c));
  switch ((int)v->op) {
  case OP_add:
  case OP_sub:
  case OP_mul:
    return !(v->imm & IMM_NSW) || d->fits[v - d->code->insns.at] ||
           is_tally(d, v->a, SMALL, NULL) || is_multiple(d, v);
  default:
    return code_is_pure(v);
  }
}

static bool yields(const struct idle *d, const struct vinsn *v, unsigned depth);

// Does the function do nothing but yield?
static bool only_yields(const struct idle *d, const struct code *c,
                        unsigned depth) {
  bool any = false;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    bool is_yield = yields(d, v, depth + 1);
    any |= is_yield;
    if (!is_yield && v->op != OP_ret && v->op != OP_LABEL &&
        v->op != OP_DELETED && v->op != OP_mov)
      return false;
  }
  return any;
}

static bool yields(const struct idle *d, const struct vinsn *v,
                   unsigned depth) {
  if (v->op == OP_sys)
    return v->imm == BI_yield;
  return v->op == OP_call && depth < MAX_DEPTH &&
         only_yields(d, d->codes[v->imm], depth);
}

static bool passes_time(const struct idle *d, const struct vinsn *v) {
  return v->op >= OP_COUNT || v->op == OP_jmp || v->op == OP_br ||
         only_computes(d, v) || yields(d, v, 0);
}

// -- what is computed from constants alone

static void find_closed(struct idle *d) {
  struct operand o[MAX_OPERANDS];
  struct code *c = d->code;
  for (uint32_t r = 0; r < c->regs.len; r++)
    d->closed[r] = r >= c->params;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < c->insns.len; i++) {
      unsigned n = code_operands(&c->insns.at[i], o);
      bool closed =
          code_is_pure(&c->insns.at[i]) && c->insns.at[i].op != OP_tls;
      for (unsigned k = 0; k < n; k++)
        for (uint32_t r = 0; !o[k].is_written && r < o[k].len; r++)
          closed &= is_const_reg(o[k].first) || d->closed[o[k].first + r];
      for (unsigned k = 0; k < n; k++)
        for (uint32_t r = 0; o[k].is_written && !closed && r < o[k].len; r++) {
          changed |= d->closed[o[k].first + r];
          d->closed[o[k].first + r] = false;
        }
    }
  }
}

// -- what may be undefined

static void pass_undef(struct vinsn *v, uint64_t *set) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  bool undef = v->op == OP_undef;
  for (unsigned k = 0; k < n; k++)
    for (uint32_t r = 0; !o[k].is_written && r < o[k].len; r++)
      undef |= !is_const_reg(o[k].first) && bit_has(set, o[k].first + r);
  for (unsigned k = 0; k < n; k++)
    for (uint32_t r = 0; o[k].is_written && r < o[k].len; r++) {
      vreg to = o[k].first + r;
      if (undef)
        bit_add(set, to);
      else
        bit_clear(set, to);
    }
}

static bool join_undef(const struct idle *d, uint32_t to, const uint64_t *set) {
  uint64_t *into = d->undef + (size_t)to * d->regwords;
  bool changed = false;
  for (uint32_t w = 0; w < d->regwords; w++) {
    changed |= (set[w] & ~into[w]) != 0;
    into[w] |= set[w];
  }
  return changed;
}

// Fills `set` with what may be undefined at the end of block b.
static void undef_after(const struct idle *d, uint32_t b, uint64_t *set) {
  memcpy(set, d->undef + (size_t)b * d->regwords, d->regwords * sizeof *set);
  for (uint32_t i = d->b.at[b].first; i < d->b.at[b].end; i++)
    pass_undef(&d->code->insns.at[i], set);
}

static bool pass_block(const struct idle *d, uint32_t b, uint64_t *set) {
  bool changed = false;
  undef_after(d, b, set);
  for (uint32_t to = 0; to < d->b.n; to++)
    if (d->b.at[b].is_open || d->b.at[b].to[0] == to || d->b.at[b].to[1] == to)
      changed |= join_undef(d, to, set);
  return changed;
}

// Registers are undefined before they are written.
static void find_undef(struct idle *d) {
  uint64_t *set = xcalloc(d->regwords, sizeof *set);
  for (uint32_t r = d->code->params; d->b.n && r < d->code->regs.len; r++)
    bit_add(d->undef, r);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < d->b.n; b++)
      changed |= pass_block(d, b, set);
  }
  free(set);
}

static bool branches_on_undef(const struct idle *d, uint32_t b) {
  uint64_t *set = xcalloc(d->regwords, sizeof *set);
  vreg r = blocks_branch(&d->b, b)->a;
  undef_after(d, b, set);
  bool undef = !is_const_reg(r) && bit_has(set, r);
  free(set);
  return undef;
}

// -- which branches decide about nothing

static void find_region(struct idle *d, uint32_t b) {
  uint64_t *region = blocks_row(&d->b, d->region, b);
  uint64_t *without = xcalloc(d->b.words, sizeof *without);
  bit_add(without, d->meets[b]);
  memset(region, 0, d->b.words * sizeof *region);
  blocks_collect(&d->b, d->b.at[b].to[0], without, region);
  blocks_collect(&d->b, d->b.at[b].to[1], without, region);
  free(without);
}

static bool may_be_idle(struct idle *d, uint32_t b) {
  const uint64_t *region = blocks_row(&d->b, d->region, b);
  const struct vinsn *br = blocks_branch(&d->b, b);
  if (!br || d->b.at[b].to[0] == d->b.at[b].to[1] || is_const_reg(br->a) ||
      !d->closed[br->a] || branches_on_undef(d, b))
    return false;
  d->meets[b] = blocks_meeting(&d->b, b);
  if (d->meets[b] == d->b.n ||
      d->code->insns.at[d->b.at[d->meets[b]].first].op != OP_LABEL)
    return false;
  find_region(d, b);
  for (uint32_t o = 0; o < d->b.n; o++)
    for (uint32_t i = d->b.at[o].first;
         bit_has(region, o) && i < d->b.at[o].end; i++)
      if (!passes_time(d, &d->code->insns.at[i]))
        return false;
  return loop_ends(&d->b, b, d->meets[b], region, d->ending);
}

static bool writes_needed(const struct idle *d, struct vinsn *v) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  for (unsigned k = 0; k < n; k++)
    for (uint32_t r = 0; o[k].is_written && r < o[k].len; r++)
      if (d->needed[o[k].first + r])
        return true;
  return false;
}

static bool need_operands(const struct idle *d, struct vinsn *v) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  bool news = false;
  for (unsigned k = 0; k < n; k++)
    for (uint32_t r = 0; !o[k].is_written && r < o[k].len; r++)
      if (!is_const_reg(o[k].first) && !d->needed[o[k].first + r])
        d->needed[o[k].first + r] = news = true;
  return news;
}

static bool operands_are_closed(const struct idle *d, struct vinsn *v) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  for (unsigned k = 0; k < n; k++)
    for (uint32_t r = 0; r < o[k].len; r++)
      if (!is_const_reg(o[k].first) && !d->closed[o[k].first + r])
        return false;
  return true;
}

// Does it go if its result is not needed? (tidy.c does the same for what is not
// closed; here it is about counters that could overflow.)
static bool may_go(const struct idle *d, struct vinsn *v) {
  return only_computes(d, v) && operands_are_closed(d, v);
}

// Does it matter whether some arithmetic fits?
static bool asks_for_ranges(const struct idle *d) {
  for (uint32_t i = 0; i < d->code->insns.len; i++) {
    struct vinsn *v = &d->code->insns.at[i];
    bool is_signed = (v->op == OP_add || v->op == OP_sub || v->op == OP_mul) &&
                     (v->imm & IMM_NSW);
    if (is_signed && operands_are_closed(d, v))
      return true;
  }
  return false;
}

static void find_needed(struct idle *d) {
  memset(d->needed, 0, d->code->regs.len);
  for (bool news = true; news;) {
    news = false;
    for (uint32_t b = d->b.n; b-- > 0;)
      for (uint32_t i = d->b.at[b].end; i-- > d->b.at[b].first;) {
        struct vinsn *v = &d->code->insns.at[i];
        bool goes = v->op == OP_br ? bit_has(d->idle, b) : may_go(d, v);
        if (v->op < OP_COUNT && (!goes || writes_needed(d, v)))
          news |= need_operands(d, v);
      }
  }
}

// Is what lies between the branch of b and its end not needed?
static bool stays_idle(const struct idle *d, uint32_t b) {
  const uint64_t *region = blocks_row(&d->b, d->region, b);
  for (uint32_t o = 0; o < d->b.n; o++) {
    if (!bit_has(region, o))
      continue;
    if (blocks_branch(&d->b, o) && !bit_has(d->idle, o))
      return false;
    for (uint32_t i = d->b.at[o].first; i < d->b.at[o].end; i++)
      if (writes_needed(d, &d->code->insns.at[i]))
        return false;
  }
  return true;
}

static void find_idle(struct idle *d) {
  for (bool changed = true; changed;) { // inner loops come first
    changed = false;
    for (uint32_t b = 0; b < d->b.n; b++)
      if (!bit_has(d->ending, b) && may_be_idle(d, b)) {
        bit_add(d->ending, b);
        changed = true;
      }
  }
  memcpy(d->idle, d->ending, d->b.words * sizeof *d->idle);
  for (bool changed = true; changed;) {
    changed = false;
    find_needed(d);
    for (uint32_t b = 0; b < d->b.n; b++)
      if (bit_has(d->idle, b) && !stays_idle(d, b)) {
        bit_clear(d->idle, b);
        changed = true;
      }
  }
}

// -- taking out

// A loop that yields still does (--read-bound asks).
static const struct vinsn *yield_in(const struct idle *d, uint32_t b,
                                    const struct vinsn *code) {
  const uint64_t *region = blocks_row(&d->b, d->region, b);
  for (uint32_t o = 0; o < d->b.n; o++)
    for (uint32_t i = d->b.at[o].first;
         bit_has(region, o) && i < d->b.at[o].end; i++)
      if (yields(d, &code[i], 0))
        return &code[i];
  return NULL;
}

static void skip(struct idle *d, uint32_t b, const struct vinsn *code,
                 const struct vinsn *br) {
  const struct vinsn *yield = yield_in(d, b, code);
  if (yield)
    code_emit(d->code, OP_sys, 0, 0, 0, BI_yield, yield->source);
  code_emit(d->code, OP_jmp, 0, 0, 0, code[d->b.at[d->meets[b]].first].imm,
            br->source);
}

static bool goes(const struct idle *d, uint32_t b, struct vinsn *v) {
  return v->op == OP_br
             ? bit_has(d->idle, b)
             : v->op < OP_COUNT && may_go(d, v) && !writes_needed(d, v);
}

static bool take_out(struct idle *d) {
  struct code *c = d->code;
  uint32_t len = c->insns.len;
  uint8_t *gone = xcalloc(len + 1u, 1);
  for (uint32_t b = 0; b < d->b.n; b++)
    for (uint32_t i = d->b.at[b].first; i < d->b.at[b].end; i++)
      gone[i] = goes(d, b, &c->insns.at[i]);
  bool any = memchr(gone, 1, len) != NULL;
  struct vinsn *old = c->insns.at;
  c->insns.at = NULL;
  c->insns.len = c->insns.cap = 0;
  for (uint32_t b = 0; b < d->b.n; b++)
    for (uint32_t i = d->b.at[b].first; i < d->b.at[b].end; i++)
      if (gone[i] && old[i].op == OP_br)
        skip(d, b, old, &old[i]);
      else if (!gone[i])
        array_push(&c->insns, old[i]);
  free(old);
  free(gone);
  return any;
}

// -- the function

bool code_idle(struct code *c, struct code **codes) {
  uint64_t looks = (uint64_t)MAX_LOOKS * c->insns.len;
  struct idle d = {.code = c, .codes = codes, .looks = &looks};
  if (!blocks_find(&d.b, c))
    return false;
  d.regwords = c->regs.len / 64 + 1;
  d.region = xcalloc((size_t)(d.b.n + 1) * d.b.words, sizeof *d.region);
  d.undef = xcalloc((size_t)(d.b.n + 1) * d.regwords, sizeof *d.undef);
  d.closed = xcalloc(c->regs.len + 1u, 1);
  d.needed = xcalloc(c->regs.len + 1u, 1);
  d.idle = xcalloc(d.b.words, sizeof *d.idle);
  d.ending = xcalloc(d.b.words, sizeof *d.ending);
  d.meets = xcalloc(d.b.n + 1u, sizeof *d.meets);
  find_writers(&d);
  find_closed(&d);
  d.fits = asks_for_ranges(&d) ? range_find(c) : xcalloc(c->insns.len + 1u, 1);
  find_undef(&d);
  find_idle(&d);
  bool any = take_out(&d);
  blocks_done(&d.b);
  free(d.region);
  free(d.undef);
  free(d.closed);
  free(d.needed);
  free(d.idle);
  free(d.ending);
  free(d.meets);
  free(d.fits);
  free(d.writes);
  free(d.writers);
  return any;
}
