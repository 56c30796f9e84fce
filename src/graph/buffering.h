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
  ARRAY(bool) reached; // scratch
};

void buffering_find(const struct graph *g, struct buffering *ret);
// Is there a way from `from` to another event `to` by po ∪ rf ∪ race⁻¹?
bool buffering_leads(const struct graph *g, struct buffering *b, event_id from,
                     event_id to);
void buffering_done(struct buffering *b);
