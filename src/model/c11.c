// SPDX-License-Identifier: MIT
// C11's axioms beyond coherence (models/c11.cat has them in full): the order of
// sc events, and that no event needs itself to happen. No new event can break
// the latter: it is the last of its thread, nothing depends on it, and who
// reads it is last too; promises, where reads are given later writes, are
// judged by the definition (explore/cycles/promise/promise.c).
//
// C++11's release sequences are for complete graphs. Where they synchronise
// more than C++20's, the clocks grow, and coherence and the order of sc events
// are judged again, for the events that have learned something.
#include "model/c11.h"

#include "model/psc.h"
#include "model/whole.h"

#include <stdlib.h>

bool c11_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options) {
  return psc_consistent(g, e, other, sc_rule_or(options, SC_C11));
}

bool c11_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options) {
  return whole_consistent(g, e, other) &&
         psc_whole(g, e, other, sc_rule_or(options, SC_C11));
}

bool c11_needs_deps(struct graph *g, event_id e) {
  (void)g, (void)e;
  return false;
}

// By the clocks, does e agree with all that happens before it?
static bool is_coherent(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (clock_knows(&g->clocks, e->hb, e->thread, e->index))
    return false; // it happens before itself
  if (!is_access(e))
    return true;
  uint32_t floor = graph_co_floor(g, e->loc, e->thread, e->index, e->hb);
  return e->kind == EV_WRITE ? e->co > floor : graph_co_place(g, id) >= floor;
}

// A cycle of psc has an edge of co or fr. If it needs what was learned, then
// one of them leaves an event that has learned it, or, by C++11's rule, one
// that comes after such a fence in its thread. By RC11's rule fences act
// through happens-before, so it may be any.
static bool hold(struct graph *g, const uint8_t *marks, enum sc_rule rule) {
  for (uint32_t t = 0; t < g->nthreads; t++) {
    bool is_judged = rule != SC_C11;
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      event_id e = graph_at(g, t, i);
      bool has_grown = marks[e] & CLOCK_HAS_GROWN;
      is_judged |= has_grown;
      if ((has_grown && !is_coherent(g, e)) ||
          (is_judged && !psc_consistent(g, e, NO_EVENT, rule)))
        return false;
    }
  }
  return true;
}

// Marks the writes that carry more by C++11's rule; yields the oldest.
static event_id mark_longer(const struct graph *g, uint8_t *marks) {
  event_id first = NO_EVENT;
  for (uint32_t i = 0; i < g->locs.len; i++) {
    const struct event_list *co = &g->locs.at[i].co;
    uint64_t *bits;
    if (!model_longer_sequences(g, &g->locs.at[i], &bits))
      continue;
    for (uint32_t place = 1; place < co->len; place++)
      if (bit_has(bits, place)) {
        marks[co->at[place]] = CLOCK_MAY_GROW;
        first = co->at[place] < first ? co->at[place] : first;
      }
    free(bits);
  }
  return first;
}

bool c11_sequences_allow(struct graph *g, const struct model_options *options,
                         enum sc_rule rule) {
  if (!options->c11_release_sequences || !model_sequences_differ(g))
    return true;
  struct graph_mark mark = graph_mark(g);
  uint8_t *marks = xcalloc(g->nevents, 1);
  event_id first = mark_longer(g, marks);
  g->c11_sequences = true;
  graph_grow_clocks(g, first, marks);
  bool ok = hold(g, marks, rule);
  g->c11_sequences = false;
  graph_undo_to(g, mark);
  free(marks);
  return ok;
}

bool c11_allows_complete(struct graph *g, const struct model_options *options) {
  return c11_sequences_allow(g, options, sc_rule_or(options, SC_C11));
}
