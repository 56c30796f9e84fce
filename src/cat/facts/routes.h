// SPDX-License-Identifier: MIT
// Paths that certainly are in the relations of axioms: a lower bound of what a
// text forbids, as an automaton that walks from event to event. See routes.c.
#pragma once

#include "cat/cat.h"
#include "cat/eval/sets.h"

enum route_side { SIDE_ANY, SIDE_INT, SIDE_EXT };

// A step from one event to another.
struct route_label {
  uint8_t base; // enum cat_base
  uint8_t side; // enum route_side: between which threads
  bool is_back; // from its end to its beginning
  bool same_loc;
};

// With this label, from one state to any of these.
struct route_move {
  uint32_t label;
  uint64_t to;
};

enum { ROUTE_STATES = 64, ROUTE_LABELS = 32, ROUTE_CLASSES = 64 };

struct routes {
  uint32_t nstates, nlabels;
  struct route_label labels[ROUTE_LABELS];
  // Where a path begins. One that leads from there to an event of class c and
  // a state of `ends[c]` is in the relation of an axiom that forbids it if it
  // came back to where it began.
  uint64_t begins;
  uint64_t ends[ROUTE_CLASSES];
  // Of class c in state s: moves.at[first.at[c * nstates + s]] and so on, up to
  // those of the next.
  ARRAY(uint32_t) first;
  ARRAY(struct route_move) moves;
};

// Of the axioms in `axioms` (bits), for events with these sets. As many of them
// as there is room for.
void routes_init(struct routes *r, const struct cat *c, uint64_t axioms,
                 const cat_sets *classes, uint32_t nclasses);
void routes_done(struct routes *r);
