// SPDX-License-Identifier: MIT
// A graph with guesses (guess.c) for which writes were found: what it is then,
// with cycles of po ∪ rf, and its core.
#pragma once

#include "explore/justify/justify.h"
#include "graph/rel.h"

typedef ARRAY(uint64_t) words;

// The guesses of a graph and the writes that were found for them.
struct bound {
  const struct graph *g;
  uint32_t *number; // of events, without gaps
  uint32_t n;
  ARRAY(event_id) reads;  // the guesses
  ARRAY(event_id) writes; // for each of them
  struct rel *porf;
  bool *in_core; // by event_id
};

// Fills porf, an empty relation, with the steps of po and rf.
void bound_fill_porf(struct bound *b);
// Marks what comes before a cycle; porf is transitive now. False: a guess is on
// no cycle, so that there is a graph without it that has the same core.
bool bound_find_core(struct bound *b);
// Two cores are the same iff their keys are.
void bound_write_key(const struct bound *b, words *key);
// The core as a script, and as a graph.
struct core *bound_script(const struct bound *b);
void bound_copy(struct vm *vm, const struct bound *b, struct graph *ret);
