// SPDX-License-Identifier: MIT
// A step that reads: the writes that it may read from.
//
// Coherence: a read may take any write that is not older (in co) than what
// happens-before already shows to its thread, and a write goes anywhere after
// that (irreflexive(hb;eco?), RC11 §3). Atomicity: the write of an update goes
// directly after its source. Two updates of one source cannot both stay; the
// second one is still added if its write can revisit the first.
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

// Nothing comes of what the newest event of its thread read that does not come
// of something newer: a thread that stops with an old value will never get
// anywhere, since no revisit may take this read away, which is not maximal.
// What the others do then, they do as well when it reads the newest value.
static bool is_dominated(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (!reduces(&x->config, REDUCE_DOMINATED))
    return false;
  if (explore_ignores_co(x))
    return rf_is_old(x, e->loc, e->rf) && !revisit_may_begin_with(x, id);
  return graph_co_place(&x->g, id) + 1 < x->g.locs.at[e->loc].co.len;
}

static bool leads_nowhere(struct explorer *x, event_id id) {
  if (x->guesses)
    return advance_stops(x, id);
  // The second piece of an access may be maximal with something old.
  if (advance_stops(x, id) && !x->config.model_options.in_pieces) {
    x->has_stopped = true;
    if (is_dominated(x, id) ||
        (!explore_ignores_co(x) && retry_is_lost(x, id)) || no_writers_end(x))
      return true;
  }
  bool is_cut = x->config.read_bound && stale_cuts(x, id);
  x->result.stale_cuts += is_cut;
  return is_cut;
}

static struct event *make_read(struct explorer *x, thread_id t,
                               event_id write) {
  struct event *e = event_make_read(x, t, write);
  if ((e->flags & EVF_EXCLUSIVE) && retry_stops_success(x, e))
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

// The source of an update is taken. Is it known already that nothing comes of
// that, as its write can neither revisit who took it nor be promised to
// anybody? (Where the write has other ways to matter, that is not asked.)
static bool is_too_late(struct explorer *x, thread_id t, event_id write) {
  struct graph *g = &x->g;
  const struct event *w = &g->events[write];
  if (!reduces(&x->config, REDUCE_TOO_LATE) || x->symmetry.grouped ||
      explore_ignores_co(x) || x->config.model_options.in_pieces)
    return false;
  uint32_t clocks = g->clocks.len;
  clock_id prefix = g->events[graph_tail(g, t)].porf;
  if (write != INIT_EVENT)
    prefix = clock_join(&g->clocks, prefix, w->porf, w->thread, w->index + 1);
  bool helps = revisit_makes_room(x, t, prefix, write) ||
               (x->promises && promise_has_reads(x, t, prefix));
  g->clocks.len = clocks;
  return !helps;
}

enum outcome read_source(struct explorer *x, thread_id t, event_id write) {
  const struct event *e = make_read(x, t, write);
  bool taken = (e->flags & EVF_EXCLUSIVE) &&
               event_is_taken(&x->g, e->loc, write, NO_EVENT, NO_EVENT);
  if (taken && (x->guesses || is_too_late(x, t, write)))
    return GO_BACK;
  bool stops = retry_stopped(e);
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
  // Whether it stops must be true of equal threads too, before it is left.
  if (o == GO_ON && x->symmetry.grouped)
    o = equal_ask(x, id);
  return o == GO_ON && leads_nowhere(x, id) ? GO_BACK : o;
}

// A lock that is held lets its taker wait; only the newest state counts for
// that, since a thread that waits with an older one never gets anywhere else.
static bool is_source(const struct explorer *x, const struct access *a,
                      uint32_t place) {
  if (a->kind != ACC_LOCK_READ || !reduces(&x->config, REDUCE_DOMINATED))
    return true;
  const struct event_list *co = &x->g.locs.at[a->loc].co;
  bool is_uninit;
  return place == co->len - 1 ||
         event_value_of(x, a->loc, co->at[place], &is_uninit) == 0;
}

enum outcome read_step(struct explorer *x, thread_id t) {
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  graph_need_loc(&x->g, a.loc);
  const struct event *tail = &x->g.events[graph_tail(&x->g, t)];
  uint32_t floor = graph_co_floor(&x->g, a.loc, t, tail->index + 1, tail->hb);
  const struct event_list *co = &x->g.locs.at[a.loc].co;
  uint32_t first = x->options.len;
  event_id since = INIT_EVENT;
  if (x->guesses) {
    since = pause_waits_since(x, t);
    forward_find(x, t);
    choice_open(x, CHOICE_GUESS, t, NO_EVENT, first);
    first = x->options.len;
  }
  bool takes_all = !since && a.kind != ACC_LOCK_READ;
  if (explore_ignores_co(x))
    rf_find_sources(x, t);
  for (uint32_t place = floor; !explore_ignores_co(x) && place < co->len;
       place++)
    if (takes_all ||
        ((!since || co->at[place] > since) && is_source(x, &a, place)))
      array_push(&x->options, co->at[place]);
  if (x->guesses)
    feasible_choose_sources(x, t, a.loc, first);
  event_id source;
  return choice_begin(x, CHOICE_SOURCE, t, NO_EVENT, first, &source)
             ? read_source(x, t, source)
             : GO_BACK;
}
