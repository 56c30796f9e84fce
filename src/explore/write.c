// SPDX-License-Identifier: MIT
// A step that writes: the places that the new write may take in co, the reads
// that it may revisit (revisit.c), and those that it is promised to
// (promise.c).
#include "explore/internal.h"

static bool is_update(const struct access *a) {
  return a->kind == ACC_RMW_WRITE;
}

// The lowest place in co that coherence leaves to the source of what thread t
// adds at `index`.
static uint32_t floor_of(const struct explorer *x, uint32_t loc, thread_id t,
                         uint32_t index) {
  const struct event *before = &x->g.events[graph_at(&x->g, t, index - 1)];
  return graph_co_floor(&x->g, loc, t, index, before->hb);
}

// Appends the places that the next write of thread t may take in co, if
// `revisit` (or NO_EVENT) is to read it.
static void find_places(struct explorer *x, thread_id t, event_id revisit) {
  const struct graph *g = &x->g;
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  const struct event_list *co = &g->locs.at[a->loc].co;
  if (is_update(a)) {
    event_id read = graph_tail(g, t);
    const struct event *r = &g->events[read];
    check(r->kind == EV_READ && (r->flags & EVF_EXCLUSIVE));
    if (!step_is_taken(g, a->loc, r->rf, read, revisit))
      array_push(&x->options, g->events[r->rf].co + 1);
    return;
  }
  uint32_t floor = floor_of(x, a->loc, t, graph_thread_length(g, t));
  if (revisit != NO_EVENT) {
    const struct event *r = &g->events[revisit];
    uint32_t seen = floor_of(x, a->loc, r->thread, r->index);
    if (seen > floor)
      floor = seen;
  }
  // The write of an update stays right behind the one before it.
  for (uint32_t place = floor + 1; place <= co->len; place++)
    if (place == co->len || !(g->events[co->at[place]].flags & EVF_EXCLUSIVE))
      array_push(&x->options, place);
}

void step_set_source(struct explorer *x, event_id read, event_id write,
                     bool is_handed) {
  state_id pre = x->g.events[read].pre;
  const struct access a = *vm_access(x->vm, pre);
  bool is_uninit;
  uint8_t order;
  uint64_t value = step_value_of(x, a.loc, write, &is_uninit);
  uint16_t flags = step_read_flags(&a, value, is_uninit, &order);
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

event_id write_add(struct explorer *x, thread_id t, uint32_t place) {
  state_id pre = x->g.threads[t].state;
  const struct access *a = vm_access(x->vm, pre);
  uint16_t flags = (uint16_t)((is_update(a) ? EVF_EXCLUSIVE : 0) |
                              (a->kind == ACC_UNLOCK ? EVF_UNLOCK : 0) |
                              (a->flags & ACCF_UNINIT ? EVF_UNINIT : 0) |
                              (a->flags & ACCF_LINKED ? EVF_LINKED : 0) |
                              (a->flags & ACCF_ISA ? EVF_ISA : 0) |
                              (a->flags & ACCF_PAIR ? EVF_PAIR : 0));
  x->result.events_added++;
  return graph_add(&x->g, (struct event){.kind = EV_WRITE,
                                         .order = a->order,
                                         .flags = flags,
                                         .thread = (uint8_t)t,
                                         .loc = a->loc,
                                         .rf = NO_EVENT,
                                         .value = a->value,
                                         .co = place,
                                         .pre = pre});
}

bool write_place(struct explorer *x, const struct choice *c, uint32_t place) {
  bool is_revisit = c->revisit != NO_EVENT;
  event_id id = write_add(x, c->thread, place);
  if (is_revisit) {
    feed(x, c->revisit, id, c->kind == CHOICE_HANDOVER);
    if (knows_better(x, c->revisit))
      return false;
  }
  if (!step_is_consistent(x, id, c->revisit))
    return false;
  step_advance(x, id);
  if (is_revisit)
    step_advance(x, c->revisit);
  error_check_access(x, id);
  if (x->running && (x->g.events[id].flags & EVF_UNLOCK))
    error_check_unlock(x, id);
  if (x->running && is_revisit)
    error_check_access(x, c->revisit);
  return !is_revisit || !x->running || !retry_is_lost(x, c->revisit);
}

bool write_revisit(struct explorer *x, thread_id t, event_id read,
                   bool hands_over) {
  x->result.revisits++;
  revisit_cut(x, t, read);
  uint32_t first = x->options.len;
  find_places(x, t, read);
  choice_open(x, hands_over ? CHOICE_HANDOVER : CHOICE_PLACE, t, read, first);
  return false; // the places are the newest choice now
}

void write_step(struct explorer *x, thread_id t) {
  uint32_t loc = vm_access(x->vm, x->g.threads[t].state)->loc;
  graph_need_loc(&x->g, loc);
  uint32_t first = x->options.len;
  if (x->tracks) {
    promise_find(x, t);
    choice_open(x, CHOICE_PROMISE, t, NO_EVENT, first);
    first = x->options.len;
  }
  revisit_find(x, t, loc);
  bool may_revisit = x->options.len > first;
  // Newest first, so the read that it may be handed over to is the first.
  event_id newest = may_revisit ? x->options.at[first] : NO_EVENT;
  choice_open(x, CHOICE_REVISIT, t, NO_EVENT, first);
  first = x->options.len;
  find_places(x, t, NO_EVENT);
  if (may_revisit && x->options.len == first + 1 &&
      x->options.at[first] == x->g.locs.at[loc].co.len &&
      wait_taker(x, t, loc) == newest) {
    x->options.len = first;
    array_last(&x->choices)->hands_over = newest;
  }
  choice_open(x, CHOICE_PLACE, t, NO_EVENT, first);
  choice_next(x);
}
