// SPDX-License-Identifier: MIT
// Between the parts of routes.c: the automaton as the terms spell it.
#pragma once

#include "base/array.h"
#include "cat/facts/recursion.h"
#include "cat/facts/routes.h"

#include <stdbool.h>

#define NO_NUMBER UINT32_MAX

// Between states. `label` NO_NUMBER: no step, but the event has to be of one of
// the classes.
struct edge {
  uint32_t from, to, label;
  uint64_t classes;
};

// Of a group of variables, once it was asked for.
struct known_recursion {
  bool is_known, is_found;
  struct recursion as;
};

struct builder {
  const struct cat *cat;
  const struct nodes *nodes;
  const cat_sets *classes;
  uint32_t nclasses, nstates, unfolded;
  uint32_t terms; // that were looked at
  uint32_t ngroups;
  uint32_t depth; // within how many other routes
  bool is_upper;  // all paths that may be
  bool is_full;
  struct routes *routes;
  const uint64_t *in;  // by node, a static set: classes that are in it
  const bool *is_void; // by node: it has nothing, for events of these classes
  struct known_recursion *recursions; // by group
  ARRAY(struct edge) edges;
};

static inline uint64_t all_classes(const struct builder *b) {
  return ~UINT64_C(0) >> (64 - b->nclasses);
}

// routes_terms.c: a state, and what leads from one to another without a step.
uint32_t routes_state(struct builder *b);
void routes_stay(struct builder *b, uint32_t from, uint32_t to,
                 uint64_t classes);
// Adds the paths of x from one state to another; false: there are none.
bool routes_build(struct builder *b, node_id x, struct route_filter f,
                  uint32_t from, uint32_t to);

// That of A & B^-1 = 0: from one end of such a pair to the other and back.
bool routes_build_empty(struct builder *b, node_id x, uint32_t from,
                        uint32_t to);

// routes_void.c: which terms have nothing. The caller frees it.
bool *routes_find_void(const struct nodes *n, const uint64_t *in);

// routes_merge.c: fills b->routes with the automaton from `begin` to `end`.
// False: there are too many states, at least `b->ngroups`.
bool routes_reduce(struct builder *b, uint32_t begin, uint32_t end);
