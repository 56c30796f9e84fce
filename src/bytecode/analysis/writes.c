// SPDX-License-Identifier: MIT
// A backward analysis over the code, repeated until nothing changes. What is
// not known (calls through pointers, computed gotos) writes.
#include "bytecode/analysis/writes.h"

#include <stdlib.h>

static bool builtin_writes(enum builtin b) {
  return b == BI_spawn || b == BI_lock || b == BI_lock_for || b == BI_unlock ||
         b == BI_take || b == BI_give;
}

// Does the instruction itself?
static bool insn_writes(const struct prog *p, const struct insn *in,
                        const bool *writes) {
  switch ((enum op)in->op) {
  case OP_store:
  case OP_rmw_store:
  case OP_cas_store:
  case OP_copy:
  case OP_fill:
  case OP_callr:
  case OP_ijmp:
    return true;
  case OP_call:
    return writes[p->funcs.at[in->imm].first];
  case OP_sys:
    return builtin_writes((enum builtin)in->imm);
  default:
    return false;
  }
}

// Does something that may come after it?
static bool rest_writes(const struct prog *p, uint32_t pc, const bool *writes) {
  const struct insn *in = &p->code.at[pc];
  switch ((enum op)in->op) {
  case OP_jmp:
    return writes[in->imm];
  case OP_br:
    return writes[(uint32_t)in->imm] || writes[in->imm >> 32];
  case OP_switch: {
    const struct switch_table *t = &p->tables.at[in->imm];
    bool any = writes[t->other];
    for (uint32_t i = 0; i < t->cases; i++)
      any |= writes[p->cases.at[t->first + i].target];
    return any;
  }
  case OP_ret:
  case OP_trap:
    return false;
  default:
    return writes[pc + 1];
  }
}

static bool look_at(const struct prog *p, const struct func *f, bool *writes) {
  bool changed = false;
  for (uint32_t pc = f->end; pc-- > f->first;)
    if (!writes[pc] &&
        (insn_writes(p, &p->code.at[pc], writes) || rest_writes(p, pc, writes)))
      changed = writes[pc] = true;
  return changed;
}

bool *prog_find_writes(const struct prog *p) {
  bool *writes = xcalloc(p->code.len + 1, sizeof *writes);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < p->funcs.len; i++)
      more |= look_at(p, &p->funcs.at[i], writes);
  }
  return writes;
}
