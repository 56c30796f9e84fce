// SPDX-License-Identifier: MIT
// Sequential consistency: acyclic(po ∪ rf ∪ co ∪ fr).
//
// A new event is the last of its thread, so it closes a cycle only if it also
// comes *before* something: a write that is not last in co, a read of a write
// that is not last. From there the search follows the edges forwards. Two
// facts keep it short: reaching an event reaches the rest of its thread, and
// reaching a place in co reaches all later writes and their readers; so a
// thread and a location are each walked once, from the lowest place reached.
// The search ends well when nothing is left, and badly when it meets the
// po ∪ rf past of the new event.
//
// Of an access in pieces (whole.c) all are reached with one; and its past is
// that of its newest piece.
#include "model/sc.h"

#include "model/places.h"
#include "model/whole.h"

struct search {
  struct graph *g;
  uint32_t reached[64]; // per thread: all events from this index on
  uint32_t done[64];    // and from this index on they were walked
  event_id e, other;    // the new events
  bool in_pieces;       // accesses may be
};

// Did we arrive at a new event or at something it comes after?
static bool is_past(const struct search *s, event_id x) {
  return x == s->e || x == s->other || graph_porf(s->g, x, s->e) ||
         (s->other != NO_EVENT && graph_porf(s->g, x, s->other));
}

// False: a cycle.
static bool reach(struct search *s, event_id x) {
  if (s->in_pieces)
    x = graph_first_piece(s->g, x);
  const struct event *e = &s->g->events[x];
  if (e->index >= s->reached[e->thread])
    return true;
  if (is_past(s, x))
    return false;
  s->reached[e->thread] = e->index;
  return true;
}

// Writes from one place on and before another, and their readers, where those
// of a thread may come in any order.
static bool reach_unordered(struct search *s, const struct graph_loc *l,
                            uint32_t place, uint32_t end) {
  for (uint32_t i = place; i < end; i++)
    if (!reach(s, l->co.at[i]))
      return false;
  for (uint32_t i = 0; i < l->reads.len; i++) {
    uint32_t from = graph_co_place(s->g, l->reads.at[i]);
    if (from >= place && from < end && !reach(s, l->reads.at[i]))
      return false;
  }
  return true;
}

// All writes of `loc` from `place` on, and all reads of them. The accesses of
// a thread come in the order of co, if that is coherent: the first one that is
// not before the place leads to the others, and if one of these is in the past
// of the new event, so is the first.
static bool reach_co(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->g->locs.at[loc];
  uint32_t end = graph_co_seen(s->g, loc, place);
  if (place >= end)
    return true;
  if (s->g->coherence == COHERENCE_NONE)
    return reach_unordered(s, l, place, end);
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    const struct event_list *own = &l->by_thread[__builtin_ctzll(rest)];
    uint32_t first = places_before(s->g, own, place);
    if (first < own->len && !reach(s, own->at[first]))
      return false;
  }
  return true;
}

// The reads of the write.
static bool reach_readers(struct search *s, event_id write) {
  const struct event *w = &s->g->events[write];
  const struct event_list *reads = &s->g->locs.at[w->loc].reads;
  for (uint32_t i = 0; w->kind == EV_WRITE && i < reads->len; i++)
    if (s->g->events[reads->at[i]].rf == write && !reach(s, reads->at[i]))
      return false;
  return true;
}

static bool walk_event(struct search *s, event_id id) {
  const struct event *e = &s->g->events[id];
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return reach_co(s, e->loc, graph_co_place(s->g, id) + 1);
  case EV_WRITE:
    return reach_co(s, e->loc, e->co);
  case EV_SPAWN:
    return reach(s, graph_at(s->g, e->loc, 0));
  case EV_END:
    return s->g->threads[e->thread].join == NO_EVENT ||
           reach(s, s->g->threads[e->thread].join);
  case EV_INIT:
  case EV_FENCE:
  case EV_START:
  case EV_JOIN:
  case EV_DETACH:
  case EV_ALLOC:
  case EV_FREE:
  case EV_CHOICE:
  case EV_OUTPUT:
  case EV_ANSWER:
    return true;
  }
  return true;
}

static void begin(struct search *s) {
  struct graph *g = s->g;
  g->epoch++;
  for (uint32_t t = 0; t < g->nthreads; t++)
    s->reached[t] = s->done[t] = graph_thread_length(g, t);
}

// Follows what was reached until nothing is left; false: a cycle.
static bool ends_well(struct search *s) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t t = 0; t < s->g->nthreads; t++)
      while (s->done[t] > s->reached[t]) {
        more = true;
        if (!walk_event(s, graph_at(s->g, t, --s->done[t])))
          return false;
      }
  }
  return true;
}

bool sc_consistent(struct graph *g, event_id e, event_id other,
                   const struct model_options *options) {
  (void)options;
  const struct event *x = &g->events[e];
  if (!is_access(x) || graph_co_place(g, e) + 1 == g->locs.at[x->loc].co.len)
    return true;
  struct search s = {.g = g, .e = e, .other = other};
  begin(&s);
  // `other`, if any, reads from e: what follows both is the same.
  return reach_co(&s, x->loc, graph_co_place(g, e) + 1) && ends_well(&s);
}

// Is the access whose newest piece is e on no cycle?
static bool is_on_no_cycle(struct graph *g, event_id e) {
  const struct event *x = &g->events[e];
  struct search s = {.g = g, .e = e, .other = NO_EVENT, .in_pieces = true};
  begin(&s);
  for (uint32_t i = whole_begin(g, x->thread, x->index); i <= x->index; i++) {
    event_id piece = graph_at(g, x->thread, i);
    const struct event *p = &g->events[piece];
    uint32_t after = graph_co_place(g, piece) + 1;
    if (!reach_co(&s, p->loc, after) || !reach_readers(&s, piece))
      return false;
  }
  return ends_well(&s);
}

bool sc_whole(struct graph *g, event_id e, event_id other,
              const struct model_options *options) {
  (void)options;
  return !is_access(&g->events[e]) ||
         (whole_is_atomic(g, e) && is_on_no_cycle(g, e) &&
          (other == NO_EVENT || is_on_no_cycle(g, other)));
}
