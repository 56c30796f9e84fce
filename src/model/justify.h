// SPDX-License-Identifier: MIT
// Models in which a graph with cycles of po ∪ rf is an execution only if
// another execution *justifies* it. A row of model.def has a justifier then,
// and explore/cycles/justify/justify.c asks it.
#pragma once

#include "base/array.h"
#include "graph/buffering.h"

struct model;
struct model_options;
struct cyclic;  // a graph with cycles, and what it needs to be justified
struct witness; // an execution that may justify others

// An edge of rf, as places in threads.
struct justified_edge {
  uint32_t from_thread, from_index, to_thread, to_index;
};

// A read, as a place in its thread, that has another value in the other
// execution.
struct changed_read {
  uint32_t thread, index;
  uint64_t value; // there
};

// How it was done: the edges that were taken from the other execution; reads of
// the cycles that are different there; and an order of the threads in which,
// executed again, every other read finds its source.
struct justification {
  ARRAY(struct justified_edge) edges;
  ARRAY(struct changed_read) changed;
  ARRAY(uint32_t) threads;
};

struct justifier {
  // Takes over a graph, all of which comes before its cycles; NULL if the model
  // does not allow it in any case. (The graph's own memory is the caller's.)
  struct cyclic *(*cyclic_new)(const struct model *m, struct graph *g,
                               const struct model_options *options);
  void (*cyclic_free)(struct cyclic *c);
  // Was something left out, since there are too many ways to justify it?
  bool (*is_cut)(const struct cyclic *c);
  // (Both are looked at as long as it is there. What justifies something has
  // reads that lead to their sources.)
  struct witness *(*witness_new)(const struct graph *g,
                                 const struct buffering *buffering);
  void (*witness_free)(struct witness *w);
  // Marks, roughly: what justifies a graph has all that are needed.
  uint64_t (*marks)(const struct witness *w);
  uint64_t (*needs)(const struct cyclic *c);
  // With detours (graph/buffering.h): may it, with rounds that are not there?
  bool (*justifies)(struct witness *w, const struct cyclic *c,
                    struct justification *how); // NULL: that does not matter
  // May a read know the value of this write before it is there? Some edge of
  // each cycle of an execution comes from such a write.
  bool (*may_precede)(const struct event *write);
};
