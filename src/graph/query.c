// SPDX-License-Identifier: MIT
// Questions about a graph that its lists and clocks answer.
#include "graph/graph.h"

#include "base/hash.h"

uint32_t graph_search_below(const struct graph *g,
                            const struct event_list *list, uint32_t bound) {
  uint32_t n = list->len, step = 1;
  while (n && g->events[list->at[n - 1]].index >= bound) {
    uint32_t low = n > step ? n - step : 0;
    if (low && g->events[list->at[low - 1]].index >= bound) {
      n = low;
      step *= 2;
      continue;
    }
    // The answer is in [low, n): halve it.
    uint32_t high = n - 1;
    while (low < high) {
      uint32_t mid = low + (high - low) / 2;
      if (g->events[list->at[mid]].index < bound)
        low = mid + 1;
      else
        high = mid;
    }
    return low;
  }
  return n;
}

// How many events of thread u come before that index of thread t, by creating t
// or by being joined?
static uint32_t count_po(const struct graph *g, unsigned t, uint32_t index,
                         unsigned u) {
  event_id join = g->threads[u].join, spawn = g->events[graph_at(g, t, 0)].rf;
  if (join != NO_EVENT && g->events[join].thread == t &&
      g->events[join].index < index)
    return graph_thread_length(g, u);
  bool is_parent = spawn != NO_EVENT && g->events[spawn].thread == u;
  return is_parent ? g->events[spawn].index + 1 : 0;
}

// Is what happens before the event of thread t at this index, which may come
// next, before it in co as well?
static bool past_is_coherent(const struct graph *g, unsigned t,
                             uint32_t index) {
  if (g->coherence != COHERENCE_EXTERNAL)
    return g->coherence == COHERENCE_HB;
  uint32_t at = index < graph_thread_length(g, t) ? index : index - 1;
  return !(g->events[graph_at(g, t, at)].flags & EVF_OWN);
}

uint32_t graph_co_floor(const struct graph *g, uint32_t loc, unsigned t,
                        uint32_t index, clock_id hb) {
  const struct graph_loc *l = &g->locs.at[loc];
  uint32_t floor = 0;
  uint64_t threads = l->threads;
  bool by_hb = past_is_coherent(g, t, index);
  if (g->coherence > COHERENCE_PO)
    threads &= g->coherence == COHERENCE_THREAD ? UINT64_C(1) << t : 0;
  for (uint64_t rest = threads; rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    uint32_t bound = index;
    if (u != t)
      bound = by_hb ? clock_get(&g->clocks, hb, u) : count_po(g, t, index, u);
    if (!bound)
      continue;
    // By coherence the newest of a thread's accesses has seen the most.
    const struct event_list *list = &l->by_thread[u];
    uint32_t n = graph_count_below(g, list, bound);
    if (n) {
      uint32_t place = graph_co_place(g, list->at[n - 1]);
      if (place > floor)
        floor = place;
    }
  }
  return floor;
}

uint32_t graph_search_after(const struct graph *g, event_id id, unsigned u) {
  const struct event_list *list = &g->threads[u].events;
  uint32_t low = 0, high = list->len - 1; // what a thread knows only grows
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (graph_hb(g, id, list->at[mid]))
      high = mid;
    else
      low = mid + 1;
  }
  return low;
}

bool graph_has_pieces(const struct graph *g) {
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (is_access(&g->events[e]) && (g->events[e].flags & EVF_PIECE))
      return true;
  return false;
}

// Threads are known by which event created them, all the way to the first one.
static uint64_t name_of_thread(const struct graph *g, unsigned t) {
  uint64_t h = 1;
  while (graph_thread_length(g, t)) {
    event_id spawn = g->events[graph_at(g, t, 0)].rf;
    if (spawn == NO_EVENT)
      break;
    h = hash_mix(h, g->events[spawn].index);
    t = g->events[spawn].thread;
  }
  return h;
}

static uint64_t name_of_event(const struct graph *g, const uint64_t *threads,
                              event_id id) {
  if (id == INIT_EVENT || id == NO_EVENT)
    return id;
  const struct event *e = &g->events[id];
  return hash_mix(threads[e->thread], e->index);
}

uint64_t graph_name(const struct graph *g) {
  uint64_t threads[64] = {0}, h = 0;
  for (uint32_t t = 0; t < g->nthreads; t++)
    threads[t] = name_of_thread(g, t);
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    uint64_t own = name_of_event(g, threads, id);
    own = hash_mix(own, (uint64_t)e->kind << 8 | e->order);
    if (e->kind == EV_READ)
      own = hash_mix(own, name_of_event(g, threads, e->rf));
    // Values follow from all this, but not around a cycle of po ∪ rf.
    if (e->kind == EV_READ && e->rf != INIT_EVENT && e->rf != NO_EVENT &&
        graph_porf(g, id, e->rf))
      own = hash_mix(own, e->value);
    if (e->kind == EV_WRITE && !g->ignores_co)
      own = hash_mix(
          own, name_of_event(g, threads, g->locs.at[e->loc].co.at[e->co - 1]));
    if (e->kind == EV_CHOICE)
      own = hash_mix(own, e->value);
    h += own; // in any order
  }
  return h;
}
