// SPDX-License-Identifier: MIT
// Atomic accesses that are made in pieces, each an event of its own. The pieces
// follow each other in po; an update has those of its read, then those of its
// write.
#include "graph/graph.h"

event_id graph_first_piece(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  while ((e->flags & EVF_PIECE) && (e->flags & EVF_NEXT)) {
    event_id before = graph_at(g, e->thread, e->index - 1);
    const struct event *b = &g->events[before];
    if (b->kind != e->kind || !(b->flags & EVF_PIECE))
      break; // an update begins to write
    id = before;
    e = b;
  }
  return id;
}

event_id graph_updated_piece(const struct graph *g, unsigned t, uint32_t index,
                             uint32_t loc) {
  while (index-- > 0) {
    event_id id = graph_at(g, t, index);
    if (g->events[id].kind == EV_READ && g->events[id].loc == loc)
      return id;
  }
  fatal_internal(__FILE__, __LINE__, "an update that has read nothing");
}
