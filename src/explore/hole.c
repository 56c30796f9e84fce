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

// Could the read have a newer source?
static bool has_newer_source(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  const struct event saved = *e;
  const struct access a = *vm_access(x->vm, e->pre);
  const struct event_list *co = &x->g.locs.at[e->loc].co;
  bool found = false, is_uninit;
  for (uint32_t i = co->len; !found && i-- > graph_co_place(&x->g, id) + 1;) {
    e->rf = co->at[i];
    e->value = step_value_of(x, e->loc, e->rf, &is_uninit);
    e->flags = step_read_flags(&a, e->value, is_uninit, &e->order);
    found = model_allows(x->config.model, &x->g, &x->config.model_options);
    *e = saved;
  }
  return found;
}

// Could the write have a newer place? (That of an update is given.)
static bool has_newer_place(struct explorer *x, event_id id) {
  struct graph *g = &x->g;
  uint32_t place = g->events[id].co, len = g->locs.at[g->events[id].loc].co.len;
  bool found = false;
  if (g->events[id].flags & EVF_EXCLUSIVE)
    return false;
  for (uint32_t i = len; !found && i-- > place + 1;) {
    graph_move_in_co(g, id, i);
    found = model_allows(x->config.model, g, &x->config.model_options);
    graph_move_in_co(g, id, place);
  }
  return found;
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
  hole_cut(x, id, with_promised);
  bool ok =
      e->kind == EV_READ ? !has_newer_source(x, id) : !has_newer_place(x, id);
  graph_undo_to(g, mark);
  for (thread_id t = 0; t < g->nthreads; t++)
    graph_set_state(g, t, states[t]);
  return ok;
}
