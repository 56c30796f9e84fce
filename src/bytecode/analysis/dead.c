// SPDX-License-Identifier: MIT
// Which bytes of private memory are dead? A reader that copies shared words
// into a buffer and begins again when a writer came in between
//
//   do { s = seq; for (i = 0; i < 4; i++) copy[i] = data[i]; } while (seq != s)
//
// overwrites the buffer in each round, so that what is left of a failed round
// is not part of what the thread knows. Registers have liveness.c for that;
// here it is done for the objects that a function makes when it begins.
//
// From an instruction on, all ways through the function are followed. Registers
// are numbers where those are known, so that a loop over an array is followed
// round by round, and addresses of objects, or neither. A byte that is read
// before it was written is live; at the end of the function all that is left is
// dead. Where a way comes back to where one has been, with no more open
// questions and knowing no less, nothing new can follow. If that takes too
// long, everything is live.
//
// Addresses of private objects are only ever in registers: a program that puts
// one into memory has a shared object instead (front/lower/escape.c), and a
// function that seems to do so is left alone here. So a function that is called
// with an address may read and write the object, but only until it returns.
#include "bytecode/analysis/dead.h"

#include "bytecode/analysis/loop.h"
#include "bytecode/operand.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_OBJECTS = 32,
  MAX_BYTES = 1024, // of all objects of a function
  MAX_STEPS = 1 << 14,
  MAX_SEEN = 128, // places that ways come back to
  MAX_OPEN = 128, // ways that are not followed yet
  MAX_CELLS = 1 << 20,
};

// What is known of a register.
enum kind {
  NUMBER,   // n
  OTHER,    // it is no address of an object
  AT,       // the address of byte n of the object
  SOMEWHERE // some address in some object, or anything else
};

struct val {
  enum kind kind;
  uint32_t object; // AT
  uint64_t n;
};

static const struct val other = {.kind = OTHER},
                        somewhere = {.kind = SOMEWHERE};

struct object {
  uint32_t pc;          // what makes it
  uint32_t first, size; // among the bytes of all objects
};

// A way through the function: where it is, what it knows, and which bytes it
// has neither read nor written.
struct way {
  uint32_t pc;
  struct val *vals; // per slot
  uint8_t *open;    // per byte
};

struct walk {
  const struct prog *p;
  const struct func *f;
  uint32_t slots, bytes;
  struct object objects[MAX_OBJECTS];
  uint32_t nobjects;
  uint32_t steps;
  bool gives_up;
  uint8_t *live; // per byte
  ARRAY(struct way) ways, seen;
};

static const struct insn *insn_at(const struct walk *w, uint32_t pc) {
  return &w->p->code.at[pc];
}

// -- what is known

static bool points(const struct val *v) {
  return v->kind == AT || v->kind == SOMEWHERE;
}

static bool is_same(const struct val *a, const struct val *b) {
  return a->kind == b->kind && a->object == b->object && a->n == b->n;
}

// Does `a` know no more than `b`, about the same value?
static bool covers(const struct val *a, const struct val *b) {
  return a->kind == SOMEWHERE || is_same(a, b) ||
         (a->kind == OTHER && b->kind == NUMBER);
}

static struct val join(const struct val *a, const struct val *b) {
  return covers(a, b)             ? *a
         : covers(b, a)           ? *b
         : points(a) || points(b) ? somewhere
                                  : other;
}

static struct val number(uint64_t n, unsigned width) {
  return (struct val){
      .kind = NUMBER,
      .n = width && width < 64 ? n & ((UINT64_C(1) << width) - 1) : n};
}

static int64_t as_signed(uint64_t n, unsigned width) {
  return width && width < 64 ? (int64_t)(n << (64 - width)) >> (64 - width)
                             : (int64_t)n;
}

// The result of a computation with two known numbers.
static struct val compute(const struct insn *in, uint64_t x, uint64_t y) {
  unsigned width = in->imm & 0xff;
  switch ((enum op)in->op) {
  case OP_add:
    return number(x + y, width);
  case OP_sub:
    return number(x - y, width);
  case OP_mul:
    return number(x * y, width);
  case OP_and:
    return number(x & y, 0);
  case OP_or:
    return number(x | y, 0);
  case OP_xor:
    return number(x ^ y, 0);
  case OP_shl:
    return y < width ? number(x << y, width) : other;
  case OP_lshr:
    return y < width ? number(x >> y, width) : other;
  case OP_eq:
    return number(x == y, 0);
  case OP_ne:
    return number(x != y, 0);
  case OP_ult:
    return number(x < y, 0);
  case OP_ule:
    return number(x <= y, 0);
  case OP_slt:
    return number(as_signed(x, width) < as_signed(y, width), 0);
  case OP_sle:
    return number(as_signed(x, width) <= as_signed(y, width), 0);
  default:
    return other;
  }
}

static struct val add(const struct insn *in, const struct val *x,
                      const struct val *y) {
  if ((in->imm & 0xff) != 64 || !(x->kind == AT && y->kind == NUMBER))
    return somewhere;
  return (struct val){AT, x->object, x->n + y->n};
}

static bool any_points(const struct insn *in, const struct val *vals) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t s = 0; !o[i].written && s < o[i].count; s++)
      if (points(&vals[o[i].first + s]))
        return true;
  return false;
}

// Of two operands; the result of a comparison is never an address.
static struct val binary(const struct insn *in, const struct val *x,
                         const struct val *y) {
  bool compares = in->op >= OP_eq && in->op <= OP_sle;
  if (x->kind == NUMBER && y->kind == NUMBER)
    return compute(in, x->n, y->n);
  if (!compares && (points(x) || points(y)))
    return in->op != OP_add ? somewhere
           : x->kind == AT  ? add(in, x, y)
                            : add(in, y, x);
  return other;
}

// The value of an instruction that only computes, for its first result.
static struct val value_of(const struct insn *in, const struct val *vals) {
  const struct op_info *info = op_info((enum op)in->op);
  const struct val *x = info->b == 'S' ? &vals[in->b] : &other;
  if (info->b == 'S' && info->c == 'S' && info->imm != IMM_REG)
    return binary(in, x, &vals[in->c]);
  switch ((enum op)in->op) {
  case OP_mov:
    return *x;
  case OP_number:
    return number(in->imm, 0);
  case OP_undef:
  case OP_tls:
  case OP_own:
    return other;
  case OP_trunc:
    return x->kind == NUMBER ? number(x->n, in->imm & 0xff)
           : points(x)       ? somewhere
                             : other;
  case OP_sext:
    return x->kind == NUMBER ? number((uint64_t)as_signed(x->n, in->imm & 0xff),
                                      in->imm >> 8 & 0xff)
           : points(x)       ? somewhere
                             : other;
  case OP_select:
  case OP_pick: {
    const struct val *y = &vals[in->c], *z = &vals[in->imm];
    return x->kind == NUMBER ? (x->n ? *y : *z) : join(y, z);
  }
  default:
    return any_points(in, vals) ? somewhere : other;
  }
}

// -- reading and writing

static void read_range(struct walk *w, struct way *way, uint32_t first,
                       uint64_t size) {
  for (uint64_t i = first; i < first + size && i < w->bytes; i++)
    if (way->open[i]) {
      way->open[i] = 0;
      w->live[i] = 1;
    }
}

// Something may be read at the address; SIZE_MAX: any number of bytes.
static void read_at(struct walk *w, struct way *way, const struct val *address,
                    uint64_t size) {
  if (address->kind == SOMEWHERE) {
    read_range(w, way, 0, w->bytes);
  } else if (address->kind == AT) {
    const struct object *o = &w->objects[address->object];
    bool is_inside = address->n <= o->size && size <= o->size - address->n;
    if (is_inside)
      read_range(w, way, o->first + (uint32_t)address->n, size);
    else
      read_range(w, way, o->first, o->size);
  }
}

static void write_at(struct walk *w, struct way *way, const struct val *address,
                     uint64_t size) {
  if (address->kind != AT)
    return;
  const struct object *o = &w->objects[address->object];
  if (address->n <= o->size && size <= o->size - address->n)
    memset(way->open + o->first + address->n, 0, size);
}

static uint64_t length(const struct val *v) {
  return v->kind == NUMBER ? v->n : SIZE_MAX;
}

static void copy_bytes(struct walk *w, struct way *way, const struct insn *in) {
  const struct val *vals = way->vals;
  uint64_t size = length(&vals[in->c]);
  if (in->op == OP_copy)
    read_at(w, way, &vals[in->b], size);
  if (size != SIZE_MAX)
    write_at(w, way, &vals[in->a], size);
}

// What was called may read what it is given.
static bool give_arguments(struct walk *w, struct way *way,
                           const struct insn *in) {
  bool any = false;
  for (unsigned i = 0; i < call_args(in); i++) {
    const struct val *v = &way->vals[in->b + i];
    any |= points(v);
    read_at(w, way, v, SIZE_MAX);
  }
  return any;
}

static void access_memory(struct walk *w, struct way *way,
                          const struct insn *in) {
  const struct val *vals = way->vals;
  unsigned size = imm_access_of(in->imm).size;
  switch ((enum op)in->op) {
  case OP_load:
  case OP_rmw_load:
  case OP_cas_load:
    read_at(w, way, &vals[in->b], size);
    break;
  case OP_store:
  case OP_rmw_store:
  case OP_cas_store:
    if (in->op != OP_cas_store) // that one may fail
      write_at(w, way, &vals[in->a], size);
    w->gives_up |=
        points(&vals[in->b]) || (size == 16 && points(&vals[in->b + 1]));
    break;
  case OP_copy:
  case OP_fill:
    copy_bytes(w, way, in);
    break;
  case OP_scope: { // it is undefined, or may not be read
    const struct val *v = &vals[in->a];
    if (v->kind == AT && v->n == 0)
      write_at(w, way, v, w->objects[v->object].size);
    break;
  }
  default:
    break;
  }
}

// Everything that an instruction does but for where it goes.
static void do_insn(struct walk *w, struct way *way, const struct insn *in) {
  struct operand o[4];
  bool is_call = in->op == OP_call || in->op == OP_callr || in->op == OP_sys;
  struct val result = other;
  if (op_info((enum op)in->op)->pure)
    result = value_of(in, way->vals);
  else if (is_call)
    result = give_arguments(w, way, in) ? somewhere : other;
  else
    access_memory(w, way, in);
  w->gives_up |= in->op == OP_va_start || in->op == OP_ijmp ||
                 (in->op == OP_ret && any_points(in, way->vals));
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t s = 0; o[i].written && s < o[i].count; s++)
      way->vals[o[i].first + s] =
          o[i].count == 1 || points(&result) ? result : other;
}

// -- ways

static struct way copy_way(const struct walk *w, const struct way *from) {
  struct way to = {.pc = from->pc};
  to.vals = xmalloc((w->slots + 1) * sizeof *to.vals);
  to.open = xmalloc(w->bytes + 1);
  memcpy(to.vals, from->vals, w->slots * sizeof *to.vals);
  memcpy(to.open, from->open, w->bytes);
  return to;
}

static void way_done(struct way *way) {
  free(way->vals);
  free(way->open);
}

static bool is_open(const struct walk *w, const struct way *way) {
  return memchr(way->open, 1, w->bytes) != NULL;
}

// Is each byte open in `by` that is in `open`? (Eight at a time.)
static bool opens_no_more(const uint8_t *open, const uint8_t *by, uint32_t n) {
  uint64_t x = 0, y = 0;
  uint32_t i = 0;
  for (; i + sizeof x <= n; i += (uint32_t)sizeof x) {
    memcpy(&x, open + i, sizeof x);
    memcpy(&y, by + i, sizeof y);
    if (x & ~y)
      return false;
  }
  for (; i < n; i++)
    if (open[i] && !by[i])
      return false;
  return true;
}

static bool is_covered(const struct walk *w, const struct way *by,
                       const struct way *way) {
  if (by->pc != way->pc || !opens_no_more(way->open, by->open, w->bytes))
    return false;
  for (uint32_t i = 0; i < w->slots; i++)
    if (!covers(&by->vals[i], &way->vals[i]))
      return false;
  return true;
}

// The way comes to `pc`; false: it need not be followed.
static bool go_to(struct walk *w, struct way *way, uint32_t pc) {
  bool goes_back = pc <= way->pc;
  way->pc = pc;
  if (!goes_back)
    return true;
  for (uint32_t i = 0; i < w->seen.len; i++)
    if (is_covered(w, &w->seen.at[i], way))
      return false;
  if (w->seen.len == MAX_SEEN)
    w->gives_up = true;
  else
    array_push(&w->seen, copy_way(w, way));
  return !w->gives_up;
}

static void fork_to(struct walk *w, const struct way *way, uint32_t pc) {
  struct way copy = copy_way(w, way);
  if (w->ways.len == MAX_OPEN)
    w->gives_up = true;
  if (!w->gives_up && go_to(w, &copy, pc))
    array_push(&w->ways, copy);
  else
    way_done(&copy);
}

static bool go_by_table(struct walk *w, struct way *way,
                        const struct insn *in) {
  const struct switch_table *t = &w->p->tables.at[in->imm];
  const struct val *v = &way->vals[in->a];
  for (uint32_t i = t->first; i < t->first + t->cases; i++) {
    if (v->kind != NUMBER)
      fork_to(w, way, w->p->cases.at[i].target);
    else if (w->p->cases.at[i].value == v->n)
      return go_to(w, way, w->p->cases.at[i].target);
  }
  return go_to(w, way, t->other);
}

// Does one instruction; false: the way ends.
static bool step(struct walk *w, struct way *way) {
  const struct insn *in = insn_at(w, way->pc);
  do_insn(w, way, in);
  if (w->gives_up || ++w->steps > MAX_STEPS) {
    w->gives_up = true;
    return false;
  }
  switch ((enum op)in->op) {
  case OP_jmp:
    return go_to(w, way, (uint32_t)in->imm);
  case OP_br:
    if (way->vals[in->a].kind == NUMBER)
      return go_to(w, way,
                   (uint32_t)(way->vals[in->a].n ? in->imm : in->imm >> 32));
    fork_to(w, way, (uint32_t)in->imm);
    return go_to(w, way, (uint32_t)(in->imm >> 32));
  case OP_switch:
    return go_by_table(w, way, in);
  default:
    way->pc++;
    return !op_info((enum op)in->op)->ends_block;
  }
}

static void follow_all(struct walk *w) {
  while (w->ways.len && !w->gives_up) {
    struct way way = array_pop(&w->ways);
    while (is_open(w, &way) && step(w, &way))
      ;
    way_done(&way);
  }
}

// -- what is known where

// The objects of the function: what its first instructions make.
static bool find_objects(struct walk *w) {
  const struct func *f = w->f;
  if (func_has_setjmp(w->p, f))
    return false; // a call may lead to code that is not behind it
  for (uint32_t pc = f->first; pc < f->end; pc++) {
    const struct insn *in = insn_at(w, pc);
    if (op_info((enum op)in->op)->ends_block)
      break;
    if (in->op != OP_local)
      continue;
    if (in->b < f->nregs || w->nobjects == MAX_OBJECTS)
      break; // the number of those that follow is not known
    uint64_t size = w->p->consts.at[f->first_const + in->b - f->nregs];
    if (size > MAX_BYTES - w->bytes)
      break;
    w->objects[w->nobjects++] = (struct object){pc, w->bytes, (uint32_t)size};
    w->bytes += (uint32_t)size;
  }
  return w->bytes > 0;
}

// What is known at each instruction whenever the function comes there: the code
// runs from the beginning in all ways at once.
struct facts {
  struct val *vals; // per instruction and slot
  bool *reached;
  ARRAY(uint32_t) todo;
};

// Code that comes to the beginning again would make the objects again.
static void reach(struct walk *w, struct facts *k, uint32_t pc,
                  const struct val *vals) {
  uint32_t i = pc - w->f->first;
  w->gives_up |= k->reached[i] && pc <= w->objects[w->nobjects - 1].pc;
  struct val *known = k->vals + (size_t)i * w->slots;
  bool changed = !k->reached[i];
  if (changed)
    memcpy(known, vals, w->slots * sizeof *vals);
  for (uint32_t s = 0; !changed && s < w->slots; s++)
    changed = !covers(&known[s], &vals[s]);
  for (uint32_t s = 0; k->reached[i] && changed && s < w->slots; s++)
    known[s] = join(&known[s], &vals[s]);
  k->reached[i] = true;
  if (changed)
    array_push(&k->todo, pc);
}

static void reach_next(struct walk *w, struct facts *k, uint32_t pc,
                       const struct val *vals) {
  const struct insn *in = insn_at(w, pc);
  if (in->op == OP_jmp || in->op == OP_br)
    reach(w, k, (uint32_t)in->imm, vals);
  if (in->op == OP_br)
    reach(w, k, (uint32_t)(in->imm >> 32), vals);
  if (in->op == OP_switch) {
    const struct switch_table *t = &w->p->tables.at[in->imm];
    reach(w, k, t->other, vals);
    for (uint32_t i = t->first; i < t->first + t->cases; i++)
      reach(w, k, w->p->cases.at[i].target, vals);
  }
  if (!op_info((enum op)in->op)->ends_block)
    reach(w, k, pc + 1, vals);
}

static struct val made_at(const struct walk *w, uint32_t pc) {
  for (uint32_t i = 0; i < w->nobjects; i++)
    if (w->objects[i].pc == pc)
      return (struct val){AT, i, 0};
  return other;
}

static void run_facts(struct walk *w, struct facts *k, struct way *way) {
  for (uint32_t s = 0; s < w->slots; s++)
    way->vals[s] =
        s < w->f->nregs
            ? other
            : number(w->p->consts.at[w->f->first_const + s - w->f->nregs], 0);
  reach(w, k, w->f->first, way->vals);
  while (k->todo.len && !w->gives_up) {
    uint32_t pc = array_pop(&k->todo);
    const struct insn *in = insn_at(w, pc);
    memcpy(way->vals, k->vals + (size_t)(pc - w->f->first) * w->slots,
           w->slots * sizeof *way->vals);
    do_insn(w, way, in);
    if (in->op == OP_local)
      way->vals[in->a] = made_at(w, pc);
    reach_next(w, k, pc, way->vals);
  }
}

// Fills the way with what is known at its pc; false: it is never reached.
static bool find_facts(struct walk *w, struct way *way) {
  uint32_t len = w->f->end - w->f->first, pc = way->pc;
  struct facts k = {0};
  if ((uint64_t)len * w->slots > MAX_CELLS)
    return false;
  k.vals = xmalloc((size_t)len * w->slots * sizeof *k.vals);
  k.reached = xcalloc(len, sizeof *k.reached);
  run_facts(w, &k, way);
  bool reached = k.reached[pc - w->f->first];
  memcpy(way->vals, k.vals + (size_t)(pc - w->f->first) * w->slots,
         w->slots * sizeof *way->vals);
  free(k.vals);
  free(k.reached);
  array_done(&k.todo);
  return reached && !w->gives_up;
}

// -- the answer

static void add_runs(const struct walk *w, struct dead_runs *out) {
  for (uint32_t i = 0; i < w->nobjects; i++) {
    const struct object *o = &w->objects[i];
    for (uint32_t at = 0, end; at < o->size; at = end) {
      bool is_live = w->live[o->first + at];
      for (end = at + 1; end < o->size && w->live[o->first + end] == is_live;)
        end++;
      if (!is_live)
        array_push(out, (struct dead_run){i, at, end - at});
    }
  }
}

static void find_in(struct walk *w, uint32_t pc, struct dead_runs *out) {
  struct way way = {.pc = pc};
  way.vals = xcalloc(w->slots + 1, sizeof *way.vals);
  way.open = xcalloc(w->bytes + 1, 1);
  w->live = xcalloc(w->bytes + 1, 1);
  bool known = find_facts(w, &way);
  memset(way.open, 1, w->bytes);
  memset(w->live, 0, w->bytes);
  array_push(&w->ways, way);
  if (known)
    follow_all(w);
  if (known && !w->gives_up)
    add_runs(w, out);
  for (uint32_t i = 0; i < w->ways.len; i++)
    way_done(&w->ways.at[i]);
  for (uint32_t i = 0; i < w->seen.len; i++)
    way_done(&w->seen.at[i]);
  free(w->live);
  array_done(&w->ways);
  array_done(&w->seen);
}

void dead_find(const struct prog *p, uint32_t pc, struct dead_runs *out) {
  struct walk w = {.p = p, .f = prog_func_around(p, pc)};
  struct loop_range loop = loop_around(p, pc);
  // In the middle of a copy, what is written is not dead, whatever follows.
  if (!w.f || w.f->is_vararg || loop.first > loop.last ||
      p->code.at[pc].op == OP_copy || p->code.at[pc].op == OP_fill)
    return;
  w.slots = w.f->nregs + w.f->nconsts;
  if (find_objects(&w))
    find_in(&w, pc, out);
}
