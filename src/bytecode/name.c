// SPDX-License-Identifier: MIT
// Names for addresses, as the source would write them: `queue.slots[2].seq`.
// Types come from debug information, so any of it may be missing; what is not
// known is shown as a byte offset.
#include "bytecode/prog.h"

#include <string.h>

static const struct type *get_type(const struct prog *p, type_id t) {
  return t && t < p->types.len ? &p->types.at[t] : NULL;
}

// The member that contains the offset; of a union, where several do, the first
// in which a scalar of `size` bytes begins there, or any scalar, or else the
// first.
static const struct member *member_at(const struct prog *p,
                                      const struct type *t, uint64_t offset,
                                      uint64_t size) {
  const struct member *first = NULL, *scalar = NULL;
  for (uint32_t i = 0; i < t->members; i++) {
    const struct member *m = &p->members.at[t->first_member + i];
    const struct type *mt = get_type(p, m->type);
    if (!mt || offset < m->offset || offset - m->offset >= mt->size)
      continue;
    type_id s = prog_scalar_at(p, m->type, offset - m->offset, size);
    if (s && (!size || p->types.at[s].size == size))
      return m;
    if (s && !scalar)
      scalar = m;
    if (!first)
      first = m;
  }
  return scalar ? scalar : first;
}

static uint64_t first_bit(const struct member *m) {
  return 8 * m->offset + m->bit;
}

// The member after a bit-field, if that is one without a gap.
static const struct member *
next_bits(const struct prog *p, const struct type *t, const struct member *m) {
  const struct member *next = m + 1,
                      *end = p->members.at + t->first_member + t->members;
  bool goes_on =
      next < end && next->bits && first_bit(next) == first_bit(m) + m->bits;
  return goes_on ? next : NULL;
}

// What holds a value of a library, and nothing else, is not named: the value of
// `std::atomic<int> n` is `n`, not `n._M_i`, and the mutex in `std::mutex m` is
// `m`, not `m.__data`.
static bool is_hidden(const struct prog *p, const struct type *t,
                      const struct member *m) {
  const char *name = prog_text(p, m->name);
  return (strncmp(name, "_M_", 3) == 0 || strncmp(name, "__", 2) == 0) &&
         get_type(p, m->type)->size == t->size;
}

// A bit-field is accessed with those that follow it: `.{a, b}`.
static void name_member(const struct prog *p, const struct type *t,
                        const struct member *m, struct str *out) {
  bool are_many = m->bits && next_bits(p, t, m);
  if (*prog_text(p, m->name))
    str_add(out, are_many ? ".{%s" : ".%s", prog_text(p, m->name));
  while (are_many && (m = next_bits(p, t, m)))
    str_add(out, ", %s", prog_text(p, m->name));
  if (are_many)
    str_add(out, "}");
}

// One step down into the type: the part at `*offset`, which becomes relative
// to it. Its name goes to `out` when that is not NULL. 0: no further.
static type_id descend(const struct prog *p, type_id t, uint64_t *offset,
                       uint64_t size, struct str *out) {
  const struct type *type = get_type(p, t);
  if (!type || *offset >= type->size)
    return 0;
  if (type->kind == TYPE_ARRAY) {
    const struct type *element = get_type(p, type->element);
    if (!element || !element->size)
      return 0;
    if (out)
      str_add(out, "[%llu]", (unsigned long long)(*offset / element->size));
    *offset %= element->size;
    return type->element;
  }
  const struct member *m =
      type->kind == TYPE_STRUCT ? member_at(p, type, *offset, size) : NULL;
  if (!m)
    return 0;
  if (out && !is_hidden(p, type, m))
    name_member(p, type, m, out);
  *offset -= m->offset;
  return m->type;
}

// Is nothing of a class there but its members? Virtual bases, which are none,
// lie behind a pointer to a virtual table, its own or that of a base.
static bool is_all_members(const struct prog *p, const struct type *t) {
  for (uint32_t i = 0; i < t->members; i++) {
    const struct member *m = &p->members.at[t->first_member + i];
    const struct type *mt = get_type(p, m->type);
    const char *name = prog_text(p, m->name);
    if (!mt || strncmp(name, "_vptr", 5) == 0 ||
        (!*name && mt->kind == TYPE_STRUCT && !is_all_members(p, mt)))
      return false;
  }
  return true;
}

// Does the offset lie between two members, or behind the last one?
static bool is_padding(const struct prog *p, const struct type *t,
                       uint64_t offset) {
  return t->kind == TYPE_STRUCT && t->members && offset < t->size &&
         is_all_members(p, t) && !member_at(p, t, offset, 0);
}

void prog_name_offset(const struct prog *p, type_id t, uint64_t offset,
                      uint64_t size, struct str *out) {
  if (!get_type(p, t))
    return;
  for (type_id next = t; next; next = descend(p, next, &offset, size, out))
    t = next;
  if (offset)
    str_add(out, "+%llu%s", (unsigned long long)offset,
            is_padding(p, get_type(p, t), offset) ? " (padding)" : "");
}

bool prog_name_part(const struct prog *p, type_id t, uint64_t offset,
                    uint64_t size, struct str *out) {
  for (type_id next = t; next; next = descend(p, next, &offset, size, out))
    if (offset == 0 && p->types.at[next].size == size)
      return true;
  return false;
}

uint64_t prog_scalar_around(const struct prog *p, type_id t, uint64_t offset) {
  while (get_type(p, t) && p->types.at[t].kind != TYPE_SCALAR)
    t = descend(p, t, &offset, 0, NULL);
  return get_type(p, t) ? p->types.at[t].size : 0;
}

type_id prog_scalar_at(const struct prog *p, type_id t, uint64_t offset,
                       uint64_t size) {
  while (get_type(p, t) && p->types.at[t].kind != TYPE_SCALAR)
    t = descend(p, t, &offset, size, NULL);
  return get_type(p, t) && offset == 0 ? t : 0;
}

bool prog_name_bits(const struct prog *p, type_id t, uint64_t offset,
                    uint64_t size, uint64_t value, struct str *out) {
  const struct type *type = NULL; // the innermost one that has members
  uint64_t at = 0;                // the offset in it
  while (get_type(p, t) && p->types.at[t].kind != TYPE_SCALAR) {
    type = get_type(p, t);
    at = offset;
    t = descend(p, t, &offset, 0, NULL);
  }
  const struct member *m =
      t && type && type->kind == TYPE_STRUCT ? member_at(p, type, at, 0) : NULL;
  if (!m || !m->bits || at != m->offset || size > 8)
    return false;
  bool are_many = next_bits(p, type, m);
  str_add(out, are_many ? "{" : "");
  for (const struct member *k = m; k; k = next_bits(p, type, k)) {
    uint64_t from = first_bit(k) - 8 * at;
    if (from + k->bits > 8 * size)
      break;
    uint64_t up = value << (64 - from - k->bits);
    bool is_signed = p->types.at[k->type].is_signed;
    str_add(out, is_signed ? "%s%lld" : "%s%llu", k == m ? "" : ", ",
            is_signed ? (long long)up >> (64 - k->bits)
                      : (long long)(up >> (64 - k->bits)));
  }
  str_add(out, are_many ? "}" : "");
  return true;
}

bool prog_name_address(const struct prog *p, uint64_t address, uint64_t size,
                       struct str *out) {
  if (!pointer_canonical(address))
    return false;
  uint32_t i = prog_global_of_object(p, pointer_object(address));
  if (i == UINT32_MAX)
    return false;
  const struct global *g = &p->globals.at[i];
  uint64_t offset = address - prog_global_address(p, i);
  str_add(out, "%s", prog_text(p, g->name));
  if (get_type(p, g->type))
    prog_name_offset(p, g->type, offset, size, out);
  else if (offset)
    str_add(out, "+%llu", (unsigned long long)offset);
  return true;
}
