// SPDX-License-Identifier: MIT
// Where an address points, with every check that needs no graph: null, wild,
// bounds of globals and private objects, constants. Whether a heap object is
// alive and how large it is depends on the execution, so the search, which
// drives the vm, checks those.
#include "vm/cold.h"

#include <stdio.h>
#include <string.h>

// -- messages

static const char *verb(bool is_write) {
  return is_write ? "write" : "read";
}

static bool raise_bounds(struct thread *t, uint64_t offset, uint64_t access,
                         uint64_t size, const char *what, bool is_write) {
  return thread_raise(t, FIND_OUT_OF_BOUNDS,
                      "%s of %llu bytes at offset %llu of %s, which has %llu "
                      "bytes",
                      verb(is_write), (unsigned long long)access,
                      (unsigned long long)offset, what,
                      (unsigned long long)size);
}

// All these findings are final (finding_is_final).
static struct place bad(bool raised) {
  check(raised);
  return (struct place){.where = AT_STOP};
}

// No object fills its window, so an offset in the upper half of one is a
// pointer that went below the object of the next window.
static bool is_below_next(uint64_t address) {
  return pointer_offset(address) >= OBJECT_MAX_IN_WINDOW;
}

static struct place no_object(struct thread *t, uint64_t address, uint64_t size,
                              bool is_write) {
  return bad(thread_raise(
      t, FIND_WILD_ACCESS, "%s of %llu bytes at 0x%llx, where no object is",
      verb(is_write), (unsigned long long)size, (unsigned long long)address));
}

// `next`: the global, thread-local or not, in the window above; UINT32_MAX:
// there is none.
static struct place below_global(struct thread *t, uint32_t next,
                                 uint64_t address, uint64_t size,
                                 bool is_write) {
  const struct prog *p = t->vm->prog;
  if (next == UINT32_MAX)
    return no_object(t, address, size, is_write);
  return bad(thread_raise(t, FIND_OUT_OF_BOUNDS,
                          "%s of %llu bytes at %u bytes before `%s`",
                          verb(is_write), (unsigned long long)size,
                          POINTER_WINDOW - pointer_offset(address),
                          prog_text(p, p->globals.at[next].name)));
}

// -- the kinds of memory

static struct place out_of_bounds(struct thread *t, const struct global *g,
                                  uint64_t offset, uint64_t size,
                                  bool is_write) {
  char what[200];
  snprintf(what, sizeof what, "`%s`", prog_text(t->vm->prog, g->name));
  return bad(raise_bounds(t, offset, size, g->size, what, is_write));
}

static bool is_inside(uint64_t offset, uint64_t access, uint64_t size) {
  return offset <= size && access <= size - offset;
}

static struct place at_global(struct thread *t, uint64_t address, uint64_t size,
                              bool is_write) {
  const struct prog *p = t->vm->prog;
  object_id o = pointer_object(address);
  uint32_t i = prog_global_of_object(p, o);
  if (i == UINT32_MAX ||
      (is_below_next(address) &&
       o + 1 - p->globals.at[i].object >= object_span(p->globals.at[i].size)))
    return below_global(t, prog_global_of_object(p, o + 1), address, size,
                        is_write);
  const struct global *g = &p->globals.at[i];
  uint64_t offset = address - prog_global_address(p, i);
  if (!is_inside(offset, size, g->size))
    return out_of_bounds(t, g, offset, size, is_write);
  if (!g->is_constant)
    return (struct place){.where = AT_SHARED};
  if (is_write)
    return bad(thread_raise(t, FIND_READ_ONLY,
                            "write of %llu bytes to the constant `%s`",
                            (unsigned long long)size, prog_text(p, g->name)));
  return (struct place){.where = AT_CONSTANT, .bytes = g->bytes + offset};
}

static struct place at_region_0(struct thread *t, uint64_t address,
                                uint64_t size, bool is_write) {
  uint32_t index = object_index(pointer_object(address));
  const struct prog *p = t->vm->prog;
  if (index == INDEX_NULL && !is_below_next(address)) {
    if (address == 0)
      return bad(thread_raise(t, FIND_NULL_ACCESS,
                              "%s of %llu bytes through a null pointer",
                              verb(is_write), (unsigned long long)size));
    return bad(thread_raise(t, FIND_NULL_ACCESS,
                            "%s of %llu bytes through a null pointer plus %llu",
                            verb(is_write), (unsigned long long)size,
                            (unsigned long long)address));
  }
  if (index < INDEX_FUNC)
    return at_global(t, address, size, is_write);
  bool is_func = index - INDEX_FUNC < p->funcs.len;
  return bad(thread_raise(
      t, FIND_WILD_ACCESS, "%s of %llu bytes of code%s%s%s", verb(is_write),
      (unsigned long long)size, is_func ? " (function `" : "",
      is_func ? prog_text(p, p->funcs.at[index - INDEX_FUNC].name) : "",
      is_func ? "`)" : ""));
}

static struct place at_thread_local(struct thread *t, uint64_t address,
                                    uint64_t size, bool is_write) {
  const struct prog *p = t->vm->prog;
  object_id o = pointer_object(address);
  if (is_below_next(address))
    return below_global(t,
                        prog_global_of_tls(p, object_index(o) + 1 - INDEX_TLS),
                        address, size, is_write);
  uint32_t i = prog_global_of_tls(p, object_index(o) - INDEX_TLS);
  const struct global *g = i == UINT32_MAX ? NULL : &p->globals.at[i];
  if (!g || (g->is_private && object_region(o) != t->id + 1))
    return no_object(t, address, size, is_write);
  uint64_t offset = pointer_offset(address);
  if (!is_inside(offset, size, g->size))
    return out_of_bounds(t, g, offset, size, is_write);
  if (!g->is_private)
    return (struct place){.where = AT_SHARED};
  uint32_t at = t->vm->cold->tls_at[i] + (uint32_t)offset;
  return (struct place){AT_PRIVATE, t->bytes + at, at};
}

static bool has_variable_arguments(const struct prog *p) {
  for (uint32_t i = 0; i < p->code.len; i++)
    if (p->code.at[i].op == OP_va_start)
      return true;
  return false;
}

// Of another thread: only a va_list that it lent leads there.
static struct place at_local_of_other(struct thread *t, unsigned owner,
                                      uint64_t size, bool is_write) {
  if (is_write || !has_variable_arguments(t->vm->prog))
    return bad(thread_raise(t, FIND_WILD_ACCESS,
                            "%s of %llu bytes in the stack of thread %u",
                            verb(is_write), (unsigned long long)size, owner));
  thread_cut(t, "a thread that reads the variable arguments of thread %u",
             owner);
  return (struct place){.where = AT_STOP};
}

static struct place at_local(struct thread *t, uint64_t address, uint64_t size,
                             bool is_write) {
  object_id o = pointer_object(address);
  if (object_region(o) != t->id + 1)
    return at_local_of_other(t, object_region(o) - 1, size, is_write);
  uint32_t number = object_index(o) - INDEX_LOCAL;
  if (number >= t->locals.len)
    return bad(thread_raise(
        t, FIND_USE_AFTER_FREE,
        "%s of %llu bytes in a local variable whose function has returned",
        verb(is_write), (unsigned long long)size));
  const struct local *local = &t->locals.at[number];
  if (local->is_gone)
    return bad(thread_raise(
        t, FIND_USE_AFTER_FREE,
        "%s of %llu bytes in a local variable whose scope was left",
        verb(is_write), (unsigned long long)size));
  uint64_t offset = pointer_offset(address);
  if (!is_inside(offset, size, local->size))
    return bad(raise_bounds(t, offset, size, local->size, "a local variable",
                            is_write));
  uint32_t at = local->first + (uint32_t)offset;
  return (struct place){AT_PRIVATE, t->bytes + at, at};
}

// Is it a pointer that went below a local variable, or below the first object
// of the heap?
static bool is_below_object(const struct thread *t, uint64_t address) {
  uint32_t next = object_index(pointer_object(address)) + 1;
  return is_below_next(address) && next <= INDEX_SHARED &&
         (next == INDEX_SHARED || next - INDEX_LOCAL < t->locals.len);
}

static struct place below_object(struct thread *t, uint64_t address,
                                 uint64_t size, bool is_write) {
  bool is_heap = object_index(pointer_object(address)) + 1 == INDEX_SHARED;
  return bad(thread_raise(
      t, FIND_OUT_OF_BOUNDS, "%s of %llu bytes at %u bytes before %s",
      verb(is_write), (unsigned long long)size,
      POINTER_WINDOW - pointer_offset(address),
      is_heap ? "an object of the heap" : "a local variable"));
}

struct place memory_at(struct thread *t, uint64_t address, uint64_t undef,
                       uint64_t size, bool is_write) {
  if (undef &&
      thread_raise(t, FIND_UNINITIALIZED, "%s through an uninitialised pointer",
                   verb(is_write)))
    return (struct place){.where = AT_STOP};
  if (!pointer_canonical(address))
    return bad(thread_raise(
        t, FIND_WILD_ACCESS, "%s of %llu bytes at 0x%llx, which is no address",
        verb(is_write), (unsigned long long)size, (unsigned long long)address));
  object_id o = pointer_object(address);
  if (object_region(o) == 0)
    return at_region_0(t, address, size, is_write);
  if (is_below_object(t, address))
    return below_object(t, address, size, is_write);
  if (object_index(o) < INDEX_LOCAL)
    return at_thread_local(t, address, size, is_write);
  if (object_index(o) < INDEX_SHARED)
    return at_local(t, address, size, is_write);
  return (struct place){.where = AT_SHARED};
}

bool memory_check_aligned(struct thread *t, uint64_t address, unsigned size) {
  return address % size == 0 ||
         !thread_raise(t, FIND_MISALIGNED,
                       "atomic access of %u bytes at offset %u of its object",
                       size, pointer_offset(address));
}

// -- bytes

struct value memory_get(const struct thread *t, const struct place *p,
                        unsigned size) {
  struct value value = {0};
  memcpy(value.v, p->bytes, size);
  if (p->where == AT_PRIVATE)
    memcpy(value.undef, t->byte_undef + p->at, size);
  if (p->where == AT_PRIVATE && t->track.on)
    value.set = track_bytes(t, p->at, size);
  return value;
}

void memory_put(struct thread *t, const struct place *p, unsigned size,
                const struct value *value) {
  memcpy(t->bytes + p->at, value->v, size);
  memcpy(t->byte_undef + p->at, value->undef, size);
  if (t->track.on)
    track_put_bytes(t, p->at, size, value->set);
  memory_touch(t, p->at, size);
}

// The text is cut at the end of its object: a missing terminator is not worth
// a second finding inside the report of the first.
bool memory_text(const struct thread *t, uint64_t address, struct str *out) {
  const struct prog *p = t->vm->prog;
  object_id o = pointer_object(address);
  const uint8_t *bytes;
  uint64_t size;
  uint32_t i =
      pointer_canonical(address) ? prog_global_of_object(p, o) : UINT32_MAX;
  uint32_t number = object_index(o) - INDEX_LOCAL;
  if (i != UINT32_MAX && p->globals.at[i].is_constant) {
    bytes = p->globals.at[i].bytes;
    size = p->globals.at[i].size;
  } else if (object_region(o) == t->id + 1 && pointer_canonical(address) &&
             number < t->locals.len) {
    bytes = t->bytes + t->locals.at[number].first;
    size = t->locals.at[number].size;
  } else {
    return false;
  }
  uint64_t offset = pointer_offset(address);
  if (offset >= size)
    return false;
  str_add_bytes(out, (const char *)bytes + offset,
                strnlen((const char *)bytes + offset, size - offset));
  return true;
}
