// SPDX-License-Identifier: MIT
// A look for a cycle that the text forbids, through a new event: without
// relations, by the routes that certainly are in those of the axioms, or by all
// that possibly are (facts/routes.c). What the first finds is refused. If the
// second finds nothing, the event does no harm. Else the judge decides.
//
// Let G be a graph that is not consistent, and G - e without the event e. Then
// some axiom has a cycle in G: of pairs of its relation, and each pair is a
// path of steps. If none of these paths meets e, all their steps are there in G
// - e, since two events are related by po, rf, co, fr, dependencies and
// updates, and are in sets, whether others are there or not; so G - e is not
// consistent either. What is asked of the two ends of a path depends on these
// two events alone, and questions that are left out only make more paths. So if
// each new event is on no cycle of possible paths in G, and the graph without
// the new events was consistent, G is.
//
// A cycle may meet e in the middle of a pair. So the walk begins at e in every
// state, and is asked in which states it comes back; then it begins in these
// alone, and so on. If a state comes back to itself, by way of others perhaps,
// it is never left out. A pair that is a path of its own may have e in its
// middle as well, while the walk only sees its two ends: so where such paths
// end is found first (exits), and the walk begins there, too. It has come back
// if a path leads over e.
#pragma once

#include "cat/judge/store.h"
#include "graph/graph.h"
#include "model/model.h"

enum { REFUTE_KEPT = 4096 };

// What is known of an event in the walk with this number.
struct refute_cell {
  uint32_t epoch;
  uint32_t graph; // of which the class is
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
  const uint32_t *limit; // of the refuter
  uint32_t graph;
  route_set start; // states in which it begins, until it has
  route_set back;  // states in which it came back
  bool goes_on;    // paths that end where it began are not asked for
  bool meets_deps;
  bool dep[4];               // some cell has states there
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

// Where a path ends that has the event in it.
struct refute_exit {
  uint32_t label;
  event_id id;
};

struct refuter {
  const struct cat *cat;
  uint64_t axioms;
  struct text_store *store;           // of the text, or NULL
  const struct stored_routes *routes; // if they are made
  uint32_t refused_by;                // which of them refused the last graph
  bool is_made;                       // for these sets:
  cat_sets classes[ROUTE_CLASSES];
  uint32_t nclasses; // more than there is room for: nothing is refuted
  struct refute_like {
    uint64_t key; // cat_sets_key of an event in that class
    uint8_t class;
  } like[16];
  const struct model_options *options;
  uint32_t work, most; // events that were looked at; may be
  event_id about;      // of which possible routes are asked, or NO_EVENT
  bool passes;         // a path led over it that began elsewhere
  bool is_unsure;      // a step was not made
  // By thread: what is behind this index does not lead to the event `limit_of`.
  uint32_t limit[64];
  event_id limit_of;    // NO_EVENT: they are not known
  uint32_t graph;       // its number
  ARRAY(uint32_t) seen; // by location: places in co before which all lead there
  ARRAY(struct refute_exit) exits;
  struct refute_walk walks[ROUTE_DEPTH];
  struct refute_moves *kept; // room for `room`, of which so many were used
  uint32_t room, used;
  ARRAY(struct route_move) moves;
};

void refuter_init(struct refuter *r, const struct cat *c, uint64_t axioms,
                  struct text_store *store);
void refuter_done(struct refuter *r);
// The graph may be another one than before.
void refuter_begin(struct refuter *r);
// Does a forbidden cycle lead through the event? False: it is not known.
bool refutes(struct refuter *r, struct graph *g, event_id e,
             const struct model_options *options);
// Does no possible cycle lead through the event? False: it is not known.
bool clears(struct refuter *r, struct graph *g, event_id e,
            const struct model_options *options);

// The class of the event; UINT8_MAX: there are too many.
uint8_t refuter_class_of(struct refuter *r, const struct event *e);

// before.c: walks are about this event, so only what may lead to it matters.
void walk_limit(struct refuter *r, const struct graph *g, event_id to);

// walk.c: a walk begins at an event.
void walk_begin(struct refuter *r, const struct graph *g, unsigned depth,
                event_id from, route_set states);
// It is somewhere else, too.
void walk_arrive(struct refute_walk *w, const struct graph *g, event_id id,
                 route_set states);
// Walks until there is nothing new. True: it came back, if that is asked.
bool walk_on(struct refuter *r, struct graph *g, const struct routes *routes,
             unsigned depth);
void walk_forget_moves(struct refuter *r);
