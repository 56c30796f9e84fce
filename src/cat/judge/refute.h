// SPDX-License-Identifier: MIT
// A quick look for a cycle that the text forbids, through the newest event:
// without relations, by the routes that certainly are in those of the axioms
// (facts/routes.c). What it finds is refused; if it finds nothing, the judge
// decides.
#pragma once

#include "cat/facts/routes.h"
#include "graph/graph.h"
#include "model/model.h"

// What is known of an event in the walk with this number.
struct refute_cell {
  uint32_t epoch;
  uint8_t class;
  uint64_t in;      // states in which it was reached, but for po
  uint64_t done;    // states from which its moves were made
  uint64_t after;   // states in which po arrives at what comes after it,
  uint64_t inside;  // ... in its own thread alone,
  uint64_t crossed; // and at what comes after it, from another thread
  uint64_t dep[4];  // states in which addr, data, ctrl, ctrl-after lead on
};

struct refuter {
  const struct cat *cat;
  uint64_t axioms;
  struct routes routes;
  bool is_made; // for these sets:
  cat_sets classes[ROUTE_CLASSES];
  uint32_t nclasses; // more than there is room for: nothing is refuted
  bool has_dep[4];   // do routes go by addr, data, ctrl, ctrl-after?
  bool meets_deps;   // does this walk?
  ARRAY(struct refute_cell) cells; // by event_id
  uint32_t epoch, work;
  event_id goal;
  uint32_t from[64], to[64]; // by thread: indices that may have to be looked at
  uint64_t dirty;            // threads
};

void refuter_init(struct refuter *r, const struct cat *c, uint64_t axioms);
void refuter_done(struct refuter *r);
// Does a forbidden cycle lead through the event? False: it is not known.
bool refutes(struct refuter *r, struct graph *g, event_id e,
             const struct model_options *options);
