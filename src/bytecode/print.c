// SPDX-License-Identifier: MIT
// `heddle dump`: the program as text, one line an instruction. Registers are
// r0.., constants show their value, targets are pcs, and the source line
// stands at the end of the line.
#include "base/finding.h"
#include "bytecode/operand.h"

struct printer {
  const struct prog *p;
  const struct func *f;
  struct str *out;
};

static void print_value(struct printer *w, uint64_t v) {
  const struct prog *p = w->p;
  uint32_t func = prog_func_of_address(p, v);
  if (func != UINT32_MAX) {
    str_add(w->out, "&%s", prog_text(p, p->funcs.at[func].name));
    return;
  }
  if (v >> POINTER_OFFSET_BITS == INDEX_CODE) {
    str_add(w->out, "&&%u", pointer_offset(v));
    return;
  }
  struct str name = {0};
  if (pointer_canonical(v) && prog_name_address(p, v, 0, &name))
    str_add(w->out, "&%s", str_text(&name));
  else if (v < 4096)
    str_add(w->out, "%llu", (unsigned long long)v);
  else
    str_add(w->out, "0x%llx", (unsigned long long)v);
  str_done(&name);
}

static void print_slot(struct printer *w, uint32_t slot) {
  if (slot < w->f->nregs)
    str_add(w->out, "r%u", slot);
  else
    print_value(w, w->p->consts.at[w->f->first_const + slot - w->f->nregs]);
}

static void print_operand(struct printer *w, const struct operand *o) {
  for (uint32_t i = 0; i < o->count; i++) {
    if (i > 0)
      str_add(w->out, ",");
    print_slot(w, o->first + i);
  }
}

static void print_access(struct printer *w, const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  if (in->op != OP_fence && in->op != OP_fence_at)
    str_add(w->out, " %u", a.size);
  str_add(w->out, " %s",
          a.fence ? fence_set((enum fence_kind)a.fence) : order_name(a.order));
  if (in->op == OP_cas_load)
    str_add(w->out, "/%s", order_name(a.order_fail));
  if (a.is_volatile)
    str_add(w->out, " volatile");
}

static void print_table(struct printer *w, const struct insn *in) {
  const struct switch_table *t = &w->p->tables.at[in->imm];
  for (uint32_t i = t->first; i < t->first + t->cases; i++)
    str_add(w->out, " %llu->%u", (unsigned long long)w->p->cases.at[i].value,
            w->p->cases.at[i].target);
  str_add(w->out, " else->%u", t->other);
}

static void print_raw(struct printer *w, const struct insn *in) {
  if (in->op == OP_trap)
    str_add(w->out, " %s", finding_name((enum finding_kind)in->imm));
  else if (in->op == OP_tls)
    str_add(w->out, " %s", prog_text(w->p, w->p->globals.at[in->imm].name));
  else if (in->op == OP_number)
    str_add(w->out, " %lld", (long long)in->imm);
  else if (in->op == OP_undef)
    str_add(w->out, " i%llu", (unsigned long long)(in->imm ? in->imm : 64));
  else
    str_add(w->out, " align %llu", (unsigned long long)in->imm);
}

static void print_imm(struct printer *w, const struct insn *in) {
  switch ((enum imm_kind)op_info(in->op)->imm) {
  case IMM_NONE:
  case IMM_REG: // printed with the operands
    break;
  case IMM_WIDTH:
    str_add(w->out, " i%u%s%s", (unsigned)(in->imm & 0xff),
            in->imm & IMM_NSW ? " nsw" : "", in->imm & IMM_NUW ? " nuw" : "");
    break;
  case IMM_WIDTH2:
    str_add(w->out, " %u->%u", (unsigned)(in->imm & 0xff),
            (unsigned)(in->imm >> 8 & 0xff));
    break;
  case IMM_TARGET:
    str_add(w->out, " ->%u", (unsigned)in->imm);
    break;
  case IMM_TARGETS:
    str_add(w->out, " ->%u else->%u", (uint32_t)in->imm,
            (uint32_t)(in->imm >> 32));
    break;
  case IMM_FUNC:
    str_add(w->out, " %s", prog_text(w->p, w->p->funcs.at[in->imm].name));
    break;
  case IMM_BUILTIN:
    str_add(w->out, " %s", builtin_name((enum builtin)in->imm));
    break;
  case IMM_ACCESS:
    print_access(w, in);
    break;
  case IMM_TABLE:
    print_table(w, in);
    break;
  case IMM_RAW:
    print_raw(w, in);
    break;
  }
}

static void print_insn(struct printer *w, uint32_t pc) {
  const struct insn *in = &w->p->code.at[pc];
  const struct source *at = &w->p->source.at[pc];
  uint32_t line_start = w->out->len;
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  str_add(w->out, "%6u  %-9s", pc, op_name(in->op));
  for (unsigned i = 0; i < n; i++) {
    str_add(w->out, i > 0 && o[i - 1].written ? " <- " : i ? ", " : " ");
    print_operand(w, &o[i]);
  }
  print_imm(w, in);
  if (at->line) {
    int pad = 52 - (int)(w->out->len - line_start);
    const char *text = prog_text(w->p, at->text);
    str_add(w->out, "%*s; %s:%u", pad > 1 ? pad : 1, "",
            prog_text(w->p, at->file), at->line);
    if (*text)
      str_add(w->out, " %s", text);
  }
  str_add(w->out, "\n");
}

static void print_global(const struct prog *p, const struct global *g,
                         struct str *out) {
  str_add(out, "%s%s %s: %llu bytes", g->is_constant ? "constant" : "global",
          g->is_thread_local
              ? g->is_private ? " thread-local private" : " thread-local"
              : "",
          prog_text(p, g->name), (unsigned long long)g->size);
  if (!g->is_thread_local)
    str_add(out, ", object %u", g->object);
  str_add(out, "\n");
}

void prog_print(const struct prog *p, struct str *out) {
  for (uint32_t i = 0; i < p->globals.len; i++)
    print_global(p, &p->globals.at[i], out);
  for (uint32_t i = 0; i < p->funcs.len; i++) {
    const struct func *f = &p->funcs.at[i];
    struct printer w = {p, f, out};
    str_add(out, "\nfunction %s: %u parameters%s, %u results, %u registers%s\n",
            prog_text(p, f->name), f->params, f->is_vararg ? " and more" : "",
            f->results, f->nregs, f->is_library ? " (library)" : "");
    for (uint32_t pc = f->first; pc < f->end; pc++)
      print_insn(&w, pc);
  }
}
