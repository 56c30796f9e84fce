// SPDX-License-Identifier: MIT
// copy and fill. Private memory is done at once. Shared memory is read and
// written cell by cell, as non-atomic accesses: a cell is what the execution
// has used at that address so far, so the vm asks for the size of the cells
// that come next. Such an instruction stops many times; its progress (struct
// bulk) is part of the state.
#include "vm/cold.h"

#include <string.h>

static bool is_shared(struct thread *t, uint64_t address) {
  return memory_at(t, address, 0, 1, /*is_write=*/false).where == AT_SHARED;
}

static bool stop_at_cell_size(struct thread *t, uint64_t address,
                              enum bulk_phase phase) {
  thread_stop(t, ACC_CELL_SIZE, address, t->bulk.left);
  t->access.object = vm_object_of_pointer(t->vm, address);
  if (t->bulk.is_fill && t->bulk.done)
    t->access.flags |= ACCF_FILL;
  t->bulk.phase = (uint8_t)phase;
  return false;
}

static bool stop_at_cell(struct thread *t, enum access_kind kind,
                         uint64_t address, uint64_t value,
                         enum bulk_phase phase) {
  thread_stop(t, kind, value, 0);
  t->access.order = ORD_NA;
  t->access.loc = vm_find_location(t->vm, address, t->bulk.cell);
  t->track.addr = kind == ACC_READ ? t->track.source : t->track.target;
  t->bulk.phase = (uint8_t)phase;
  return false;
}

uint64_t bulk_declared_size(const struct thread *t, uint64_t address) {
  const struct prog *p = t->vm->prog;
  uint32_t i = prog_global_of_object(p, pointer_object(address));
  if (i == UINT32_MAX)
    return 0;
  type_id scalar = prog_scalar_at(p, p->globals.at[i].type,
                                  address - prog_global_address(p, i), 0);
  return scalar ? p->types.at[scalar].size : 0;
}

// What the type of the memory does not name, padding and variants of Rust's
// enums, is taken in the largest parts that hold no scalar.
static uint64_t size_of_gap(const struct thread *t, uint64_t at) {
  const struct prog *p = t->vm->prog;
  const struct bulk *b = &t->bulk;
  uint64_t part = 1, room = p->types.at[b->type].size - at;
  for (; part < 8 && 2 * part <= room; part *= 2) {
    bool is_free = (at | b->target | b->source) % (2 * part) == 0;
    for (uint64_t i = part; i < 2 * part && is_free; i++)
      is_free = !prog_scalar_around(p, b->type, at + i);
    if (!is_free)
      break;
  }
  return part;
}

// The size of the scalar that the type of the memory has here, or of a part of
// what lies between them; 0: the type is unknown.
static uint64_t size_by_type(const struct thread *t) {
  const struct prog *p = t->vm->prog;
  const struct bulk *b = &t->bulk;
  uint64_t size = b->type ? p->types.at[b->type].size : 0;
  if (!size)
    return 0;
  type_id scalar = prog_scalar_at(p, b->type, b->done % size, 0);
  return scalar ? p->types.at[scalar].size : size_of_gap(t, b->done % size);
}

// Would a part of that size be made in pieces?
static bool is_cut(const struct thread *t, uint64_t size) {
  const struct bulk *b = &t->bulk;
  return pieces_are_at(t, b->target, (uint32_t)size) ||
         (!b->is_fill && pieces_are_at(t, b->source, (uint32_t)size));
}

// The size of the part: that of the cell if there is one, else of what is
// declared there or what the program takes the memory for, else that of the
// part before; else the largest that the shared addresses and the length are
// multiples of.
static void set_cell(struct thread *t) {
  struct bulk *b = &t->bulk;
  uint64_t align = b->left, size = b->known;
  if (is_shared(t, b->target)) {
    align |= b->target;
    if (!size)
      size = bulk_declared_size(t, b->target);
  }
  if (!b->is_fill && is_shared(t, b->source)) {
    align |= b->source;
    if (!size)
      size = bulk_declared_size(t, b->source);
  }
  if (!size)
    size = size_by_type(t);
  if (!size && b->cell && align % b->cell == 0)
    size = b->cell;
  if (!size || size > 16 || (size & (size - 1)))
    for (size = 8; align % size != 0;)
      size /= 2;
  while (size > b->left || is_cut(t, size))
    size /= 2;
  b->cell = (uint8_t)size;
  b->run -= b->run < size ? b->run : (uint32_t)size;
}

static bool get_part(struct thread *t);

// True: nothing is left.
static bool next_part(struct thread *t) {
  struct bulk *b = &t->bulk;
  if (b->left == 0 && b->final) { // what was put aside goes to its target
    b->source = b->target - b->total;
    b->target = b->final;
    b->left = b->total;
    b->done = 0;
    b->final = 0;
    b->run = 0;
  }
  if (b->left == 0) {
    if (b->has_scratch)
      thread_drop_locals(t, t->locals.len - 1);
    return true;
  }
  if (b->run)
    return get_part(t);
  if (!b->is_fill && is_shared(t, b->source))
    return stop_at_cell_size(t, b->source, BULK_SOURCE);
  return stop_at_cell_size(t, b->target, BULK_TARGET);
}

// The thread was told about the cells that come next.
static bool take_answer(struct thread *t, uint64_t answer) {
  struct bulk *b = &t->bulk;
  enum { MUCH = 1024 }; // of a fill: it is asked again behind the first part
  uint32_t bytes = (uint32_t)vm_cell_bytes(answer);
  if (vm_cell_size(answer) == CELL_SKIPPED) {
    b->target += bytes;
    b->left -= bytes;
    b->done += bytes;
    return next_part(t);
  }
  if (b->is_fill && !b->done && b->left >= MUCH)
    bytes = 1;
  if (!b->run || bytes < b->run)
    b->run = bytes;
  b->known = (uint32_t)vm_cell_size(answer);
  if (b->phase == BULK_SOURCE && !b->known && is_shared(t, b->target))
    return stop_at_cell_size(t, b->target, BULK_TARGET);
  return get_part(t);
}

static bool part_done(struct thread *t) {
  struct bulk *b = &t->bulk;
  b->target += b->cell;
  b->source += b->cell;
  b->left -= b->cell;
  b->done += b->cell;
  return next_part(t);
}

// The value that was read, or comes from private memory, goes to the target.
static bool put_part(struct thread *t, const struct value *value) {
  struct bulk *b = &t->bulk;
  struct place p = memory_at(t, b->target, 0, b->cell, /*is_write=*/true);
  if (p.where == AT_PRIVATE) {
    memory_put(t, &p, b->cell, value);
    if (t->track.on && !b->has_scratch)
      track_join(t, &t->track.memory, t->track.target);
    return part_done(t);
  }
  check(p.where == AT_SHARED);
  stop_at_cell(t, ACC_WRITE, b->target, access_pack(t->vm, b->cell, value),
               BULK_WRITE);
  t->track.data = value->set;
  access_set_undef(t, undef_pack(t->vm, b->cell, value));
  return false;
}

static bool get_part(struct thread *t) {
  struct bulk *b = &t->bulk;
  struct value value = {0};
  set_cell(t);
  if (b->is_fill) {
    memset(value.v, b->byte, b->cell);
    memset(value.undef, (uint8_t)b->undef, b->cell);
    value.set = t->track.source;
    return put_part(t, &value);
  }
  struct place p = memory_at(t, b->source, 0, b->cell, /*is_write=*/false);
  if (p.where == AT_SHARED)
    return stop_at_cell(t, ACC_READ, b->source, 0, BULK_READ);
  value = memory_get(t, &p, b->cell);
  if (t->track.on && !b->has_scratch)
    track_join(t, &value.set, t->track.source);
  return put_part(t, &value);
}

bool bulk_resume(struct thread *t, uint64_t value, undef_id undef) {
  struct bulk *b = &t->bulk;
  struct value read;
  switch ((enum bulk_phase)b->phase) {
  case BULK_SOURCE:
  case BULK_TARGET:
    return take_answer(t, value);
  case BULK_READ:
    read = access_unpack(t, b->cell, value, undef);
    return put_part(t, &read);
  case BULK_WRITE:
    return part_done(t);
  }
  fatal_internal(__FILE__, __LINE__, "unknown phase");
}

static bool begin(struct thread *t, struct bulk b) {
  t->bulk = b;
  t->is_bulk = true;
  return next_part(t);
}

// -- the instructions

bool bulk_overlaps(uint64_t a, uint64_t b, uint64_t n) {
  return a != b && (a < b ? b - a : a - b) < n;
}

static void track_copy(struct thread *t, const struct place *to,
                       const struct place *from, uint64_t n) {
  set_id *sets = t->byte_set + to->at;
  if (from->where == AT_PRIVATE)
    memmove(sets, t->byte_set + from->at, n * sizeof *sets);
  else
    memset(sets, 0, n * sizeof *sets);
  for (uint64_t i = 0; i < n; i++)
    track_join(t, &sets[i], t->track.source);
  track_touch(t, sets, n);
  track_join(t, &t->track.memory, t->track.target);
}

static void copy_private(struct thread *t, const struct place *to,
                         const struct place *from, uint64_t n) {
  uint8_t *undef = t->byte_undef + to->at;
  memmove(t->bytes + to->at, from->bytes, n);
  if (from->where == AT_PRIVATE)
    memmove(undef, t->byte_undef + from->at, n);
  else
    memset(undef, 0, n);
  memory_touch(t, to->at, n);
  if (t->track.on)
    track_copy(t, to, from, n);
}

// Overlapping memory whose target comes later would be overwritten before it
// is read, so it goes through a private scratch object.
static bool begin_copy(struct thread *t, uint64_t target, uint64_t source,
                       uint64_t n, uint64_t imm) {
  struct bulk b = {.target = target,
                   .source = source,
                   .left = n,
                   .type = (type_id)(imm >> 8),
                   .cell = (uint8_t)imm};
  if (target > source && target - source < n) {
    uint32_t scratch = thread_add_local(t, n);
    if (scratch == UINT32_MAX)
      return false;
    b.target = thread_local_address(t, scratch);
    b.final = target;
    b.total = (uint32_t)n;
    b.has_scratch = 1;
  }
  return begin(t, b);
}

bool bulk_copy(struct thread *t, const struct insn *in) {
  const uint64_t *r = thread_slot(t, 0);
  const uint64_t *u = thread_undef(t, 0);
  uint64_t target = r[in->a], source = r[in->b], n = r[in->c];
  if (thread_raise_undef(t, u[in->c], "the size of a copy"))
    return false;
  if (n == 0)
    return true;
  struct place from = memory_at(t, source, u[in->b], n, /*is_write=*/false);
  if (from.where == AT_STOP)
    return false;
  struct place to = memory_at(t, target, u[in->a], n, /*is_write=*/true);
  if (to.where == AT_STOP)
    return false;
  if (from.where == AT_SHARED || to.where == AT_SHARED)
    return begin_copy(t, target, source, n, in->imm);
  copy_private(t, &to, &from, n);
  return true;
}

bool bulk_fill(struct thread *t, const struct insn *in) {
  const uint64_t *r = thread_slot(t, 0);
  const uint64_t *u = thread_undef(t, 0);
  uint64_t n = r[in->c];
  if (thread_raise_undef(t, u[in->c], "the size of a fill"))
    return false;
  if (n == 0)
    return true;
  struct place p = memory_at(t, r[in->a], u[in->a], n, /*is_write=*/true);
  if (p.where == AT_STOP)
    return false;
  if (p.where == AT_SHARED)
    return begin(t, (struct bulk){.target = r[in->a],
                                  .left = n,
                                  .is_fill = 1,
                                  .type = (type_id)(in->imm >> 8),
                                  .cell = (uint8_t)in->imm,
                                  .byte = (uint8_t)r[in->b],
                                  .undef = (uint8_t)u[in->b]});
  memset(t->bytes + p.at, (uint8_t)r[in->b], n);
  memset(t->byte_undef + p.at, (uint8_t)u[in->b], n);
  if (t->track.on) {
    track_put_bytes(t, p.at, n, t->track.source);
    track_join(t, &t->track.memory, t->track.target);
  }
  memory_touch(t, p.at, n);
  return true;
}
