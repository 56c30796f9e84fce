// SPDX-License-Identifier: MIT
// Derives everything again that a graph keeps about its events, and compares;
// and a hash of all that undoing must restore. Used by slow-check builds and
// tests.
#include "base/hash.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

static uint32_t count_in(const struct event_list *l, event_id e) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->len; i++)
    n += l->at[i] == e;
  return n;
}

static void verify_access(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  const struct graph_loc *l = &g->locs.at[e->loc];
  check(l->threads >> e->thread & 1);
  check(count_in(&l->by_thread[e->thread], id) == 1);
  if (e->kind == EV_WRITE) {
    check(e->co < l->co.len && l->co.at[e->co] == id);
    return;
  }
  check(count_in(&l->reads, id) == 1);
  const struct event *w = &g->events[e->rf];
  check(e->rf == INIT_EVENT ||
        (w->kind == EV_WRITE && w->loc == e->loc && w->value == e->value));
  check(graph_at(g, w->thread, w->index) == e->rf || e->rf == INIT_EVENT);
}

static void verify_loc(const struct graph *g, uint32_t loc) {
  const struct graph_loc *l = &g->locs.at[loc];
  uint32_t listed = 0, na = 0;
  check(l->co.len >= 1 && l->co.at[0] == INIT_EVENT);
  for (uint32_t t = 0; t < l->cap_threads; t++) {
    check((l->by_thread[t].len != 0) == (l->threads >> t & 1));
    for (uint32_t i = 0; i < l->by_thread[t].len; i++) {
      const struct event *e = &g->events[l->by_thread[t].at[i]];
      check(e->loc == loc && e->thread == t && is_access(e));
      check(!i || g->events[l->by_thread[t].at[i - 1]].index < e->index);
      na += e->order == ORD_NA;
      listed++;
    }
  }
  check(listed == l->co.len - 1 + l->reads.len && na == l->na);
}

// What is known per object and thread because of one event.
static void verify_single(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind == EV_ALLOC)
    check(g->objects.at[e->loc].alloc == id);
  if (e->kind == EV_FREE)
    check(g->objects.at[e->loc].free == id);
  if (e->kind == EV_JOIN)
    check(g->threads[e->loc].join == id);
  if (e->kind == EV_DETACH)
    check(g->threads[e->loc].is_detached);
}

static bool is_live(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  return id < g->nevents && e->index < graph_thread_length(g, e->thread) &&
         graph_at(g, e->thread, e->index) == id;
}

static bool has_detach(const struct graph *g, unsigned thread) {
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (g->events[e].kind == EV_DETACH && g->events[e].loc == thread)
      return true;
  return false;
}

// 1 + the index of the newest of the first n events of the thread that had this
// `pre`; 0: none.
static uint32_t newest_with(const struct graph *g, unsigned t, uint32_t n,
                            uint32_t pre) {
  while (n && g->events[graph_at(g, t, n - 1)].pre != pre)
    n--;
  return n;
}

static void verify_thread(const struct graph *g, unsigned t) {
  const struct graph_thread *th = &g->threads[t];
  uint32_t spawns = 0, n = graph_thread_length(g, t);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    spawns += e->kind == EV_SPAWN;
    check(e->same == newest_with(g, t, i, e->pre));
    check(graph_newest_with(g, t, e->pre) == newest_with(g, t, n, e->pre));
  }
  check(spawns == th->spawns);
  check(th->known <= n);
  check((th->state != 0) == (g->active >> t & 1));
  check(th->join == NO_EVENT ||
        (is_live(g, th->join) && g->events[th->join].kind == EV_JOIN &&
         g->events[th->join].loc == t));
  check(th->is_detached == has_detach(g, t));
  bool starts = n && g->events[graph_at(g, t, 0)].kind == EV_START;
  check(starts == (g->started >> t & 1));
  // Whatever is said about states is about one of these events.
  uint32_t states = 0, different = 0;
  for (unsigned k = 0; k < 2; k++)
    for (uint32_t i = 0; i < th->newest[k].cap; i++)
      states += th->newest[k].at[i] != 0;
  for (uint32_t i = 0; i < n; i++)
    different += !g->events[graph_at(g, t, i)].same;
  check(states == different);
}

static void verify_object(const struct graph *g, uint32_t object) {
  const struct graph_object *o = &g->objects.at[object];
  check(o->alloc == NO_EVENT ||
        (is_live(g, o->alloc) && g->events[o->alloc].kind == EV_ALLOC &&
         g->events[o->alloc].loc == object));
  check(o->free == NO_EVENT ||
        (is_live(g, o->free) && g->events[o->free].kind == EV_FREE &&
         g->events[o->free].loc == object));
}

static bool is_same_clock(const struct clocks *a, clock_id x,
                          const struct clocks *b, clock_id y, uint32_t but) {
  for (uint32_t t = 0; t < a->stride; t++)
    if (t != but && clock_get(a, x, t) != clock_get(b, y, t))
      return false;
  return true;
}

// Computes all clocks again, in a copy.
static void verify_clocks(const struct graph *g) {
  struct graph copy = *g;
  size_t words = (size_t)g->clocks.cap * g->clocks.stride;
  copy.events = xcalloc(g->cap_events, sizeof *g->events);
  memcpy(copy.events, g->events, g->nevents * sizeof *g->events);
  copy.clocks.at = xcalloc(words, sizeof *g->clocks.at);
  memcpy(copy.clocks.at, g->clocks.at, words * sizeof *g->clocks.at);
  memset(&copy.undo, 0, sizeof copy.undo);
  memset(&copy.saved, 0, sizeof copy.saved);
  graph_renew_clocks(&copy);
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id], *f = &copy.events[id];
    // What an event learns of its own thread from itself it knows by po; hb.c
    // may leave it out.
    uint32_t own = e->thread, all = UINT32_MAX;
    const struct clocks *a = &g->clocks, *b = &copy.clocks;
    check(is_same_clock(a, e->hb, b, f->hb, own));
    check(is_same_clock(a, e->porf, b, f->porf, all));
    check(is_same_clock(a, e->rel, b, f->rel,
                        order_releases(e->order) ? own : all));
    check(is_same_clock(a, e->acq, b, f->acq, own));
    check(is_same_clock(a, e->fenced, b, f->fenced, all));
  }
  array_done(&copy.undo);
  array_done(&copy.saved);
  clocks_done(&copy.clocks);
  free(copy.events);
}

void graph_verify(const struct graph *g) {
  uint32_t live = 1, in_threads = 1, sc = 0, fences = 0;
  event_id last = INIT_EVENT;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    check(id > last && e->prev == last);
    check(e->index < graph_thread_length(g, e->thread) &&
          graph_at(g, e->thread, e->index) == id);
    sc += e->order == ORD_SC;
    fences += e->order == ORD_SC && e->kind == EV_FENCE;
    if (is_access(e))
      verify_access(g, id);
    verify_single(g, id);
    last = id;
    live++;
  }
  for (uint32_t t = 0; t < g->nthreads; t++) {
    in_threads += graph_thread_length(g, t);
    verify_thread(g, t);
  }
  check(last == g->last && live == g->live && in_threads == live);
  check(sc == g->sc_events && fences == g->sc_fences);
  for (uint32_t l = 0; l < g->locs.len; l++)
    verify_loc(g, l);
  for (uint32_t o = 0; o < g->objects.len; o++)
    verify_object(g, o);
  verify_clocks(g);
}

// ---- a hash

static uint64_t hash_list(uint64_t h, const struct event_list *l) {
  h = hash_mix(h, l->len);
  for (uint32_t i = 0; i < l->len; i++)
    h = hash_mix(h, l->at[i]);
  return h;
}

static uint64_t hash_clock(const struct graph *g, uint64_t h, clock_id c) {
  for (uint32_t t = 0; t < g->clocks.stride; t++)
    if (clock_get(&g->clocks, c, t))
      h = hash_mix(h, (uint64_t)t << 32 | clock_get(&g->clocks, c, t));
  return hash_mix(h, c);
}

static uint64_t hash_event(const struct graph *g, uint64_t h, event_id id) {
  const struct event *e = &g->events[id];
  h = hash_mix(h, (uint64_t)e->kind << 48 | (uint64_t)e->order << 40 |
                      (uint64_t)e->flags << 8 | e->thread);
  h = hash_mix(h, (uint64_t)e->index << 32 | e->loc);
  h = hash_mix(h, (uint64_t)e->rf << 32 | e->co);
  h = hash_mix(h, e->value);
  h = hash_mix(h, (uint64_t)e->pre << 32 | e->state);
  h = hash_mix(h, (uint64_t)e->prev << 32 | e->next);
  h = hash_mix(h, (uint64_t)e->same << 32 | id);
  if (e->flags & EVF_HANDED)
    h = hash_mix(h, e->before);
  h = hash_clock(g, h, e->hb);
  h = hash_clock(g, h, e->porf);
  h = hash_clock(g, h, e->rel);
  h = hash_clock(g, h, e->acq);
  return hash_clock(g, h, e->fenced);
}

// Room for threads, locations and objects is never given back: what is empty
// does not count.
static uint64_t hash_thread(const struct graph *g, uint64_t h, unsigned t) {
  const struct graph_thread *th = &g->threads[t];
  if (!th->events.len)
    return h;
  h = hash_list(h, &th->events);
  h = hash_mix(h, (uint64_t)th->spawns << 32 | th->join);
  h = hash_mix(h, (uint64_t)t << 1 | th->is_detached);
  for (unsigned k = 0; k < 2; k++)
    for (uint32_t i = 0; i < th->newest[k].cap; i++)
      if (th->newest[k].at[i])
        h = hash_mix(h, (uint64_t)i << 32 | th->newest[k].at[i] << 1 | k);
  return h;
}

static uint64_t hash_loc(const struct graph *g, uint64_t h, uint32_t loc) {
  const struct graph_loc *l = &g->locs.at[loc];
  if (!l->threads)
    return h;
  h = hash_mix(h, (uint64_t)loc << 32 | l->na);
  h = hash_list(hash_mix(h, l->threads), &l->co);
  h = hash_list(h, &l->reads);
  for (uint64_t rest = l->threads; rest; rest &= rest - 1)
    h = hash_list(h, &l->by_thread[__builtin_ctzll(rest)]);
  return h;
}

uint64_t graph_hash(const struct graph *g) {
  uint64_t h = hash_mix(g->live, (uint64_t)g->nevents << 32 | g->last);
  h = hash_mix(h, (uint64_t)g->sc_events << 32 | g->sc_fences);
  h = hash_mix(h, (uint64_t)g->saved.len << 32 | g->clocks.len);
  for (event_id id = 0; id != NO_EVENT; id = g->events[id].next)
    h = hash_event(g, h, id);
  for (uint32_t t = 0; t < g->nthreads; t++)
    h = hash_thread(g, h, t);
  for (uint32_t l = 0; l < g->locs.len; l++)
    h = hash_loc(g, h, l);
  for (uint32_t o = 0; o < g->objects.len; o++)
    if (g->objects.at[o].alloc != NO_EVENT || g->objects.at[o].free != NO_EVENT)
      h = hash_mix(h, (uint64_t)g->objects.at[o].alloc << 32 |
                          g->objects.at[o].free);
  return h;
}
