// SPDX-License-Identifier: MIT
// A step that writes: the places that the new write may take in co, and the
// reads that it may revisit (revisit.c). Where a revisit leaves holes, the
// write may come to stand behind one, and a read may get its new source in
// front of kept events (hole.c).
#include "explore/internal.h"

static bool is_update(const struct access *a) {
  return a->kind == ACC_RMW_WRITE;
}

// The write that is about to be added: where its thread is, or (after a
// revisit that left a hole before it) where it was.
struct pending {
  thread_id thread;
  state_id pre;
  event_id revisit; // the read that will read it, or NO_EVENT
  bool is_kept;     // there is a hole before it now
  bool is_inside;   // the axioms have to be looked at as a whole
};

static struct pending pending_write(struct explorer *x, thread_id t,
                                    state_id pre, event_id revisit,
                                    const struct event_deps *deps) {
  const struct graph *g = &x->g;
  struct pending p = {.thread = t, .pre = pre, .revisit = revisit};
  p.is_kept = deps && deps->place != graph_reached(g, t);
  p.is_inside = p.is_kept || g->threads[t].kept;
  if (revisit != NO_EVENT)
    p.is_inside |= g->threads[g->events[revisit].thread].kept != 0;
  else if (p.is_inside) {
    const struct access a = *vm_access(x->vm, pre);
    p.is_inside = !hole_is_loose(x, t, &a);
  }
  return p;
}

// The read of the update whose write is to be added; NO_EVENT if it is in the
// hole.
static event_id read_of_update(const struct explorer *x,
                               const struct pending *p) {
  event_id tail = graph_tail(&x->g, p->thread);
  const struct event *e = &x->g.events[tail];
  if (p->is_kept)
    return NO_EVENT;
  check(e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE));
  return tail;
}

// The lowest place in co that coherence leaves to the source of what thread t
// adds at `index`.
static uint32_t floor_of(const struct explorer *x, uint32_t loc, thread_id t,
                         uint32_t index) {
  const struct event *before = &x->g.events[graph_at(&x->g, t, index - 1)];
  return graph_co_floor(&x->g, loc, t, index, before->hb);
}

// Must the write be right behind the one before it in co? (Not if the read of
// its update is in a hole.)
static bool is_bound(const struct graph *g, event_id write) {
  const struct event *w = &g->events[write];
  if (!(w->flags & EVF_EXCLUSIVE))
    return false;
  return !g->holed ||
         graph_at_place(g, w->thread, g->deps[write].place - 1) != NO_EVENT;
}

// Appends the places that the write may take in co.
static void find_places(struct explorer *x, const struct pending *p) {
  const struct graph *g = &x->g;
  const struct access *a = vm_access(x->vm, p->pre);
  const struct event_list *co = &g->locs.at[a->loc].co;
  event_id read = is_update(a) ? read_of_update(x, p) : NO_EVENT;
  if (read != NO_EVENT) {
    event_id source = g->events[read].rf;
    if (!step_is_taken(g, a->loc, source, read, p->revisit))
      array_push(&x->options, g->events[source].co + 1);
    return;
  }
  uint32_t floor = 0;
  if (!p->is_kept)
    floor = floor_of(x, a->loc, p->thread, graph_reached(g, p->thread));
  if (p->revisit != NO_EVENT) {
    const struct event *r = &g->events[p->revisit];
    uint32_t seen = floor_of(x, a->loc, r->thread, r->index);
    if (seen > floor)
      floor = seen;
  }
  for (uint32_t place = floor + 1; place <= co->len; place++)
    if (p->is_inside || place == co->len || !is_bound(g, co->at[place]))
      array_push(&x->options, place);
}

void step_set_source(struct explorer *x, event_id read, event_id write,
                     bool is_handed) {
  state_id pre = x->g.events[read].pre;
  const struct access a = *vm_access(x->vm, pre);
  bool is_uninit;
  uint8_t order;
  uint64_t value = step_value_of(x, a.loc, write, &is_uninit);
  uint8_t flags = step_read_flags(&a, value, is_uninit, &order);
  if (is_handed)
    flags |= EVF_HANDED;
  graph_set_rf(&x->g, read, write, value, order, flags, 0);
}

// `read` gets its value from the write that was just added.
static void feed(struct explorer *x, event_id read, event_id write,
                 bool hands_over) {
  const struct event *r = &x->g.events[read];
  bool was_handed = r->flags & EVF_HANDED;
  event_id before = r->rf;
  step_set_source(x, read, write, false);
  if (hands_over)
    wait_hand_over(x, read, write, before, was_handed);
}

// Does what the read learns from its source forbid to read it?
static bool knows_better(const struct explorer *x, event_id read) {
  const struct event *r = &x->g.events[read];
  return graph_co_floor(&x->g, r->loc, r->thread, r->index, r->hb) >
         x->g.events[r->rf].co;
}

static struct event write_event(const struct access *a, const struct pending *p,
                                uint32_t place) {
  uint8_t flags = (uint8_t)((is_update(a) ? EVF_EXCLUSIVE : 0) |
                            (a->kind == ACC_UNLOCK ? EVF_UNLOCK : 0) |
                            (a->flags & ACCF_UNINIT ? EVF_UNINIT : 0));
  return (struct event){.kind = EV_WRITE,
                        .order = a->order,
                        .flags = flags,
                        .thread = (uint8_t)p->thread,
                        .loc = a->loc,
                        .rf = NO_EVENT,
                        .value = a->value,
                        .co = place,
                        .pre = p->pre};
}

// Adds the write, and lets `revisit` read it. False: that is inconsistent.
static bool add_write(struct explorer *x, const struct pending *p,
                      const struct choice *c, uint32_t place) {
  struct event e = write_event(vm_access(x->vm, p->pre), p, place);
  if (x->g.holed && p->revisit == NO_EVENT && (e.flags & EVF_EXCLUSIVE))
    e.flags |= EVF_LATE;
  event_id id =
      p->is_kept ? graph_add_kept(&x->g, e, &c->deps) : graph_add(&x->g, e);
  x->result.events_added++;
  if (p->revisit != NO_EVENT) {
    feed(x, p->revisit, id, c->kind == CHOICE_HANDOVER);
    if (p->is_inside)
      graph_renew_clocks(&x->g);
    else if (knows_better(x, p->revisit))
      return false;
  }
  return step_is_consistent(x, id, p->revisit, p->is_inside);
}

bool write_place(struct explorer *x, const struct choice *c, uint32_t place) {
  bool is_revisit = c->revisit != NO_EVENT;
  struct pending p = pending_write(
      x, c->thread, is_revisit ? c->pre : x->g.threads[c->thread].state,
      c->revisit, is_revisit && x->tracks ? &c->deps : NULL);
  bool is_unlock = vm_access(x->vm, p.pre)->kind == ACC_UNLOCK;
  if (!add_write(x, &p, c, place))
    return false;
  event_id id = x->g.last;
  if (!p.is_kept)
    step_advance(x, id);
  if (is_revisit)
    step_advance(x, c->revisit);
  error_check_access(x, id);
  if (x->running && is_unlock)
    error_check_unlock(x, id);
  if (x->running && is_revisit)
    error_check_access(x, c->revisit);
  return true;
}

bool write_revisit_late(struct explorer *x, event_id write, event_id read) {
  x->result.revisits++;
  revisit_cut_late(x, write, read);
  feed(x, read, write, /*hands_over=*/false);
  graph_renew_clocks(&x->g);
  if (!hole_is_consistent(x))
    return false;
  step_advance(x, read);
  if (!x->g.holed)
    error_check_all(x);
  return true;
}

bool write_revisit(struct explorer *x, thread_id t, event_id read,
                   bool hands_over) {
  x->result.revisits++;
  state_id pre = x->g.threads[t].state;
  struct event_deps deps = {0};
  if (x->tracks) {
    prefix_mark(x, t, read);
    deps = x->prefix.next;
    if (x->prefix.is_porf)
      deps = (struct event_deps){.place = graph_reached(&x->g, t)};
  }
  revisit_cut(x, t, read);
  struct pending p = pending_write(x, t, pre, read, x->tracks ? &deps : NULL);
  uint32_t first = x->options.len;
  find_places(x, &p);
  if (x->options.len == first)
    return false;
  choice_open(x, hands_over ? CHOICE_HANDOVER : CHOICE_PLACE, t, read, first);
  array_last(&x->choices)->pre = pre;
  array_last(&x->choices)->deps = deps;
  return false; // the places are the newest choice now
}

void write_step(struct explorer *x, thread_id t) {
  uint32_t loc = vm_access(x->vm, x->g.threads[t].state)->loc;
  graph_need_loc(&x->g, loc);
  struct pending p = pending_write(x, t, x->g.threads[t].state, NO_EVENT, NULL);
  uint32_t first = x->options.len;
  // An update goes on before holes are filled; its revisits wait for that.
  if (x->g.holed && is_update(vm_access(x->vm, x->g.threads[t].state))) {
    find_places(x, &p);
    if (x->options.len > first) {
      choice_open(x, CHOICE_PLACE, t, NO_EVENT, first);
      choice_next(x);
      return;
    }
  }
  revisit_find(x, t, loc);
  bool may_revisit = x->options.len > first;
  // Newest first, so the read that it may be handed over to is the first.
  event_id newest = may_revisit ? x->options.at[first] : NO_EVENT;
  choice_open(x, CHOICE_REVISIT, t, NO_EVENT, first);
  first = x->options.len;
  find_places(x, &p);
  if (may_revisit && x->options.len == first + 1 &&
      x->options.at[first] == x->g.locs.at[loc].co.len &&
      wait_taker(x, t, loc) == newest) {
    x->options.len = first;
    array_last(&x->choices)->hands_over = newest;
  }
  choice_open(x, CHOICE_PLACE, t, NO_EVENT, first);
  choice_next(x);
}
