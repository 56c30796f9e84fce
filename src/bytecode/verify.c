// SPDX-License-Identifier: MIT
// The verifier: after it, the interpreter trusts every operand, target and
// index. A program that fails here is a bug of the code that built it, but it
// is refused like bad input, with the place and the reason.
#include "base/finding.h"
#include "bytecode/operand.h"
#include "bytecode/pass.h"

#include <stdarg.h>
#include <stdio.h>

struct verifier {
  const struct prog *p;
  const struct func *f;
  uint32_t pc;
  struct diag *why;
};

static bool refuse(struct verifier *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

static bool refuse(struct verifier *v, const char *fmt, ...) {
  char reason[256];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(reason, sizeof reason, fmt, ap);
  va_end(ap);
  const char *name = prog_text(v->p, v->f->name);
  if (v->pc >= v->p->code.len)
    return diag_set(v->why, NULL, 0, "malformed bytecode: function `%s`: %s",
                    name, reason);
  const struct source *at = &v->p->source.at[v->pc];
  return diag_set(v->why, prog_text(v->p, at->file), at->line,
                  "malformed bytecode: function `%s`, pc %u (%s): %s", name,
                  v->pc, op_name(v->p->code.at[v->pc].op), reason);
}

static bool is_target(const struct verifier *v, uint64_t pc) {
  return pc >= v->f->first && pc < v->f->end;
}

static bool verify_slots(struct verifier *v, const struct insn *in) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  uint32_t all = v->f->nregs + v->f->nconsts;
  for (unsigned i = 0; i < n; i++) {
    uint32_t end = o[i].first + o[i].count;
    if (o[i].field == 'i' && in->imm > UINT16_MAX)
      return refuse(v, "operand imm names no slot");
    if (o[i].written && end > v->f->nregs)
      return refuse(v, "operand %c writes slot %u, there are %u registers",
                    o[i].field, end - 1, v->f->nregs);
    if (end > all)
      return refuse(v, "operand %c reads slot %u of %u", o[i].field, end - 1,
                    all);
    if (o[i].first < v->f->nregs && end > v->f->nregs)
      return refuse(v, "operand %c is a run over registers and constants",
                    o[i].field);
  }
  return true;
}

static bool is_float_width(unsigned w) {
  return w == 16 || w == 32 || w == 64;
}

static bool verify_width(struct verifier *v, const struct insn *in) {
  unsigned w = in->imm & 0xff;
  bool is_float = in->op >= OP_fadd && in->op <= OP_fneg;
  bool ok = is_float              ? is_float_width(w)
            : in->op == OP_bswap  ? w == 16 || w == 32 || w == 64
            : in->op == OP_cas_ok ? w >= 1 && (w <= 64 || w == 128)
                                  : w >= 1 && w <= 64;
  if (!ok)
    return refuse(v, "width %u", w);
  if (in->imm & ~(uint64_t)(0xff | IMM_NSW | IMM_NUW | IMM_EXACT | IMM_CHECKED |
                            IMM_POISON))
    return refuse(v, "unknown flags in the width");
  return true;
}

static bool verify_width2(struct verifier *v, const struct insn *in) {
  unsigned from = in->imm & 0xff, to = in->imm >> 8 & 0xff;
  bool ok;
  switch (in->op) {
  case OP_fcmp:
    ok = is_float_width(from) && to <= 15;
    break;
  case OP_fptosi:
  case OP_fptoui:
    ok = is_float_width(from) && to >= 1 && to <= 64;
    break;
  case OP_sitofp:
  case OP_uitofp:
    ok = from >= 1 && from <= 64 && is_float_width(to);
    break;
  case OP_fpconv:
    ok = is_float_width(from) && is_float_width(to);
    break;
  default:
    ok = from >= 1 && from <= to && to <= 64;
  }
  uint64_t flags = in->imm >> 16 << 16;
  return (ok && !(flags & ~(uint64_t)(IMM_CHECKED | IMM_POISON))) ||
         refuse(v, "widths %u, %u", from, to);
}

static bool verify_access(struct verifier *v, const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  if (a.order > ORD_SC || a.order_fail > ORD_SC)
    return refuse(v, "unknown memory order");
  bool is_fence = in->op == OP_fence || in->op == OP_fence_at;
  if (a.fence >= FENCE_COUNT || (a.fence && !is_fence) ||
      (in->op == OP_fence_at && !fence_has_location((enum fence_kind)a.fence)))
    return refuse(v, "unknown kind of fence");
  if ((a.how & HOW_SRCU) && in->op != OP_load && in->op != OP_store)
    return refuse(v, "unknown kind of access");
  if (a.fence && in->op == OP_fence)
    return a.order == ORD_NA ||
           fence_acts((enum fence_kind)a.fence) == FENCE_ACTS_NOTHING ||
           refuse(v, "a barrier with a memory order");
  if (in->op != OP_load && in->op != OP_store && in->op != OP_fence_at &&
      a.order == ORD_NA && !(in->op == OP_fence && a.how & HOW_PLACE))
    return refuse(v, "an atomic operation without an order");
  if (in->op == OP_fence)
    return true;
  if (a.size != 1 && a.size != 2 && a.size != 4 && a.size != 8 && a.size != 16)
    return refuse(v, "access of %u bytes", a.size);
  return true;
}

static bool verify_call(struct verifier *v, const struct insn *in) {
  if (in->imm >= v->p->funcs.len)
    return refuse(v, "function %llu", (unsigned long long)in->imm);
  const struct func *callee = &v->p->funcs.at[in->imm];
  unsigned args = call_args(in), results = call_results(in);
  if (args < callee->params || (args > callee->params && !callee->is_vararg))
    return refuse(v, "%u argument slots for %u parameters", args,
                  callee->params);
  if (results > callee->results)
    return refuse(v, "%u results from a function with %u", results,
                  callee->results);
  return true;
}

static bool verify_builtin(struct verifier *v, const struct insn *in) {
  static const struct {
    uint8_t args, results;
  } shape[BI_COUNT] = {
#define BUILTIN(name, args, results, meaning) {args, results},
#include "bytecode/builtin.def"
#undef BUILTIN
  };
  if (in->imm >= BI_COUNT)
    return refuse(v, "builtin %llu", (unsigned long long)in->imm);
  if (call_args(in) != shape[in->imm].args ||
      call_results(in) > shape[in->imm].results)
    return refuse(v, "%u argument and %u result slots for builtin %s",
                  call_args(in), call_results(in),
                  builtin_name((enum builtin)in->imm));
  return true;
}

static bool verify_table(struct verifier *v, const struct insn *in) {
  if (in->imm >= v->p->tables.len)
    return refuse(v, "switch table %llu", (unsigned long long)in->imm);
  const struct switch_table *t = &v->p->tables.at[in->imm];
  if (t->first > v->p->cases.len || t->cases > v->p->cases.len - t->first)
    return refuse(v, "switch table with cases that do not exist");
  if (!is_target(v, t->other))
    return refuse(v, "default target %u outside of the function", t->other);
  for (uint32_t i = t->first; i < t->first + t->cases; i++)
    if (!is_target(v, v->p->cases.at[i].target))
      return refuse(v, "case target %u outside of the function",
                    v->p->cases.at[i].target);
  return true;
}

static bool verify_raw(struct verifier *v, const struct insn *in) {
  if (in->op == OP_undef && in->imm > 64)
    return refuse(v, "width %llu", (unsigned long long)in->imm);
  if (in->op == OP_trap && in->imm >= FIND_COUNT)
    return refuse(v, "finding %llu", (unsigned long long)in->imm);
  if (in->op == OP_tls && (in->imm >= v->p->globals.len ||
                           !v->p->globals.at[in->imm].is_thread_local))
    return refuse(v, "global %llu is not thread-local",
                  (unsigned long long)in->imm);
  return true;
}

static bool verify_imm(struct verifier *v, const struct insn *in) {
  switch ((enum imm_kind)op_info(in->op)->imm) {
  case IMM_NONE:
  case IMM_REG:
    return true;
  case IMM_WIDTH:
    return verify_width(v, in);
  case IMM_WIDTH2:
    return verify_width2(v, in);
  case IMM_TARGET:
    return is_target(v, in->imm) ||
           refuse(v, "target %llu outside of the function",
                  (unsigned long long)in->imm);
  case IMM_TARGETS:
    return (is_target(v, (uint32_t)in->imm) && is_target(v, in->imm >> 32)) ||
           refuse(v, "target %u or %u outside of the function",
                  (uint32_t)in->imm, (uint32_t)(in->imm >> 32));
  case IMM_FUNC:
    return verify_call(v, in);
  case IMM_BUILTIN:
    return verify_builtin(v, in);
  case IMM_ACCESS:
    return verify_access(v, in);
  case IMM_TABLE:
    return verify_table(v, in);
  case IMM_RAW:
    return verify_raw(v, in);
  }
  return refuse(v, "unknown kind of imm");
}

// The two halves of an atomic update: only pure code may stand between them,
// because nothing may come between the read and the write.
static bool verify_update(struct verifier *v, const struct insn *in) {
  bool first = in->op == OP_rmw_load || in->op == OP_cas_load;
  bool second = in->op == OP_rmw_store || in->op == OP_cas_store;
  if (!first && !second)
    return true;
  bool is_cas = in->op == OP_cas_load || in->op == OP_cas_store;
  enum op partner = first    ? is_cas ? OP_cas_store : OP_rmw_store
                    : is_cas ? OP_cas_load
                             : OP_rmw_load;
  uint32_t pc = v->pc, step = first ? 1 : UINT32_MAX;
  do {
    pc += step;
  } while (is_target(v, pc) && op_info(v->p->code.at[pc].op)->pure);
  if (!is_target(v, pc) || v->p->code.at[pc].op != partner)
    return refuse(v, "no %s in the same block", op_name(partner));
  if (imm_access_of(v->p->code.at[pc].imm).size != imm_access_of(in->imm).size)
    return refuse(v, "the halves of the update differ in size");
  return true;
}

static bool verify_insn(struct verifier *v) {
  const struct insn *in = &v->p->code.at[v->pc];
  if (in->op == OP_ret && in->b != v->f->results)
    return refuse(v, "%u results, not %u", in->b, v->f->results);
  return verify_slots(v, in) && verify_imm(v, in) && verify_update(v, in);
}

static bool verify_func(struct verifier *v) {
  const struct func *f = v->f;
  v->pc = UINT32_MAX;
  if (f->first >= f->end || f->end > v->p->code.len)
    return refuse(v, "no code");
  if (f->nregs > CONST_OPERAND || f->nconsts >= CONST_OPERAND)
    return refuse(v, "%u registers and %u constants are too many", f->nregs,
                  f->nconsts);
  if (f->params > UINT8_MAX || f->results > UINT8_MAX)
    return refuse(v, "%u parameter and %u result slots are too many", f->params,
                  f->results);
  for (v->pc = f->first; v->pc < f->end; v->pc++)
    if (!verify_insn(v))
      return false;
  v->pc = f->end - 1;
  return op_info(v->p->code.at[v->pc].op)->ends_block ||
         refuse(v, "the code runs over the end of the function");
}

static bool verify_globals(const struct prog *p, struct diag *why) {
  for (uint32_t i = 0; i < p->globals.len; i++) {
    const struct global *g = &p->globals.at[i];
    if (!g->bytes ||
        (i + 1 < p->globals.len &&
         p->globals.at[i + 1].object - g->object != object_span(g->size)))
      return diag_set(why, NULL, 0,
                      "malformed bytecode: global `%s` changed its size",
                      prog_text(p, g->name));
  }
  return true;
}

bool prog_verify(const struct prog *p, struct diag *why) {
  if (p->main_func >= p->funcs.len)
    return diag_set(why, NULL, 0, "the program has no main function");
  const struct func *entry = &p->funcs.at[p->main_func];
  if (entry->params > 3 || entry->results > 1)
    return diag_set(why, NULL, 0, "main has %u parameters and %u results",
                    entry->params, entry->results);
  for (uint32_t i = 0; i < p->funcs.len; i++) {
    struct verifier v = {.p = p, .f = &p->funcs.at[i], .why = why};
    if (!verify_func(&v))
      return false;
  }
  return verify_globals(p, why);
}
