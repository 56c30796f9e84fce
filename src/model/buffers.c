// SPDX-License-Identifier: MIT
// Store buffers: TSO and PSO, acyclic(ppo ∪ rfe ∪ co ∪ fr) with coherence.
//
// ppo is po without the pairs of a buffered store and a later plain load; PSO
// also drops pairs of stores to different locations unless a store barrier is
// between (a release fence, or the one in front of a release store). As in
// sc.c the search runs forwards from a new event that is not last in co. What
// is reached in a thread is described by two numbers: from `all` on every
// event, from `stores` on only the stores and what drains the buffer. Under
// PSO a store that is reached says nothing of its thread up to the next
// barrier.
//
// Of an access in pieces (whole.c) all are reached with one. Those of a store
// under PSO are no part of the two numbers: a list has the ones whose locations
// were not looked at.
#include "model/buffers.h"

#include "model/places.h"
#include "model/whole.h"

enum { THREADS = 64 };

struct search {
  struct graph *g;
  bool stores_overtake; // PSO
  event_id e, other;
  uint32_t all[THREADS], all_done[THREADS];
  uint32_t stores[THREADS], stores_done[THREADS];
  // PSO: the last answer of next_barrier, which is the same for all events
  // from `clear` on.
  uint32_t clear[THREADS], barrier[THREADS];
  bool in_pieces;         // accesses may be
  ARRAY(event_id) stored; // PSO: pieces of reached stores
  bool found;
};

static bool is_new(const struct search *s, event_id x) {
  return x == s->e || x == s->other;
}

// Every event of thread t from index i on.
static void reach_all(struct search *s, unsigned t, uint32_t i) {
  if (s->in_pieces)
    i = whole_begin(s->g, t, i);
  if (i >= s->all[t])
    return;
  s->all[t] = i;
  // New events are the last of their threads.
  uint32_t end = graph_thread_length(s->g, t);
  s->found |= i < end && is_new(s, graph_at(s->g, t, end - 1));
}

// The stores of thread t from index i on.
static void reach_stores(struct search *s, unsigned t, uint32_t i) {
  if (i >= s->stores[t])
    return;
  s->stores[t] = i;
  uint32_t end = graph_thread_length(s->g, t);
  event_id last = graph_at(s->g, t, end - 1);
  s->found |= i < end && is_new(s, last) && s->g->events[last].kind == EV_WRITE;
}

// The other pieces of a store.
static void reach_pieces(struct search *s, event_id id) {
  const struct event *e = &s->g->events[id];
  uint32_t end = whole_end(s->g, e->thread, e->index);
  s->found |= is_new(s, graph_at(s->g, e->thread, end - 1));
  for (uint32_t i = whole_begin(s->g, e->thread, e->index);
       s->stores_overtake && i < end; i++)
    if (i != e->index)
      array_push(&s->stored, graph_at(s->g, e->thread, i));
}

// The first store barrier of thread t from index i on; its end, if there is
// none.
static uint32_t next_barrier(struct search *s, unsigned t, uint32_t i) {
  uint32_t at = i, end = graph_thread_length(s->g, t);
  if (i >= s->clear[t] && i <= s->barrier[t])
    return s->barrier[t];
  while (at < end && at != s->clear[t] &&
         !buffers_is_store_barrier(&s->g->events[graph_at(s->g, t, at)]))
    at++;
  if (at != s->clear[t])
    s->barrier[t] = at;
  s->clear[t] = i;
  return s->barrier[t];
}

static void reach_write(struct search *s, event_id id) {
  if (s->in_pieces) {
    reach_pieces(s, id);
    id = graph_first_piece(s->g, id);
  }
  const struct event *e = &s->g->events[id];
  s->found |= is_new(s, id);
  if (buffers_is_fence(e)) {
    reach_all(s, e->thread, e->index);
    return;
  }
  uint32_t i = e->index;
  if (s->stores_overtake) {
    if (s->in_pieces)
      i = whole_end(s->g, e->thread, i) - 1;
    i = next_barrier(s, e->thread, i + 1);
    if (i == graph_thread_length(s->g, e->thread))
      return;
  }
  reach_stores(s, e->thread, i);
}

// The first of a thread's accesses that reads another thread's write from
// `place` on and before `end`, and so the others. (These models are coherent.)
static void reach_reads(struct search *s, const struct event_list *own,
                        uint32_t place, uint32_t end) {
  for (uint32_t i = places_before(s->g, own, place); i < own->len; i++) {
    const struct event *r = &s->g->events[own->at[i]];
    if (graph_co_place(s->g, own->at[i]) >= end)
      return;
    if (r->kind == EV_READ && s->g->events[r->rf].thread != r->thread) {
      reach_all(s, r->thread, r->index);
      return;
    }
  }
}

// Writes of `loc` from `place` on, and their readers in other threads.
static void reach_co(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->g->locs.at[loc];
  uint32_t end = graph_co_seen(s->g, loc, place);
  if (place >= end)
    return;
  for (uint32_t i = place; i < end; i++)
    reach_write(s, l->co.at[i]);
  for (uint64_t rest = l->threads; rest; rest &= rest - 1)
    reach_reads(s, &l->by_thread[__builtin_ctzll(rest)], place, end);
}

static void walk_event(struct search *s, event_id id, bool only_stores) {
  const struct event *e = &s->g->events[id];
  if (only_stores && buffers_is_fence(e)) {
    reach_all(s, e->thread, e->index);
    return;
  }
  if (e->kind == EV_WRITE)
    reach_co(s, e->loc, e->co);
  if (only_stores)
    return;
  if (e->kind == EV_READ)
    reach_co(s, e->loc, graph_co_place(s->g, id) + 1);
  else if (e->kind == EV_SPAWN)
    reach_all(s, e->loc, 0);
  else if (e->kind == EV_END && s->g->threads[e->thread].join != NO_EVENT) {
    const struct event *j = &s->g->events[s->g->threads[e->thread].join];
    reach_all(s, j->thread, j->index);
  }
}

static void begin(struct search *s) {
  struct graph *g = s->g;
  g->epoch++;
  for (uint32_t t = 0; t < g->nthreads; t++)
    s->all[t] = s->all_done[t] = s->stores[t] = s->stores_done[t] =
        s->clear[t] = s->barrier[t] = graph_thread_length(g, t);
}

// Follows what was reached until nothing is left; true: a cycle.
static bool comes_back(struct search *s) {
  struct graph *g = s->g;
  for (bool more = true; more && !s->found;) {
    more = s->stored.len;
    while (s->stored.len && !s->found) {
      const struct event *w = &g->events[array_pop(&s->stored)];
      reach_co(s, w->loc, w->co);
    }
    for (uint32_t t = 0; t < g->nthreads && !s->found; t++) {
      while (s->all_done[t] > s->all[t] && !s->found) {
        more = true;
        walk_event(s, graph_at(g, t, --s->all_done[t]), false);
      }
      while (s->stores_done[t] > s->stores[t] && !s->found) {
        more = true;
        walk_event(s, graph_at(g, t, --s->stores_done[t]), true);
      }
    }
  }
  return s->found;
}

static bool consistent(struct graph *g, event_id e, event_id other,
                       bool stores_overtake) {
  const struct event *x = &g->events[e];
  if (!is_access(x) || graph_co_place(g, e) + 1 == g->locs.at[x->loc].co.len)
    return true;
  struct search s = {
      .g = g, .stores_overtake = stores_overtake, .e = e, .other = other};
  begin(&s);
  reach_co(&s, x->loc, graph_co_place(g, e) + 1);
  return !comes_back(&s);
}

// Readers of the write in other threads.
static void reach_readers(struct search *s, event_id write) {
  const struct event *w = &s->g->events[write];
  const struct event_list *reads = &s->g->locs.at[w->loc].reads;
  for (uint32_t i = 0; w->kind == EV_WRITE && i < reads->len; i++) {
    const struct event *r = &s->g->events[reads->at[i]];
    if (r->rf == write && r->thread != w->thread)
      reach_all(s, r->thread, r->index);
  }
}

// Is the access whose newest piece is e on no cycle?
static bool is_on_no_cycle(struct graph *g, event_id e, bool stores_overtake) {
  const struct event *x = &g->events[e];
  struct search s = {.g = g,
                     .stores_overtake = stores_overtake,
                     .e = e,
                     .other = NO_EVENT,
                     .in_pieces = true};
  begin(&s);
  for (uint32_t i = whole_begin(g, x->thread, x->index); i <= x->index; i++) {
    event_id piece = graph_at(g, x->thread, i);
    reach_co(&s, g->events[piece].loc, graph_co_place(g, piece) + 1);
    reach_readers(&s, piece);
  }
  bool found = comes_back(&s);
  array_done(&s.stored);
  return !found;
}

static bool whole(struct graph *g, event_id e, event_id other,
                  bool stores_overtake) {
  return !is_access(&g->events[e]) ||
         (whole_is_atomic(g, e) && is_on_no_cycle(g, e, stores_overtake) &&
          (other == NO_EVENT || is_on_no_cycle(g, other, stores_overtake)));
}

bool tso_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options) {
  (void)options;
  return consistent(g, e, other, /*stores_overtake=*/false);
}

bool pso_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options) {
  (void)options;
  return consistent(g, e, other, /*stores_overtake=*/true);
}

bool tso_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options) {
  (void)options;
  return whole(g, e, other, /*stores_overtake=*/false);
}

bool pso_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options) {
  (void)options;
  return whole(g, e, other, /*stores_overtake=*/true);
}
