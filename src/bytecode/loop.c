// SPDX-License-Identifier: MIT
// The loop of an instruction is the smallest range of code around it that a
// jump backwards spans.
#include "bytecode/loop.h"

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
