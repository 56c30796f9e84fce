// SPDX-License-Identifier: MIT
// A model on a whole execution graph, from scratch: the definition of what it
// means. Slow; judge.h is the fast way to the same answers.
#pragma once

#include "cat/cat.h"
#include "graph/rel.h"
#include "model/model.h"

// The graph as base sets and relations. Sets are parts of the identity.
struct cat_world {
  const struct graph *g;
  struct rels rels;
  uint32_t n;
  event_id *events;           // by number; INIT_EVENT: an initial write,
  uint32_t *locs;             // of this location
  struct rel *base[CAT_BASE]; // NULL: not asked for
};

// The base values that the model needs.
void cat_world_init(struct cat_world *w, const struct cat *c,
                    const struct graph *g, const struct model_options *options);
void cat_world_done(struct cat_world *w);

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

// The first check that the graph breaks; NULL: the model allows it.
const struct cat_axiom *cat_broken(const struct cat *c, const struct graph *g,
                                   const struct model_options *options);
