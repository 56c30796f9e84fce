// SPDX-License-Identifier: MIT
// Changing a graph, and changing it back. An event is added at the end of its
// thread or taken out there (at a revisit), a read gets another source, a
// thread does again what it did with other values. Each change has its inverse;
// the undo log keeps which to apply, and where. Undoing runs backwards, so each
// inverse finds exactly the graph that its change left.
#include "graph/graph.h"

#include "base/hash.h"
#include "graph/hb.h"

#include <string.h>

enum {
  UNDO_ADD,
  UNDO_DELETE,
  UNDO_RF,
  UNDO_REWIND,
  UNDO_REPLAY,
  UNDO_MOVE,
  UNDO_EVENT,
  UNDO_END
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

void graph_forget_judge(struct graph *g) {
  if (g->judge_done)
    g->judge_done(g->judge);
  g->judge = NULL;
  g->judge_done = NULL;
}

void graph_done(struct graph *g) {
  graph_forget_judge(g);
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
  check(n <= 64); // sets of them are bits
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

__attribute__((noinline)) static void need_list(struct graph_loc *l,
                                                unsigned t) {
  uint32_t cap = l->cap_threads ? l->cap_threads : 4;
  while (cap <= t)
    cap *= 2;
  l->by_thread = xrealloc(l->by_thread, cap * sizeof *l->by_thread);
  memset(l->by_thread + l->cap_threads, 0,
         (cap - l->cap_threads) * sizeof *l->by_thread);
  l->cap_threads = cap;
}

static inline struct event_list *accesses_of(struct graph_loc *l, unsigned t) {
  if (t >= l->cap_threads)
    need_list(l, t);
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

__attribute__((noinline)) static void need_slot(struct state_index *n,
                                                uint32_t pre) {
  uint32_t cap = n->cap ? n->cap : 64;
  while (cap <= pre)
    cap *= 2;
  n->at = xrealloc(n->at, cap * sizeof *n->at);
  memset(n->at + n->cap, 0, (cap - n->cap) * sizeof *n->at);
  n->cap = cap;
}

static inline uint32_t *newest_slot(struct graph *g, unsigned t, uint32_t pre) {
  bool is_transient = pre >= g->transient_states;
  struct state_index *n = &g->threads[t].newest[is_transient];
  pre -= is_transient ? g->transient_states : 0;
  if (pre >= n->cap)
    need_slot(n, pre);
  return &n->at[pre];
}

static inline void list_drop(struct event_list *l, event_id e) {
  check(l->len && l->at[l->len - 1] == e);
  l->len--;
}

// Links an event to the last one of its thread that had the same `pre`.
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

// Lists an access. `at` is the place among the reads of its location.
static void enter_access(struct graph *g, event_id id, const struct event *e,
                         uint32_t at) {
  struct graph_loc *l = &g->locs.at[e->loc];
  array_push(accesses_of(l, e->thread), id);
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
}

// Yields the place among the reads.
static uint32_t leave_access(struct graph *g, event_id id,
                             const struct event *e) {
  struct graph_loc *l = &g->locs.at[e->loc];
  struct event_list *mine = &l->by_thread[e->thread];
  uint32_t at = 0;
  list_drop(mine, id);
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
  return at;
}

// Lists what is no access. `is_there`: or takes it out again.
static void list_other(struct graph *g, event_id id, const struct event *e,
                       bool is_there) {
  uint64_t bit = UINT64_C(1) << e->thread;
  switch ((enum event_kind)e->kind) {
  case EV_START:
    g->started = is_there ? g->started | bit : g->started & ~bit;
    break;
  case EV_ALLOC:
    g->objects.at[e->loc].alloc = is_there ? id : NO_EVENT;
    break;
  case EV_FREE:
    g->objects.at[e->loc].free = is_there ? id : NO_EVENT;
    break;
  case EV_SPAWN:
    g->threads[e->thread].spawns += is_there ? 1 : -1u;
    break;
  case EV_JOIN:
    g->threads[e->loc].join = is_there ? id : NO_EVENT;
    break;
  case EV_DETACH:
    g->threads[e->loc].is_detached = is_there;
    g->has_detached = true;
    break;
  default:
    break;
  }
}

static inline void count_sc(struct graph *g, const struct event *e,
                            uint32_t by) {
  if (e->order == ORD_SC) {
    g->sc_events += by;
    g->sc_fences += e->kind == EV_FENCE ? by : 0;
  }
}

// Lists the event, the newest of its thread. `at` is the place among the reads
// of its location (the end for a new event).
static inline void enter(struct graph *g, event_id id, uint32_t at) {
  const struct event *e = &g->events[id];
  array_push(&g->threads[e->thread].events, id);
  count_sc(g, e, 1);
  if (is_access(e))
    enter_access(g, id, e, at);
  else if (e->kind != EV_END)
    list_other(g, id, e, /*is_there=*/true);
}

// The dependencies of a thread's events from `index` on have to be found again.
static inline void forget_deps(struct graph_thread *t, uint32_t index) {
  if (t->known > index)
    t->known = index;
}

// The inverse of enter; yields the place among the reads.
static inline uint32_t leave(struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  struct graph_thread *t = &g->threads[e->thread];
  uint32_t at = 0;
  count_sc(g, e, -1u);
  if (is_access(e))
    at = leave_access(g, id, e);
  else if (e->kind != EV_END)
    list_other(g, id, e, /*is_there=*/false);
  list_drop(&t->events, id);
  forget_deps(t, e->index);
  return at;
}

// Where a thread is after its newest event.
static void reset_state(struct graph *g, unsigned thread) {
  graph_set_state(g, thread,
                  graph_thread_length(g, thread)
                      ? g->events[graph_tail(g, thread)].state
                      : 0);
}

static void log_change(struct graph *g, uint32_t what, event_id e,
                       uint32_t at) {
  array_push(&g->undo, (struct undo_record){what, e, at});
}

void graph_need_event(struct graph *g) {
  check(g->cap_events < 1u << 31);
  g->cap_events *= 2;
  g->events = xrealloc(g->events, g->cap_events * sizeof *g->events);
  if (g->deps)
    g->deps = xrealloc(g->deps, g->cap_events * sizeof *g->deps);
}

event_id graph_add_next(struct graph *g) {
  event_id id = g->nevents;
  struct event *e = &g->events[id];
  check(e->thread < g->nthreads);
  e->index = graph_thread_length(g, e->thread);
  hb_compute(g, e, e->index ? &g->events[graph_tail(g, e->thread)] : NULL);
  e->prev = g->last;
  e->next = NO_EVENT;
  g->events[g->last].next = id;
  g->last = id;
  g->nevents++;
  g->live++;
  g->has_linked |= e->kind == EV_WRITE && (e->flags & EVF_LINKED);
  enter(g, id, UINT32_MAX);
  link_state(g, id);
  if (g->deps)
    g->deps[id] = (struct event_deps){0};
  graph_set_state(g, e->thread, e->state);
  log_change(g, UNDO_ADD, id, 0);
  return id;
}

static void undo_add(struct graph *g, event_id id) {
  check(id == g->nevents - 1 && id == g->last);
  unlink_state(g, id);
  leave(g, id);
  g->last = g->events[id].prev;
  g->events[g->last].next = NO_EVENT;
  g->nevents--;
  g->live--;
  reset_state(g, g->events[id].thread);
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
  uint32_t at = leave(g, id);
  g->live--;
  reset_state(g, e->thread);
  log_change(g, UNDO_DELETE, id, at);
}

static void undo_delete(struct graph *g, event_id id, uint32_t at) {
  const struct event *e = &g->events[id];
  enter(g, id, at);
  link_state(g, id);
  g->events[e->prev].next = id;
  if (e->next == NO_EVENT)
    g->last = id;
  else
    g->events[e->next].prev = id;
  g->live++;
  graph_set_state(g, e->thread, e->state);
}

// ---- doing again what was done

void graph_rewind(struct graph *g, unsigned t, uint32_t index) {
  const struct event_list *l = &g->threads[t].events;
  check(index && index < l->len);
  for (uint32_t i = l->len; i-- > index;)
    unlink_state(g, l->at[i]);
  forget_deps(&g->threads[t], index);
  log_change(g, UNDO_REWIND, l->at[index], 0);
}

static void undo_rewind(struct graph *g, event_id first) {
  unsigned t = g->events[first].thread;
  const struct event_list *l = &g->threads[t].events;
  for (uint32_t i = g->events[first].index; i < l->len; i++)
    link_state(g, l->at[i]);
  forget_deps(&g->threads[t], g->events[first].index);
  reset_state(g, t);
}

void graph_replay(struct graph *g, event_id id, const struct event *now) {
  struct event *e = &g->events[id];
  array_push(&g->saved, *e);
  check(now->kind == e->kind && now->order == e->order && now->loc == e->loc);
  e->rf = now->rf;
  e->value = now->value;
  e->flags = now->flags;
  e->pre = now->pre;
  e->state = now->state;
  link_state(g, id);
  log_change(g, UNDO_REPLAY, id, 0);
}

static void undo_replay(struct graph *g, event_id id) {
  unlink_state(g, id);
  g->events[id] = array_pop(&g->saved);
}

static void save_event(struct graph *g, event_id id) {
  array_push(&g->saved, g->events[id]);
  log_change(g, UNDO_EVENT, id, 0);
}

// Is that where a read may have its value from?
static inline bool is_source(const struct graph *g, event_id read,
                             event_id write) {
  const struct event *w = &g->events[write];
  return write == INIT_EVENT ||
         (w->kind == EV_WRITE && w->loc == g->events[read].loc);
}

void graph_point(struct graph *g, event_id read, event_id write) {
  check(g->events[read].kind == EV_READ && is_source(g, read, write));
  save_event(g, read);
  g->events[read].rf = write;
}

static void move_in_co(struct graph *g, event_id write, uint32_t place) {
  struct graph_loc *l = &g->locs.at[g->events[write].loc];
  co_remove(g, l, write);
  g->events[write].co = place;
  co_insert(g, l, write);
}

void graph_move_in_co(struct graph *g, event_id write, uint32_t place) {
  check(g->events[write].kind == EV_WRITE);
  log_change(g, UNDO_MOVE, write, g->events[write].co);
  move_in_co(g, write, place);
}

void graph_track_deps(struct graph *g, const struct sets *sets) {
  g->sets = sets;
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
         same_clock(c, a->fenced, b->fenced) &&
         (a->flags & EVF_OWN) == (b->flags & EVF_OWN);
}

// Computes the clocks of a copy of an event; have they changed?
static bool renew(struct graph *g, struct event *e) {
  const struct event old = *e;
  uint32_t clocks = g->clocks.len;
  hb_compute(
      g, e, e->index ? &g->events[graph_at(g, e->thread, e->index - 1)] : NULL);
  if (!same_clocks(&g->clocks, e, &old))
    return true;
  g->clocks.len = clocks;
  return false;
}

void graph_renew_clocks(struct graph *g) {
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    struct event *e = &g->events[id];
    save_event(g, id);
    e->hb = e->porf = e->rel = e->acq = e->fenced = 0;
    e->flags &= ~(uint32_t)EVF_OWN;
  }
  // What an event knows only grows from round to round, and is bounded.
  for (bool more = true; more;) {
    more = false;
    for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
         id = g->events[id].next) {
      struct event e = g->events[id];
      if (!renew(g, &e))
        continue;
      g->events[id] = e;
      more = true;
    }
  }
}

// The event that e learns from besides the one before it in its thread; what an
// update carries comes from its source.
static event_id teacher_of(const struct graph *g, const struct event *e) {
  if (e->kind == EV_WRITE && (e->flags & EVF_UPDATE))
    e = &g->events[graph_updated_piece(g, e->thread, e->index, e->loc)];
  else if (e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE))
    e = &g->events[graph_at(g, e->thread, e->index - 1)];
  bool learns = e->kind == EV_READ || e->kind == EV_START || e->kind == EV_JOIN;
  return learns && e->rf != NO_EVENT ? e->rf : INIT_EVENT;
}

// Does the event have to be computed again?
static bool may_grow(const struct graph *g, event_id id, const uint8_t *marks) {
  const struct event *e = &g->events[id];
  event_id pred = e->index ? graph_at(g, e->thread, e->index - 1) : INIT_EVENT;
  return (marks[id] & CLOCK_MAY_GROW) || (marks[pred] & CLOCK_HAS_GROWN) ||
         (marks[teacher_of(g, e)] & CLOCK_HAS_GROWN);
}

// The oldest reader of event `id` if that is older than it (it was revisited),
// or NO_EVENT.
static event_id oldest_reader(const struct graph *g, event_id id) {
  event_id oldest = NO_EVENT;
  if (g->events[id].kind != EV_WRITE)
    return oldest;
  const struct event_list *reads = &g->locs.at[g->events[id].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (g->events[reads->at[i]].rf == id && reads->at[i] < id &&
        reads->at[i] < oldest)
      oldest = reads->at[i];
  return oldest;
}

void graph_grow_clocks(struct graph *g, event_id first, uint8_t *marks) {
  while (first != NO_EVENT) {
    event_id next = NO_EVENT; // where the next round begins
    for (event_id id = first; id != NO_EVENT; id = g->events[id].next) {
      if (!may_grow(g, id, marks))
        continue;
      struct event e = g->events[id];
      if (!renew(g, &e))
        continue;
      save_event(g, id);
      g->events[id] = e;
      marks[id] |= CLOCK_HAS_GROWN;
      event_id reader = oldest_reader(g, id);
      next = reader < next ? reader : next;
    }
    first = next;
  }
}

void graph_set_end(struct graph *g, event_id id, uint32_t flags,
                   uint32_t state) {
  struct event *e = &g->events[id];
  check(graph_tail(g, e->thread) == id);
  array_push(&g->saved, *e);
  log_change(g, UNDO_END, id, 0);
  e->state = state;
  e->flags = flags | (e->flags & EVF_OWN);
  reset_state(g, e->thread);
}

// A compare-exchange that succeeds has another order than one that fails.
static void count_order(struct graph *g, uint8_t before, uint8_t after) {
  g->sc_events -= before == ORD_SC;
  g->sc_events += after == ORD_SC;
}

void graph_set_rf(struct graph *g, event_id read, event_id write,
                  uint64_t value, uint8_t order, uint32_t flags,
                  uint32_t state) {
  struct event *e = &g->events[read];
  check(e->kind == EV_READ && graph_tail(g, e->thread) == read);
  check(is_source(g, read, write));
  array_push(&g->saved, *e);
  count_order(g, e->order, order);
  e->rf = write;
  e->value = value;
  e->order = order;
  e->flags = flags;
  e->state = state;
  hb_compute(g, e, &g->events[graph_at(g, e->thread, e->index - 1)]);
  graph_set_state(g, e->thread, state);
  log_change(g, UNDO_RF, read, 0);
}

static void undo_rf(struct graph *g, event_id read) {
  struct event *e = &g->events[read];
  const struct event *old = array_last(&g->saved);
  count_order(g, e->order, old->order);
  *e = *old;
  g->saved.len--;
  graph_set_state(g, e->thread, e->state);
}

struct graph_mark graph_mark(const struct graph *g) {
  return (struct graph_mark){g->undo.len, g->saved.len, g->clocks.len};
}

bool graph_only_grew(const struct graph *g, uint32_t since) {
  for (uint32_t i = since; i < g->undo.len; i++)
    if (g->undo.at[i].what != UNDO_ADD)
      return false;
  return true;
}

uint32_t graph_growth(const struct graph *g) {
  uint32_t n = g->undo.len;
  while (n && g->undo.at[n - 1].what == UNDO_ADD)
    n--;
  return n;
}

void graph_undo_to(struct graph *g, struct graph_mark m) {
  check(m.undo <= g->undo.len && m.clocks <= g->clocks.len);
  if (m.undo < g->undone_to)
    g->undone_to = m.undo;
  while (g->undo.len > m.undo) {
    struct undo_record r = array_pop(&g->undo);
    switch (r.what) {
    case UNDO_ADD:
      undo_add(g, r.event);
      break;
    case UNDO_DELETE:
      undo_delete(g, r.event, r.at);
      break;
    case UNDO_RF:
      undo_rf(g, r.event);
      break;
    case UNDO_REWIND:
      undo_rewind(g, r.event);
      break;
    case UNDO_REPLAY:
      undo_replay(g, r.event);
      break;
    case UNDO_MOVE:
      move_in_co(g, r.event, r.at);
      break;
    case UNDO_EVENT:
      g->events[r.event] = array_pop(&g->saved);
      break;
    case UNDO_END:
      g->events[r.event] = array_pop(&g->saved);
      reset_state(g, g->events[r.event].thread);
      break;
    }
  }
  check(g->saved.len == m.saved);
  g->clocks.len = m.clocks;
}
