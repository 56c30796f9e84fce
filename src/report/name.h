// SPDX-License-Identifier: MIT
// Names of things for people: a location is `queue.slots[2]` or
// `malloc#1->next`, a value is `-1`, `NULL` or `&x`. A raw number appears only
// when nothing else is known.
#pragma once

#include "base/str.h"
#include "explore/explore.h"
#include "report/shape.h"

// The names of one execution. Heap objects are numbered by thread and program
// order, so the numbers do not depend on the search.
struct names {
  const struct prog *prog;
  struct vm *vm;
  const struct graph *graph;
  ARRAY(struct object_name) objects; // by object_no
  // Fields of unknown type in which some object holds a pointer: 0 is NULL.
  ARRAY(const char *) pointer_fields;
  ARRAY(type_id) accessed; // by location: as what, 0 or SEVERAL_TYPES
};
#define SEVERAL_TYPES UINT32_MAX

struct object_name {
  char *label;      // "malloc#1"; NULL: not part of this execution
  bool is_variable; // a local variable that threads share
  struct shape shape;
};

void names_init(struct names *n, const struct prog *p, struct vm *vm,
                const struct graph *g);
void names_done(struct names *n);

// Where an event is in the program; NULL when nowhere.
const struct source *source_of_event(const struct names *n,
                                     const struct event *e);

void name_location(const struct names *n, loc_id l, struct str *out);
void name_object(const struct names *n, object_no o, struct str *out);
void name_pointer(const struct names *n, uint64_t pointer, struct str *out);
// A value of location `l`, printed by the type that is known there.
void name_value(const struct names *n, loc_id l, uint64_t value,
                struct str *out);
// The same for an access with that type (0: unknown).
void name_value_as(const struct names *n, loc_id l, uint64_t value, type_id as,
                   struct str *out);
// What location `l` holds before the first write; false: nothing is printed,
// since it is uninitialised.
bool name_initial(const struct names *n, loc_id l, struct str *out);
// Bytes as a C string literal, with quotes.
void name_bytes(const char *bytes, size_t len, struct str *out);
// The last part of a path.
const char *base_name(const char *path);
