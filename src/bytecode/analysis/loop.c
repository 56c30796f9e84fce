// SPDX-License-Identifier: MIT
// The loop of an instruction is the smallest range of code around it that a
// jump backwards spans.
#include "bytecode/analysis/loop.h"

#include "bytecode/operand.h"

#include <stdlib.h>

enum { MAX_CALLS = 8 };

// Does instruction pc jump to `to`, at most as far as itself?
static void span(struct loop_range *best, uint32_t pc, uint32_t to,
                 uint32_t at) {
  if (to <= at && at <= pc && pc - to < best->last - best->first)
    *best = (struct loop_range){to, pc};
}

static void span_switch(const struct prog *p, struct loop_range *best,
                        uint32_t pc, uint32_t at) {
  const struct switch_table *t = &p->tables.at[p->code.at[pc].imm];
  span(best, pc, t->other, at);
  for (uint32_t i = 0; i < t->cases; i++)
    span(best, pc, p->cases.at[t->first + i].target, at);
}

const struct func *prog_func_around(const struct prog *p, uint32_t pc) {
  for (uint32_t i = 0; i < p->funcs.len; i++)
    if (pc >= p->funcs.at[i].first && pc < p->funcs.at[i].end)
      return &p->funcs.at[i];
  return NULL;
}

struct loop_range loop_around(const struct prog *p, uint32_t at) {
  const struct func *f = prog_func_around(p, at);
  const struct loop_range none = {0, UINT32_MAX};
  struct loop_range best = none;
  for (uint32_t pc = at; f && pc < f->end; pc++) {
    const struct insn *in = &p->code.at[pc];
    if (in->op == OP_jmp) {
      span(&best, pc, (uint32_t)in->imm, at);
    } else if (in->op == OP_br) {
      span(&best, pc, (uint32_t)in->imm, at);
      span(&best, pc, (uint32_t)(in->imm >> 32), at);
    } else if (in->op == OP_switch) {
      span_switch(p, &best, pc, at);
    }
  }
  return best.last == UINT32_MAX ? (struct loop_range){1, 0} : best;
}

static bool code_yields(const struct prog *p, uint32_t first, uint32_t end,
                        unsigned depth) {
  for (uint32_t pc = first; pc < end; pc++) {
    const struct insn *in = &p->code.at[pc];
    if (in->op == OP_sys && in->imm == BI_yield)
      return true;
    if (in->op != OP_call || depth == MAX_CALLS)
      continue;
    const struct func *f = &p->funcs.at[in->imm];
    if (code_yields(p, f->first, f->end, depth + 1))
      return true;
  }
  return false;
}

bool loop_yields(const struct prog *p, struct loop_range loop) {
  return loop.first <= loop.last &&
         code_yields(p, loop.first, loop.last + 1, 0);
}

// What a round may have read, by slot. Slots are used again and again, so it is
// the last write before a branch that says what it branches on.
struct poll {
  bool *read;
  bool *decided; // by a branch on that: `a && b`
};

static bool reads_marked(const struct insn *in, const bool *marked) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t s = 0; !o[i].written && s < o[i].count; s++)
      if (marked[o[i].first + s])
        return true;
  return false;
}

// Marks what the instruction writes if it reads something that is marked, or
// reads memory, or calls a function; true if that is news.
static bool pass_on(const struct insn *in, bool *marked) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  bool news = false;
  if (op_info((enum op)in->op)->pure && !reads_marked(in, marked))
    return false;
  for (unsigned i = 0; i < n; i++)
    for (uint32_t s = 0; o[i].written && s < o[i].count; s++) {
      news |= !marked[o[i].first + s];
      marked[o[i].first + s] = true;
    }
  return news;
}

// Does the branch at pc depend on what a round has read?
static bool is_read(const struct prog *p, const struct loop_range *loop,
                    uint32_t pc, const struct poll *k) {
  unsigned slot = p->code.at[pc].a;
  if (k->decided[slot])
    return true;
  for (uint32_t at = pc; at-- > loop->first;)
    if (insn_writes(&p->code.at[at], slot))
      return !op_info((enum op)p->code.at[at].op)->pure ||
             reads_marked(&p->code.at[at], k->read);
  return false;
}

// What is moved where the ways of such a branch begin is decided by it.
static bool decide_moves(const struct prog *p, uint32_t pc, struct poll *k) {
  bool news = false;
  for (; !op_info((enum op)p->code.at[pc].op)->ends_block; pc++) {
    const struct insn *in = &p->code.at[pc];
    if (in->op != OP_mov)
      continue;
    news |= !k->decided[in->a];
    k->decided[in->a] = true;
  }
  return news;
}

static bool find_read(const struct prog *p, const struct loop_range *loop,
                      struct poll *k) {
  bool news = false;
  for (uint32_t pc = loop->first; pc <= loop->last; pc++) {
    const struct insn *in = &p->code.at[pc];
    news |= pass_on(in, k->read);
    if (in->op == OP_br && is_read(p, loop, pc, k)) {
      news |= decide_moves(p, (uint32_t)in->imm, k);
      news |= decide_moves(p, (uint32_t)(in->imm >> 32), k);
    }
  }
  return news;
}

static bool leaves(const struct loop_range *loop, uint32_t to) {
  return to < loop->first || to > loop->last;
}

bool loop_polls(const struct prog *p, struct loop_range loop) {
  const struct func *f = prog_func_around(p, loop.first);
  uint32_t slots = f->nregs + f->nconsts;
  struct poll k = {xcalloc(slots, sizeof *k.read),
                   xcalloc(slots, sizeof *k.decided)};
  bool polls = false;
  while (find_read(p, &loop, &k))
    ;
  for (uint32_t pc = loop.first; pc <= loop.last && !polls; pc++) {
    const struct insn *in = &p->code.at[pc];
    polls = in->op == OP_br && is_read(p, &loop, pc, &k) &&
            (leaves(&loop, (uint32_t)in->imm) ||
             leaves(&loop, (uint32_t)(in->imm >> 32)));
  }
  free(k.read);
  free(k.decided);
  return polls;
}

static bool polls_back_to(const struct prog *p, uint32_t pc, uint32_t to) {
  return to <= pc && loop_polls(p, (struct loop_range){to, pc});
}

bool prog_polls(const struct prog *p) {
  for (uint32_t pc = 0; pc < p->code.len; pc++) {
    const struct insn *in = &p->code.at[pc];
    if (in->op == OP_switch) // seldom enough
      return true;
    if ((in->op == OP_jmp || in->op == OP_br) &&
        polls_back_to(p, pc, (uint32_t)in->imm))
      return true;
    if (in->op == OP_br && polls_back_to(p, pc, (uint32_t)(in->imm >> 32)))
      return true;
  }
  return false;
}
