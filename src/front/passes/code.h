// SPDX-License-Identifier: MIT
// A function while it is being lowered: Heddle's instructions over any number
// of virtual registers, with labels as targets. tidy.c cleans it, inline.c
// merges small functions into their callers, assemble.c gives every register
// a slot of the frame and appends the function to the program.
#pragma once

#include "base/table.h"
#include "bytecode/prog.h"

typedef uint32_t vreg; // a virtual register, or VREG_CONST | constant number
#define VREG_CONST 0x80000000u
#define VREG_NONE 0x7fffffffu

typedef uint32_t label_id;
enum { OP_LABEL = OP_COUNT, OP_DELETED };

// As struct insn, but `imm` holds labels where a bytecode instruction holds
// code addresses, and `d` is the register of an imm of kind REG.
struct vinsn {
  uint16_t op; // enum op, OP_LABEL (imm: which one) or OP_DELETED
  vreg a, b, c, d;
  uint64_t imm;
  struct source source;
};

// A constant, or the code address of a label.
struct vconst {
  uint64_t value;
  bool is_label;
};

struct vtable {
  uint32_t first, cases; // range of code->cases; targets are labels
  label_id other;
};

// Registers come in runs of consecutive ones (aggregates, arguments), which
// stay together: each register knows the first of its run and its length.
struct vrun {
  vreg first;
  uint32_t len;
};

struct code {
  uint32_t name; // string id
  uint32_t params, results;
  bool is_vararg, is_library;
  ARRAY(struct vinsn) insns;
  ARRAY(struct vrun) regs; // the parameters come first
  ARRAY(struct vconst) consts;
  ARRAY(struct vtable) tables;
  ARRAY(struct switch_case) cases;
  struct table const_table; // of consts
  uint32_t labels;
  bool keeps_labels; // some label's address is taken
};

void code_init(struct code *c, uint32_t name, uint32_t params,
               uint32_t results);
void code_done(struct code *c);

// `n` fresh consecutive registers; yields the first.
vreg code_regs(struct code *c, uint32_t n);
static inline vreg code_reg(struct code *c) {
  return code_regs(c, 1);
}
vreg code_const(struct code *c, uint64_t value);
vreg code_label_address(struct code *c, label_id l);
static inline label_id code_label(struct code *c) {
  return c->labels++;
}
void code_emit(struct code *c, unsigned op, vreg a, vreg b, vreg c_,
               uint64_t imm, struct source from);
void code_place(struct code *c, label_id l);

static inline bool is_const_reg(vreg r) {
  return r & VREG_CONST && r != UINT32_MAX;
}

// The operands of an instruction, as runs of registers.
struct operand {
  vreg *at; // into the instruction, when `len` is 1 it may be replaced
  vreg first;
  uint32_t len;
  bool is_written;
};
enum { MAX_OPERANDS = 4 };
unsigned code_operands(struct vinsn *v, struct operand out[MAX_OPERANDS]);
bool code_is_pure(const struct vinsn *v);
bool code_ends_block(const struct vinsn *v);

// tidy.c: copies and unused pure results disappear; no access, no dependency
// and no branch does (but see idle.c).
void code_tidy(struct code *c);
// flow.c: decisions on constants are taken, unreached code disappears.
void code_flow(struct code *c);
// writeback.c: a failed compare-exchange writes `expected` without a branch.
void code_write_back(struct code *c);
// promote.c: private objects whose address goes nowhere become registers. True:
// some did.
bool code_promote(struct code *c, const struct prog *prog);
// idle.c: code that only passes the time disappears. `codes` are all functions,
// by number. True: something did.
bool code_idle(struct code *c, struct code **codes);
// range.c: which instructions do signed arithmetic of 32 bits that always fits;
// one byte each, for the caller to free.
uint8_t *range_find(struct code *c);
// throws.c: landings go at calls that no exception comes out of.
void code_throws(struct code **codes, uint32_t n); // by function number
// inline.c: small functions without memory of their own become part of their
// callers; with `merges_updates` those of rt/ that are one update, too.
void code_inline(struct prog *p, struct code **codes, uint32_t n,
                 bool merges_updates); // by function number
// assemble.c: appends the code to function `func` of the program and tells
// where each label went. False: too large.
MUST_USE bool code_assemble(struct code *c, struct prog *p, uint32_t func,
                            uint32_t *label_pc, struct diag *why);
