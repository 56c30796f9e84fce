// SPDX-License-Identifier: MIT
// Derives every list of a graph again from its events and compares. Used by
// slow-check builds and tests.
#include "graph/graph.h"

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
    last = id;
    live++;
  }
  for (uint32_t t = 0; t < g->nthreads; t++)
    in_threads += graph_thread_length(g, t);
  check(last == g->last && live == g->live && in_threads == live);
  check(sc == g->sc_events && fences == g->sc_fences);
  for (uint32_t l = 0; l < g->locs.len; l++)
    verify_loc(g, l);
}
