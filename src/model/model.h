// SPDX-License-Identifier: MIT
// What a memory model is to the rest of Heddle: a row in model.def and the
// functions behind it. The search adds events one at a time at the end of a
// thread, so a model only answers questions about the newest ones; the graph
// without them is consistent already.
#pragma once

#include "graph/graph.h"

struct model_options {
  bool c11_release_sequences; // C++11's rule instead of C++20's
  bool arm_ldar;              // armv8: acquire loads are LDAR, not LDAPR
  bool arm_llsc; // armv8: updates are LDXR/STXR loops, not single instructions
};

struct axioms;

struct model {
  const char *name;         // "rc11"
  const char *title;        // one line for `heddle models`
  bool tracks_dependencies; // it needs g->deps, and po ∪ rf may have cycles
  // Will `consistent` look at g->deps of all events when it is asked about e?
  // NULL unless the model tracks dependencies.
  bool (*needs_deps)(const struct graph *g, event_id e);
  bool ignores_hb; // its axioms say nothing about happens-before
  // Could a graph whose newest events are `e` (and, at a revisit, `other`,
  // else NO_EVENT) be consistent? Coherence and atomicity hold already, they
  // are the same in all models (explore/place.c).
  bool (*consistent)(struct graph *g, event_id e, event_id other,
                     const struct model_options *options);
  // The definition, on a whole graph (model/axioms.h).
  bool (*axioms)(struct axioms *a);
};

// All models, in the order of model.def; ends with NULL.
extern const struct model *const models[];
const struct model *model_find(const char *name); // NULL if there is none

// Judges a whole graph by the definition. Slow.
bool model_allows(const struct model *m, const struct graph *g,
                  const struct model_options *options);
// Two accesses that race by the definition; false if there are none. Slow.
bool model_race(const struct graph *g, const struct model_options *options,
                event_id *one, event_id *other);
// Slow-check builds: `accepted` is what the fast code said of this graph, whose
// clocks must agree with the relations too. Stops loudly if not.
void model_verify(const struct model *m, const struct graph *g,
                  const struct model_options *options, bool accepted);
