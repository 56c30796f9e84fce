// SPDX-License-Identifier: MIT
// JAM21 while a graph grows. With
//
//   into    = svo ∪ ra ∪ push ∪ what creation and join of threads order
//   visible = (into ∪ rf)+                              S = dom(push)
//   late    = co ∪ fr ∪ po;[W];co    who must not see a write: its inverse
//
// (models/jam21.cat has them in full; an update is one event) it asks that
//
//   visible;late is irreflexive                                 (coherence)
//   [S];visible;[S] ∪ push;visible?;late;visible? is acyclic    (pushes)
//
// The model has po ∪ rf in place of the last `visible`, but that can only be
// asked of complete graphs (jam21_complete.c): an event at the end of a thread
// lets those before it push, which may break the order although the event is
// maximal. With `visible` it cannot. Let a be new in S. Nothing that a pushes
// to is late for anything, for all of that is the new event; so a cycle leaves
// a by `visible`, and comes to an s that was in S before. If it came to a by
// `visible`, so it does to s; if by late;visible?, too: s sees what a sees. So
// the cycle was there without a.
//
// A new event e (and `other`, which reads it) is the last of its thread. What
// is new, then, is that later writes of its location must not be visible to e
// (and not, if e is a write, to anything before it in its thread). One search
// forwards from these writes answers both questions. It has two kinds of
// reached events: SEEN, by `visible` from one of the writes or from one that a
// pushed event is late for; and PUSHED, those of them which a push led to
// since. The first round goes along `visible` only and must not come to e, the
// second one must not come to it by a push.
//
// A third round asks the same with po ∪ rf in place of the last `visible`, and
// as if all events would push some day. A maximal event never breaks this
// either, by the same argument, and it is more than the model asks. So a graph
// in which the third round never came back to a new event is one that the model
// allows when it is complete; the others, which are few, are looked at again
// then. The new event is marked (EVF_DOUBT): it is the last that such a cycle
// needs, so if it is deleted, there is none.
//
// In a thread, most of what is reached is closed upwards, so numbers say from
// where on: all events, all stores and so on.
#include "model/jam21.h"
#include "model/deps.h"

#include <stdlib.h>

enum { THREADS = 64 };
enum round { FIRST, SECOND, THIRD };
enum mode { SEEN, PUSHED, MODES };

// By event, kept with the graph: the modes in which the current search has
// reached it, and what it has still to follow.
struct scratch {
  struct mark {
    uint32_t epoch;
    uint32_t modes;
  } * marks;
  event_id *todo[MODES];
  uint32_t cap;
};

struct search {
  struct graph *g;
  struct mark *marks;
  event_id *todo[MODES];
  uint32_t len[MODES]; // of todo
  event_id e, other;
  bool is_write; // e is one
  bool is_first; // round
  bool found;
  // Per thread: from this index on, all events (stores) are reached; releases
  // and fences after this index were followed; acquire fences, for reads.
  uint32_t all[MODES][THREADS], stores[MODES][THREADS];
  uint32_t behind[MODES][THREADS], reads[MODES][THREADS];
  uint32_t volatiles[THREADS]; // volatile events from here on are PUSHED
  uint32_t jumps[THREADS];     // co out of stores after this was followed
  // After a SEEN event by po ∪ rf, in the third round.
  uint32_t ordered[THREADS], ordered_done[THREADS];
};

static void scratch_free(void *p) {
  struct scratch *s = p;
  free(s->marks);
  free(s->todo[SEEN]);
  free(s->todo[PUSHED]);
  free(s);
}

static struct scratch *scratch_of(struct graph *g) {
  if (!g->judge) {
    g->judge = xcalloc(1, sizeof(struct scratch));
    g->judge_done = scratch_free;
  }
  struct scratch *s = g->judge;
  if (s->cap < g->nevents) {
    s->cap = 2 * g->nevents;
    s->marks = xrealloc(s->marks, s->cap * sizeof *s->marks);
    for (unsigned m = 0; m < MODES; m++)
      s->todo[m] = xrealloc(s->todo[m], s->cap * sizeof *s->todo[m]);
    for (uint32_t i = 0; i < s->cap; i++)
      s->marks[i] = (struct mark){0};
  }
  return s;
}

static bool is_goal(const struct search *s, event_id id) {
  return id == s->e || id == s->other ||
         (s->is_write && s->g->events[id].thread == s->g->events[s->e].thread);
}

static void mark(struct search *s, enum mode m, event_id id) {
  struct mark *at = &s->marks[id];
  if (at->epoch != s->g->epoch)
    *at = (struct mark){.epoch = s->g->epoch};
  if (at->modes >> m & 1)
    return;
  at->modes |= 1u << m;
  s->todo[m][s->len[m]++] = id;
  s->found |= (m == PUSHED || s->is_first) && is_goal(s, id);
}

static void mark_event(struct search *s, enum mode m, event_id id) {
  mark(s, SEEN, id);
  if (m == PUSHED)
    mark(s, PUSHED, id);
}

// The other half of an update; NO_EVENT if there is none (yet).
static event_id other_half(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (!(e->flags & EVF_EXCLUSIVE))
    return NO_EVENT;
  if (e->kind == EV_WRITE)
    return graph_at(g, e->thread, e->index - 1);
  return e->index + 1 < graph_thread_length(g, e->thread)
             ? graph_at(g, e->thread, e->index + 1)
             : NO_EVENT;
}

static bool is_sc_fence(const struct event *e) {
  return e->kind == EV_FENCE && e->order == ORD_SC;
}

static bool is_first_half(const struct event *e) {
  return e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE);
}

static void reach(struct search *s, enum mode m, event_id id) {
  mark_event(s, m, id);
  if (!is_access(&s->g->events[id]))
    return;
  event_id half = other_half(s->g, id);
  if (half != NO_EVENT)
    mark_event(s, m, half);
}

// All events of thread t from index `from` on.
static void reach_all(struct search *s, enum mode m, unsigned t,
                      uint32_t from) {
  uint32_t end = s->all[m][t];
  if (from >= end)
    return;
  s->all[m][t] = from;
  for (uint32_t i = from; i < end; i++)
    reach(s, m, graph_at(s->g, t, i));
}

static void reach_stores(struct search *s, enum mode m, unsigned t,
                         uint32_t from) {
  uint32_t end = s->stores[m][t];
  if (from >= end)
    return;
  s->stores[m][t] = from;
  for (uint32_t i = from; i < end; i++)
    if (s->g->events[graph_at(s->g, t, i)].kind == EV_WRITE)
      reach(s, m, graph_at(s->g, t, i));
}

// Volatile events from index `from` on, here and in threads that come after.
static void push_volatiles(struct search *s, unsigned t, uint32_t from) {
  const struct graph *g = s->g;
  uint32_t end = s->volatiles[t];
  if (from >= end)
    return;
  s->volatiles[t] = from;
  for (uint32_t i = from; i < end; i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (e->order == ORD_SC)
      reach(s, PUSHED, graph_at(g, t, i));
    if (e->kind == EV_SPAWN && graph_thread_length(g, e->loc))
      push_volatiles(s, e->loc, 0);
    if (e->kind == EV_END && g->threads[t].join != NO_EVENT) {
      const struct event *join = &g->events[g->threads[t].join];
      push_volatiles(s, join->thread, join->index);
    }
  }
}

// What the creation or end of a thread comes before.
static void follow_thread(struct search *s, enum mode m,
                          const struct event *e) {
  const struct graph *g = s->g;
  if (e->kind == EV_SPAWN && graph_thread_length(g, e->loc))
    reach_all(s, m, e->loc, 0);
  if (e->kind == EV_END && g->threads[e->thread].join != NO_EVENT) {
    const struct event *join = &g->events[g->threads[e->thread].join];
    reach_all(s, m, join->thread, join->index);
  }
}

// What comes after the event at index i, whatever that is: releases, what is
// behind a fence that releases or is sc, other threads.
static void follow_behind(struct search *s, enum mode m, unsigned t,
                          uint32_t i) {
  const struct graph *g = s->g;
  uint32_t end = s->behind[m][t], n = graph_thread_length(g, t);
  if (i >= end)
    return;
  s->behind[m][t] = i;
  for (uint32_t k = i; k < n && k <= end; k++) {
    event_id id = graph_at(g, t, k);
    const struct event *e = &g->events[id];
    if (e->kind == EV_WRITE && k > i && order_releases(e->order))
      reach(s, m, id);
    else if (e->kind == EV_FENCE && k > i && e->order == ORD_SC)
      reach_all(s, PUSHED, t, k + 1);
    else if (e->kind == EV_FENCE && k > i && order_releases(e->order))
      reach_stores(s, m, t, k + 1);
    else
      follow_thread(s, m, e);
  }
}

// The event at index i is a read.
static void follow_read(struct search *s, enum mode m, unsigned t, uint32_t i) {
  const struct graph *g = s->g;
  uint32_t end = s->reads[m][t];
  if (i >= end)
    return;
  s->reads[m][t] = i;
  for (uint32_t k = i + 1; k < graph_thread_length(g, t) && k <= end; k++) {
    const struct event *e = &g->events[graph_at(g, t, k)];
    if (e->kind == EV_FENCE && order_acquires(e->order)) {
      reach_all(s, m, t, k + 1);
      return;
    }
  }
}

static void follow_rf(struct search *s, enum mode m, event_id write) {
  const struct event_list *reads =
      &s->g->locs.at[s->g->events[write].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (s->g->events[reads->at[i]].rf == write)
      reach(s, m, reads->at[i]);
}

// Writes of a location from `place` on.
static void reach_co(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->g->locs.at[loc];
  uint32_t end = graph_co_seen(s->g, loc, place);
  for (uint32_t i = place; i < end; i++)
    reach(s, SEEN, l->co.at[i]);
}

// The writes that event `id`, to which something was pushed, is late for.
static void follow_late(struct search *s, event_id id) {
  const struct graph *g = s->g;
  const struct event *e = &g->events[id];
  if (is_access(e))
    reach_co(s, e->loc, graph_co_place(g, id) + 1);
  uint32_t end = s->jumps[e->thread];
  if (e->index >= end)
    return;
  s->jumps[e->thread] = e->index;
  uint32_t n = graph_thread_length(g, e->thread);
  for (uint32_t i = e->index + 1; i < n && i <= end; i++) {
    const struct event *w = &g->events[graph_at(g, e->thread, i)];
    if (w->kind == EV_WRITE)
      reach_co(s, w->loc, w->co + 1);
  }
}

static void follow(struct search *s, enum mode m, event_id id) {
  const struct event *e = &s->g->events[id];
  if (e->kind == EV_READ && order_acquires(e->order))
    reach_all(s, m, e->thread, e->index + 1);
  follow_behind(s, m, e->thread, e->index);
  if (e->kind == EV_READ)
    follow_read(s, m, e->thread, e->index);
  if (e->order == ORD_SC) // an update does not push to itself
    push_volatiles(s, e->thread, e->index + 1 + is_first_half(e));
  if (e->kind == EV_WRITE)
    follow_rf(s, m, id);
  if (m == PUSHED)
    follow_late(s, id);
}

static void order_from(struct search *s, unsigned t, uint32_t from) {
  if (from < s->ordered[t])
    s->ordered[t] = from;
}

// What comes after an event by po ∪ rf, and what it pushes to.
static void follow_order(struct search *s, event_id id) {
  const struct graph *g = s->g;
  const struct event *e = &g->events[id];
  unsigned t = e->thread;
  uint32_t next = e->index + 1;
  if (e->order == ORD_SC)
    push_volatiles(s, t, next + is_first_half(e));
  if (next < graph_thread_length(g, t) &&
      is_sc_fence(&g->events[graph_at(g, t, next)]))
    reach_all(s, PUSHED, t, next + 1);
  if (e->kind == EV_SPAWN && graph_thread_length(g, e->loc))
    order_from(s, e->loc, 0);
  if (e->kind == EV_END && g->threads[t].join != NO_EVENT) {
    const struct event *join = &g->events[g->threads[t].join];
    order_from(s, join->thread, join->index);
  }
  if (e->kind != EV_WRITE)
    return;
  const struct event_list *reads = &g->locs.at[e->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (r->rf == id)
      order_from(s, r->thread, r->index);
  }
}

static bool follow_orders(struct search *s) {
  bool found = false;
  for (uint32_t t = 0; t < s->g->nthreads; t++) {
    order_from(s, t, s->behind[SEEN][t]); // the first SEEN event
    while (s->ordered_done[t] > s->ordered[t]) {
      found = true;
      follow_order(s, graph_at(s->g, t, --s->ordered_done[t]));
    }
  }
  return found;
}

// Follows everything that counts in a round.
static bool comes_back(struct search *s, enum round round) {
  s->is_first = round == FIRST;
  while (!s->found) {
    if (s->len[SEEN])
      follow(s, SEEN, s->todo[SEEN][--s->len[SEEN]]);
    else if (round != FIRST && s->len[PUSHED])
      follow(s, PUSHED, s->todo[PUSHED][--s->len[PUSHED]]);
    else if (round != THIRD || !follow_orders(s))
      break;
  }
  return s->found;
}

// Could a write of `loc` from `place` on be visible to event e? It is before it
// by po ∪ rf then.
static bool may_be_seen(const struct graph *g, uint32_t loc, uint32_t place,
                        event_id e) {
  const struct event_list *co = &g->locs.at[loc].co;
  for (; e != NO_EVENT && place < co->len; place++)
    if (graph_porf(g, co->at[place], e))
      return true;
  return false;
}

// Store-conditionals, whose reads are anywhere before them: by the definition.
static bool judge_slowly(struct graph *g, const struct model_options *options) {
  return model_allows(model_find("jam21"), g, options);
}

bool jam21_consistent(struct graph *g, event_id e, event_id other,
                      const struct model_options *options) {
  const struct event *x = &g->events[e];
  if (g->has_linked)
    return judge_slowly(g, options);
  if (!is_access(x))
    return true;
  uint32_t place = graph_co_place(g, e) + 1;
  if (place == g->locs.at[x->loc].co.len)
    return true;
  bool may_push = g->sc_fences || g->sc_events >= 2;
  if (!may_push && !may_be_seen(g, x->loc, place, e) &&
      !may_be_seen(g, x->loc, place, other))
    return true;
  struct scratch *scratch = scratch_of(g);
  struct search s = {.g = g,
                     .marks = scratch->marks,
                     .todo = {scratch->todo[SEEN], scratch->todo[PUSHED]},
                     .e = e,
                     .other = other,
                     .is_write = x->kind == EV_WRITE,
                     .is_first = true};
  g->epoch++;
  for (uint32_t t = 0; t < g->nthreads; t++) {
    uint32_t n = graph_thread_length(g, t);
    for (unsigned m = 0; m < MODES; m++)
      s.all[m][t] = s.stores[m][t] = s.behind[m][t] = s.reads[m][t] = n;
    s.volatiles[t] = s.jumps[t] = s.ordered[t] = s.ordered_done[t] = n;
  }
  // `other`, if any, reads e: what comes after both in co is the same.
  reach_co(&s, x->loc, place);
  if (comes_back(&s, FIRST) || (may_push && comes_back(&s, SECOND)))
    return false;
  if (may_push && comes_back(&s, THIRD))
    g->events[e].flags |= EVF_DOUBT;
  return true;
}
