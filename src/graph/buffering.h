// SPDX-License-Identifier: MIT
// Races of load buffering: a read and a write of its location that comes after
// it by po ∪ rf, not ordered by happens-before, which it does not read. It
// could have: so something may lead on from the write to the read.
#pragma once

#include "graph/graph.h"

struct buffering_race {
  event_id read, write;
};

// Of two races the one whose read comes first and whose write comes last is
// enough: whatever leads to and from the other one leads to and from it.
struct buffering {
  ARRAY(struct buffering_race) races;
  ARRAY(uint64_t) after; // rows: bit k of row i if race i leads to race k
  // Reads that lead to their sources, by po ∪ rf ∪ race⁻¹: what they read is on
  // a cycle of that.
  ARRAY(event_id) reads;
};

// `is_cyclic`: the graph may have cycles of po ∪ rf itself. What was found
// before is forgotten.
void buffering_find(const struct graph *g, bool is_cyclic,
                    struct buffering *ret);
void buffering_done(struct buffering *b);
