// SPDX-License-Identifier: MIT
// Paths that certainly are in the relations of axioms, or all that may be: a
// lower and an upper bound of what a text forbids, as an automaton that walks
// from event to event. See routes.c.
#pragma once

#include "cat/cat.h"
#include "cat/eval/sets.h"

enum route_bound { ROUTES_CERTAIN, ROUTES_POSSIBLE };

enum route_side { SIDE_ANY, SIDE_INT, SIDE_EXT };

// What is asked of the two ends of a step.
struct route_filter {
  uint8_t side;  // enum route_side: of one thread, or of two
  bool same_loc; // accesses of one location
  bool in_po;    // one before the other, in one thread
  bool not_id;   // two events
};

// A set of states.
typedef unsigned __int128 route_set;

enum {
  ROUTE_STATES = 128,
  ROUTE_LABELS = 32,
  ROUTE_CLASSES = 64,
  ROUTE_DEPTH = 3, // of routes within routes
  ROUTE_MACRO = CAT_BASE,
};

// A step from one event to another.
struct route_label {
  uint32_t base; // enum cat_base; ROUTE_MACRO: a path, `node`
  node_id node;
  struct route_filter filter;
  bool is_back; // from its end to its beginning
};

// With this label, from one state to any of these.
struct route_move {
  uint32_t label;
  route_set to;
};

struct routes {
  uint32_t nstates, nlabels;
  bool lacks; // possible ones: there may be others, which are not here
  struct route_label labels[ROUTE_LABELS];
  struct routes *subs[ROUTE_LABELS]; // of paths
  // Where a path begins. One that leads from there to an event of class c and
  // a state of `ends[c]` is in the relation of an axiom that forbids it if it
  // came back to where it began. (Of a path: it is in that.)
  route_set begins;
  route_set ends[ROUTE_CLASSES];
  route_set live[ROUTE_CLASSES]; // states that lead on from there
  route_set inner;               // states that some step leads to
  // Of class c in state s: moves.at[first.at[c * nstates + s]] and so on, up to
  // those of the next.
  ARRAY(uint32_t) first;
  ARRAY(struct route_move) moves;
};

static inline route_set route_state(uint32_t s) {
  return (route_set)1 << s;
}

// The first of some states, which are not none.
static inline uint32_t route_first(route_set states) {
  uint64_t low = (uint64_t)states;
  return low ? (uint32_t)__builtin_ctzll(low)
             : 64 + (uint32_t)__builtin_ctzll((uint64_t)(states >> 64));
}

// Of axioms in `axioms` (bits), for events with these sets: of the first ones,
// as many as there is room for. Yields the others. (Possible ones go on after
// an end where paths begin, whatever the axiom tests.)
uint64_t routes_init(struct routes *r, const struct cat *c, uint64_t axioms,
                     enum route_bound bound, const cat_sets *classes,
                     uint32_t nclasses);
void routes_done(struct routes *r);
