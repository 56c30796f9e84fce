// SPDX-License-Identifier: MIT
// A step that reads: the writes that it may read from.
//
// Coherence: a read may take any write that is not older (in co) than what
// happens-before already shows to its thread, and a write goes anywhere after
// that (irreflexive(hb;eco?), RC11 §3). Atomicity: the write of an update goes
// directly after its source. Two updates of one source cannot both stay; the
// second one is still added if its write can revisit the first.
#include "explore/cycles/justify/justify.h"
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

// Does nothing new come of the graph in which the newest event of its thread
// reads what it does?
static bool leads_nowhere(struct explorer *x, event_id id) {
  bool stops = advance_stops(x, id);
  if (x->cycles.guesses)
    return stops;
  // The second piece of an access may be maximal with something old.
  stops = stops && !x->config.model_options.in_pieces;
  x->met.stop |= stops;
  return (stops && explore_leaves(x, id, LEAVE_STOPPED)) ||
         hooks_cuts_read(x, id);
}

static struct event *make_read(struct explorer *x, thread_id t,
                               event_id write) {
  struct event *e = event_make_read(x, t, write);
  if ((e->flags & EVF_EXCLUSIVE) && hooks_stops_update(x, e))
    e->flags ^= EVF_EXCLUSIVE | EVF_RETRY;
  return e;
}

static event_id add_read(struct explorer *x) {
  x->result.events_added++;
  return graph_add_next(&x->g);
}

event_id read_add(struct explorer *x, thread_id t, event_id write) {
  make_read(x, t, write);
  return add_read(x);
}

enum outcome read_source(struct explorer *x, thread_id t, event_id write) {
  const struct event *e = make_read(x, t, write);
  bool taken = (e->flags & EVF_EXCLUSIVE) &&
               event_is_taken(&x->g, e->loc, write, NO_EVENT, NO_EVENT);
  if (taken && (x->cycles.guesses || hooks_is_too_late(x, t, write)))
    return GO_BACK;
  bool stops = event_stops(e);
  event_id id = add_read(x);
  // If the source is taken the graph is not consistent yet: only a revisit by
  // the write that follows can make it so, and is judged then.
  if (!taken && !advance_is_allowed(x, id, NO_EVENT))
    return GO_BACK;
  if (stops)
    graph_set_state(&x->g, t, 0);
  else
    advance_thread(x, id);
  if (taken)
    return GO_ON;
  enum outcome o = inspect_access(x, id);
  if (o == GO_ON && (x->g.events[id].flags & EVF_LOCK))
    o = inspect_lock(x, id);
  if (o == GO_ON)
    o = hooks_was_read(x, id);
  return o == GO_ON && leads_nowhere(x, id) ? GO_BACK : o;
}

enum outcome read_step(struct explorer *x, thread_id t) {
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  graph_need_loc(&x->g, a.loc);
  const struct event *tail = &x->g.events[graph_tail(&x->g, t)];
  uint32_t floor = graph_co_floor(&x->g, a.loc, t, tail->index + 1, tail->hb);
  const struct event_list *co = &x->g.locs.at[a.loc].co;
  uint32_t first = x->options.len;
  event_id since = INIT_EVENT;
  if (x->cycles.guesses) {
    since = pause_waits_since(x, t);
    forward_find(x, t);
    choice_open(x, CHOICE_GUESS, t, NO_EVENT, first);
    first = x->options.len;
  }
  bool takes_all = !since && a.kind != ACC_LOCK_READ;
  if (explore_ignores_co(x))
    x->hooks.sources(x, t);
  for (uint32_t place = floor; !explore_ignores_co(x) && place < co->len;
       place++)
    if (takes_all || ((!since || co->at[place] > since) &&
                      !hooks_skips_source(x, &a, place)))
      array_push(&x->options, co->at[place]);
  if (x->cycles.guesses)
    feasible_choose_sources(x, t, a.loc, first);
  if (x->config.model_options.in_pieces)
    torn_leave_out(x, t, first);
  event_id source;
  return choice_begin(x, CHOICE_SOURCE, t, NO_EVENT, first, &source)
             ? read_source(x, t, source)
             : GO_BACK;
}
