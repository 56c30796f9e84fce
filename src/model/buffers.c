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
#include "model/buffers.h"

enum { THREADS = 64 };

struct search {
  struct graph *g;
  bool stores_overtake; // PSO
  event_id e, other;
  uint32_t all[THREADS], all_done[THREADS];
  uint32_t stores[THREADS], stores_done[THREADS];
  bool found;
};

static bool is_new(const struct search *s, event_id x) {
  return x == s->e || x == s->other;
}

// Every event of thread t from index i on.
static void reach_all(struct search *s, unsigned t, uint32_t i) {
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

static void reach_write(struct search *s, event_id id) {
  const struct event *e = &s->g->events[id];
  s->found |= is_new(s, id);
  if (buffers_is_fence(e)) {
    reach_all(s, e->thread, e->index);
    return;
  }
  uint32_t i = e->index;
  if (s->stores_overtake) {
    uint32_t end = graph_thread_length(s->g, e->thread);
    do
      i++;
    while (i < end && !buffers_is_store_barrier(
                          &s->g->events[graph_at(s->g, e->thread, i)]));
    if (i == end)
      return;
  }
  reach_stores(s, e->thread, i);
}

// Writes of `loc` from `place` on, and their readers in other threads.
static void reach_co(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->g->locs.at[loc];
  uint32_t end = graph_co_seen(s->g, loc, place);
  if (place >= end)
    return;
  for (uint32_t i = place; i < end; i++)
    reach_write(s, l->co.at[i]);
  for (uint32_t i = 0; i < l->reads.len; i++) {
    const struct event *r = &s->g->events[l->reads.at[i]];
    const struct event *w = &s->g->events[r->rf];
    if (w->co >= place && w->co < end && w->thread != r->thread)
      reach_all(s, r->thread, r->index);
  }
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

static bool consistent(struct graph *g, event_id e, event_id other,
                       bool stores_overtake) {
  const struct event *x = &g->events[e];
  if (!is_access(x) || graph_co_place(g, e) + 1 == g->locs.at[x->loc].co.len)
    return true;
  struct search s = {
      .g = g, .stores_overtake = stores_overtake, .e = e, .other = other};
  g->epoch++;
  for (uint32_t t = 0; t < g->nthreads; t++)
    s.all[t] = s.all_done[t] = s.stores[t] = s.stores_done[t] =
        graph_thread_length(g, t);
  reach_co(&s, x->loc, graph_co_place(g, e) + 1);
  for (bool more = true; more && !s.found;) {
    more = false;
    for (uint32_t t = 0; t < g->nthreads && !s.found; t++) {
      while (s.all_done[t] > s.all[t] && !s.found) {
        more = true;
        walk_event(&s, graph_at(g, t, --s.all_done[t]), false);
      }
      while (s.stores_done[t] > s.stores[t] && !s.found) {
        more = true;
        walk_event(&s, graph_at(g, t, --s.stores_done[t]), true);
      }
    }
  }
  return !s.found;
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
