// SPDX-License-Identifier: MIT
// The shape of prefixes in models that track dependencies, as far as an event
// tells it when it is added. Where a prefix is all that is before by po ∪ rf,
// which it mostly is in programs that use release and acquire, the clocks know
// it and nothing has to be searched. explore/prefix.c says what a prefix is;
// this must agree with it.
#include "graph/shape.h"

static uint8_t shape_before(const struct graph *g, const struct event *e) {
  return e->index ? g->deps[graph_at(g, e->thread, e->index - 1)].prefix
                  : PREFIX_TIGHT | PREFIX_FULL;
}

bool graph_brings_all(const struct graph *g, unsigned t, uint32_t index,
                      uint32_t loc, enum order order, bool is_update) {
  if (order_releases(order))
    return true;
  // The read of its update; ARMv8: what is before it at its location.
  index -= is_update;
  while (!g->orders_updates && index) {
    const struct event *e = &g->events[graph_at(g, t, index - 1)];
    if (!is_access(e) || e->loc != loc)
      break;
    index--;
  }
  return !index || (g->deps[graph_at(g, t, index - 1)].prefix & PREFIX_TIGHT);
}

static bool brings_all(const struct graph *g, event_id write) {
  const struct event *w = &g->events[write];
  return graph_brings_all(g, w->thread, w->index, w->loc, w->order,
                          w->flags & EVF_EXCLUSIVE);
}

static bool reads_fully(const struct graph *g, const struct event *e) {
  return e->rf == INIT_EVENT || g->events[e->rf].thread == e->thread ||
         (brings_all(g, e->rf) && (g->deps[e->rf].prefix & PREFIX_FULL));
}

// Is the event, whatever comes later in its thread, in its prefix?
static bool is_always_in(const struct graph *g, const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return (e->flags & (EVF_CAS | EVF_LOCK)) ||
           ((e->flags & EVF_EXCLUSIVE) && g->orders_updates) ||
           (order_acquires(e->order) &&
            g->locs.at[e->loc].by_thread[e->thread].at[0] ==
                graph_at(g, e->thread, e->index));
  case EV_WRITE:
    return e->flags & EVF_EXCLUSIVE; // it needs no more than its read
  case EV_START:
    return true;
  default:
    return false;
  }
}

// With all that is before it?
static bool is_barrier(const struct graph *g, const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_FENCE:
    return order_releases(e->order) ||
           (g->orders_updates && e->order != ORD_NA);
  case EV_SPAWN:
  case EV_JOIN:
  case EV_END:
    return true;
  default:
    return false;
  }
}

uint8_t shape_of_prefix(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  uint8_t before = shape_before(g, e);
  bool is_tight =
      is_barrier(g, e) || ((before & PREFIX_TIGHT) && is_always_in(g, e));
  bool is_full = before & PREFIX_FULL;
  if (e->kind == EV_READ)
    is_full = is_full && reads_fully(g, e);
  else if ((e->kind == EV_START || e->kind == EV_JOIN) && e->rf != NO_EVENT)
    is_full = is_full && (g->deps[e->rf].prefix & PREFIX_FULL);
  return (uint8_t)((is_tight ? PREFIX_TIGHT : 0) | (is_full ? PREFIX_FULL : 0));
}
