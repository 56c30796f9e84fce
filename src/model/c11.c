// SPDX-License-Identifier: MIT
// C11's axioms beyond coherence (axioms_deps.c has them in full):
//
//   psc11 = [Esc]; (hb ∪ ([Fsc];po)?;(co ∪ fr);(po;[Fsc])?); [Esc]   is acyclic
//
// and so is what an event needs to happen at all. No new event can break the
// latter: it is the last of its thread, nothing depends on it, and who reads it
// is last too; promises, where reads are given later writes, are judged by the
// definition (explore/promise.c).
//
// As in rc11.c a cycle of psc11 that is new leaves a new event, or an sc fence
// before it in its thread, by co or fr, and what is reached is closed upwards
// in each thread. Here no fence counts what merely happens after it as its own,
// so one number per thread says all, and a fence looks at its own thread only.
#include "model/c11.h"

enum { THREADS = 64 };

struct search {
  struct graph *g;
  uint32_t goal[THREADS];                // sc events below this index
  uint32_t from[THREADS], done[THREADS]; // sc events that are reached
  uint32_t own[THREADS]; // from here on, co and fr out of events were followed
  bool found;
};

static const struct event *event_of(const struct search *s, event_id e) {
  return &s->g->events[e];
}

static bool is_sc(const struct event *e) {
  return e->order == ORD_SC;
}

static bool is_sc_fence(const struct event *e) {
  return e->kind == EV_FENCE && is_sc(e);
}

// The first sc event (or fence) of thread u with an index of at least i.
static void reach_from(struct search *s, unsigned u, uint32_t i,
                       bool (*counts)(const struct event *)) {
  uint32_t end = s->from[u];
  while (i < end && !counts(event_of(s, graph_at(s->g, u, i))))
    i++;
  if (i >= end)
    return;
  s->from[u] = i;
  s->found |= i < s->goal[u];
}

// Writes of a location from `place` on are targets of co or fr.
static void reach_co(struct search *s, uint32_t loc, uint32_t place) {
  struct graph_loc *l = &s->g->locs.at[loc];
  if (l->epoch != s->g->epoch) {
    l->epoch = s->g->epoch;
    l->from_write = l->co.len;
  }
  uint32_t end = l->from_write;
  if (place < end)
    l->from_write = place;
  for (uint32_t i = place; i < end; i++) {
    const struct event *w = event_of(s, l->co.at[i]);
    if (is_sc(w))
      reach_from(s, w->thread, w->index, is_sc);
    if (s->g->sc_fences)
      reach_from(s, w->thread, w->index + 1, is_sc_fence);
  }
}

static void follow_co(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  if (is_access(e))
    reach_co(s, e->loc, graph_co_place(s->g, x) + 1);
}

// psc11 out of x, which was reached.
static void walk(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  if (!is_sc(e))
    return;
  for (uint32_t u = 0; u < s->g->nthreads; u++)
    if (u != e->thread)
      reach_from(s, u, graph_first_after(s->g, x, u), is_sc);
  if (e->kind != EV_FENCE) {
    follow_co(s, x);
    return;
  }
  while (s->own[e->thread] > e->index + 1 && !s->found)
    follow_co(s, graph_at(s->g, e->thread, --s->own[e->thread]));
}

static bool comes_back(struct search *s) {
  const struct graph *g = s->g;
  for (bool more = true; more && !s->found;) {
    more = false;
    for (uint32_t t = 0; t < g->nthreads; t++)
      while (s->done[t] > s->from[t] && !s->found) {
        more = true;
        walk(s, graph_at(g, t, --s->done[t]));
      }
  }
  return s->found;
}

// A way back leads to e if that is sc, or to an sc fence before it, or (by po)
// to something earlier.
static bool add_goal(struct search *s, event_id id) {
  const struct event *e = event_of(s, id);
  uint32_t n = is_sc(e) ? e->index + 1 : e->index;
  if (!is_sc(e))
    while (n && (!s->g->sc_fences ||
                 !is_sc_fence(event_of(s, graph_at(s->g, e->thread, n - 1)))))
      n--;
  if (n > s->goal[e->thread])
    s->goal[e->thread] = n;
  return n != 0;
}

bool c11_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options) {
  (void)options;
  const struct event *x = &g->events[e];
  uint32_t place = is_access(x) ? graph_co_place(g, e) : 0;
  if (g->sc_events < 2 || !is_access(x) ||
      place + 1 == g->locs.at[x->loc].co.len)
    return true;
  struct search s = {.g = g};
  bool has_goal = add_goal(&s, e);
  if (other != NO_EVENT)
    has_goal |= add_goal(&s, other);
  if (!has_goal)
    return true;
  g->epoch++;
  for (uint32_t t = 0; t < g->nthreads; t++)
    s.from[t] = s.done[t] = s.own[t] = graph_thread_length(g, t);
  // `other`, if any, reads e: what comes after both in co is the same.
  reach_co(&s, x->loc, place + 1);
  return !comes_back(&s);
}

bool c11_needs_deps(const struct graph *g, event_id e) {
  (void)g, (void)e;
  return false;
}
