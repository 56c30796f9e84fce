// SPDX-License-Identifier: MIT
// A quick look for a cycle that the text forbids, through the newest event:
// without relations, by the routes that certainly are in those of the axioms
// (facts/routes.c). What it finds is refused; if it finds nothing, the judge
// decides.
#pragma once

#include "cat/facts/routes.h"
#include "graph/graph.h"
#include "model/model.h"

enum { REFUTE_ROUTES = 6, REFUTE_KEPT = 1024 };

// What is known of an event in the walk with this number.
struct refute_cell {
  uint32_t epoch;
  uint8_t class, ext;
  route_set in;      // states in which it was reached, but for po
  route_set done;    // states from which its moves were made
  route_set after;   // states in which po arrives at what comes after it,
  route_set inside;  // ... in its own thread alone,
  route_set crossed; // and at what comes after it, from another thread
  // Also in these by a step that leads to all writes behind it in co (`ext`: to
  // those of other threads than this one), or to all accesses of its thread to
  // its location behind it.
  route_set by_co, by_co_ext, by_loc;
  route_set dep[4]; // states in which addr, data, ctrl, ctrl-after lead on
};

// A walk from one event. Steps may be paths, which are walks of their own.
struct refute_walk {
  ARRAY(struct refute_cell) cells; // by event_id
  ARRAY(event_id) found;           // ends of a path
  uint32_t epoch;
  event_id origin;
  bool meets_deps;
  uint32_t from[64], to[64]; // by thread: indices that may have to be looked at
  uint64_t dirty;            // threads
};

// Where an event of a class leads from some states together: most walks ask
// the same.
struct refute_moves {
  const struct routes *routes; // NULL: nothing is kept here
  route_set states;
  uint8_t class;
  uint32_t first, n; // in `moves`
};

struct refuter {
  const struct cat *cat;
  uint64_t axioms;
  struct routes routes[REFUTE_ROUTES]; // of some axioms each
  uint32_t nroutes;
  bool is_made; // for these sets:
  cat_sets classes[ROUTE_CLASSES];
  uint32_t nclasses; // more than there is room for: nothing is refuted
  const struct model_options *options;
  uint32_t work;
  struct refute_walk walks[ROUTE_DEPTH];
  struct refute_moves kept[REFUTE_KEPT];
  ARRAY(struct route_move) moves;
};

void refuter_init(struct refuter *r, const struct cat *c, uint64_t axioms);
void refuter_done(struct refuter *r);
// Does a forbidden cycle lead through the event? False: it is not known.
bool refutes(struct refuter *r, struct graph *g, event_id e,
             const struct model_options *options);
