// SPDX-License-Identifier: MIT
// Atomic accesses that are made in pieces, each an event of its own. The pieces
// follow each other in po; an update has those of its read, then those of its
// write.
#include "graph/graph.h"

// Does the access of e, a piece, begin with an earlier one? (The first one that
// an update writes is not the first of the update.)
static bool goes_on_from(const struct event *e, const struct event *before) {
  return (e->flags & EVF_NEXT) && before->kind == e->kind &&
         (before->flags & EVF_PIECE);
}

static bool is_piece(const struct event *e) {
  return is_access(e) && (e->flags & EVF_PIECE);
}

event_id graph_first_piece(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  while (is_piece(e) && e->index) {
    event_id before = graph_at(g, e->thread, e->index - 1);
    if (!goes_on_from(e, &g->events[before]))
      break;
    id = before;
    e = &g->events[before];
  }
  return id;
}

event_id graph_last_piece(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  while (is_piece(e) && e->index + 1 < graph_thread_length(g, e->thread)) {
    event_id next = graph_at(g, e->thread, e->index + 1);
    const struct event *n = &g->events[next];
    if (!is_piece(n) || !goes_on_from(n, e))
      break;
    id = next;
    e = n;
  }
  return id;
}

event_id graph_piece_at(const struct graph *g, event_id id, uint32_t loc) {
  const struct event *e = &g->events[id];
  const struct event_list *events = &g->threads[e->thread].events;
  for (uint32_t i = e->index;; i--) {
    const struct event *p = &g->events[events->at[i]];
    if (p->loc == loc)
      return events->at[i];
    if (!is_piece(p) || !i || !goes_on_from(p, &g->events[events->at[i - 1]]))
      break;
  }
  for (uint32_t i = e->index + 1; i < events->len; i++) {
    const struct event *p = &g->events[events->at[i]];
    if (!is_piece(p) || !goes_on_from(p, &g->events[events->at[i - 1]]))
      break;
    if (p->loc == loc)
      return events->at[i];
  }
  return NO_EVENT;
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
