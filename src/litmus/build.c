// SPDX-License-Identifier: MIT
// Registers get slots when they are first named; cuts and extensions make
// widths explicit.
#include "litmus/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool build_refuse(struct build *l, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return diag_set(l->why, l->t->file, l->line, "%s", text);
}

// -- values

unsigned build_slot(struct build *l) {
  return l->slots++;
}

unsigned build_const(struct build *l, uint64_t value) {
  return prog_const(l->p, value);
}

unsigned build_register(struct build *l, uint32_t name) {
  for (uint32_t i = 0; i < l->registers.len; i++)
    if (l->registers.at[i].name == name)
      return l->registers.at[i].slot;
  array_push(&l->registers,
             (struct build_register){.name = name, .slot = build_slot(l)});
  return array_last(&l->registers)->slot;
}

uint64_t build_address(struct build *l, uint32_t location) {
  struct litmus_location *o = &l->t->locations.at[location];
  if (o->global == UINT32_MAX) {
    uint64_t size = o->count ? (uint64_t)o->count * o->element : 8;
    o->global = prog_add_global(l->p, strings_get(&l->t->strings, o->name),
                                size ? size : 8, 8);
  }
  return prog_global_address(l->p, o->global);
}

uint32_t build_emit(struct build *l, enum op op, unsigned a, unsigned b,
                    unsigned c, uint64_t imm) {
  struct source from = {.file = prog_string(l->p, l->t->file), .line = l->line};
  return prog_emit(l->p, op, a, b, c, imm, from);
}

void build_move(struct build *l, unsigned to, unsigned from) {
  build_emit(l, OP_mov, to, from, 0, 0);
}

static bool has_width(enum op op) {
  return op_info(op)->imm == IMM_WIDTH;
}

unsigned build_binary(struct build *l, enum op op, unsigned a, unsigned b,
                      unsigned width) {
  unsigned to = build_slot(l);
  build_emit(l, op, to, a, b, has_width(op) ? width : 0);
  return to;
}

unsigned build_cut(struct build *l, unsigned from, unsigned width) {
  check(width && width <= 64); // cut to none, every value would be 0
  if (width == 64)
    return from;
  unsigned to = build_slot(l);
  build_emit(l, OP_trunc, to, from, 0, width);
  return to;
}

unsigned build_extend(struct build *l, unsigned from, unsigned width) {
  if (width == 64)
    return from;
  unsigned to = build_slot(l);
  build_emit(l, OP_sext, to, build_cut(l, from, width), 0, width | 64 << 8);
  return to;
}

// -- accesses

// Of accesses that are not aligned, AArch64 and RISC-V promise only that each
// byte is accessed as one. (Those that acquire, release or reserve have to be
// aligned.)
static uint8_t plain_flags(const struct build *l, struct access_how how) {
  enum arch a = l->t->arch;
  bool takes_bytes = (a == ARCH_AARCH64 || a == ARCH_RISCV) &&
                     how.order == ORD_RLX && !(how.how & HOW_LINKED);
  return how.how | (takes_bytes ? HOW_BYTES : 0);
}

static uint64_t imm_of(const struct build *l, struct access_how how) {
  // Of another size, or none, it would overlap with no other access.
  check(how.size == 1 || how.size == 2 || how.size == 4 || how.size == 8);
  if (!arch_is_language(l->t->arch) && l->t->arch != ARCH_LISA)
    how.how |= HOW_ISA;
  return imm_access((struct imm_access){.size = (uint8_t)how.size,
                                        .order = (uint8_t)how.order,
                                        .order_fail = (uint8_t)how.order_fail,
                                        .how = how.how});
}

void build_fence_at(struct build *l, enum fence_kind kind, unsigned address,
                    unsigned section) {
  struct imm_access how = {.size = 8, .fence = (uint8_t)kind};
  build_emit(l, OP_fence_at, address, section, 0, imm_access(how));
}

// A cell among elements of arrays is a word.
static struct access_how fit(const struct build *l, struct access_how how) {
  if (l->t->has_words && how.size == 8)
    how.size = 4;
  return how;
}

// What was read from a cell: a number, if that is a word.
static unsigned widen(struct build *l, unsigned value) {
  return l->t->has_words ? build_extend(l, value, 32) : value;
}

unsigned build_load(struct build *l, unsigned address, struct access_how how) {
  unsigned to = build_slot(l);
  how.how = plain_flags(l, how);
  build_emit(l, OP_load, to, address, 0, imm_of(l, fit(l, how)));
  return widen(l, to);
}

// What is kept in a cell.
static unsigned fit_value(struct build *l, unsigned value, unsigned size) {
  return arch_has_32_bits(l->t->arch) && size == 8 ? build_extend(l, value, 32)
                                                   : value;
}

void build_store(struct build *l, unsigned address, unsigned value,
                 struct access_how how) {
  how = fit(l, how);
  how.how = plain_flags(l, how);
  value = fit_value(l, value, how.size);
  value = build_cut(l, value, how.size * 8);
  build_emit(l, OP_store, address, value, 0, imm_of(l, how));
}

void build_fence(struct build *l, enum fence_kind kind, enum order order) {
  struct imm_access how = {.order = (uint8_t)order, .fence = (uint8_t)kind};
  build_emit(l, OP_fence, 0, 0, 0, imm_access(how));
}

unsigned build_pick(struct build *l, unsigned condition, unsigned a,
                    unsigned b) {
  unsigned to = build_slot(l);
  build_emit(l, OP_pick, to, condition, a, b);
  return to;
}

// The smaller of two numbers (OP_slt, OP_ult), or the larger (OP_sle, OP_ule).
static unsigned lower_choice(struct build *l, enum op compare, unsigned a,
                             unsigned b, unsigned width) {
  unsigned to = build_slot(l);
  bool is_max = compare == OP_sle || compare == OP_ule;
  unsigned is_less = build_binary(l, compare, a, b, width);
  build_emit(l, OP_select, to, is_less, is_max ? b : a, is_max ? a : b);
  return to;
}

static bool is_choice(enum op op) {
  return op == OP_slt || op == OP_ult || op == OP_sle || op == OP_ule;
}

unsigned build_update(struct build *l, enum op op, unsigned address,
                      unsigned value, struct access_how read,
                      struct access_how write) {
  read = fit(l, read);
  write = fit(l, write);
  unsigned old = build_slot(l), width = read.size * 8;
  value = build_cut(l, value, width);
  build_emit(l, OP_rmw_load, old, address, 0, imm_of(l, read));
  unsigned new = op == OP_mov    ? value
                 : is_choice(op) ? lower_choice(l, op, old, value, width)
                                 : build_binary(l, op, old, value, width);
  new = fit_value(l, new, read.size);
  build_emit(l, OP_rmw_store, address, new, 0, imm_of(l, write));
  return widen(l, old);
}

unsigned build_cas(struct build *l, unsigned address, unsigned expected,
                   unsigned value, struct access_how read,
                   struct access_how write, unsigned *ok) {
  read = fit(l, read);
  write = fit(l, write);
  unsigned old = build_slot(l), width = read.size * 8;
  *ok = build_slot(l);
  value = build_cut(l, value, width);
  expected = build_cut(l, expected, width);
  build_emit(l, OP_cas_load, old, address, expected, imm_of(l, read));
  build_emit(l, OP_cas_store, address, value, expected, imm_of(l, write));
  build_emit(l, OP_cas_ok, *ok, old, expected, width);
  return widen(l, old);
}

unsigned build_decide(struct build *l, unsigned slot) {
  unsigned to = build_slot(l);
  build_emit(l, OP_sys, to, slot, call_slots(1, 1), BI_decide);
  return to;
}

unsigned build_conditional_store(struct build *l, unsigned address,
                                 unsigned value, struct access_how how) {
  unsigned ok = build_slot(l), done = build_slot(l);
  uint32_t try = build_label(l, 0), end = build_label(l, 0);
  const uint64_t range[] = {0, 1};
  how.how |= HOW_LINKED;
  build_move(l, done, build_const(l, 0));
  build_emit(l, OP_sys, ok, prog_const_run(l->p, range, 2), call_slots(2, 1),
             BI_choose);
  build_branch(l, ok, try, end);
  build_place(l, try);
  if (l->decides) // the choice was what comes next
    build_decide(l, l->decides);
  build_store(l, address, value, how);
  // On RISC-V its result depends on the store, if it succeeded.
  unsigned stored = build_const(l, 0);
  if (l->t->arch == ARCH_RISCV)
    build_emit(l, OP_sys, stored = build_slot(l), 0, call_slots(0, 1),
               BI_stored);
  build_move(l, done, build_binary(l, OP_or, stored, build_const(l, 1), 64));
  build_jump(l, end);
  build_place(l, end);
  return done;
}

// -- branches

uint32_t build_label(struct build *l, uint32_t name) {
  for (uint32_t i = 0; name && i < l->labels.len; i++)
    if (l->labels.at[i].name == name)
      return i;
  array_push(&l->labels, (struct build_label){name, UINT32_MAX, l->line});
  return l->labels.len - 1;
}

void build_place(struct build *l, uint32_t label) {
  check(l->labels.at[label].pc == UINT32_MAX);
  l->labels.at[label].pc = l->p->code.len;
}

void build_jump(struct build *l, uint32_t label) {
  uint32_t pc = build_emit(l, OP_jmp, 0, 0, 0, 0);
  array_push(&l->jumps, (struct build_jump){.pc = pc, .label = label});
}

void build_branch(struct build *l, unsigned slot, uint32_t if_true,
                  uint32_t if_false) {
  uint32_t pc = build_emit(l, OP_br, slot, 0, 0, 0);
  array_push(&l->jumps, (struct build_jump){.pc = pc, .label = if_true});
  array_push(&l->jumps, (struct build_jump){
                            .pc = pc, .label = if_false, .is_if_false = true});
}

static bool resolve_jumps(struct build *l) {
  for (uint32_t i = 0; i < l->jumps.len; i++) {
    const struct build_jump *j = &l->jumps.at[i];
    check(j->label < l->labels.len);
    const struct build_label *to = &l->labels.at[j->label];
    check(j->pc < l->p->code.len && (l->p->code.at[j->pc].op == OP_br ||
                                     l->p->code.at[j->pc].op == OP_jmp));
    if (to->pc == UINT32_MAX) {
      l->line = to->line;
      return build_refuse(l, "there is no label '%s' in thread P%u",
                          strings_get(&l->t->strings, to->name), l->thread);
    }
    l->p->code.at[j->pc].imm |= (uint64_t)to->pc << (j->is_if_false ? 32 : 0);
  }
  return true;
}

// -- threads

static uint64_t first_of(const struct litmus *t, const struct litmus_value *v,
                         struct litmus_type type) {
  if (v->location)
    return litmus_resolve(t, v);
  uint64_t value = litmus_cut(v->number, type);
  return arch_has_32_bits(t->arch) && type.size < 8
             ? (uint64_t)(int32_t)(uint32_t)value
             : value;
}

static bool is_about_thread(const struct litmus_init *i, unsigned thread) {
  return i->is_register && (i->thread == thread || i->thread == EVERY_THREAD);
}

const struct litmus_init *build_first(const struct build *l, uint32_t name) {
  const struct litmus_init *found = NULL;
  for (uint32_t i = 0; i < l->t->init.len; i++)
    if (is_about_thread(&l->t->init.at[i], l->thread) &&
        l->t->init.at[i].name == name)
      found = &l->t->init.at[i];
  return found;
}

unsigned build_first_value(struct build *l, uint32_t name) {
  const struct litmus_init *i = build_first(l, name);
  return build_const(l, i ? first_of(l->t, &i->value, i->type) : 0);
}

static bool is_parameter(const struct litmus_thread *thread, uint32_t name) {
  for (uint32_t i = 0; i < thread->params.len; i++)
    if (thread->params.at[i] == name)
      return true;
  return false;
}

static void find_registers(struct build *l) {
  const struct litmus *t = l->t;
  const struct litmus_thread *thread = &t->threads.at[l->thread];
  char text[64], canonical[32];
  unsigned width;
  for (uint32_t i = 0; !arch_is_language(t->arch) && i < thread->code.len;
       i++) {
    if (thread->code.at[i].kind != TOK_NAME)
      continue;
    scan_copy(&thread->code.at[i], text, sizeof text);
    if (register_name(t->arch, text, canonical, &width))
      build_register(l, strings_add(&l->t->strings, canonical));
  }
  for (uint32_t i = 0; i < t->vars.len; i++)
    if (t->vars.at[i].is_register && t->vars.at[i].thread == l->thread)
      build_register(l, t->vars.at[i].name);
  // What an instruction takes without naming it (rax of cmpxchg); in C, a
  // variable that is declared by the first contents alone.
  for (uint32_t i = 0; t->arch != ARCH_JAVA && i < t->init.len; i++)
    if (is_about_thread(&t->init.at[i], l->thread) &&
        !is_parameter(thread, t->init.at[i].name))
      build_register(l, t->init.at[i].name);
}

// The thread's result: its registers that are asked for, as pairs of what came
// before and a value.
static void lower_result(struct build *l) {
  unsigned result = build_const(l, 0);
  for (uint32_t i = 0; i < l->t->vars.len; i++) {
    const struct litmus_var *v = &l->t->vars.at[i];
    if (!v->is_register || v->thread != l->thread)
      continue;
    unsigned args = build_slot(l);
    build_slot(l);
    build_move(l, args, result);
    build_move(l, args + 1, build_register(l, v->name));
    result = build_slot(l);
    build_emit(l, OP_sys, result, args, call_slots(2, 1), BI_pair);
  }
  build_emit(l, OP_ret, result, 1, 0, 0);
}

static bool lower_thread(struct build *l, uint32_t *func) {
  char name[16];
  snprintf(name, sizeof name, "P%u", l->thread);
  *func = prog_add_func(l->p, name, 1, 1);
  l->slots = 1;
  l->line = l->t->threads.at[l->thread].line;
  l->registers.len = l->labels.len = l->jumps.len = 0;
  find_registers(l);
  for (uint32_t i = 0; i < l->registers.len; i++)
    build_move(l, l->registers.at[i].slot,
               build_first_value(l, l->registers.at[i].name));
  if (!(arch_is_language(l->t->arch) ? build_c_thread(l) : build_asm_thread(l)))
    return false;
  if (l->slots >= CONST_OPERAND || l->p->code.len > 1u << 20)
    return build_refuse(l, "thread P%u is too long", l->thread);
  lower_result(l);
  return resolve_jumps(l);
}

// main creates all threads.
static void lower_main(struct build *l, const uint32_t *funcs) {
  l->p->main_func = prog_add_func(l->p, "main", 0, 1);
  l->line = 0;
  for (uint32_t i = 0; i < l->t->threads.len; i++) {
    const uint64_t args[] = {prog_func_address(l->p, funcs[i]), 0};
    build_emit(l, OP_sys, 0, prog_const_run(l->p, args, 2), call_slots(2, 1),
               BI_spawn);
  }
  build_emit(l, OP_ret, build_const(l, 0), 1, 0, 0);
}

// -- memory

static bool fill_memory(struct build *l) {
  const struct litmus *t = l->t;
  for (uint32_t i = 0; i < t->init.len; i++) {
    const struct litmus_init *m = &t->init.at[i];
    if (m->is_register)
      continue;
    const struct litmus_location *o = &t->locations.at[m->location];
    struct global *g = &l->p->globals.at[o->global];
    uint32_t size = o->count ? o->element : 8, count = o->count ? o->count : 1;
    uint64_t value = first_of(t, &m->value, o->number);
    l->line = m->line;
    if (m->element >= count)
      return build_refuse(l, "element %u of '%s', which has %u", m->element,
                          strings_get(&t->strings, o->name), count);
    uint32_t turned = litmus_turned(t, o->number.size);
    for (uint32_t b = 0; b + turned < size && b < 8; b++)
      g->bytes[(uint64_t)m->element * size + b + turned] =
          (uint8_t)(value >> 8 * b);
  }
  return true;
}

static bool check_threads(const struct litmus *t, struct diag *why) {
  for (uint32_t i = 0; i < t->init.len; i++) {
    const struct litmus_init *r = &t->init.at[i];
    if (r->is_register && r->thread != EVERY_THREAD &&
        r->thread >= t->threads.len)
      return diag_set(why, t->file, r->line, "there is no thread P%u",
                      r->thread);
  }
  return true;
}

// Where a cell holds an address, elements of arrays are smaller than cells.
// With arrays of words all cells are words, and hold no addresses.
static bool choose_words(struct litmus *t, struct diag *why) {
  uint32_t other = 0, addresses = 0;
  for (uint32_t i = 0; i < t->locations.len; i++) {
    const struct litmus_location *o = &t->locations.at[i];
    t->has_words |= o->count && o->element < 8;
    other += o->count && o->element != 4;
  }
  for (uint32_t i = 0; i < t->init.len; i++)
    addresses += !t->init.at[i].is_register && t->init.at[i].value.location;
  for (uint32_t i = 0; i < t->props.len; i++)
    addresses += t->props.at[i].op == PROP_ATOM && !t->props.at[i].is_var &&
                 t->props.at[i].value.location;
  t->has_words &= !arch_has_sizes(t->arch) && !arch_is_language(t->arch);
  if (t->has_words && (other || addresses))
    return diag_set(why, t->file, t->threads.at[0].line,
                    "an array of %s is not supported for %s",
                    other ? "elements of other sizes than 4 bytes"
                          : "words beside addresses in memory",
                    arch_name(t->arch));
  return true;
}

// Numbers of tests are small, or have the same small bytes at other places; so
// no location begins at a number like 0x02000000, which would be printed as its
// name. (Addresses have less than 32 bits: tests keep them in words.)
enum { FIRST_OBJECT = 0x53 };

// Addresses must not look like negative numbers.
static bool check_addresses(struct build *l) {
  const struct litmus *t = l->t;
  uint32_t most = (1u << (31 - POINTER_OFFSET_BITS)) - FIRST_OBJECT;
  l->line = 0;
  return !arch_has_32_bits(t->arch) || t->locations.len <= most ||
         build_refuse(l, "more than %u locations are not supported for %s",
                      most, arch_name(t->arch));
}

bool build_test(struct litmus *t, struct diag *why) {
  struct build l = {.t = t, .why = why};
  uint32_t funcs[MAX_THREADS];
  if (!check_threads(t, why) || !choose_words(t, why))
    return false;
  t->is_big = ppc_is_big(t);
  l.p = t->prog = prog_new();
  l.p->is_litmus = true;
  prog_begin_globals(l.p, FIRST_OBJECT);
  for (uint32_t i = 0; i < t->locations.len; i++)
    build_address(&l, i);
  bool ok = true;
  for (; ok && l.thread < t->threads.len; l.thread++)
    ok = lower_thread(&l, &funcs[l.thread]);
  if (ok) {
    lower_main(&l, funcs);
    ok = check_addresses(&l) && fill_memory(&l) && prog_finish(l.p, why);
  }
  array_done(&l.registers);
  array_done(&l.labels);
  array_done(&l.jumps);
  return ok;
}
