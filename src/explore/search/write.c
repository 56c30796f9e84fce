// SPDX-License-Identifier: MIT
// A step that writes: the places that the new write may take in co, the reads
// that it may revisit (revisit.c), and those that it is promised to
// (promise.c).
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

// The lowest place in co that coherence leaves to the source of what thread t
// adds at `index`.
static uint32_t floor_of(const struct explorer *x, uint32_t loc, thread_id t,
                         uint32_t index) {
  const struct event *before = &x->g.events[graph_at(&x->g, t, index - 1)];
  return graph_co_floor(&x->g, loc, t, index, before->hb);
}

static bool is_piece_of_update(const struct access *a) {
  return a->kind == ACC_WRITE && (a->flags & ACCF_PIECE) &&
         (a->flags & ACCF_UPDATE);
}

// Appends the places that the next write of thread t may take in co, if
// `revisit` (or NO_EVENT) is to read it.
static void find_places(struct explorer *x, thread_id t, event_id revisit) {
  const struct graph *g = &x->g;
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  const struct event_list *co = &g->locs.at[a->loc].co;
  uint32_t first = x->options.len;
  if (event_is_update(x, t)) {
    event_id read = graph_tail(g, t);
    const struct event *r = &g->events[read];
    check(r->kind == EV_READ && (r->flags & EVF_EXCLUSIVE));
    if (!event_is_taken(g, a->loc, r->rf, read, revisit))
      array_push(&x->options, g->events[r->rf].co + 1);
    return;
  }
  if (is_piece_of_update(a)) {
    uint32_t index = graph_thread_length(g, t);
    event_id read = graph_updated_piece(g, t, index, a->loc);
    check(read != NO_EVENT);
    uint32_t place = g->events[g->events[read].rf].co + 1;
    if (place == co->len || !ends_update(&g->events[co->at[place]]))
      array_push(&x->options, place);
    return;
  }
  if (explore_ignores_co(x)) {
    array_push(&x->options, co->len);
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
    if (place == co->len || !ends_update(&g->events[co->at[place]]))
      array_push(&x->options, place);
  if (x->config.model_options.in_pieces)
    torn_leave_out(x, t, first);
}

// `read` gets its value from the write that was just added.
static void feed(struct explorer *x, event_id read, event_id write,
                 bool hands_over) {
  const struct event *r = &x->g.events[read];
  bool was_handed = r->flags & EVF_HANDED;
  event_id before = r->rf;
  event_set_source(x, read, write, false);
  if (hands_over)
    x->hooks.hands_over(x, read, write, before, was_handed);
}

// Would the read, which has a source now, be that of an update which another
// execution makes with fewer sources? Then its thread stops, as in read.c.
static bool stops_success(struct explorer *x, event_id read) {
  const struct event *r = &x->g.events[read];
  if (!(r->flags & EVF_EXCLUSIVE) || !hooks_stops_update(x, r))
    return false;
  graph_set_rf(&x->g, read, r->rf, r->value, r->order,
               r->flags ^ (EVF_EXCLUSIVE | EVF_RETRY), 0);
  return x->met.stop = true;
}

// Does what the read learns from its source forbid to read it?
static bool knows_better(const struct explorer *x, event_id read) {
  const struct event *r = &x->g.events[read];
  return !explore_ignores_co(x) &&
         graph_co_floor(&x->g, r->loc, r->thread, r->index, r->hb) >
             x->g.events[r->rf].co;
}

// Option of an update in pieces that is too late.
#define PUT_OFF UINT32_MAX

// Can thread t, whose update has been read, write all of it now?
static bool can_update(struct explorer *x, thread_id t) {
  struct graph *g = &x->g;
  struct graph_mark mark = graph_mark(g);
  uint32_t first = x->options.len;
  bool ok = true;
  for (bool more = true; ok && more;) {
    graph_need_loc(g, vm_access(x->vm, g->threads[t].state)->loc);
    find_places(x, t, NO_EVENT);
    ok = x->options.len > first;
    if (!ok)
      break;
    event_id id = event_add_write(x, t, x->options.at[first]);
    x->result.events_added--;
    x->options.len = first;
    ok = advance_is_allowed(x, id, NO_EVENT);
    state_id next = vm_step(x->vm, g->events[id].pre, 0);
    graph_set_end(g, id, g->events[id].flags, next);
    more = is_piece_of_update(vm_access(x->vm, next)) && g->events[id].rest;
  }
  graph_undo_to(g, mark);
  return ok;
}

// Is the next write of thread t the first piece of an update? Of a single
// location, an update that can read can also write. Of several, it may be too
// late for one of them: a thread knows that the update came before, and has not
// seen this piece. Then only other sources of reads can help. The write may
// revisit such reads; and its thread may stop, so that the others can provide
// other sources for its own, if that may be (memory/late.c). (As long as its
// reads have theirs it stays too late: what it is too late for was there before
// them.)
static bool is_late(struct explorer *x, thread_id t) {
  return x->config.model_options.in_pieces &&
         is_piece_of_update(vm_access(x->vm, x->g.threads[t].state)) &&
         x->g.events[graph_tail(&x->g, t)].kind == EV_READ && !can_update(x, t);
}

enum outcome write_place(struct explorer *x, thread_id t, event_id revisit,
                         bool hands_over, uint32_t place) {
  bool is_revisit = revisit != NO_EVENT;
  if (place == PUT_OFF) {
    event_id tail = graph_tail(&x->g, t);
    uint32_t flags = x->g.events[tail].flags;
    graph_set_end(&x->g, tail, flags | EVF_RETRY, 0);
    x->met.stop = true;
    return GO_ON;
  }
  event_id id = event_add_write(x, t, place);
  bool stops = false;
  if (is_revisit) {
    feed(x, revisit, id, hands_over);
    stops = stops_success(x, revisit);
    if (knows_better(x, revisit))
      return GO_BACK;
  }
  if (!advance_is_allowed(x, id, revisit))
    return GO_BACK;
  advance_thread(x, id);
  if (is_revisit && !stops)
    advance_thread(x, revisit);
  enum outcome o = inspect_access(x, id);
  if (o == GO_ON && (x->g.events[id].flags & EVF_UNLOCK))
    o = inspect_unlock(x, id);
  if (o == GO_ON && is_revisit)
    o = inspect_access(x, revisit);
  return o == GO_ON && is_revisit && explore_leaves(x, revisit, LEAVE_REVISITED)
             ? GO_BACK
             : o;
}

enum outcome write_revisit(struct explorer *x, thread_id t, event_id read,
                           bool hands_over) {
  x->result.revisits++;
  revisit_cut(x, t, read);
  uint32_t first = x->options.len;
  find_places(x, t, read);
  uint32_t place;
  enum choice_kind kind = hands_over ? CHOICE_HANDOVER : CHOICE_PLACE;
  return choice_begin(x, kind, t, read, first, &place)
             ? write_place(x, t, read, hands_over, place)
             : GO_BACK;
}

enum outcome write_step(struct explorer *x, thread_id t) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  // Whether a store-conditional succeeds is a question of co; only litmus tests
  // have them, whose executions have it.
  check(!explore_ignores_co(x) || a->kind != ACC_WRITE ||
        !(a->flags & ACCF_LINKED));
  uint32_t loc = a->loc;
  graph_need_loc(&x->g, loc);
  if (hooks_before_write(x, t) == STOP)
    return STOP;
  uint32_t first = x->options.len;
  if (x->config.model->justifier && !x->cycles.has_race) {
    guess_look(x, t, loc);
    // Until then the others of a team know nothing of it.
    if (x->cycles.has_race && (x->team || explore_stands_for_others(x))) {
      x->restart |= RESTART;
      return STOP;
    }
  }
  if (x->promises && !x->config.model_options.in_pieces) {
    if (x->grouped && promise_is_possible(x, t))
      return hooks_meets_cycle(x, "a load may read what comes after it");
    if (!x->grouped && promise_find(x, t) == STOP)
      return STOP;
    choice_open(x, CHOICE_PROMISE, t, NO_EVENT, first);
    first = x->options.len;
  }
  if (!x->cycles.guesses)
    revisit_find(x, t, loc);
  bool may_revisit = x->options.len > first;
  // Newest first, so the read that it may be handed over to is the first.
  event_id newest = may_revisit ? x->options.at[first] : NO_EVENT;
  choice_open(x, CHOICE_REVISIT, t, NO_EVENT, first);
  first = x->options.len;
  find_places(x, t, NO_EVENT);
  if (may_revisit && x->hooks.taker && x->options.len == first + 1 &&
      x->options.at[first] == x->g.locs.at[loc].co.len &&
      x->hooks.taker(x, t, loc) == newest) {
    x->options.len = first;
    array_last(&x->choices)->hands_over = newest;
  }
  if (is_late(x, t) && !hooks_stays_late(x, t))
    array_push(&x->options, PUT_OFF);
  uint32_t place;
  return choice_begin(x, CHOICE_PLACE, t, NO_EVENT, first, &place)
             ? write_place(x, t, NO_EVENT, /*hands_over=*/false, place)
             : GO_BACK;
}
