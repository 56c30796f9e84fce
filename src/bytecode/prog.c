// SPDX-License-Identifier: MIT
// Building a program and asking where its functions and globals are. Objects
// are numbered when a global is added, so that addresses are known (and can be
// put into initialisers) long before the program is finished.
#include "bytecode/prog.h"

#include "base/hash.h"
#include "base/table.h"
#include "bytecode/operand.h"
#include "bytecode/pass.h"

#include <string.h>

// Constants of the current function are found by hash while it is emitted.
struct prog_build {
  uint32_t func;         // the function that prog_emit appends to
  uint32_t next_object;  // first free object number of region 0
  struct table consts;   // of the function
  const char *too_large; // a limit of the encoding that was exceeded, or NULL
  uint32_t too_large_pc;
};

struct prog *prog_new(void) {
  struct prog *p = xcalloc(1, sizeof *p);
  strings_add(&p->strings, "");
  array_push(&p->types, (struct type){0});
  p->main_func = UINT32_MAX;
  p->on_return = UINT32_MAX;
  p->build = xcalloc(1, sizeof *p->build);
  p->build->func = UINT32_MAX;
  p->build->next_object = INDEX_GLOBAL;
  return p;
}

static void build_free(struct prog *p) {
  if (p->build)
    table_done(&p->build->consts);
  free(p->build);
  p->build = NULL;
}

void prog_free(struct prog *p) {
  if (!p)
    return;
  build_free(p);
  for (uint32_t i = 0; i < p->globals.len; i++)
    free(p->globals.at[i].bytes);
  strings_done(&p->strings);
  array_done(&p->code);
  array_done(&p->source);
  array_done(&p->calls);
  array_done(&p->funcs);
  array_done(&p->consts);
  array_done(&p->globals);
  array_done(&p->types);
  array_done(&p->members);
  array_done(&p->tables);
  array_done(&p->cases);
  array_done(&p->live);
  array_done(&p->labels);
  free(p->live_first);
  free(p);
}

uint32_t prog_string(struct prog *p, const char *text) {
  return strings_add(&p->strings, text);
}

const char *prog_text(const struct prog *p, uint32_t string_id) {
  return strings_get(&p->strings, string_id);
}

const struct source *prog_outside(const struct prog *p,
                                  const struct source *from) {
  while (from->header == IN_HEADER && from->call)
    from = &p->calls.at[from->call - 1];
  return from;
}

void prog_begin_globals(struct prog *p, uint32_t object) {
  check(p->build && !p->globals.len && object >= INDEX_GLOBAL);
  p->build->next_object = object;
}

uint32_t prog_add_global(struct prog *p, const char *name, uint64_t size,
                         uint64_t align) {
  check(p->build);
  uint64_t next = p->build->next_object + (uint64_t)object_span(size);
  bool fits = size <= OBJECT_MAX && next <= INDEX_FUNC;
  if (!fits && !p->build->too_large)
    p->build->too_large = "the globals take too much space";
  struct global g = {
      .name = prog_string(p, name),
      .size = size,
      .align = align,
      .bytes = fits ? xcalloc(size, 1) : NULL,
      .object = p->build->next_object,
  };
  if (fits)
    p->build->next_object = (uint32_t)next;
  array_push(&p->globals, g);
  return p->globals.len - 1;
}

uint32_t prog_add_func(struct prog *p, const char *name, uint32_t params,
                       uint32_t results) {
  struct func f = {
      .name = prog_string(p, name), .params = params, .results = results};
  array_push(&p->funcs, f);
  if (p->funcs.len > INDEX_CODE - INDEX_FUNC)
    p->build->too_large = "there are too many functions";
  prog_begin_func(p, p->funcs.len - 1);
  return p->funcs.len - 1;
}

void prog_begin_func(struct prog *p, uint32_t func) {
  check(p->build && func < p->funcs.len);
  struct func *f = &p->funcs.at[func];
  check(f->first == f->end && f->nconsts == 0);
  f->first = f->end = p->code.len;
  f->first_const = p->consts.len;
  p->build->func = func;
  table_clear(&p->build->consts);
}

static struct func *current_func(struct prog *p) {
  check(p->build && p->build->func < p->funcs.len);
  return &p->funcs.at[p->build->func];
}

// Appends to the constants of the current function, even if it is there
// already; yields its number in the function.
static uint32_t push_const(struct prog *p, uint64_t value) {
  struct func *f = current_func(p);
  array_push(&p->consts, value);
  if (f->nconsts + 1 >= CONST_OPERAND && !p->build->too_large) {
    p->build->too_large = "the function has too many constants";
    p->build->too_large_pc = p->code.len;
  }
  return f->nconsts++;
}

unsigned prog_const(struct prog *p, uint64_t value) {
  struct table *t = &p->build->consts;
  const struct func *f = current_func(p);
  uint32_t hash = (uint32_t)hash_u64(value);
  for (uint32_t at = hash, k; (k = table_next(t, hash, &at)) != TABLE_NONE;)
    if (p->consts.at[f->first_const + k] == value)
      return CONST_OPERAND + k;
  uint32_t k = push_const(p, value);
  table_add(t, hash, k);
  return CONST_OPERAND + k;
}

unsigned prog_const_run(struct prog *p, const uint64_t *values, unsigned n) {
  check(n > 0);
  uint32_t first = push_const(p, values[0]);
  for (unsigned i = 1; i < n; i++)
    push_const(p, values[i]);
  return CONST_OPERAND + first;
}

uint32_t prog_add_table(struct prog *p, uint32_t other) {
  array_push(&p->tables,
             (struct switch_table){.first = p->cases.len, .other = other});
  return p->tables.len - 1;
}

void prog_add_case(struct prog *p, uint64_t value, uint32_t target) {
  check(p->tables.len);
  array_push(&p->cases, (struct switch_case){value, target});
  array_last(&p->tables)->cases++;
}

uint32_t prog_emit(struct prog *p, enum op op, unsigned a, unsigned b,
                   unsigned c, uint64_t imm, struct source from) {
  struct func *f = current_func(p);
  uint32_t pc = p->code.len;
  check(f->end == pc);
  if ((a > UINT16_MAX || b > UINT16_MAX || c > UINT16_MAX ||
       pc >= POINTER_WINDOW) &&
      !p->build->too_large) {
    p->build->too_large = "the function needs too many registers";
    p->build->too_large_pc = pc;
  }
  array_push(&p->code, (struct insn){(uint16_t)op, (uint16_t)a, (uint16_t)b,
                                     (uint16_t)c, imm});
  array_push(&p->source, from);
  f->end = pc + 1;
  return pc;
}

uint64_t prog_global_address(const struct prog *p, uint32_t global) {
  check(global < p->globals.len && !p->globals.at[global].is_thread_local);
  return pointer_make(0, p->globals.at[global].object, 0);
}

uint64_t prog_func_address(const struct prog *p, uint32_t func) {
  check(func < p->funcs.len);
  return pointer_make(0, INDEX_FUNC + func, 0);
}

uint64_t prog_code_address(uint32_t pc) {
  check(pc < POINTER_WINDOW);
  return pointer_make(0, INDEX_CODE, pc);
}

// Objects ascend with the index of their global; those of thread-locals are
// numbers that are not used.
uint32_t prog_global_of_object(const struct prog *p, object_id o) {
  if (object_region(o) != 0 || object_index(o) >= INDEX_FUNC)
    return UINT32_MAX;
  uint32_t low = 0, high = p->globals.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->globals.at[middle].object <= o)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return UINT32_MAX;
  const struct global *g = &p->globals.at[low - 1];
  bool inside = o - g->object < object_span(g->size);
  return inside && !g->is_thread_local ? low - 1 : UINT32_MAX;
}

uint32_t prog_global_of_tls(const struct prog *p, uint32_t tls_index) {
  for (uint32_t i = 0; i < p->globals.len; i++)
    if (p->globals.at[i].is_thread_local &&
        p->globals.at[i].tls_index == tls_index)
      return i;
  return UINT32_MAX;
}

uint32_t prog_func_of_address(const struct prog *p, uint64_t address) {
  object_id o = pointer_object(address);
  bool is_func = pointer_canonical(address) && object_region(o) == 0 &&
                 object_index(o) >= INDEX_FUNC &&
                 object_index(o) - INDEX_FUNC < p->funcs.len &&
                 pointer_offset(address) == 0;
  return is_func ? object_index(o) - INDEX_FUNC : UINT32_MAX;
}

static bool number_thread_locals(struct prog *p, struct diag *why) {
  for (uint32_t i = 0; i < p->globals.len; i++) {
    struct global *g = &p->globals.at[i];
    if (!g->is_thread_local)
      continue;
    g->tls_index = p->tls_count++;
    if (g->size > OBJECT_MAX_IN_WINDOW ||
        g->tls_index >= INDEX_LOCAL - INDEX_TLS)
      return diag_set(why, NULL, 0, "thread-local variable `%s` does not fit",
                      prog_text(p, g->name));
  }
  return true;
}

static void set_operand(struct insn *in, char field, uint32_t slot) {
  switch (field) {
  case 'a':
    in->a = (uint16_t)slot;
    break;
  case 'b':
    in->b = (uint16_t)slot;
    break;
  case 'c':
    in->c = (uint16_t)slot;
    break;
  default:
    in->imm = slot;
  }
}

// Raises nregs to what the code uses, then moves the constants behind it.
// Operands of unknown instructions are left for the verifier to refuse.
static void place_constants(struct prog *p, struct func *f) {
  struct operand o[4];
  if (f->nregs < f->params)
    f->nregs = f->params;
  for (uint32_t pc = f->first; pc < f->end; pc++) {
    unsigned n = insn_operands(&p->code.at[pc], o);
    for (unsigned i = 0; i < n; i++)
      if (o[i].first < CONST_OPERAND && o[i].first + o[i].count > f->nregs)
        f->nregs = o[i].first + o[i].count;
  }
  for (uint32_t pc = f->first; pc < f->end; pc++) {
    unsigned n = insn_operands(&p->code.at[pc], o);
    for (unsigned i = 0; i < n; i++)
      if (o[i].first >= CONST_OPERAND)
        set_operand(&p->code.at[pc], o[i].field,
                    o[i].first - CONST_OPERAND + f->nregs);
  }
}

static int by_value(const void *a, const void *b) {
  const struct switch_case *x = a, *y = b;
  return x->value < y->value ? -1 : x->value > y->value;
}

// A switch looks for its case by halves.
static bool sort_cases(struct prog *p, struct diag *why) {
  for (uint32_t i = 0; i < p->tables.len; i++) {
    const struct switch_table *t = &p->tables.at[i];
    struct switch_case *cases = p->cases.at + t->first;
    if (t->cases)
      qsort(cases, t->cases, sizeof *cases, by_value);
    for (uint32_t k = 1; k < t->cases; k++)
      if (cases[k - 1].value == cases[k].value)
        return diag_set(why, NULL, 0, "switch table with a case twice");
  }
  return true;
}

bool prog_has_op(const struct prog *p, enum op op) {
  for (uint32_t i = 0; i < p->code.len; i++)
    if (p->code.at[i].op == op)
      return true;
  return false;
}

bool prog_finish(struct prog *p, struct diag *why) {
  struct prog_build *b = p->build;
  check(b);
  if (b->too_large) {
    bool has_place = b->too_large_pc > 0 && b->too_large_pc < p->source.len;
    const struct source *at = has_place ? &p->source.at[b->too_large_pc] : NULL;
    return diag_set(why, at ? prog_text(p, at->file) : NULL, at ? at->line : 0,
                    "%s", b->too_large);
  }
  for (uint32_t i = 0; i < p->code.len; i++)
    if (p->code.at[i].op >= OP_COUNT)
      return diag_set(why, NULL, 0, "unknown instruction %u at %u",
                      p->code.at[i].op, i);
  if (!number_thread_locals(p, why))
    return false;
  for (uint32_t i = 0; i < p->funcs.len; i++)
    place_constants(p, &p->funcs.at[i]);
  if (!prog_verify(p, why) || !sort_cases(p, why))
    return false;
  prog_liveness(p);
  build_free(p);
  return true;
}
