// SPDX-License-Identifier: MIT
// What axioms imply, by their form. See prove.c.
#pragma once

#include "cat/facts/analyse.h"

// Is every pair of `part`, whatever the execution, one of `whole`? False may
// mean that no proof was found.
bool cat_proves(struct nodes *n, node_id part, node_id whole);

// The relation whose closure x has by its form: of r+, or of x in `let rec x =
// r | x; x`. NO_NODE: it is not such a term. is_all: is there nothing else in
// x?
node_id cat_closure_of(struct nodes *n, node_id x, bool *is_all);

// facts.c: what the search may rely on. First whether cycles of po | rf or of
// dependencies and rf are possible; then the rest, which depends on when axioms
// are looked at.
void cat_prove_orders(struct cat_proved *found, const struct cat *c);
void cat_prove(struct cat_proved *found, const struct cat_analysis *a,
               const struct cat *c);

// symmetric.c: may threads that are created alike be exchanged? `n`: the
// model's nodes, which may become more.
bool cat_is_symmetric(struct nodes *n, const struct cat *c);

// bounded.c: does every event with which axioms break lie on a cycle of what
// TSO orders then, or at least of po | rf | co | fr?
enum cat_bounded { BOUNDED_NOT, BOUNDED_SC, BOUNDED_TSO };
struct cat_bound {
  uint64_t axioms;         // bits
  const uint64_t *classes; // combinations of sets (cat_sets)
  uint32_t n;
};
enum cat_bounded cat_find_bounded(const struct cat *c,
                                  const struct cat_proved *proved,
                                  const struct cat_bound *by);

// loads.c: does the axiom order a load that acquires, or has a fence that does
// behind it, with later writes?
bool cat_barriers_order(struct nodes *n, const struct cat *c,
                        const struct cat_axiom *x);
// Which orders of loads (enum load_order) are in its relation? `branch`: what
// follows a branch.
uint8_t cat_load_orders(struct nodes *n, const struct cat *c,
                        const struct cat_axiom *x, enum cat_base branch);
// And which, if only atomic accesses count (struct model: cycle_orders)?
uint8_t cat_cycle_orders(struct nodes *n, const struct cat *c,
                         const struct cat_axiom *x);
