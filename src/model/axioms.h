// SPDX-License-Identifier: MIT
// Base relations of a graph and C11's happens-before, as relations: races are
// judged by these where clocks do not tell (C++11's release sequences, accesses
// in pieces), and slow-check builds compare the clocks of graph/ with them.
// What models say of a graph is in their texts (cat/definition.c).
#pragma once

#include "graph/rel.h"
#include "model/model.h"

struct axioms {
  const struct graph *g;
  const struct model_options *options;
  struct rels rels;
  uint32_t n;
  event_id *events; // by number in the relations
  uint32_t *number; // by event_id
  struct rel *po, *rf, *co, *fr, *rmw, *loc, *eco, *hb, *sw;
};

// Base relations and happens-before of graph g.
// The base relations alone, and eco and happens-before on top.
void axioms_init_base(struct axioms *a, const struct graph *g,
                      const struct model_options *options);
void axioms_add_hb(struct axioms *a);
void axioms_init(struct axioms *a, const struct graph *g,
                 const struct model_options *options);
void axioms_done(struct axioms *a);

// If the options say so, makes loc, po and happens-before relations of whole
// accesses: what holds of a piece of one holds of all its pieces.
void axioms_put_together(struct axioms *a);

// Two unordered conflicting accesses, one of them non-atomic; false if none.
bool axioms_race(struct axioms *a, event_id *one, event_id *other);
