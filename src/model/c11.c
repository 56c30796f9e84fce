// SPDX-License-Identifier: MIT
// C11's axioms beyond coherence (axioms_deps.c has them in full): the order of
// sc events, and that no event needs itself to happen. No new event can break
// the latter: it is the last of its thread, nothing depends on it, and who
// reads it is last too; promises, where reads are given later writes, are
// judged by the definition (explore/promise.c).
//
// C++11's release sequences are for complete graphs. Where they synchronise
// more than C++20's, the clocks are computed anew with them, and coherence and
// the order of sc events judged again, for all events.
#include "model/c11.h"

#include "model/psc.h"

bool c11_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options) {
  return psc_consistent(g, e, other, sc_rule_or(options, SC_C11));
}

bool c11_needs_deps(const struct graph *g, event_id e) {
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

static bool hold(struct graph *g, enum sc_rule rule) {
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (!is_coherent(g, e) || !psc_consistent(g, e, NO_EVENT, rule))
      return false;
  return true;
}

bool c11_sequences_allow(struct graph *g, const struct model_options *options,
                         enum sc_rule rule) {
  if (!options->c11_release_sequences || !model_sequences_differ(g))
    return true;
  struct graph_mark mark = graph_mark(g);
  g->c11_sequences = true;
  graph_renew_clocks(g);
  bool ok = hold(g, rule);
  g->c11_sequences = false;
  graph_undo_to(g, mark);
  return ok;
}

bool c11_allows_complete(struct graph *g, const struct model_options *options) {
  return c11_sequences_allow(g, options, sc_rule_or(options, SC_C11));
}
