// SPDX-License-Identifier: MIT
// Atomic accesses that are made in pieces, judged as wholes (whole.c).
#pragma once

#include "model/model.h"

// Is the newest event e, if it is a write, where the atomicity of updates
// leaves it?
bool whole_is_atomic(const struct graph *g, event_id e);
// Does a graph whose newest events are e and, unless it is NO_EVENT, `other`,
// which reads e, keep the axioms of whole.c: atomicity, coherence of
// happens-before, and that accesses are seen as wholes?
bool whole_consistent(const struct graph *g, event_id e, event_id other);

// The index in thread t at which the access begins that the event at `i` is a
// piece of, and the one behind it. (`i` may be the length of the thread.)
static inline uint32_t whole_begin(const struct graph *g, unsigned t,
                                   uint32_t i) {
  return i < graph_thread_length(g, t)
             ? g->events[graph_first_piece(g, graph_at(g, t, i))].index
             : i;
}
static inline uint32_t whole_end(const struct graph *g, unsigned t,
                                 uint32_t i) {
  return g->events[graph_last_piece(g, graph_at(g, t, i))].index + 1;
}

// Does something come after a piece of the access of `id` in co or fr?
bool whole_leads_on(const struct graph *g, event_id id);
