// SPDX-License-Identifier: MIT
// Which slots an instruction reads and writes. The verifier, liveness and the
// renumbering of constants ask this one place.
#pragma once

#include "bytecode/prog.h"

struct operand {
  char field;            // 'a', 'b', 'c', or 'i' for imm
  bool written;          // else read
  uint32_t first, count; // slots [first, first + count), count >= 1
};

// Fills `out` and yields how many operands name slots; runs of length zero are
// left out.
unsigned insn_operands(const struct insn *in, struct operand out[4]);
bool insn_reads(const struct insn *in, unsigned slot);
bool insn_writes(const struct insn *in, unsigned slot);
// May code of the function, from pc on, read what is in the slot there?
bool slot_is_needed(const struct prog *p, const struct func *f, uint32_t pc,
                    unsigned slot);

// What call, callr and sys say in c.
static inline unsigned call_args(const struct insn *in) {
  return in->c & 0xff;
}

static inline unsigned call_results(const struct insn *in) {
  return in->c >> 8;
}

static inline bool insn_is_setjmp(const struct insn *in) {
  return in->op == OP_sys && in->imm == BI_setjmp;
}
// May longjmp lead into the function, from any of its calls?
static inline bool func_has_setjmp(const struct prog *p, const struct func *f) {
  for (uint32_t pc = f->first; pc < f->end; pc++)
    if (insn_is_setjmp(&p->code.at[pc]))
      return true;
  return false;
}

// May a thread stop at this instruction, or wait in it for a callee?
static inline bool insn_suspends(const struct insn *in) {
  return op_info(in->op)->visible || in->op == OP_call || in->op == OP_callr;
}
