// SPDX-License-Identifier: MIT
// A graph with guesses (guess.c) for which writes were found: what it is then,
// with cycles of po ∪ rf, and its core.
#pragma once

#include "explore/cycles/justify/justify.h"

typedef ARRAY(uint64_t) words;

// The guesses of a graph and the writes that were found for them.
struct bound {
  const struct graph *g;
  ARRAY(event_id) reads;        // the guesses
  ARRAY(event_id) writes;       // for each of them
  uint32_t length[MAX_THREADS]; // of the core: the first events of each thread
};

// Finds what comes before a cycle.
void bound_find_core(struct bound *b);
// Two cores are the same iff their keys are.
void bound_write_key(const struct bound *b, words *key);
// The core as a script, and as a graph.
struct core *bound_script(const struct bound *b);
void bound_copy(struct vm *vm, const struct bound *b, struct graph *ret);
