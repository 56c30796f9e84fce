// SPDX-License-Identifier: MIT
// The axioms of the models, evaluated on a whole graph as relations. This is
// the definition; sc.c, rc11.c and the clocks of graph/ are the fast way to
// the same answers, and slow-check builds compare the two at every step. It is
// also how complete executions are judged under C++11's release sequences,
// which cannot be decided before the graph is complete.
#pragma once

#include "graph/rel.h"
#include "model/model.h"
#include "model/refusal.h"

// A relation in whose words a refusal may be told.
struct named_rel {
  const char *name; // NULL: the end of a list
  const struct rel *rel;
};

struct axioms {
  const struct graph *g;
  const struct model_options *options;
  struct rels rels;
  uint32_t n;
  event_id *events; // by number in the relations
  uint32_t *number; // by event_id
  struct rel *po, *rf, *co, *fr, *rmw, *loc, *eco, *hb, *sw;
  bool is_together; // the relations are about accesses, not about their pieces
  struct rel *same; // is_together: pieces of one access
  struct refusal *refusal; // NULL: nobody asks why
};

// Base relations and happens-before of graph g.
// The base relations alone, and eco and happens-before on top.
void axioms_init_base(struct axioms *a, const struct graph *g,
                      const struct model_options *options);
void axioms_add_hb(struct axioms *a);
void axioms_init(struct axioms *a, const struct graph *g,
                 const struct model_options *options);
void axioms_done(struct axioms *a);

// together.c: if the options say so, makes the relations about whole accesses:
// what holds of a piece of one holds of all its pieces. False: somebody sees a
// part of an atomic access.
bool axioms_put_together(struct axioms *a);

bool axioms_atomicity(struct axioms *a);
bool axioms_coherence(struct axioms *a); // irreflexive(hb;eco?)
bool axioms_psc(struct axioms *a);       // acyclic(psc)
// The order of sc events by the rule that was asked for, else the model's own.
bool axioms_sc_order(struct axioms *a, enum sc_rule own);
// whole.c: models that are texts, where accesses are in pieces.
bool axioms_whole_imm(struct axioms *a);
bool axioms_whole_armv8(struct axioms *a);
bool axioms_whole_c11(struct axioms *a);
// The models, each as a whole.
bool axioms_sc(struct axioms *a);
bool axioms_tso(struct axioms *a);
bool axioms_pso(struct axioms *a);
bool axioms_ra(struct axioms *a);
bool axioms_rc11(struct axioms *a);
bool axioms_xmm(struct axioms *a);

// The parts of what has no cycle that do not depend on co: of the order of all
// accesses (sc, tso, pso), and of psc, after which the axioms have no co.
struct rel *axioms_sc_base(struct axioms *a);
struct rel *axioms_tso_base(struct axioms *a);
struct rel *axioms_pso_base(struct axioms *a);
struct rel *axioms_psc_base(struct axioms *a);

// The weakest model there is: atomicity and coherence alone.
bool axioms_coherent(struct axioms *a);

// acyclic(r), told in the words of `parts` if it is not (explain.c).
bool axioms_acyclic(struct axioms *a, const char *axiom, const struct rel *r,
                    const struct named_rel *parts);
#define PARTS(...) ((const struct named_rel[]){__VA_ARGS__, {NULL, NULL}})
// A cycle of two ways, there by the first parts and back by the second.
void axioms_refuse_pair(struct axioms *a, const char *axiom,
                        const struct rel *there, const struct named_rel *by,
                        const struct rel *back,
                        const struct named_rel *back_by);

// Two unordered conflicting accesses, one of them non-atomic; false if none.
bool axioms_race(struct axioms *a, event_id *one, event_id *other);
