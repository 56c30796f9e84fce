// SPDX-License-Identifier: MIT
// Changing a graph, and changing it back. An event is added where its thread
// is, an event is taken out (at a revisit) or kept behind a hole, a thread
// meets a kept one, a read gets another source. Each has its inverse; the undo
// log keeps which to apply, and where. Undoing runs backwards, so each inverse
// finds exactly the graph that its change left.
#include "graph/graph.h"

#include "base/hash.h"
#include "graph/hb.h"
#include "graph/shape.h"

#include <string.h>

enum {
  UNDO_ADD,
  UNDO_ADD_KEPT,
  UNDO_DELETE,
  UNDO_KEEP,
  UNDO_MEET,
  UNDO_RF,
  UNDO_EVENT
};

void graph_init(struct graph *g) {
  *g = (struct graph){0};
  clocks_init(&g->clocks);
  g->transient_states = UINT32_MAX;
  g->cap_events = 256;
  g->events = xcalloc(g->cap_events, sizeof *g->events);
  g->nevents = 1;
  g->events[INIT_EVENT] = (struct event){
      .kind = EV_INIT, .rf = NO_EVENT, .prev = NO_EVENT, .next = NO_EVENT};
  g->live = 1;
  g->last = INIT_EVENT;
}

static void list_done(struct event_list *l) {
  array_done(l);
}

void graph_done(struct graph *g) {
  for (uint32_t t = 0; t < g->nthreads; t++) {
    list_done(&g->threads[t].events);
    free(g->threads[t].newest[0].at);
    free(g->threads[t].newest[1].at);
  }
  free(g->threads);
  for (uint32_t i = 0; i < g->locs.len; i++) {
    struct graph_loc *l = &g->locs.at[i];
    list_done(&l->co);
    list_done(&l->reads);
    for (uint32_t t = 0; t < l->cap_threads; t++)
      list_done(&l->by_thread[t]);
    free(l->by_thread);
  }
  array_done(&g->locs);
  array_done(&g->objects);
  array_done(&g->undo);
  array_done(&g->saved);
  free(g->events);
  free(g->deps);
  clocks_done(&g->clocks);
}

void graph_need_threads(struct graph *g, uint32_t n) {
  if (n <= g->nthreads)
    return;
  clocks_need_threads(&g->clocks, n);
  g->threads = xrealloc(g->threads, n * sizeof *g->threads);
  for (uint32_t t = g->nthreads; t < n; t++)
    g->threads[t] = (struct graph_thread){.join = NO_EVENT};
  g->nthreads = n;
}

void graph_need_loc(struct graph *g, uint32_t loc) {
  while (g->locs.len <= loc) {
    struct graph_loc *l = array_extend(&g->locs, 1);
    array_push(&l->co, INIT_EVENT);
  }
}

void graph_need_object(struct graph *g, uint32_t object) {
  while (g->objects.len <= object)
    array_push(&g->objects,
               (struct graph_object){.alloc = NO_EVENT, .free = NO_EVENT});
}

static struct event_list *accesses_of(struct graph_loc *l, unsigned t) {
  if (t >= l->cap_threads) {
    uint32_t cap = l->cap_threads ? l->cap_threads : 4;
    while (cap <= t)
      cap *= 2;
    l->by_thread = xrealloc(l->by_thread, cap * sizeof *l->by_thread);
    memset(l->by_thread + l->cap_threads, 0,
           (cap - l->cap_threads) * sizeof *l->by_thread);
    l->cap_threads = cap;
  }
  return &l->by_thread[t];
}

// Puts `e` into the co of its location at its place.
static void co_insert(struct graph *g, struct graph_loc *l, event_id e) {
  uint32_t at = g->events[e].co;
  check(at >= 1 && at <= l->co.len);
  array_push(&l->co, e);
  for (uint32_t i = l->co.len - 1; i > at; i--) {
    l->co.at[i] = l->co.at[i - 1];
    g->events[l->co.at[i]].co = i;
  }
  l->co.at[at] = e;
}

static void co_remove(struct graph *g, struct graph_loc *l, event_id e) {
  uint32_t at = g->events[e].co;
  check(at < l->co.len && l->co.at[at] == e);
  l->co.len--;
  for (uint32_t i = at; i < l->co.len; i++) {
    l->co.at[i] = l->co.at[i + 1];
    g->events[l->co.at[i]].co = i;
  }
}

static uint32_t *newest_slot(struct graph *g, unsigned t, uint32_t pre) {
  bool is_transient = pre >= g->transient_states;
  struct state_index *n = &g->threads[t].newest[is_transient];
  pre -= is_transient ? g->transient_states : 0;
  if (pre >= n->cap) {
    uint32_t cap = n->cap ? n->cap : 64;
    while (cap <= pre)
      cap *= 2;
    n->at = xrealloc(n->at, cap * sizeof *n->at);
    memset(n->at + n->cap, 0, (cap - n->cap) * sizeof *n->at);
    n->cap = cap;
  }
  return &n->at[pre];
}

// Mostly at the end; kept events are behind it otherwise.
static inline void list_insert(struct event_list *l, uint32_t at, event_id e) {
  array_push(l, e);
  if (at + 1 == l->len)
    return;
  memmove(l->at + at + 1, l->at + at, (l->len - 1 - at) * sizeof *l->at);
  l->at[at] = e;
}

static inline void list_remove(struct event_list *l, uint32_t at, event_id e) {
  check(at < l->len && l->at[at] == e);
  if (at < --l->len)
    memmove(l->at + at, l->at + at + 1, (l->len - at) * sizeof *l->at);
}

// The events of thread t from `from` on have moved by one.
static inline void renumber(struct graph *g, unsigned t, uint32_t from) {
  const struct event_list *l = &g->threads[t].events;
  for (uint32_t i = from; i < l->len; i++)
    g->events[l->at[i]].index = i;
}

static void set_kept(struct graph *g, unsigned t, uint32_t kept) {
  uint64_t bit = UINT64_C(1) << t;
  g->threads[t].kept = kept;
  g->holed = kept ? g->holed | bit : g->holed & ~bit;
  if (g->threads[t].known > graph_reached(g, t))
    g->threads[t].known = graph_reached(g, t);
}

// Links an event to the last one of its thread that had the same `pre`; kept
// events are not linked.
static void link_state(struct graph *g, event_id id) {
  struct event *e = &g->events[id];
  uint32_t *newest = newest_slot(g, e->thread, e->pre);
  e->same = *newest;
  *newest = e->index + 1;
}

static void unlink_state(struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  *newest_slot(g, e->thread, e->pre) = e->same;
}

// Where an event belongs in a list of its thread's events, in po.
static inline uint32_t place_in(const struct graph *g,
                                const struct event_list *l, uint32_t index) {
  uint32_t at = l->len;
  while (at && g->events[l->at[at - 1]].index > index)
    at--;
  return at;
}

// Lists the event where it belongs, at its index in its thread. `at` is the
// place among the reads of its location (the end for a new event).
static void enter(struct graph *g, event_id id, uint32_t at) {
  struct event *e = &g->events[id];
  struct graph_thread *t = &g->threads[e->thread];
  list_insert(&t->events, e->index, id);
  if (t->kept)
    renumber(g, e->thread, e->index + 1);
  if (e->order == ORD_SC) {
    g->sc_events++;
    g->sc_fences += e->kind == EV_FENCE;
  }
  if (is_access(e)) {
    struct graph_loc *l = &g->locs.at[e->loc];
    struct event_list *mine = accesses_of(l, e->thread);
    list_insert(mine, t->kept ? place_in(g, mine, e->index) : mine->len, id);
    l->threads |= 1ull << e->thread;
    l->na += e->order == ORD_NA;
    if (e->kind == EV_WRITE) {
      co_insert(g, l, id);
    } else if (at >= l->reads.len) {
      array_push(&l->reads, id);
    } else {
      event_id moved = l->reads.at[at];
      array_push(&l->reads, moved);
      l->reads.at[at] = id;
    }
  } else if (e->kind == EV_ALLOC) {
    g->objects.at[e->loc].alloc = id;
  } else if (e->kind == EV_FREE) {
    g->objects.at[e->loc].free = id;
  } else if (e->kind == EV_SPAWN) {
    t->spawns++;
  } else if (e->kind == EV_JOIN) {
    g->threads[e->loc].join = id;
  } else if (e->kind == EV_DETACH) {
    g->threads[e->loc].is_detached = true;
  }
}

// The inverse of enter; yields the place among the reads.
static uint32_t leave(struct graph *g, event_id id) {
  struct event *e = &g->events[id];
  struct graph_thread *t = &g->threads[e->thread];
  if (e->order == ORD_SC) {
    g->sc_events--;
    g->sc_fences -= e->kind == EV_FENCE;
  }
  uint32_t at = 0;
  if (is_access(e)) {
    struct graph_loc *l = &g->locs.at[e->loc];
    struct event_list *mine = &l->by_thread[e->thread];
    list_remove(mine, (t->kept ? place_in(g, mine, e->index) : mine->len) - 1,
                id);
    if (!mine->len)
      l->threads &= ~(1ull << e->thread);
    l->na -= e->order == ORD_NA;
    if (e->kind == EV_WRITE) {
      co_remove(g, l, id);
    } else {
      at = l->reads.len - 1;
      while (l->reads.at[at] != id)
        at--;
      l->reads.at[at] = l->reads.at[--l->reads.len];
    }
  } else if (e->kind == EV_ALLOC) {
    g->objects.at[e->loc].alloc = NO_EVENT;
  } else if (e->kind == EV_FREE) {
    g->objects.at[e->loc].free = NO_EVENT;
  } else if (e->kind == EV_SPAWN) {
    t->spawns--;
  } else if (e->kind == EV_JOIN) {
    g->threads[e->loc].join = NO_EVENT;
  } else if (e->kind == EV_DETACH) {
    g->threads[e->loc].is_detached = false;
  }
  list_remove(&t->events, e->index, id);
  if (t->kept)
    renumber(g, e->thread, e->index);
  if (t->known > e->index)
    t->known = e->index;
  return at;
}

// Where a thread is after its newest event.
static void reset_state(struct graph *g, unsigned thread) {
  graph_set_state(
      g, thread,
      graph_reached(g, thread) ? g->events[graph_tail(g, thread)].state : 0);
}

static void log_change(struct graph *g, uint32_t what, event_id e,
                       uint32_t at) {
  array_push(&g->undo, (struct undo_record){what, e, at});
}

// Makes `e` the newest event.
static inline event_id append(struct graph *g, struct event e) {
  if (g->nevents == g->cap_events) {
    g->cap_events *= 2;
    g->events = xrealloc(g->events, g->cap_events * sizeof *g->events);
    if (g->deps)
      g->deps = xrealloc(g->deps, g->cap_events * sizeof *g->deps);
  }
  event_id id = g->nevents++;
  e.prev = g->last;
  e.next = NO_EVENT;
  g->events[g->last].next = id;
  g->last = id;
  g->live++;
  g->events[id] = e;
  enter(g, id, UINT32_MAX);
  return id;
}

event_id graph_add(struct graph *g, struct event e) {
  check(e.thread < g->nthreads);
  e.index = graph_reached(g, e.thread);
  hb_compute(g, &e, e.index ? &g->events[graph_tail(g, e.thread)] : NULL);
  bool is_filled = g->threads[e.thread].kept;
  event_id id = append(g, e);
  link_state(g, id);
  if (g->deps) {
    g->deps[id] = (struct event_deps){.place = e.index, .is_filled = is_filled};
    g->deps[id].prefix = is_filled ? 0 : shape_of_prefix(g, id);
    g->filled += is_filled;
  }
  graph_set_state(g, e.thread, e.state);
  log_change(g, UNDO_ADD, id, 0);
  if (is_filled)
    graph_renew_clocks(g);
  return id;
}

event_id graph_add_kept(struct graph *g, struct event e,
                        const struct event_deps *deps) {
  const struct event_list *l = &g->threads[e.thread].events;
  e.index = l->len;
  while (g->deps[l->at[e.index - 1]].place > deps->place)
    e.index--;
  event_id id = append(g, e);
  g->deps[id] = *deps;
  set_kept(g, e.thread, g->threads[e.thread].kept + 1);
  log_change(g, UNDO_ADD_KEPT, id, 0);
  return id;
}

static void undo_add(struct graph *g, event_id id, bool was_kept) {
  check(id == g->nevents - 1 && id == g->last);
  unsigned t = g->events[id].thread;
  if (!was_kept)
    unlink_state(g, id);
  g->filled -= g->deps && g->deps[id].is_filled;
  leave(g, id);
  if (was_kept)
    set_kept(g, t, g->threads[t].kept - 1);
  g->last = g->events[id].prev;
  g->events[g->last].next = NO_EVENT;
  g->nevents--;
  g->live--;
  reset_state(g, t);
}

void graph_delete(struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  check(graph_tail(g, e->thread) == id);
  g->events[e->prev].next = e->next;
  if (e->next == NO_EVENT)
    g->last = e->prev;
  else
    g->events[e->next].prev = e->prev;
  unlink_state(g, id);
  g->filled -= g->deps && g->deps[id].is_filled;
  uint32_t at = leave(g, id);
  g->live--;
  reset_state(g, e->thread);
  log_change(g, UNDO_DELETE, id, at);
}

static void undo_delete(struct graph *g, event_id id, uint32_t at) {
  const struct event *e = &g->events[id];
  enter(g, id, at);
  link_state(g, id);
  g->filled += g->deps && g->deps[id].is_filled;
  g->events[e->prev].next = id;
  if (e->next == NO_EVENT)
    g->last = id;
  else
    g->events[e->next].prev = id;
  g->live++;
  graph_set_state(g, e->thread, e->state);
}

// ---- holes

static void keep(struct graph *g, unsigned t) {
  unlink_state(g, graph_tail(g, t));
  set_kept(g, t, g->threads[t].kept + 1);
  reset_state(g, t);
}

void graph_keep(struct graph *g, unsigned t) {
  event_id id = graph_tail(g, t);
  log_change(g, UNDO_KEEP, id, g->deps[id].prefix);
  g->deps[id].prefix = 0;
  keep(g, t);
}

// The first kept event of its thread is where the thread is now.
static void unkeep(struct graph *g, unsigned t) {
  set_kept(g, t, g->threads[t].kept - 1);
  link_state(g, graph_tail(g, t));
  reset_state(g, t);
}

void graph_meet(struct graph *g, unsigned t, uint32_t pre) {
  check(g->threads[t].kept);
  event_id id = graph_at(g, t, graph_reached(g, t));
  array_push(&g->saved, g->events[id]);
  g->events[id].pre = pre;
  unkeep(g, t);
  log_change(g, UNDO_MEET, id, 0);
}

static void undo_meet(struct graph *g, event_id id) {
  struct event *e = &g->events[id];
  keep(g, e->thread);
  *e = array_pop(&g->saved);
}

void graph_clear_flags(struct graph *g, event_id e, uint8_t flags) {
  array_push(&g->saved, g->events[e]);
  log_change(g, UNDO_EVENT, e, 0);
  g->events[e].flags &= (uint8_t)~flags;
}

void graph_move_in_co(struct graph *g, event_id write, uint32_t place) {
  struct graph_loc *l = &g->locs.at[g->events[write].loc];
  co_remove(g, l, write);
  g->events[write].co = place;
  co_insert(g, l, write);
}

void graph_track_deps(struct graph *g, const struct sets *sets,
                      bool orders_updates) {
  g->sets = sets;
  g->orders_updates = orders_updates;
  g->deps = xcalloc(g->cap_events, sizeof *g->deps);
}

static bool same_clock(const struct clocks *c, clock_id a, clock_id b) {
  return a == b ||
         memcmp(c->at + (size_t)a * c->stride, c->at + (size_t)b * c->stride,
                c->stride * sizeof *c->at) == 0;
}

static bool same_clocks(const struct clocks *c, const struct event *a,
                        const struct event *b) {
  return same_clock(c, a->hb, b->hb) && same_clock(c, a->porf, b->porf) &&
         same_clock(c, a->rel, b->rel) && same_clock(c, a->acq, b->acq) &&
         same_clock(c, a->fenced, b->fenced);
}

void graph_renew_clocks(struct graph *g) {
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    struct event *e = &g->events[id];
    array_push(&g->saved, *e);
    log_change(g, UNDO_EVENT, id, 0);
    e->hb = e->porf = e->rel = e->acq = e->fenced = 0;
  }
  // What an event knows only grows from round to round, and is bounded.
  for (bool more = true; more;) {
    more = false;
    for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
         id = g->events[id].next) {
      struct event e = g->events[id];
      uint32_t clocks = g->clocks.len;
      hb_compute(g, &e,
                 e.index ? &g->events[graph_at(g, e.thread, e.index - 1)]
                         : NULL);
      if (same_clocks(&g->clocks, &e, &g->events[id])) {
        g->clocks.len = clocks;
        continue;
      }
      g->events[id] = e;
      more = true;
    }
  }
}

// A compare-exchange that succeeds has another order than one that fails.
static void count_order(struct graph *g, uint8_t before, uint8_t after) {
  g->sc_events -= before == ORD_SC;
  g->sc_events += after == ORD_SC;
}

void graph_set_rf(struct graph *g, event_id read, event_id write,
                  uint64_t value, uint8_t order, uint8_t flags,
                  uint32_t state) {
  struct event *e = &g->events[read];
  check(e->kind == EV_READ && graph_tail(g, e->thread) == read);
  array_push(&g->saved, *e);
  count_order(g, e->order, order);
  e->rf = write;
  e->value = value;
  e->order = order;
  e->flags = flags;
  e->state = state;
  hb_compute(g, e, &g->events[graph_at(g, e->thread, e->index - 1)]);
  if (g->threads[e->thread].known > e->index + 1)
    g->threads[e->thread].known = e->index + 1;
  graph_set_state(g, e->thread, state);
  log_change(g, UNDO_RF, read, g->deps ? g->deps[read].prefix : 0);
  if (g->deps && g->deps[read].prefix)
    g->deps[read].prefix = shape_of_prefix(g, read);
}

static void undo_rf(struct graph *g, event_id read) {
  struct event *e = &g->events[read];
  const struct event *old = array_last(&g->saved);
  count_order(g, e->order, old->order);
  *e = *old;
  g->saved.len--;
  if (g->threads[e->thread].known > e->index + 1)
    g->threads[e->thread].known = e->index + 1;
  graph_set_state(g, e->thread, e->state);
}

struct graph_mark graph_mark(const struct graph *g) {
  return (struct graph_mark){g->undo.len, g->saved.len, g->clocks.len};
}

void graph_undo_to(struct graph *g, struct graph_mark m) {
  check(m.undo <= g->undo.len);
  while (g->undo.len > m.undo) {
    struct undo_record r = array_pop(&g->undo);
    switch (r.what) {
    case UNDO_ADD:
    case UNDO_ADD_KEPT:
      undo_add(g, r.event, r.what == UNDO_ADD_KEPT);
      break;
    case UNDO_DELETE:
      undo_delete(g, r.event, r.at);
      break;
    case UNDO_KEEP:
      unkeep(g, g->events[r.event].thread);
      g->deps[r.event].prefix = (uint8_t)r.at;
      break;
    case UNDO_MEET:
      undo_meet(g, r.event);
      break;
    case UNDO_RF:
      undo_rf(g, r.event);
      if (g->deps)
        g->deps[r.event].prefix = (uint8_t)r.at;
      break;
    case UNDO_EVENT:
      g->events[r.event] = array_pop(&g->saved);
      break;
    }
  }
  check(g->saved.len == m.saved);
  g->clocks.len = m.clocks;
}

uint32_t graph_count_below(const struct graph *g, const struct event_list *list,
                           uint32_t bound) {
  // Mostly all of them, or all but the newest few.
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

uint32_t graph_co_floor(const struct graph *g, uint32_t loc, unsigned t,
                        uint32_t index, clock_id hb) {
  const struct graph_loc *l = &g->locs.at[loc];
  uint32_t floor = 0;
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    uint32_t bound = u == t ? index : clock_get(&g->clocks, hb, u);
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

event_id graph_at_place(const struct graph *g, unsigned t, uint32_t place) {
  const struct event_list *list = &g->threads[t].events;
  if (place < list->len && g->deps[list->at[place]].place == place)
    return list->at[place]; // no hole before it
  // Places rise with the index and are not below it.
  uint32_t low = 0, high = place < list->len ? place + 1 : list->len;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (g->deps[list->at[mid]].place < place)
      low = mid + 1;
    else
      high = mid;
  }
  bool is_there = low < list->len && g->deps[list->at[low]].place == place;
  return is_there ? list->at[low] : NO_EVENT;
}

uint32_t graph_first_after(const struct graph *g, event_id id, unsigned u) {
  const struct event *e = &g->events[id];
  if (e->thread == u)
    return e->index + 1;
  const struct event_list *list = &g->threads[u].events;
  uint32_t low = 0, high = list->len; // what a thread knows only grows
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (clock_knows(&g->clocks, g->events[list->at[mid]].hb, e->thread,
                    e->index))
      high = mid;
    else
      low = mid + 1;
  }
  return low;
}

uint64_t graph_hash(const struct graph *g) {
  uint64_t h = 0;
  for (event_id id = 0; id != NO_EVENT; id = g->events[id].next) {
    const struct event *e = &g->events[id];
    h = hash_mix(h, id);
    h = hash_mix(h, (uint64_t)e->kind << 24 | (uint64_t)e->order << 16 |
                        (uint64_t)e->flags << 8 | e->thread);
    h = hash_mix(h, (uint64_t)e->index << 32 | e->loc);
    h = hash_mix(h, (uint64_t)e->rf << 32 | e->co);
    h = hash_mix(h, e->value);
    h = hash_mix(h, (uint64_t)e->pre << 32 | e->state);
    h = hash_mix(h, (uint64_t)e->hb << 32 | e->porf);
    h = hash_mix(h, (uint64_t)e->rel << 32 | e->acq);
    h = hash_mix(h, (uint64_t)e->fenced << 32 | e->prev);
  }
  for (uint32_t t = 0; t < g->nthreads; t++)
    h = hash_mix(h, (uint64_t)g->threads[t].events.len << 32 |
                        g->threads[t].state);
  for (uint32_t i = 0; i < g->locs.len; i++) {
    const struct graph_loc *l = &g->locs.at[i];
    h = hash_mix(h, l->threads ^ l->na);
    for (uint32_t k = 0; k < l->co.len; k++)
      h = hash_mix(h, l->co.at[k]);
    for (uint32_t k = 0; k < l->reads.len; k++)
      h = hash_mix(h, l->reads.at[k]);
  }
  return h;
}
