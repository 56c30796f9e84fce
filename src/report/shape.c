// SPDX-License-Identifier: MIT
// The first named access leaves the structs with that field at its offset; each
// further one keeps those of them that fit it too.
#include "report/shape.h"

#include <string.h>

// The first field of the last object on the way: "next" in "q->head->next",
// "pos" in "v[i].pos.x". Yields its length; 0 when the text names no field, but
// what one points to ("*q->head").
static size_t root_field(const char *text, const char **ret) {
  const char *found = NULL;
  if (*text == '*')
    return 0;
  for (const char *at = text; (at = strstr(at, "->")); at += 2)
    found = at + 2;
  if (!found) {
    found = strchr(text, '.');
    found = found ? found + 1 : "";
  }
  *ret = found;
  return strcspn(found, ".[ ()+-*");
}

// The offset in one struct `t`, when the object is one or an array of them, or
// one that the library has put behind a head of its own: a virtual table, and
// counts.
static bool offset_in_struct(const struct shape *s, const struct type *t,
                             uint64_t offset, uint64_t *ret) {
  if (t->kind != TYPE_STRUCT || t->size == 0 || s->size < t->size)
    return false;
  if (s->has_head) {
    uint64_t head = (s->size - t->size) & ~UINT64_C(7);
    *ret = offset - head;
    return offset >= head && *ret < t->size;
  }
  if (offset >= t->size && s->size % t->size)
    return false;
  *ret = offset % t->size;
  return true;
}

static bool has_field(const struct prog *p, const struct type *t,
                      const char *name, size_t len, uint64_t offset) {
  for (uint32_t i = 0; i < t->members; i++) {
    const struct member *m = &p->members.at[t->first_member + i];
    const char *text = prog_text(p, m->name);
    uint64_t size = p->types.at[m->type].size;
    if (strlen(text) == len && strncmp(text, name, len) == 0 &&
        offset >= m->offset && offset < m->offset + (size ? size : 1))
      return true;
  }
  return false;
}

static bool fits(const struct shape *s, const struct prog *p, type_id t,
                 uint64_t offset, const char *name, size_t len) {
  uint64_t inside;
  return offset_in_struct(s, &p->types.at[t], offset, &inside) &&
         has_field(p, &p->types.at[t], name, len, inside);
}

const char *shape_field(const struct shape *s, uint64_t offset) {
  for (uint32_t i = 0; i < s->fields.len; i++)
    if (s->fields.at[i].offset == offset)
      return s->fields.at[i].path;
  return NULL;
}

void shape_learn(struct shape *s, const struct prog *p, uint64_t offset,
                 uint32_t size, const char *text) {
  s->cell = s->accesses++ == 0 || s->cell == size ? size : 0;
  const char *name;
  size_t len = root_field(text, &name);
  if (!len)
    return;
  if (!name[strcspn(name, "[ ()+-*")] && !shape_field(s, offset))
    array_push(&s->fields, (struct field_name){offset, name});
  if (!s->structs.len) {
    for (type_id t = 1; t < p->types.len; t++)
      if (fits(s, p, t, offset, name, len))
        array_push(&s->structs, t);
    return;
  }
  // An access that fits none of them looks at the object in another way.
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->structs.len; i++)
    if (fits(s, p, s->structs.at[i], offset, name, len))
      s->structs.at[kept++] = s->structs.at[i];
  if (kept)
    s->structs.len = kept;
}

void shape_learn_head(struct shape *s, const struct prog *p, uint64_t offset,
                      const char *text) {
  const char *name;
  uint64_t inside;
  size_t len = root_field(text, &name);
  bool is_in_head =
      s->has_head && offset && s->structs.len &&
      !offset_in_struct(s, &p->types.at[s->structs.at[0]], offset, &inside);
  if (len && is_in_head && !name[len] && !shape_field(s, offset))
    array_push(&s->fields, (struct field_name){offset, name});
}

void shape_done(struct shape *s) {
  array_done(&s->structs);
  array_done(&s->fields);
}

static bool says_the_same(const struct shape *s, const struct prog *p,
                          type_id a, type_id b, uint64_t offset) {
  uint64_t in_a, in_b;
  if (!offset_in_struct(s, &p->types.at[a], offset, &in_a) ||
      !offset_in_struct(s, &p->types.at[b], offset, &in_b))
    return false;
  struct str name = {0}, other = {0};
  prog_name_offset(p, a, in_a, 0, &name);
  prog_name_offset(p, b, in_b, 0, &other);
  bool is_same = strcmp(str_text(&name), str_text(&other)) == 0;
  str_done(&name);
  str_done(&other);
  return is_same;
}

// Of several structs that fit, the first is as good as any other if all of
// them have the same there.
static const struct type *struct_at(const struct shape *s, const struct prog *p,
                                    uint64_t offset, type_id *id,
                                    uint64_t *inside) {
  if (!s->structs.len)
    return NULL;
  *id = s->structs.at[0];
  const struct type *t = &p->types.at[*id];
  for (uint32_t i = 1; i < s->structs.len; i++)
    if (!says_the_same(s, p, *id, s->structs.at[i], offset))
      return NULL;
  return offset_in_struct(s, t, offset, inside) ? t : NULL;
}

void shape_name(const struct shape *s, const struct prog *p, uint64_t offset,
                uint64_t size, bool is_variable, struct str *out) {
  type_id id;
  uint64_t inside;
  const struct type *t = struct_at(s, p, offset, &id, &inside);
  if (t && s->has_head && inside == 0 && size == 0)
    return; // a pointer to what the head is for, not to its first member
  if (t) {
    struct str path = {0};
    prog_name_offset(p, id, inside, size, &path);
    bool is_array = s->size >= 2 * t->size && !s->has_head;
    if (is_array)
      str_add(out, "[%llu]", (unsigned long long)(offset / t->size));
    const char *rest = str_text(&path);
    if (!is_array && !is_variable && *rest == '.')
      str_add(out, "->%s", rest + 1);
    else
      str_add(out, "%s", rest);
    str_done(&path);
  } else if (shape_field(s, offset)) {
    str_add(out, "%s%s", is_variable ? "." : "->", shape_field(s, offset));
  } else if (s->cell && !s->has_head && !s->fields.len && s->size > s->cell &&
             offset % s->cell == 0) {
    str_add(out, "[%llu]", (unsigned long long)(offset / s->cell));
  } else if (offset) {
    str_add(out, "+%llu", (unsigned long long)offset);
  }
}

type_id shape_scalar_at(const struct shape *s, const struct prog *p,
                        uint64_t offset, uint64_t size) {
  type_id id;
  uint64_t inside;
  const struct type *t = struct_at(s, p, offset, &id, &inside);
  return t ? prog_scalar_at(p, id, inside, size) : 0;
}

bool shape_name_bits(const struct shape *s, const struct prog *p,
                     uint64_t offset, uint64_t size, uint64_t value,
                     struct str *out) {
  type_id id;
  uint64_t inside;
  return struct_at(s, p, offset, &id, &inside) &&
         prog_name_bits(p, id, inside, size, value, out);
}
