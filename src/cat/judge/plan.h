// SPDX-License-Identifier: MIT
// The nodes of a model that its tests need, in an order in which events can be
// added one after the other (judge.c).
#pragma once

#include "cat/facts/analyse.h"

enum demand {
  DEMAND_ALL,    // every pair of the node may matter
  DEMAND_MASKED, // of a sequence: only pairs that are in `mask` too
  DEMAND_LOOPS,  // of a sequence: only whether an event leads to itself
};

struct plan_step {
  uint8_t kind; // enum node_kind
  bool is_set;
  bool is_static;  // a set that only looks at the event itself
  bool is_virtual; // only asked pair by pair: nothing but its own is stored
  bool is_near;    // loc, int or ext, and not even that: the slots tell
  bool keeps_rows; // new events often lead to old ones: rows are kept complete
  bool is_transitive;
  uint8_t demand;
  uint8_t ordinal; // of a static set: where it is in `statics`
  // Operands, as steps; of a base: enum cat_base. A union of relations has
  // operands.at[a] and so on, b of them.
  uint32_t a, b;
  uint32_t mask; // step
};

static inline bool step_is_union(const struct plan_step *s) {
  return s->kind == NODE_UNION && !s->is_set;
}

// A step is operand a or b of its user.
struct plan_use {
  uint32_t user;
  bool is_right;
};

// The union of some steps is acyclic, irreflexive or empty.
struct plan_test {
  uint8_t test;
  uint32_t first, n; // in `leaves`
};

struct plan {
  ARRAY(struct plan_step) steps; // operands first, but for bodies of variables
  ARRAY(uint32_t) operands;      // of unions
  // These depend on each other through a `let rec`, and are repeated until
  // nothing changes.
  uint32_t rec_first, rec_end;
  ARRAY(uint32_t) statics;   // static sets, at most 64
  ARRAY(uint32_t) bases;     // base relations that are stored
  ARRAY(uint32_t) first_use; // by step, and one more
  ARRAY(struct plan_use) uses;
  // Two for each step: the steps that may have something at an event because it
  // leads there, or because it leads from there (bits, `words` words each). The
  // last are those that always may, but for base relations.
  ARRAY(uint64_t) wakes;
  uint32_t words;
  ARRAY(struct plan_test) tests;
  ARRAY(uint32_t) leaves;
  ARRAY(uint64_t) tested; // by step: bit t, it is a leaf of test t
  // An event that is added as the newest of all (ADD_NEWEST) breaks no test.
  bool is_lazy;
  uint64_t axioms; // what is tested, as bits
  // What a test takes away might still grow while the events of a graph are
  // added, if they are not added in the order of po | rf.
  bool is_fragile;
};

// `tests`: bits of the axioms to be judged. The model gets more nodes.
void plan_init(struct plan *p, struct cat *c, uint64_t tests);
void plan_done(struct plan *p);

// plan_active.c: which steps can matter to a test if no event is in another
// static set than these (bits, by ordinal)? Fills `words` words.
void plan_find_active(const struct plan *p, uint64_t present, uint64_t *active);

// narrow.c: puts other forms of the nodes in their places.
void plan_narrow(struct nodes *nodes, node_id *at, uint32_t n);
