// SPDX-License-Identifier: MIT
// Races of load buffering: a read and a write of its location that comes after
// it by po ∪ rf, not ordered by happens-before, which it does not read. It
// could have: so something may lead on from the write to the read.
#pragma once

#include "graph/graph.h"

struct buffering_race {
  event_id read, write;
  bool synchronises; // of a round that is not there: and so it happens before
};

// Of two races the one whose read comes first and whose write comes last is
// enough: whatever leads to and from the other one leads to and from it.
struct buffering {
  ARRAY(struct buffering_race) races;
  ARRAY(uint64_t) after; // rows: bit k of row i if race i leads to race k
  // Reads that lead to their sources, by po ∪ rf ∪ race⁻¹: what they read is on
  // a cycle of that.
  ARRAY(event_id) reads;
  const struct detours *detours; // NULL: none were asked for
  uint64_t steps;                // that may still be made to find all of this
};

// Rounds of loops that the graph does without: where in their threads some
// could be, and events that are in some.
struct detours {
  ARRAY(event_id) places; // right before which
  ARRAY(struct event) events;
};

// `is_cyclic`: the graph may have cycles of po ∪ rf itself. What was found
// before is forgotten. With detours, more may lead to more: whatever leads
// somewhere in the graph with any number of such rounds does so here. False: it
// would take too long, and is not known.
MUST_USE bool buffering_find(const struct graph *g, bool is_cyclic,
                             const struct detours *detours,
                             struct buffering *ret);
// May a read of a round that is not there, which leads to this write, read it?
bool buffering_leads_from_detour(const struct graph *g,
                                 const struct buffering *b,
                                 const struct event *read, event_id write);
void buffering_done(struct buffering *b);
