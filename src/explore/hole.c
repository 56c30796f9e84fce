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

// ---- taking out

static bool stays(const struct explorer *x, event_id e, event_id last,
                  bool with_promised) {
  return e <= last || prefix_has(x, e) ||
         (with_promised && prefix_promises(x, e));
}

// The index in thread t of the first event that goes.
static uint32_t first_to_go(const struct explorer *x, thread_id t,
                            event_id last, bool with_promised) {
  uint32_t i = 0, n = graph_thread_length(&x->g, t);
  while (i < n && stays(x, graph_at(&x->g, t, i), last, with_promised))
    i++;
  return i;
}

void hole_cut(struct explorer *x, event_id last, bool with_promised) {
  struct graph *g = &x->g;
  for (thread_id t = 0; t < g->nthreads; t++) {
    uint32_t first = first_to_go(x, t, last, with_promised);
    if (t == g->events[last].thread && first > g->events[last].index + 1)
      first = g->events[last].index + 1;
    if (first == graph_thread_length(g, t))
      continue;
    if (first > graph_reached(g, t))
      first = graph_reached(g, t);
    while (g->threads[t].kept)
      graph_meet(g, t, g->events[graph_at(g, t, graph_reached(g, t))].pre);
    while (graph_reached(g, t) > first) {
      event_id e = graph_tail(g, t);
      if (stays(x, e, last, with_promised))
        graph_keep(g, t);
      else
        graph_delete(g, e);
    }
  }
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

void hole_meet(struct explorer *x) {
  for (uint64_t rest = x->g.holed; rest; rest &= rest - 1)
    meet_in_thread(x, (thread_id)__builtin_ctzll(rest));
  if (!x->g.holed)
    error_check_all(x);
}

// ---- maximality

bool hole_is_update(const struct explorer *x, event_id read) {
  return vm_access(x->vm, x->g.events[read].pre)->kind != ACC_READ;
}

// The write of the update whose read is e; NO_EVENT if there is none.
static event_id write_of(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (!(e->flags & EVF_EXCLUSIVE))
    return NO_EVENT;
  return graph_at_place(g, e->thread, g->deps[id].place + 1);
}

static bool is_allowed(const struct explorer *x) {
  return model_allows(x->config.model, &x->g, &x->config.model_options);
}

// The sources of a read, by their place in co. Its write, if it goes with it,
// comes right behind its source. (A compare-exchange or lock, whose write may
// not be there, is never in front of what stays: everything after it depends on
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

bool hole_is_usable(const struct explorer *x, event_id read, event_id write) {
  const struct graph *g = &x->g;
  return write <= read || !prefix_has(x, write) ||
         g->events[write].thread == g->events[read].thread ||
         prefix_is_closed(x, write);
}

static bool try_choice(struct explorer *x, event_id id, event_id write,
                       uint32_t i) {
  const struct event *e = &x->g.events[id];
  if (e->kind == EV_WRITE)
    return try_place(x, id, i);
  return hole_is_usable(x, id, x->g.locs.at[e->loc].co.at[i]) &&
         try_source(x, id, write, i);
}

// Is the choice that e has the maximal one: the newest that is consistent? In
// front of kept events it is the oldest, which leaves most to what is still to
// come in the hole: the kept ones bound that from above. If none is consistent
// (an update whose source is taken may be in the graph), it must be the last
// that was tried.
static bool has_maximal(struct explorer *x, event_id id, event_id write,
                        bool is_inside) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  if (e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE))
    return true; // its place is given
  uint32_t first = e->kind == EV_WRITE;
  uint32_t end = g->locs.at[e->loc].co.len - (write != NO_EVENT);
  uint32_t mine = graph_co_place(g, id);
  for (uint32_t k = 0; k < end - first; k++) {
    uint32_t i = is_inside ? first + k : end - 1 - k;
    if (try_choice(x, id, write, i))
      return i == mine;
  }
  return mine == (is_inside ? end - 1 : first);
}

bool hole_is_maximal(struct explorer *x, event_id id, bool with_promised) {
  struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  if (e->kind == EV_READ && !stays(x, e->rf, id, with_promised))
    return false;
  state_id states[MAX_THREADS]; // answers to questions are not in the graph
  for (thread_id t = 0; t < g->nthreads; t++)
    states[t] = g->threads[t].state;
  struct graph_mark mark = graph_mark(g);
  bool is_inside = hole_is_inside(x, id);
  event_id write = e->kind == EV_READ ? write_of(g, id) : NO_EVENT;
  bool goes_along = write != NO_EVENT && !stays(x, write, id, with_promised);
  if (goes_along)
    x->prefix.mark.at[write] = x->prefix.epoch;
  hole_cut(x, id, with_promised);
  bool ok = has_maximal(x, id, goes_along ? write : NO_EVENT, is_inside);
  if (goes_along)
    x->prefix.mark.at[write] = 0;
  graph_undo_to(g, mark);
  for (thread_id t = 0; t < g->nthreads; t++)
    graph_set_state(g, t, states[t]);
  return ok;
}
