// SPDX-License-Identifier: MIT
// Which reads may be promised something: those that nothing orders before the
// last event of their thread (promise.c says why no others are needed). What
// orders a read is said by the model; a clause that it does not have costs
// nothing but time, since the model judges every core.
#include "explore/cycles/promise/promise.h"

uint32_t reader_count_before(const struct explorer *x, thread_id t,
                             thread_id u) {
  const struct graph *g = &x->g;
  return clock_get(&g->clocks, g->events[graph_tail(g, t)].porf, u);
}

uint32_t reader_count_in_core(const struct explorer *x, thread_id u,
                              uint32_t before) {
  const struct graph *g = &x->g;
  uint32_t n = before;
  while (n < graph_thread_length(g, u) && graph_at(g, u, n) <= x->core)
    n++;
  return n;
}

static bool orders(const struct explorer *x, enum load_order o) {
  return x->config.model->load_orders & o;
}

uint32_t reader_count_known(const struct explorer *x, thread_id t,
                            thread_id u) {
  const struct graph *g = &x->g;
  if (!orders(x, ORDER_HB))
    return 0;
  return clock_get(&g->clocks, g->events[graph_tail(g, t)].hb, u);
}

// Does an event that comes after the read in its thread order it before all
// that follows? (A barrier for loads does not see a load that no register
// gets.)
static bool is_ordering(const struct explorer *x, const struct event *e,
                        const struct event *read) {
  if (e->kind == EV_FENCE)
    return e->order != ORD_NA && orders(x, ORDER_FENCE) &&
           !(e->order == ORD_ACQ && (read->flags & EVF_NORET));
  return model_is_thread_event(e) && orders(x, ORDER_THREAD);
}

static bool has_index(const struct graph *g, set_id set, uint32_t index) {
  for (uint32_t i = 0; i < set_len(g->sets, set); i++)
    if (set_at(g->sets, set, i) == index)
      return true;
  return false;
}

// A compare-exchange is a branch on what it reads, unless it is a single
// instruction (EVF_PICK); taking a lock is one. (Of one that is made in pieces
// dependencies know that.)
static bool is_branch(const struct event *r) {
  return (r->flags & (EVF_CAS | EVF_LOCK)) &&
         !(r->flags & (EVF_PICK | EVF_PIECE));
}

// Does the model say of the access what it says of those that a compiler makes
// for this order? (What is an update, or has pieces, may be something else with
// another value.)
static bool is_ordinary(const struct explorer *x, const struct event *e) {
  return orders(x, ORDER_ANY) ||
         (is_access(e) && !(e->flags & (EVF_ISA | EVF_LINKED | EVF_PICK |
                                        EVF_PIECE | EVF_UPDATE)));
}

// Are they the halves of one update, and of these nothing is known?
static bool are_halves(const struct explorer *x, const struct event *r,
                       const struct event *w) {
  return !orders(x, ORDER_ANY) && (r->flags & EVF_EXCLUSIVE) &&
         w->index == r->index + 1;
}

// Does the read acquire? If it belongs to a compare-exchange whose outcome may
// be another one with another value: in both cases (cas_choice.c)?
static bool acquires(const struct explorer *x, const struct event *r) {
  const struct access *a = vm_access(x->vm, r->pre);
  return order_acquires(r->order) &&
         (!(r->flags & EVF_PICK) || x->chooses_outcomes ||
          (order_acquires(a->order) && order_acquires(a->order_fail)));
}

// Does nothing order the read before what its thread does up to `end`, whatever
// that is?
static bool is_unordered(struct explorer *x, event_id read, uint32_t end) {
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read];
  if (is_branch(r) || r->index + 1 >= end)
    return false;
  if (orders(x, ORDER_ACQUIRE) && acquires(x, r) && is_ordinary(x, r) &&
      !are_halves(x, r, &g->events[graph_at(g, r->thread, end - 1)]))
    return false;
  for (uint32_t i = r->index + 1; i < end; i++)
    if (is_ordering(x, &g->events[graph_at(g, r->thread, i)], r))
      return false;
  return true;
}

static bool depends(struct explorer *x, event_id id, uint32_t index) {
  if (!orders(x, ORDER_DEPEND))
    return false;
  deps_fill(x);
  const struct graph *g = &x->g;
  const struct event_deps *d = &g->deps[id];
  return has_index(g, d->addr, index) || has_index(g, d->data, index) ||
         has_index(g, d->after, index);
}

bool reader_may_change(const struct explorer *x, event_id read, set_id after) {
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read];
  if (r->kind != EV_READ || is_branch(r) || has_index(g, after, r->index) ||
      (orders(x, ORDER_ACQUIRE) && acquires(x, r) && is_ordinary(x, r)))
    return false;
  for (uint32_t i = r->index + 1; i < graph_thread_length(g, r->thread); i++)
    if (is_ordering(x, &g->events[graph_at(g, r->thread, i)], r))
      return false;
  return true;
}

static void mark_all(const struct graph *g, set_id set, bool *marks) {
  for (uint32_t i = 0; i < set_len(g->sets, set); i++)
    marks[set_at(g->sets, set, i)] = true;
}

// Does the last event depend on the read by way of memory: on a load that was
// forwarded from a store of the thread, the address or the value of which
// depends on the read, and so on? The loads on the way are of other locations
// than the read: nothing is promised to them together with it, so they have
// their sources in the core and in its parent alike.
static bool depends_by_forwarding(struct explorer *x, event_id last,
                                  event_id read) {
  if (!orders(x, ORDER_FORWARD) || !orders(x, ORDER_DEPEND))
    return false;
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read];
  uint32_t end = g->events[last].index;
  x->cycles.marks.len = 0;
  bool *marks = array_extend(&x->cycles.marks, end + 1);
  const struct event_deps *d = &g->deps[last];
  mark_all(g, d->addr, marks);
  mark_all(g, d->data, marks);
  mark_all(g, d->after, marks);
  for (uint32_t i = end; i-- > r->index + 1;) {
    const struct event *e = &g->events[graph_at(g, r->thread, i)];
    if (!marks[i] || e->kind != EV_READ || e->loc == r->loc ||
        e->rf == INIT_EVENT || g->events[e->rf].thread != e->thread ||
        g->events[e->rf].index > i)
      continue;
    mark_all(g, g->deps[e->rf].addr, marks);
    mark_all(g, g->deps[e->rf].data, marks);
  }
  return marks[r->index];
}

// Does an edge lead from the event to another thread?
static bool leads_on(const struct graph *g, const struct event *e) {
  return e->kind == EV_WRITE || e->kind == EV_SPAWN ||
         (e->kind == EV_END && g->threads[e->thread].join != NO_EVENT);
}

bool reader_leads_on(const struct explorer *x, thread_id t, uint32_t end) {
  const struct graph *g = &x->g;
  const struct event *u = &g->events[graph_at(g, t, end - 1)];
  bool may_be_half = (u->flags & EVF_EXCLUSIVE) && !orders(x, ORDER_ANY);
  return leads_on(g, u) &&
         !(order_releases(u->order) && orders(x, ORDER_RELEASE) &&
           is_ordinary(x, u) && !may_be_half);
}

// As reader_is_free, but for what comes by way of memory.
static bool is_free_but_for_memory(struct explorer *x, event_id read,
                                   event_id last) {
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read], *u = &g->events[last];
  return !((r->flags & EVF_EXCLUSIVE) && u->index == r->index + 1 &&
           orders(x, ORDER_UPDATE)) &&
         leads_on(g, u) &&
         !(order_releases(u->order) && orders(x, ORDER_RELEASE) &&
           is_ordinary(x, u) && !are_halves(x, r, u)) &&
         is_unordered(x, read, u->index + 1) && !depends(x, last, r->index);
}

bool reader_is_free(struct explorer *x, event_id read, uint32_t end) {
  event_id last = graph_at(&x->g, x->g.events[read].thread, end - 1);
  return is_free_but_for_memory(x, read, last) &&
         !depends_by_forwarding(x, last, read);
}

bool reader_may_be_free(struct explorer *x, event_id read, event_id id) {
  const struct event *e = &x->g.events[id];
  if (e->kind == EV_READ && (e->flags & EVF_PICK)) // it may write, for others
    return is_unordered(x, read, e->index + 1) &&
           !(orders(x, ORDER_DEPEND) &&
             has_index(&x->g, x->g.deps[id].after, x->g.events[read].index));
  return is_free_but_for_memory(x, read, id);
}
