// SPDX-License-Identifier: MIT
// What the models that track dependencies ask of a graph, for their
// definitions and for their fast code. Threads may have holes there: an event
// can be missing although later ones of its thread, which do not depend on it,
// are in the graph.
#pragma once

#include "graph/graph.h"

// The read that `place` in a dependency of thread t stands for; NO_EVENT if it
// is missing, or no read (an allocation, say: no other thread makes its value).
static inline event_id deps_source(const struct graph *g, unsigned t,
                                   uint32_t place) {
  // Without holes before it, a place is an index.
  const struct event_list *l = &g->threads[t].events;
  bool is_index = place < l->len && g->deps[l->at[place]].place == place;
  event_id id = is_index ? l->at[place] : graph_at_place(g, t, place);
  return id != NO_EVENT && g->events[id].kind == EV_READ ? id : NO_EVENT;
}

// The read of the update that write `id` ends; NO_EVENT if it is no update, or
// its read is missing.
static inline event_id deps_update_read(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind != EV_WRITE || !(e->flags & EVF_EXCLUSIVE) || !e->index)
    return NO_EVENT;
  event_id before = graph_at(g, e->thread, e->index - 1);
  const struct event *r = &g->events[before];
  bool is_it = r->kind == EV_READ && (r->flags & EVF_EXCLUSIVE) &&
               r->loc == e->loc &&
               (!g->deps || g->deps[before].place + 1 == g->deps[id].place);
  return is_it ? before : NO_EVENT;
}

// Creating, joining threads and their first and last events order everything
// before with everything after, as a full fence does.
static inline bool deps_is_thread_event(const struct event *e) {
  return e->kind == EV_START || e->kind == EV_SPAWN || e->kind == EV_END ||
         e->kind == EV_JOIN;
}
