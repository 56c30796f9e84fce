// SPDX-License-Identifier: MIT
// A backward analysis over the code, repeated until nothing changes. What is
// not known (calls through pointers, computed gotos, longjmp) writes. (An
// exception leads to the landing behind a call, which is part of the code.) The
// end of an object counts as the least that is a write: reads conflict with it.
#include "bytecode/analysis/writes.h"

#include <stdlib.h>

static enum width builtin_writes(enum builtin b) {
  bool locks = b == BI_lock || b == BI_lock_for || b == BI_unlock ||
               b == BI_take || b == BI_give;
  // longjmp leads back, to where other writes may come.
  bool is_open = b == BI_spawn || b == BI_longjmp;
  // With a thread that has not returned end its variables.
  bool ends_lives = b == BI_free || b == BI_delete || b == BI_thread_exit;
  return is_open               ? WRITES_ANY
         : locks || ends_lives ? WRITES_LOCKS
                               : WRITES_NOTHING;
}

static enum width least(enum width a, enum width b) {
  return a > b ? a : b;
}

// Atomic accesses are aligned, but for some stores of litmus tests.
static bool may_be_anywhere(const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  return a.order == ORD_NA || (in->op == OP_store && (a.how & HOW_BYTES));
}

// What the instruction itself does.
static enum width insn_writes(const struct prog *p, const struct insn *in,
                              const uint8_t *writes) {
  switch ((enum op)in->op) {
  case OP_store:
  case OP_rmw_store:
  case OP_cas_store:
    return may_be_anywhere(in) ? WRITES_ANY
                               : width_of(imm_access_of(in->imm).size);
  case OP_copy:
  case OP_fill:
  case OP_callr:
  case OP_ijmp:
    return WRITES_ANY;
  case OP_call:
    return (enum width)writes[p->funcs.at[in->imm].first];
  case OP_stack_end:
    return WRITES_LOCKS;
  case OP_sys:
    return builtin_writes((enum builtin)in->imm);
  default:
    return WRITES_NOTHING;
  }
}

// What may come after it does.
static enum width rest_writes(const struct prog *p, uint32_t pc,
                              const uint8_t *writes) {
  const struct insn *in = &p->code.at[pc];
  switch ((enum op)in->op) {
  case OP_jmp:
    return (enum width)writes[in->imm];
  case OP_br:
    return least((enum width)writes[(uint32_t)in->imm],
                 (enum width)writes[in->imm >> 32]);
  case OP_switch: {
    const struct switch_table *t = &p->tables.at[in->imm];
    enum width all = (enum width)writes[t->other];
    for (uint32_t i = 0; i < t->cases; i++)
      all = least(all, (enum width)writes[p->cases.at[t->first + i].target]);
    return all;
  }
  case OP_ret:
  case OP_trap:
    return WRITES_NOTHING;
  default:
    return (enum width)writes[pc + 1];
  }
}

static bool look_at(const struct prog *p, const struct func *f,
                    uint8_t *writes) {
  bool changed = false;
  for (uint32_t pc = f->end; pc-- > f->first;) {
    enum width now = least(insn_writes(p, &p->code.at[pc], writes),
                           rest_writes(p, pc, writes));
    changed |= now > writes[pc];
    writes[pc] = now > writes[pc] ? (uint8_t)now : writes[pc];
  }
  return changed;
}

uint8_t *prog_find_writes(const struct prog *p) {
  uint8_t *writes = xcalloc(p->code.len + 1, sizeof *writes);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < p->funcs.len; i++)
      more |= look_at(p, &p->funcs.at[i], writes);
  }
  return writes;
}
