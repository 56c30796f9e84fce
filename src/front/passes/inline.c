// SPDX-License-Identifier: MIT
// Small functions become part of their callers, innermost calls first, so that
// wrappers of one atomic operation cost no frame. Only functions without
// memory of their own qualify: private objects die when their function
// returns. (They are gone if merging made registers of them.) The merged
// instructions keep their own place in the source, and know the call that they
// were merged for.
// Functions of rt/ stay functions for the user's code: whether a thread is
// inside of the library tells a lock that waits from a loop that spins. Those
// that only yield, such as nanosleep, are in no such place; and if asked for,
// those that are one update (the kernel's atomics), so that each call of them
// is an operation of its own.
#include "base/hash.h"
#include "front/passes/code.h"

#include <string.h>

enum {
  MAX_INLINED = 40,   // instructions of a function that is merged,
  MAX_SWITCH = 400,   // if it does not begin by choosing between orders,
  MAX_GROWTH = 20000, // callers do not grow by more
  MAX_DEPTH = 4,      // objects of pointers to objects that become registers
};

struct inliner {
  struct prog *prog;
  struct code **codes;
  uint8_t *state;      // OPEN: on the path, so that calls of it are recursive
  struct table calls;  // of prog
  bool merges_updates; // of rt/, too
};

// Does it take a memory order as an argument, and choose by that first what to
// do? Most calls give a constant, so that little is left of it. (A
// compare-exchange of C++ with one order computes that of failure before.)
static bool chooses_order(const struct code *c) {
  for (uint32_t i = 0; i < c->insns.len; i++)
    switch ((int)c->insns.at[i].op) {
    case OP_br:
    case OP_jmp:
    case OP_LABEL:
    case OP_DELETED:
      break;
    default:
      if (!op_info(c->insns.at[i].op)->pure)
        return c->insns.at[i].op == OP_switch && c->insns.at[i].a < c->params;
    }
  return false;
}

static bool only_yields(const struct code *c) {
  for (uint32_t i = 0; i < c->insns.len; i++)
    switch ((int)c->insns.at[i].op) {
    case OP_sys:
      if (c->insns.at[i].imm != BI_yield)
        return false;
      break;
    case OP_mov:
    case OP_ret:
    case OP_LABEL:
    case OP_DELETED:
      break;
    default:
      return false;
    }
  return true;
}

// Is it one update, and what is computed of it? An access that is not atomic
// would be reported where the call is, and a branch would guard something
// there.
static bool is_update(const struct code *c) {
  unsigned stores = 0;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    int op = (int)c->insns.at[i].op;
    bool is_half = op == OP_rmw_load || op == OP_cas_load ||
                   op == OP_rmw_store || op == OP_cas_store;
    stores += op == OP_rmw_store || op == OP_cas_store;
    bool is_code = op != OP_LABEL && op != OP_DELETED;
    if (is_code && !is_half && op != OP_ret && !op_info((enum op)op)->pure)
      return false;
  }
  return stores == 1;
}

static bool crosses(const struct inliner *in, const struct code *c,
                    const struct code *caller) {
  return c->is_library == caller->is_library || only_yields(c) ||
         (in->merges_updates && c->is_library && is_update(c));
}

static bool is_inlinable(const struct inliner *in, const struct code *c,
                         const struct code *caller) {
  uint32_t most = chooses_order(c) ? MAX_SWITCH : MAX_INLINED;
  if (c->insns.len > most || c->is_vararg || c->keeps_labels ||
      !crosses(in, c, caller))
    return false;
  for (uint32_t i = 0; i < c->insns.len; i++)
    switch ((int)c->insns.at[i].op) {
    case OP_local:
    case OP_stack_new:
    case OP_va_start:
    case OP_ijmp:
      return false;
    case OP_sys: // a frame is what longjmp goes back to
      if (c->insns.at[i].imm == BI_setjmp)
        return false;
      break;
    default:
      break;
    }
  return true;
}

// A call that something lands behind stays a call: what comes out of calls that
// the function makes would land nowhere.
static bool lands(const struct vinsn *at, uint32_t i, uint32_t n) {
  return i + 1 < n && at[i + 1].op == OP_landing;
}

enum { NEW, OPEN, DONE };

struct merge {
  struct inliner *in;
  struct code *caller;
  const struct code *callee;
  struct vinsn call;
  vreg regs;       // where the callee's registers begin
  label_id labels; // and its labels
  uint32_t tables;
  label_id end;
};

static vreg merged_reg(const struct merge *m, vreg r) {
  if (!is_const_reg(r))
    return m->regs + r;
  return code_const(m->caller, m->callee->consts.at[r & ~VREG_CONST].value);
}

static void merge_return(const struct merge *m, const struct vinsn *ret) {
  for (uint32_t i = 0; i < ret->b; i++)
    code_emit(m->caller, OP_mov, m->call.a + i, merged_reg(m, ret->a + i), 0, 0,
              m->call.source);
  code_emit(m->caller, OP_jmp, 0, 0, 0, m->end, m->call.source);
}

static uint32_t call_number(struct inliner *in, const struct source *call) {
  struct prog *p = in->prog;
  uint32_t hash = (uint32_t)hash_bytes(call, sizeof *call);
  for (uint32_t at = hash, n;
       (n = table_next(&in->calls, hash, &at)) != TABLE_NONE;)
    if (memcmp(&p->calls.at[n], call, sizeof *call) == 0)
      return n + 1;
  table_add(&in->calls, hash, p->calls.len);
  array_push(&p->calls, *call);
  return p->calls.len;
}

// The calls that `call` stands for, and then the one that is merged.
static uint32_t extended(const struct merge *m, uint32_t call) {
  struct source outer = m->call.source;
  if (call) {
    outer = m->in->prog->calls.at[call - 1];
    outer.call = extended(m, outer.call);
  }
  return call_number(m->in, &outer);
}

static void merge_insn(const struct merge *m, const struct vinsn *from) {
  if (from->op == OP_LABEL) {
    code_place(m->caller, m->labels + (label_id)from->imm);
    return;
  }
  if (from->op == OP_ret) {
    merge_return(m, from);
    return;
  }
  struct vinsn v = *from;
  bool is_moved =
      m->in->merges_updates && m->callee->is_library != m->caller->is_library;
  if (is_moved) // out of rt/: it is where that is called
    v.source = m->call.source;
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(&v, o);
  for (unsigned i = 0; i < n; i++)
    *o[i].at = merged_reg(m, o[i].first);
  switch ((int)op_info((enum op)v.op)->imm) {
  case IMM_TARGET:
    v.imm += m->labels;
    break;
  case IMM_TARGETS:
    v.imm += imm_targets(m->labels, m->labels);
    break;
  case IMM_TABLE:
    v.imm += m->tables;
    break;
  }
  if (!is_moved &&
      (op_info((enum op)v.op)->imm == IMM_ACCESS || v.source.header))
    v.source.call = extended(m, v.source.call);
  array_push(&m->caller->insns, v);
}

static void merge_tables(struct merge *m) {
  struct code *to = m->caller;
  m->tables = to->tables.len;
  uint32_t cases = to->cases.len;
  for (uint32_t i = 0; i < m->callee->tables.len; i++) {
    struct vtable t = m->callee->tables.at[i];
    t.first += cases;
    t.other += m->labels;
    array_push(&to->tables, t);
  }
  for (uint32_t i = 0; i < m->callee->cases.len; i++) {
    struct switch_case k = m->callee->cases.at[i];
    k.target += m->labels;
    array_push(&to->cases, k);
  }
}

static void merge_call(struct inliner *in, struct code *caller,
                       const struct code *callee, struct vinsn call) {
  struct merge m = {.in = in,
                    .caller = caller,
                    .callee = callee,
                    .call = call,
                    .regs = caller->regs.len,
                    .labels = caller->labels};
  for (uint32_t i = 0; i < callee->regs.len; i++) {
    struct vrun run = callee->regs.at[i];
    array_push(&caller->regs, (struct vrun){m.regs + run.first, run.len});
  }
  caller->labels += callee->labels;
  m.end = code_label(caller);
  merge_tables(&m);
  for (uint32_t i = 0; i < callee->params; i++)
    code_emit(caller, OP_mov, m.regs + i, call.b + i, 0, 0, call.source);
  for (uint32_t i = 0; i < callee->insns.len; i++)
    merge_insn(&m, &callee->insns.at[i]);
  code_place(caller, m.end);
}

static bool is_merged(const struct inliner *in, const struct code *caller,
                      uint32_t at) {
  const struct vinsn *v = &caller->insns.at[at];
  return v->op == OP_call && in->state[v->imm] == DONE &&
         !lands(caller->insns.at, at, caller->insns.len) &&
         is_inlinable(in, in->codes[v->imm], caller);
}

// Merges calls as long as the function has at most so many instructions. True:
// all of them.
static bool merge_calls(struct inliner *in, struct code *c, uint32_t most) {
  struct code old = *c;
  bool has_room = true;
  memset(&c->insns, 0, sizeof c->insns);
  for (uint32_t i = 0; i < old.insns.len; i++) {
    struct vinsn v = old.insns.at[i];
    has_room &= c->insns.len + (old.insns.len - i) < most;
    if (has_room && is_merged(in, &old, i))
      merge_call(in, c, in->codes[v.imm], v);
    else
      array_push(&c->insns, v);
  }
  free(old.insns.at);
  return has_room;
}

// What holds the address of an object is often an object, which has to become a
// register first. (A function that keeps one is not merged.)
static void promote_all(struct inliner *in, struct code *c) {
  for (unsigned i = 0; i < MAX_DEPTH && code_promote(c, in->prog); i++)
    code_tidy(c);
}

// Often little is left of what was merged, and there is room for more. (Not for
// one more at a time: each pass takes as long as the function is.)
static void merge_all_calls(struct inliner *in, struct code *c) {
  uint32_t most = c->insns.len + MAX_GROWTH;
  bool is_all;
  do {
    is_all = merge_calls(in, c, most);
    code_tidy(c);
    code_write_back(c);
    promote_all(in, c);
  } while (!is_all && c->insns.len < most - MAX_GROWTH / 2);
}

static void inline_into(struct inliner *in, uint32_t f) {
  struct code *c = in->codes[f];
  in->state[f] = OPEN;
  bool merges = false;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_call && in->state[v->imm] == NEW)
      inline_into(in, (uint32_t)v->imm);
    merges |= is_merged(in, c, i);
  }
  if (merges)
    merge_all_calls(in, c);
  else
    promote_all(in, c);
  in->state[f] = DONE;
}

void code_inline(struct prog *p, struct code **codes, uint32_t n,
                 bool merges_updates) {
  struct inliner in = {p, codes, xcalloc(n + 1u, 1), {0}, merges_updates};
  for (uint32_t i = 0; i < p->calls.len; i++)
    table_add(&in.calls,
              (uint32_t)hash_bytes(&p->calls.at[i], sizeof p->calls.at[i]), i);
  for (uint32_t f = 0; f < n; f++)
    if (in.state[f] == NEW)
      inline_into(&in, f);
  free(in.state);
  table_done(&in.calls);
}
