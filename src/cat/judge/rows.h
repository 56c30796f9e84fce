// SPDX-License-Identifier: MIT
// A model on some events of a graph, by rows: of each relation only what is
// asked for is computed, where one event leads to, and kept. A test that asks
// for little (a pair of conflicting accesses, say) costs little, however large
// the relations are that could tell.
#pragma once

#include "cat/facts/recursion.h"
#include "cat/judge/part.h"

// What is known of the nodes of a model before there is a graph.
struct rows_plan {
  const struct cat *cat;
  bool is_possible; // no variable of a `let rec` is a set
  uint32_t n;       // nodes
  struct rows_node {
    uint32_t make;  // roughly, what a row costs,
    uint32_t ask;   // and whether a pair is in it
    uint32_t terms; // that are looked at to answer that
    bool is_transitive;
    // Of an intersection or a difference: what must have a pair, the first to
    // make a row with, and what must not, each by costs; in `factors`.
    uint32_t first, positive, negative;
  } * nodes;
  ARRAY(node_id) factors;
  struct recursion **recursions; // by group: an automaton, or NULL
};

struct rows_plan *rows_plan_new(const struct cat *c);
void rows_plan_free(struct rows_plan *p);

struct rows {
  const struct rows_plan *plan;
  const struct nodes *nodes;
  struct part *part;
  uint32_t n, words;
  uint64_t *classes; // by node, a static set: which classes of events are in it
  uint64_t **members; // by node, a set: as bits; NULL: not known
  uint8_t *is_empty;  // by node: it has nothing, since some set has nothing
  uint64_t ***at[2];  // by node and event, NULL: not known; [1]: from where
  uint64_t *nothing;  // a row
  bool *is_solved;    // by group
  ARRAY(void *) blocks;
  char *room; // in the newest block
  size_t left;
};

void rows_init(struct rows *r, const struct rows_plan *plan, struct part *part);
void rows_done(struct rows *r);

// Where x leads to by a relation, or (`is_back`) from where. Most rows are
// asked for again.
const uint64_t *rows_make_row(struct rows *r, node_id a, uint32_t x,
                              bool is_back);
static inline const uint64_t *rows_row(struct rows *r, node_id a, uint32_t x,
                                       bool is_back) {
  uint64_t **known = r->at[is_back][a];
  return known && known[x] ? known[x] : rows_make_row(r, a, x, is_back);
}
// Is x in a set?
bool rows_is_in(struct rows *r, node_id set, uint32_t x);
bool rows_has(struct rows *r, node_id a, uint32_t x, uint32_t y);
// Which axioms, the first 64, are about nothing (bits), if all events are in
// these combinations of sets, at most 64?
uint64_t rows_find_idle(const struct rows_plan *plan, const cat_sets *classes,
                        uint32_t n, bool has_lives);
// Does what the axiom says hold among the events?
bool rows_hold(struct rows *r, const struct cat_axiom *a);
