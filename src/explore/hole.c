// SPDX-License-Identifier: MIT
// Holes [HMC, ASPLOS'20, §4]: a write may revisit a read that comes before it
// by po ∪ rf, if it does not depend on it. Then events are taken out in front
// of others that stay: those are kept, the thread runs again from its first
// hole, and comes to each kept event again by the same way; that it is the same
// event is checked.
//
// An event that is added in front of kept ones may break every axiom, so the
// whole graph is judged by the definition of the model. What a kept event knows
// (hb) is not complete before the hole is filled; races and memory errors are
// looked for when there is no hole any more.
#include "explore/internal.h"

bool hole_is_consistent(struct explorer *x) {
  deps_fill(x);
  return model_allows(x->config.model, &x->g, &x->config.model_options);
}

// Relaxed accesses in front of kept events that no model orders after them:
// with no barrier, no release and no access of the same location among those,
// the new event has no edge to them, so it may be judged like a last one.
bool hole_is_loose(struct explorer *x, thread_id t, const struct access *a) {
  const struct graph *g = &x->g;
  bool is_plain = a->kind == ACC_READ || a->kind == ACC_WRITE ||
                  (!g->orders_updates &&
                   (a->kind == ACC_RMW_READ || a->kind == ACC_RMW_WRITE));
  if (!is_plain || a->order > ORD_RLX)
    return false;
  for (uint32_t i = graph_reached(g, t); i < graph_thread_length(g, t); i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    bool is_free = (e->kind == EV_READ || e->kind == EV_WRITE) &&
                   e->loc != a->loc &&
                   !(e->kind == EV_WRITE && order_releases(e->order));
    if (!is_free)
      return false;
  }
  return deps_of_next(x, t).addr == 0;
}

// ---- taking out

static bool stays(const struct explorer *x, event_id e, event_id last,
                  bool with_fixed) {
  return e <= last || prefix_has(x, e) || (with_fixed && prefix_fixes(x, e));
}

// The index in thread t of the first event that goes.
static uint32_t first_to_go(const struct explorer *x, thread_id t,
                            event_id last, bool with_fixed) {
  uint32_t i = 0, n = graph_thread_length(&x->g, t);
  while (i < n && stays(x, graph_at(&x->g, t, i), last, with_fixed))
    i++;
  return i;
}

void hole_cut(struct explorer *x, event_id last, bool with_fixed) {
  struct graph *g = &x->g;
  for (thread_id t = 0; t < g->nthreads; t++) {
    uint32_t first = first_to_go(x, t, last, with_fixed);
    if (first == graph_thread_length(g, t))
      continue;
    if (first > graph_reached(g, t))
      first = graph_reached(g, t);
    while (g->threads[t].kept)
      graph_meet(g, t, g->events[graph_at(g, t, graph_reached(g, t))].pre);
    while (graph_reached(g, t) > first) {
      event_id e = graph_tail(g, t);
      if (stays(x, e, last, with_fixed))
        graph_keep(g, t);
      else
        graph_delete(g, e);
    }
  }
}

void hole_behind(struct explorer *x, event_id read) {
  const struct event *r = &x->g.events[read];
  while (graph_reached(&x->g, r->thread) > r->index + 1)
    graph_keep(&x->g, r->thread);
}

// ---- meeting again

// Is the access that the thread is about to make the kept event?
static bool is_same(const struct access *a, const struct event *e) {
  uint8_t order = a->order, flags;
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    flags = step_read_flags(a, e->value, e->flags & EVF_UNINIT, &order);
    return a->loc == e->loc && order == e->order &&
           ((flags ^ e->flags) & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK)) == 0 &&
           (a->kind == ACC_READ || a->kind == ACC_RMW_READ ||
            a->kind == ACC_CAS_READ || a->kind == ACC_LOCK_READ ||
            a->kind == ACC_TAKE);
  case EV_WRITE:
    return a->loc == e->loc && a->value == e->value && a->order == e->order &&
           (a->kind == ACC_WRITE || a->kind == ACC_UNLOCK ||
            a->kind == ACC_RMW_WRITE);
  case EV_FENCE:
    return a->kind == ACC_FENCE && a->order == e->order;
  case EV_ALLOC:
    return a->kind == ACC_ALLOC && a->object == e->loc && a->value == e->value;
  case EV_FREE:
    return a->kind == ACC_FREE && a->object == e->loc;
  case EV_CHOICE:
    return a->kind == ACC_CHOOSE;
  case EV_OUTPUT:
    return a->kind == ACC_OUTPUT;
  case EV_DETACH:
    return a->kind == ACC_DETACH && a->value == e->loc;
  default:
    return false; // never behind a hole
  }
}

static bool is_question(const struct access *a) {
  return a->kind == ACC_CELL_SIZE || a->kind == ACC_OBJECT_SIZE;
}

// A finding may stop a thread in front of what it did before.
static bool has_stopped(const struct access *a) {
  return a->kind == ACC_ERROR || a->kind == ACC_BLOCK;
}

static void meet_in_thread(struct explorer *x, thread_id t) {
  struct graph *g = &x->g;
  while (g->threads[t].kept) {
    event_id id = graph_at(g, t, graph_reached(g, t));
    state_id pre = g->threads[t].state;
    if (g->deps[id].place != graph_reached(g, t) || !pre)
      return;
    const struct access *a = vm_access(x->vm, pre);
    if (is_question(a) || has_stopped(a))
      return;
    check(is_same(a, &g->events[id]));
    graph_meet(g, t, pre);
    step_advance(x, id);
  }
}

// Updates that were completed while there were holes: what they may revisit.
static void open_late_revisits(struct explorer *x) {
  struct graph *g = &x->g;
  for (event_id e = g->last; e != INIT_EVENT; e = g->events[e].prev) {
    if (g->events[e].kind != EV_WRITE || !(g->events[e].flags & EVF_LATE))
      continue;
    graph_clear_flags(g, e, EVF_LATE);
    uint32_t first = x->options.len;
    revisit_find_late(x, e);
    choice_open(x, CHOICE_LATE, g->events[e].thread, e, first);
  }
}

void hole_meet(struct explorer *x) {
  for (uint64_t rest = x->g.holed; rest; rest &= rest - 1)
    meet_in_thread(x, (thread_id)__builtin_ctzll(rest));
  if (x->g.holed)
    return;
  error_check_all(x);
  if (x->running)
    open_late_revisits(x);
}

// ---- maximality
//
// The graph before a revisit of r by w is this: what was added before r; the
// prefix of w; what is in front of it in its threads (the holes-to-be), thread
// by thread in po; and then, in the order in which it was added, the rest. Each
// of these events was added maximally to what comes before it here. Up to the
// holes-to-be all is closed under po then; so the rest can be added, the newest
// choice being always consistent. In a hole-to-be the oldest choice that is
// consistent counts as maximal: later events of the thread bound it from above,
// and so it leaves most to what is still to be filled in.

static bool is_allowed(const struct explorer *x) {
  return model_allows(x->config.model, &x->g, &x->config.model_options);
}

// The write of the update whose read is e; NO_EVENT if there is none.
static event_id write_of(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind != EV_READ || !(e->flags & EVF_EXCLUSIVE))
    return NO_EVENT;
  return graph_at_place(g, e->thread, g->deps[id].place + 1);
}

// Would the graph be consistent if the read had its source at this place in co?
// Its write, if it goes with it, comes right behind it. (A compare-exchange or
// lock, whose write may not be there, is in no hole: all after it depends on
// it.)
static bool try_source(struct explorer *x, event_id id, event_id write,
                       uint32_t place) {
  struct graph *g = &x->g;
  struct event *e = &g->events[id];
  const struct event saved = *e;
  bool is_uninit;
  if (write != NO_EVENT) // out of the way
    graph_move_in_co(g, write, g->locs.at[e->loc].co.len - 1);
  e->rf = g->locs.at[e->loc].co.at[place];
  e->value = step_value_of(x, e->loc, e->rf, &is_uninit);
  if (write != NO_EVENT)
    graph_move_in_co(g, write, place + 1);
  bool ok = is_allowed(x);
  *e = saved;
  if (write != NO_EVENT) {
    graph_move_in_co(g, write, g->locs.at[e->loc].co.len - 1);
    graph_move_in_co(g, write, graph_co_place(g, id) + 1);
  }
  return ok;
}

static bool try_place(struct explorer *x, event_id id, uint32_t place) {
  uint32_t mine = x->g.events[id].co;
  graph_move_in_co(&x->g, id, place);
  bool ok = is_allowed(x);
  graph_move_in_co(&x->g, id, mine);
  return ok;
}

// Has e the oldest choice that is consistent? If none is (an update whose
// source is taken may be in the graph), it must be the last.
static bool has_oldest(struct explorer *x, event_id id, event_id write) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  if (!is_access(e) || (e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE)))
    return true; // there is no choice
  uint32_t end = g->locs.at[e->loc].co.len - (write != NO_EVENT);
  uint32_t mine = graph_co_place(g, id);
  for (uint32_t i = e->kind == EV_WRITE; i < end; i++)
    if (e->kind == EV_WRITE ? try_place(x, id, i) : try_source(x, id, write, i))
      return i == mine;
  return mine == end - 1;
}

// The same in the graph that hole_cut leaves.
static bool has_oldest_in(struct explorer *x, event_id id, event_id last,
                          bool with_fixed) {
  struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  if (e->kind == EV_READ && !stays(x, e->rf, last, with_fixed))
    return false;
  event_id write = write_of(g, id);
  bool goes_along = write != NO_EVENT && !stays(x, write, last, with_fixed);
  if (goes_along)
    x->prefix.mark.at[write] = x->prefix.epoch;
  state_id states[MAX_THREADS]; // answers to questions are not in the graph
  for (thread_id t = 0; t < g->nthreads; t++)
    states[t] = g->threads[t].state;
  struct graph_mark mark = graph_mark(g);
  hole_cut(x, last, with_fixed);
  bool ok = has_oldest(x, id, goes_along ? write : NO_EVENT);
  graph_undo_to(g, mark);
  for (thread_id t = 0; t < g->nthreads; t++)
    graph_set_state(g, t, states[t]);
  if (goes_along)
    x->prefix.mark.at[write] = 0;
  return ok;
}

bool hole_is_maximal(struct explorer *x, event_id id) {
  return has_oldest_in(x, id, id, /*with_fixed=*/true);
}

bool hole_all_maximal(struct explorer *x, event_id read) {
  const struct graph *g = &x->g;
  uint32_t first = x->options.len;
  bool ok = true;
  if (x->prefix.write != NO_EVENT) { // it was there before they were filled in
    array_push(&x->options, x->prefix.write);
    x->prefix.mark.at[x->prefix.write] = x->prefix.epoch;
  }
  for (thread_id t = 0; ok && t < g->nthreads; t++)
    for (uint32_t i = 0; ok && i < x->prefix.end[t]; i++) {
      event_id e = graph_at(g, t, i);
      if (e < read || prefix_has(x, e))
        continue;
      // What was looked at counts from now on.
      array_push(&x->options, e);
      x->prefix.mark.at[e] = x->prefix.epoch;
      ok = has_oldest_in(x, e, read - 1, /*with_fixed=*/false);
    }
  while (x->options.len > first)
    x->prefix.mark.at[array_pop(&x->options)] = 0;
  return ok;
}
