// SPDX-License-Identifier: MIT
// From virtual registers to the slots of a frame. A run of registers that is
// used in one block only, and written there first, borrows slots that are free
// between its first and its last use; every other run has slots of its own.
// So the frame of -O0 code with thousands of temporaries stays small.
#include "front/passes/code.h"

#include <string.h>

enum { MAX_SLOTS = 0x7000, MAX_CONSTS = 0x7000 };

struct assembler {
  struct code *code;
  uint32_t *slot;      // per vreg that starts a run: its slot
  uint32_t *block;     // the block of all its uses, or SEVERAL
  uint32_t *last;      // the last instruction that names it
  uint8_t *busy;       // per slot above `fixed`
  uint32_t fixed, top; // slots that belong to one run; slots in use at all
};
enum { UNSEEN = 0, SEVERAL = UINT32_MAX };

static void note_use(struct assembler *s, const struct operand *o,
                     uint32_t block, uint32_t at) {
  vreg run = s->code->regs.at[o->first].first;
  if (s->block[run] == UNSEEN)
    s->block[run] = o->is_written ? block : SEVERAL;
  else if (s->block[run] != block)
    s->block[run] = SEVERAL;
  s->last[run] = at;
}

// Where each run is used. Blocks are numbered from 1.
static void scan_uses(struct assembler *s) {
  uint32_t block = 1;
  struct operand o[MAX_OPERANDS];
  for (uint32_t i = 0; i < s->code->insns.len; i++) {
    struct vinsn *v = &s->code->insns.at[i];
    if (v->op == OP_LABEL)
      block++;
    unsigned n = code_operands(v, o);
    // Reads come before writes: `x := x + 1` does not start the life of x.
    for (int writes = 0; writes < 2; writes++)
      for (unsigned k = 0; k < n; k++)
        if (o[k].is_written == writes && !is_const_reg(o[k].first))
          note_use(s, &o[k], block, i);
    if (code_ends_block(v))
      block++;
  }
}

static void place_fixed(struct assembler *s) {
  struct code *c = s->code;
  uint32_t next = c->params;
  for (vreg r = 0; r < c->regs.len; r += c->regs.at[r].len) {
    if (r < c->params)
      s->slot[r] = r;
    else if (s->block[r] == SEVERAL) {
      s->slot[r] = next;
      next += c->regs.at[r].len;
    }
  }
  s->fixed = s->top = next;
}

// The first run of `len` free slots; taken.
static uint32_t borrow(struct assembler *s, uint32_t len) {
  uint32_t at = s->fixed;
  for (uint32_t k = 0; k < len;) {
    if (at + len > MAX_SLOTS)
      return MAX_SLOTS;
    check(at + k <= s->code->regs.len);
    if (s->busy[at + k]) {
      at += k + 1;
      k = 0;
    } else {
      k++;
    }
  }
  memset(s->busy + at, 1, len);
  if (at + len > s->top)
    s->top = at + len;
  return at;
}

// Results never share slots with operands of the same instruction.
static bool place_borrowed(struct assembler *s) {
  struct code *c = s->code;
  struct operand o[MAX_OPERANDS];
  for (uint32_t i = 0; i < c->insns.len; i++) {
    unsigned n = code_operands(&c->insns.at[i], o);
    for (unsigned k = 0; k < n; k++) {
      vreg run = is_const_reg(o[k].first) ? 0 : c->regs.at[o[k].first].first;
      if (is_const_reg(o[k].first) || s->slot[run] != UINT32_MAX)
        continue;
      s->slot[run] = borrow(s, c->regs.at[run].len);
      if (s->slot[run] == MAX_SLOTS)
        return false;
    }
    for (unsigned k = 0; k < n; k++) {
      if (is_const_reg(o[k].first))
        continue;
      vreg run = c->regs.at[o[k].first].first;
      if (s->last[run] == i && s->slot[run] >= s->fixed)
        memset(s->busy + s->slot[run], 0, c->regs.at[run].len);
    }
  }
  return true;
}

static uint32_t label_pcs(const struct code *c, uint32_t pc,
                          uint32_t *label_pc) {
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL)
      label_pc[v->imm] = pc;
    else if (v->op != OP_DELETED)
      pc++;
  }
  return pc;
}

static unsigned operand_number(const struct assembler *s, struct prog *p,
                               const uint32_t *label_pc, vreg r) {
  const struct code *c = s->code;
  if (is_const_reg(r)) {
    const struct vconst *k = &c->consts.at[r & ~VREG_CONST];
    return prog_const(p, k->is_label ? prog_code_address(label_pc[k->value])
                                     : k->value);
  }
  vreg run = c->regs.at[r].first;
  return s->slot[run] + (r - run);
}

static uint64_t assemble_imm(const struct assembler *s, struct prog *p,
                             const uint32_t *label_pc, const struct vinsn *v) {
  const struct code *c = s->code;
  switch ((enum imm_kind)op_info((enum op)v->op)->imm) {
  case IMM_TARGET:
    return label_pc[v->imm];
  case IMM_TARGETS:
    return imm_targets(label_pc[(uint32_t)v->imm], label_pc[v->imm >> 32]);
  case IMM_REG:
    return operand_number(s, p, label_pc, v->d);
  case IMM_TABLE: {
    const struct vtable *t = &c->tables.at[v->imm];
    uint32_t table = prog_add_table(p, label_pc[t->other]);
    for (uint32_t i = 0; i < t->cases; i++) {
      const struct switch_case *k = &c->cases.at[t->first + i];
      prog_add_case(p, k->value, label_pc[k->target]);
    }
    return table;
  }
  case IMM_NONE:
  case IMM_WIDTH:
  case IMM_WIDTH2:
  case IMM_FUNC:
  case IMM_BUILTIN:
  case IMM_ACCESS:
  case IMM_RAW:
    return v->imm;
  }
  fatal_internal(__FILE__, __LINE__, "a kind of imm");
}

static void assemble_insn(const struct assembler *s, struct prog *p,
                          const uint32_t *label_pc, const struct vinsn *v) {
  struct vinsn final = *v;
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(&final, o);
  const struct op_info *info = op_info((enum op)v->op);
  unsigned a = info->a == 'I' ? v->a : 0, b = info->b == 'I' ? v->b : 0,
           c = info->c == 'I' ? v->c : 0;
  for (unsigned k = 0; k < n; k++) {
    unsigned number = operand_number(s, p, label_pc, o[k].first);
    if (o[k].at == &final.a)
      a = number;
    else if (o[k].at == &final.b)
      b = number;
    else if (o[k].at == &final.c)
      c = number;
  }
  prog_emit(p, (enum op)v->op, a, b, c, assemble_imm(s, p, label_pc, v),
            v->source);
}

// A function with more constants than slots for them loads the rest.
static void load_constants(struct code *c) {
  if (c->consts.len <= MAX_CONSTS)
    return;
  struct vinsn *old = c->insns.at;
  uint32_t n = c->insns.len;
  c->insns.at = NULL;
  c->insns.len = c->insns.cap = 0;
  for (uint32_t i = 0; i < n; i++) {
    struct operand o[MAX_OPERANDS];
    unsigned count = code_operands(&old[i], o);
    for (unsigned k = 0; k < count; k++) {
      uint32_t number = o[k].first & ~VREG_CONST;
      if (!is_const_reg(o[k].first) || number < MAX_CONSTS ||
          c->consts.at[number].is_label)
        continue;
      *o[k].at = code_reg(c);
      code_emit(c, OP_number, *o[k].at, 0, 0, c->consts.at[number].value,
                old[i].source);
    }
    array_push(&c->insns, old[i]);
  }
  free(old);
}

bool code_assemble(struct code *c, struct prog *p, uint32_t func,
                   uint32_t *label_pc, struct diag *why) {
  load_constants(c);
  struct assembler s = {.code = c};
  size_t regs = c->regs.len + 1u;
  s.slot = xmalloc(regs * sizeof *s.slot);
  memset(s.slot, 0xff, regs * sizeof *s.slot);
  s.block = xcalloc(regs, sizeof *s.block);
  s.last = xcalloc(regs, sizeof *s.last);
  s.busy = xcalloc(regs + 1u, 1); // there are no more slots than registers
  scan_uses(&s);
  place_fixed(&s);
  bool fits = s.fixed < MAX_SLOTS && place_borrowed(&s);
  if (fits) {
    prog_begin_func(p, func);
    label_pcs(c, p->code.len, label_pc);
    for (uint32_t i = 0; i < c->insns.len; i++)
      if (c->insns.at[i].op < OP_COUNT)
        assemble_insn(&s, p, label_pc, &c->insns.at[i]);
    p->funcs.at[func].nregs = s.top;
  }
  free(s.slot);
  free(s.block);
  free(s.last);
  free(s.busy);
  if (!fits)
    diag_set(why, "", 0, "function `%s` needs more than %d variables at a time",
             prog_text(p, c->name), MAX_SLOTS);
  return fits;
}
