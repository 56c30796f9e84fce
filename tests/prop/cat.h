// SPDX-License-Identifier: MIT
// Definitions of memory models as data: the part of herd's cat language that
// the files in models/ need. A definition is a list of `let` and of axioms;
// operators bind as in herd, here from loose to tight:
//
//   a | b    a; b    a \ b    a & b    a^-1 a? a+ a*    [set]  domain(a)
//   range(a)
//
// _ is the set of all events, 0 the empty relation. `if "variant" then a else
// b` is b. Flags are asked for on their own.
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/str.h"
#include "relation.h"

enum cat_base {
#define SET(name, events) CAT_##name,
#define SET_AS(id, name, events) CAT_##id,
#define RELATION(name, pairs) CAT_##name,
#define RELATION_AS(id, name, pairs) CAT_##id,
#include "cat_base.def"
#undef SET
#undef SET_AS
#undef RELATION
#undef RELATION_AS
  CAT_BASE
};

union cat_value {
  event_set set;
  struct relation relation;
};

// Operations in the order in which they are evaluated. An operand is a base
// name, or CAT_BASE plus the number of an earlier operation.
struct cat_operation {
  uint8_t kind;  // enum kind of cat.c
  bool is_set;   // its result; else a relation
  uint32_t a, b; // operands; b of an axiom is its name in `names`
};

struct cat_model {
  ARRAY(struct cat_operation) operations;
  struct strings names;
  uint32_t race_order; // the operand of that name; 0: there is none
};

// Reads a definition. False: `why` says what is wrong in which line, and there
// is nothing to free.
MUST_USE bool definition_parse(const char *file, const char *text,
                               struct cat_model *ret, struct diag *why);
MUST_USE bool definition_load(const char *file, struct cat_model *ret,
                              struct diag *why);
void definition_done(struct cat_model *m);

// The axioms that an execution of n events breaks, the first `most` of them.
unsigned cat_broken_axioms(const struct cat_model *m, unsigned n,
                           const union cat_value base[CAT_BASE],
                           const char *names[], unsigned most);
// The flags that it raises.
unsigned cat_raised_flags(const struct cat_model *m, unsigned n,
                          const union cat_value base[CAT_BASE],
                          const char *names[], unsigned most);
// Its relation `race-order` in an execution of n events; it has one.
struct relation cat_race_order(const struct cat_model *m, unsigned n,
                               const union cat_value base[CAT_BASE]);
// The name of the first axiom that an execution of n events breaks; NULL: the
// model allows it.
const char *cat_broken_axiom(const struct cat_model *m, unsigned n,
                             const union cat_value base[CAT_BASE]);
