// SPDX-License-Identifier: MIT
// What the models that track dependencies ask of a graph, for their
// definitions and for their fast code.
#pragma once

#include "graph/graph.h"

// The read, or store-conditional, that `index` in a dependency of thread t
// stands for; NO_EVENT if it is neither (an allocation, say: no other thread
// makes its value).
static inline event_id deps_source(const struct graph *g, unsigned t,
                                   uint32_t index) {
  event_id id = graph_at(g, t, index);
  const struct event *e = &g->events[id];
  return e->kind == EV_READ || (e->kind == EV_WRITE && (e->flags & EVF_LINKED))
             ? id
             : NO_EVENT;
}

// The read of the update that write `id` ends; NO_EVENT if it is no update.
static inline event_id deps_update_read(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind == EV_WRITE && (e->flags & EVF_LINKED))
    return graph_reservation(g, id);
  if (e->kind == EV_WRITE && (e->flags & EVF_UPDATE))
    return graph_updated_piece(g, e->thread, e->index, e->loc);
  if (e->kind != EV_WRITE || !(e->flags & EVF_EXCLUSIVE))
    return NO_EVENT;
  return graph_at(g, e->thread, e->index - 1);
}

// Is this write, which ends an update, a single instruction with its read, if
// updates are that? A store-conditional never is.
static inline bool deps_is_single(const struct event *write) {
  return !(write->flags & (EVF_LINKED | EVF_PAIR));
}
