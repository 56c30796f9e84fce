// SPDX-License-Identifier: MIT
// Load-linked and store-conditional. A load may reserve its location; a store
// that needs the reservation has it if that load is the newest one of its
// thread that reserves, and no other store-conditional, successful or not, came
// since (each begins with a choice, so a choice tells). Of the same location,
// the two are an update: no write of another thread comes between the load's
// source and the store. Of another location, the store may succeed as well (a
// reservation may be of more than a word, and architectures leave it open), but
// it is then a store like any other. Unlike the halves of an update in one
// instruction they are no neighbours in po, and the load does not know yet
// whether the store will succeed; so this is asked of whole graphs.
// A store that fails is always possible, so every graph can be continued.
//
// Either may be made in pieces (pieces.c). The two are an update if they are of
// the same bytes, and each piece of the store has its piece of the load.
#include "graph/graph.h"

event_id graph_reservation(const struct graph *g, event_id id) {
  return graph_reservation_of(g, &g->events[id]);
}

// The index at which the store begins that w is a piece of.
static uint32_t begin_of_store(const struct graph *g, const struct event *w) {
  uint32_t i = w->index;
  while (w->flags & EVF_NEXT)
    w = &g->events[graph_at(g, w->thread, --i)];
  return i;
}

// The load that reserved something for the store: its last piece.
static event_id newest_load(const struct graph *g, const struct event *w) {
  uint32_t begin = begin_of_store(g, w);
  for (uint32_t i = begin; i-- > 0;) {
    event_id at = graph_at(g, w->thread, i);
    const struct event *e = &g->events[at];
    if (e->kind == EV_READ && (e->flags & EVF_LINKED))
      return at;
    if (e->kind == EV_CHOICE && i + 1 != begin)
      return NO_EVENT;
  }
  return NO_EVENT;
}

// The load, or the piece of it, that reserved what w stores; NO_EVENT: it
// reserved something else.
static event_id reserved_by(const struct graph *g, event_id load,
                            const struct event *w) {
  const struct event *last = &g->events[load];
  uint32_t done = w->index - begin_of_store(g, w);
  uint32_t pieces = done + w->rest + 1u;
  uint32_t begin = g->events[graph_first_piece(g, load)].index;
  if (last->index + 1 - begin != pieces)
    return NO_EVENT;
  event_id read = graph_at(g, w->thread, begin + done);
  return g->events[read].loc == w->loc ? read : NO_EVENT;
}

event_id graph_reservation_of(const struct graph *g, const struct event *w) {
  event_id load = newest_load(g, w);
  return load == NO_EVENT ? NO_EVENT : reserved_by(g, load, w);
}

event_id graph_conditional_store(const struct graph *g, event_id read) {
  const struct event *r = &g->events[read];
  for (uint32_t i = r->index + 1;
       (r->flags & EVF_LINKED) && i < graph_thread_length(g, r->thread); i++) {
    event_id at = graph_at(g, r->thread, i);
    const struct event *e = &g->events[at];
    if (e->kind == EV_READ && (e->flags & EVF_LINKED))
      return NO_EVENT;
    if (e->kind == EV_WRITE && (e->flags & EVF_LINKED))
      return graph_reservation(g, at) == read ? at : NO_EVENT;
  }
  return NO_EVENT;
}

static bool is_reserved(const struct graph *g, event_id id) {
  const struct event *w = &g->events[id];
  event_id load = newest_load(g, w);
  if (load == NO_EVENT)
    return false;
  event_id read = reserved_by(g, load, w);
  if (read == NO_EVENT)
    return true;
  const struct event_list *co = &g->locs.at[w->loc].co;
  for (uint32_t i = g->events[g->events[read].rf].co + 1; i < w->co; i++)
    if (g->events[co->at[i]].thread != w->thread)
      return false;
  return true;
}

bool graph_keeps_reservations(const struct graph *g) {
  if (!g->has_linked)
    return true;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (g->events[e].kind == EV_WRITE && (g->events[e].flags & EVF_LINKED) &&
        !is_reserved(g, e))
      return false;
  return true;
}
