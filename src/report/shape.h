// SPDX-License-Identifier: MIT
// What a heap or stack object is: malloc says no type, but the program names
// fields when it uses the object. An access written `node->next` at offset 8
// means that the object is of a struct that has a field `next` there; a few
// accesses leave one struct over. Without such a struct in the debug
// information the field keeps at least its name.
#pragma once

#include "base/str.h"
#include "bytecode/prog.h"

struct field_name {
  uint64_t offset;
  const char *path; // "next", of the program's strings
};

struct shape {
  uint64_t size;          // of the object, in bytes
  uint32_t accesses;      // learned from so far
  uint32_t cell;          // size of all of them, 0 when they differ
  bool has_head;          // it begins with a pointer to a virtual table
  ARRAY(type_id) structs; // that fit all accesses so far
  ARRAY(struct field_name) fields;
};

// An access of `size` bytes at `offset`, called `text` in the source.
void shape_learn(struct shape *s, const struct prog *p, uint64_t offset,
                 uint32_t size, const char *text);
// The same for the library's own part of an object, before the program's type.
void shape_learn_head(struct shape *s, const struct prog *p, uint64_t offset,
                      const char *text);
void shape_done(struct shape *s);

// Adds the path to `offset`: "->next", "[2].next", "[3]", "+8" or "".
// `is_variable`: the object is a variable, so fields follow a dot.
void shape_name(const struct shape *s, const struct prog *p, uint64_t offset,
                uint64_t size, bool is_variable, struct str *out);
// What the program calls the field at `offset`; NULL if it never did.
const char *shape_field(const struct shape *s, uint64_t offset);
// The scalar type at `offset`, 0 if unknown.
type_id shape_scalar_at(const struct shape *s, const struct prog *p,
                        uint64_t offset, uint64_t size);
// The bit-fields there, if these are bit-fields: "{1, -2}".
bool shape_name_bits(const struct shape *s, const struct prog *p,
                     uint64_t offset, uint64_t size, uint64_t value,
                     struct str *out);
