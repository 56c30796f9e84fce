// SPDX-License-Identifier: MIT
// A model on a whole execution graph, from scratch: the definition of what it
// means. Slow; judge.h is the fast way to the same answers.
#pragma once

#include "cat/cat.h"
#include "graph/rel.h"
#include "model/model.h"

#define NO_NUMBER UINT32_MAX

// An event as a model sees it.
struct cat_event {
  uint64_t sets;   // see sets.h
  uint32_t thread; // one of its own if it is an initial write
  uint32_t loc;    // NO_NUMBER: none
  uint32_t co;     // place in co of the write that it is or reads
  uint32_t rf;     // of a read: its source, a number; else NO_NUMBER
  event_id id;     // in the graph; INIT_EVENT: an initial write
};

// A graph as base sets and relations. Sets are parts of the identity.
struct cat_world {
  struct rels rels;
  uint32_t n;
  struct cat_event *events;
  struct rel *base[CAT_BASE]; // NULL: not asked for
};

// The base values that a model needs, of a graph. `has_lives`: for flags, which
// see allocation and free.
void cat_world_init(struct cat_world *w, const struct cat *c,
                    const struct graph *g, const struct model_options *options,
                    bool has_lives);
// The same for given events (which it owns from now on), without program order,
// updates and dependencies: cat_world_add adds those, and po has to be closed.
void cat_world_of_events(struct cat_world *w, uint64_t uses,
                         struct cat_event *events, uint32_t n);
void cat_world_done(struct cat_world *w);

// Adds a pair to a base relation if anybody asks for it.
static inline void cat_world_add(struct cat_world *w, enum cat_base b,
                                 uint32_t x, uint32_t y) {
  if (w->base[b])
    rel_add(w->base[b], x, y);
}
void cat_world_close_po(struct cat_world *w);

struct cat_values {
  const struct cat *cat;
  struct cat_world *world;
  struct rel **at; // by node; NULL: not evaluated
};

void cat_values_init(struct cat_values *v, const struct cat *c,
                     struct cat_world *w);
void cat_values_done(struct cat_values *v);
struct rel *cat_value(struct cat_values *v, node_id x);
// Does what the axiom says hold?
bool cat_axiom_holds(struct cat_values *v, const struct cat_axiom *a);

// The first check that the world breaks; NULL: the model allows it.
const struct cat_axiom *cat_broken_in(const struct cat *c, struct cat_world *w);
const struct cat_axiom *cat_broken(const struct cat *c, const struct graph *g,
                                   const struct model_options *options);
