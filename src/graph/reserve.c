// SPDX-License-Identifier: MIT
// Load-linked and store-conditional. A load may reserve its location; a store
// that needs the reservation has it if that load is the newest one of its
// thread that reserves, is of the same location, and no other
// store-conditional, successful or not, came since (each begins with a choice,
// so a choice tells). The two are an update then: no write of another thread
// comes between the load's source and the store. Unlike the halves of an
// update in one instruction they are no neighbours in po, and the load does not
// know yet whether the store will succeed; so this is asked of whole graphs.
// A store that fails is always possible, so every graph can be continued.
#include "graph/graph.h"

event_id graph_reservation(const struct graph *g, event_id id) {
  return graph_reservation_of(g, &g->events[id]);
}

event_id graph_reservation_of(const struct graph *g, const struct event *w) {
  for (uint32_t i = w->index; i-- > 0;) {
    event_id at = graph_at(g, w->thread, i);
    const struct event *e = &g->events[at];
    if (e->kind == EV_READ && (e->flags & EVF_LINKED))
      return e->loc == w->loc ? at : NO_EVENT;
    if (e->kind == EV_CHOICE && i + 1 != w->index)
      return NO_EVENT;
  }
  return NO_EVENT;
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
  event_id read = graph_reservation(g, id);
  if (read == NO_EVENT)
    return false;
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
