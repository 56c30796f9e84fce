// SPDX-License-Identifier: MIT
// Private objects that a function keeps to itself become registers. The front
// end lowers most variables to registers at once; those whose address is taken
// are memory (escape.c). But when the functions that got the address were
// merged (inline.c), often nothing is left of that than loads and stores:
//
//   b := local 4 bytes                       undef b'
//   mem[b] := 1                              b' := 1
//   ...                             =>       ...
//   n := mem[b]                              n := b'
//   mem[b] := n * 2                          b' := n * 2
//
// so that what only passes the time can be seen as such (idle.c), and unused
// values are not part of a thread's state. The parts of an object are registers
// each, if every access has one of them as a whole; what fills the object with
// constants may have several. An object that lives in a scope stays, unless all
// accesses are plainly inside of it: those outside are errors of the program.
#include "bytecode/pointer.h"
#include "front/passes/code.h"

#include <stdlib.h>

enum {
  MAX_SIZE = 64,   // bytes of an object
  MAX_COPIES = 16, // of an address, each of another one
};

struct object {
  vreg address; // that its instruction writes, VREG_NONE: it stays in memory
  uint64_t size, align;
  // Does its life begin or end somewhere, has it ended yet, and was it there
  // when that was last known, in which block?
  bool has_scope, has_ended, was_open;
  uint32_t block;
  uint8_t begins[MAX_SIZE]; // by byte: the size of the part that begins there
  bool taken[MAX_SIZE];     // by byte: it belongs to a part
  vreg parts[MAX_SIZE];     // by byte at which it begins
};

struct promote {
  const struct prog *prog;
  struct code *code;
  ARRAY(struct object) objects;
  uint32_t *writes;  // by register: how often it is written
  uint32_t *written; // where
  uint32_t *object;  // by register that has the address: 1 + which, or 0
};

// Where in an object does an address lead?
struct place {
  struct object *object; // NULL: into none
  uint64_t offset;
};

static void count_writes(struct promote *p) {
  struct operand o[MAX_OPERANDS];
  for (uint32_t i = 0; i < p->code->insns.len; i++) {
    unsigned n = code_operands(&p->code->insns.at[i], o);
    for (unsigned k = 0; k < n; k++)
      for (uint32_t r = 0; o[k].is_written && r < o[k].len; r++) {
        p->writes[o[k].first + r]++;
        p->written[o[k].first + r] = i;
      }
  }
}

// The only instruction that writes r, or NULL.
static const struct vinsn *writer(const struct promote *p, vreg r) {
  return is_const_reg(r) || r < p->code->params || p->writes[r] != 1
             ? NULL
             : &p->code->insns.at[p->written[r]];
}

// The object whose address the register has, or NULL.
static struct object *object_at(const struct promote *p, vreg address) {
  uint32_t i = p->object[address];
  struct object *o = i ? &p->objects.at[i - 1] : NULL;
  return o && o->address == address ? o : NULL;
}

static struct place place_of(const struct promote *p, vreg r) {
  struct place found = {0};
  const struct vinsn *v = writer(p, r);
  for (unsigned n = 0; n < MAX_COPIES; n++) {
    if (v && v->op == OP_add && (v->imm & 0xff) == 64 && is_const_reg(v->c))
      found.offset += p->code->consts.at[v->c & ~VREG_CONST].value;
    else if (!v || v->op != OP_mov)
      break;
    v = writer(p, v->b);
  }
  found.object = v && v->op == OP_local ? object_at(p, v->a) : NULL;
  return found;
}

// -- which objects

static bool is_constant(const struct code *c, vreg r, uint64_t *value) {
  if (!is_const_reg(r) || c->consts.at[r & ~VREG_CONST].is_label)
    return false;
  *value = c->consts.at[r & ~VREG_CONST].value;
  return true;
}

// Objects that the function makes when it begins, once.
static void find_objects(struct promote *p) {
  const struct code *c = p->code;
  uint64_t size;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL || code_ends_block(v))
      return;
    if (v->op != OP_local || p->writes[v->a] != 1 ||
        !is_constant(c, v->b, &size) || size > MAX_SIZE)
      continue;
    array_push(
        &p->objects,
        ((struct object){.address = v->a, .size = size, .align = v->imm}));
    p->object[v->a] = p->objects.len;
  }
}

// Makes a part of what an access asks for. False: others ask for less or more,
// or there is something wrong with it.
static bool add_part(struct object *o, uint64_t offset, uint32_t size) {
  if (offset >= o->size || size > o->size - offset || offset % size ||
      o->align % size)
    return false;
  if (o->begins[offset])
    return o->begins[offset] == size;
  for (uint32_t i = 0; i < size; i++)
    if (o->taken[offset + i])
      return false;
  for (uint32_t i = 0; i < size; i++)
    o->taken[offset + i] = true;
  o->begins[offset] = (uint8_t)size;
  return true;
}

static bool is_simple_access(const struct vinsn *v) {
  struct imm_access a = imm_access_of(v->imm);
  return (v->op == OP_load || v->op == OP_store) && a.order == ORD_NA &&
         !a.how && a.size <= 8;
}

static vreg address_of(const struct vinsn *v) {
  return v->op == OP_load ? v->b : v->a;
}

// An instruction that fills memory with constants.
struct filling {
  struct place to;
  uint64_t size;
  const uint8_t *bytes; // NULL: all are `byte`
  uint8_t byte;
};

static const uint8_t *constant_bytes(const struct promote *p, uint64_t address,
                                     uint64_t size) {
  for (uint32_t i = 0; i < p->prog->globals.len; i++) {
    const struct global *g = &p->prog->globals.at[i];
    uint64_t offset = pointer_offset(address);
    if (!g->is_thread_local && g->object == pointer_object(address))
      return g->is_constant && g->bytes && offset <= g->size &&
                     size <= g->size - offset
                 ? g->bytes + offset
                 : NULL;
  }
  return NULL;
}

static bool is_filling(const struct promote *p, const struct vinsn *v,
                       struct filling *f) {
  uint64_t from;
  *f = (struct filling){0};
  if ((v->op != OP_copy && v->op != OP_fill) ||
      !is_constant(p->code, v->c, &f->size) ||
      !is_constant(p->code, v->b, &from) || is_const_reg(v->a))
    return false;
  f->to = place_of(p, v->a);
  f->byte = (uint8_t)from;
  if (v->op == OP_copy)
    f->bytes = constant_bytes(p, from, f->size);
  return f->to.object && (v->op == OP_fill || f->bytes) &&
         f->to.offset <= f->to.object->size &&
         f->size <= f->to.object->size - f->to.offset;
}

// Does it fill all of each part or nothing of it?
static bool fills_parts(const struct filling *f) {
  const struct object *o = f->to.object;
  uint64_t first = f->to.offset, end = first + f->size;
  for (uint32_t k = 0; k < MAX_SIZE; k++) {
    uint32_t last = k + o->begins[k];
    bool is_inside = k >= first && last <= end;
    bool is_outside = last <= first || k >= end;
    if (o->begins[k] && !is_inside && !is_outside)
      return false;
  }
  return true;
}

// Objects whose address is used otherwise than to load and store stay.
static void keep_others(struct promote *p, struct vinsn *v) {
  struct operand o[MAX_OPERANDS];
  unsigned n = code_operands(v, o);
  struct filling f;
  if (is_filling(p, v, &f))
    return;
  bool is_copy = v->op == OP_mov || (v->op == OP_add && is_const_reg(v->c));
  for (unsigned k = 0; k < n; k++)
    for (uint32_t r = 0; !o[k].is_written && r < o[k].len; r++) {
      struct place at = is_const_reg(o[k].first) ? (struct place){0}
                                                 : place_of(p, o[k].first + r);
      if (!at.object)
        continue;
      bool is_address =
          is_simple_access(v) && o[k].first == address_of(v) &&
          !(v->op == OP_store && v->b == o[k].first) &&
          add_part(at.object, at.offset, imm_access_of(v->imm).size);
      is_address |= v->op == OP_scope && at.offset == 0;
      // A copy must be one that leads here again.
      bool is_known = is_copy && place_of(p, v->a).object == at.object;
      if (!is_address && !is_known)
        at.object->address = VREG_NONE;
    }
}

// The object whose life an instruction begins or ends, or NULL.
static struct object *scoped(const struct promote *p, const struct vinsn *v) {
  return v->op == OP_scope ? place_of(p, v->a).object : NULL;
}

static struct object *accessed(const struct promote *p, const struct vinsn *v) {
  struct filling f;
  if (is_simple_access(v))
    return place_of(p, address_of(v)).object;
  return is_filling(p, v, &f) ? f.to.object : NULL;
}

// May code run again?
static bool has_loop(const struct code *c) {
  bool *placed = xcalloc(c->labels + 1u, sizeof *placed);
  bool found = false;
  for (uint32_t i = 0; i < c->insns.len && !found; i++) {
    const struct vinsn *v = &c->insns.at[i];
    if (v->op == OP_LABEL)
      placed[v->imm] = true;
    found =
        v->op == OP_switch || (v->op == OP_jmp && placed[v->imm]) ||
        (v->op == OP_br && (placed[(uint32_t)v->imm] || placed[v->imm >> 32]));
  }
  free(placed);
  return found;
}

// Is it plain that the object lives there?
static bool is_open(const struct object *o, uint32_t block, bool is_loop) {
  return o->was_open && (o->block == block || (!is_loop && !o->has_ended));
}

// Objects that are accessed where it is not plain that they live stay. They
// live when the function begins; where code runs again, and behind the first
// end of a life, one is followed only from where it begins to the end of that
// block.
static void keep_out_of_scope(struct promote *p) {
  const struct code *c = p->code;
  struct object *o;
  uint32_t block = 0;
  bool is_loop = has_loop(c);
  for (uint32_t i = 0; i < c->insns.len; i++)
    if ((o = scoped(p, &c->insns.at[i])))
      o->has_scope = true;
  for (uint32_t k = 0; k < p->objects.len; k++)
    p->objects.at[k].was_open = !is_loop;
  for (uint32_t i = 0; i < c->insns.len; i++) {
    const struct vinsn *v = &c->insns.at[i];
    block += v->op == OP_LABEL || code_ends_block(v);
    if ((o = scoped(p, v))) {
      o->was_open = v->imm;
      o->block = block;
      o->has_ended |= !v->imm;
    } else if ((o = accessed(p, v)) && o->has_scope &&
               !is_open(o, block, is_loop)) {
      o->address = VREG_NONE;
    }
  }
}

// What a function returns to may need memory as it was (setjmp).
static bool is_simple(const struct code *c) {
  for (uint32_t i = 0; i < c->insns.len; i++)
    if (c->insns.at[i].op == OP_sys && c->insns.at[i].imm == BI_setjmp)
      return false;
  return !c->keeps_labels;
}

// -- taking them out

static void add_registers(struct promote *p) {
  for (uint32_t i = 0; i < p->objects.len; i++)
    for (uint32_t k = 0; k < MAX_SIZE; k++)
      if (p->objects.at[i].begins[k])
        p->objects.at[i].parts[k] = code_reg(p->code);
}

// The object begins with nothing in it.
static void begin_object(struct code *c, const struct object *o,
                         struct source from) {
  for (uint32_t k = 0; k < MAX_SIZE; k++)
    if (o->begins[k])
      code_emit(c, OP_undef, o->parts[k], 0, 0, 8u * o->begins[k], from);
}

static void emit_filling(struct code *c, const struct filling *f,
                         struct source from) {
  const struct object *o = f->to.object;
  for (uint64_t k = f->to.offset; k < f->to.offset + f->size; k++) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < o->begins[k]; i++)
      value |= (uint64_t)(f->bytes ? f->bytes[k - f->to.offset + i] : f->byte)
               << 8 * i;
    if (o->begins[k])
      code_emit(c, OP_mov, o->parts[k], code_const(c, value), 0, 0, from);
  }
}

// What becomes of an instruction; all of them are looked at before any changes.
struct plan {
  struct place access;
  const struct object *made, *scope;
  struct filling filling;
};

static struct plan *make_plans(const struct promote *p) {
  uint32_t n = p->code->insns.len;
  struct plan *plans = xcalloc(n + 1u, sizeof *plans);
  for (uint32_t i = 0; i < n; i++) {
    const struct vinsn *v = &p->code->insns.at[i];
    plans[i].made = v->op == OP_local ? object_at(p, v->a) : NULL;
    plans[i].scope = scoped(p, v);
    if (is_simple_access(v))
      plans[i].access = place_of(p, address_of(v));
    else if (!is_filling(p, v, &plans[i].filling))
      plans[i].filling.to.object = NULL;
  }
  return plans;
}

static void rewrite(struct promote *p) {
  struct code *c = p->code;
  struct plan *plans = make_plans(p);
  struct vinsn *old = c->insns.at;
  uint32_t n = c->insns.len;
  c->insns.at = NULL;
  c->insns.len = c->insns.cap = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct vinsn *v = &old[i];
    const struct object *made = plans[i].made;
    const struct place *at = &plans[i].access;
    if (at->object && v->op == OP_load)
      code_emit(c, OP_mov, v->a, at->object->parts[at->offset], 0, 0,
                v->source);
    else if (at->object)
      code_emit(c, OP_mov, at->object->parts[at->offset], v->b, 0, 0,
                v->source);
    else if (plans[i].filling.to.object)
      emit_filling(c, &plans[i].filling, v->source);
    else if (made || plans[i].scope)
      begin_object(c, made ? made : plans[i].scope, v->source);
    else
      array_push(&c->insns, *v); // copies of the address go as unused
  }
  free(plans);
  free(old);
}

// Objects of which only a part of a part is filled stay.
static void keep_half_filled(struct promote *p) {
  struct filling f;
  for (uint32_t i = 0; i < p->code->insns.len; i++)
    if (is_filling(p, &p->code->insns.at[i], &f) && !fills_parts(&f))
      f.to.object->address = VREG_NONE;
}

static bool drop_kept(struct promote *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->objects.len; i++)
    if (p->objects.at[i].address != VREG_NONE)
      p->objects.at[n++] = p->objects.at[i];
  p->objects.len = n;
  for (uint32_t i = 0; i < n; i++)
    p->object[p->objects.at[i].address] = i + 1;
  return n;
}

bool code_promote(struct code *c, const struct prog *prog) {
  struct promote p = {.prog = prog, .code = c};
  p.writes = xcalloc(c->regs.len + 1u, sizeof *p.writes);
  p.written = xcalloc(c->regs.len + 1u, sizeof *p.written);
  p.object = xcalloc(c->regs.len + 1u, sizeof *p.object);
  count_writes(&p);
  if (is_simple(c))
    find_objects(&p);
  for (uint32_t i = 0; p.objects.len && i < c->insns.len; i++)
    keep_others(&p, &c->insns.at[i]);
  if (p.objects.len) {
    keep_out_of_scope(&p);
    keep_half_filled(&p);
  }
  bool any = drop_kept(&p);
  if (any) {
    add_registers(&p);
    rewrite(&p);
  }
  free(p.writes);
  free(p.written);
  free(p.object);
  array_done(&p.objects);
  return any;
}
