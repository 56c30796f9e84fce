// SPDX-License-Identifier: MIT
// Where the accesses of a thread are in co. Where that is coherent they come in
// its order, so the first one from a place on is found by halving.
#pragma once

#include "graph/graph.h"

// How many accesses of a location has the thread before this place? (The place
// of a read is that of its source. Not for COHERENCE_NONE.)
static inline uint32_t places_before(const struct graph *g,
                                     const struct event_list *own,
                                     uint32_t place) {
  uint32_t first = 0, n = own->len;
  while (n > 0) {
    uint32_t half = n / 2;
    bool is_before = graph_co_place(g, own->at[first + half]) < place;
    first += is_before ? half + 1 : 0;
    n = is_before ? n - half - 1 : half;
  }
  return first;
}
