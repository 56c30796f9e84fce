// SPDX-License-Identifier: MIT
// RC11 beyond coherence and atomicity: the order of sc events. (That po ∪ rf
// has no cycle is how the search is made.)
#include "model/rc11.h"

#include "model/c11.h"
#include "model/psc.h"
#include "model/whole.h"

bool rc11_consistent(struct graph *g, event_id e, event_id other,
                     const struct model_options *options) {
  return psc_consistent(g, e, other, sc_rule_or(options, SC_RC11));
}

bool rc11_whole(struct graph *g, event_id e, event_id other,
                const struct model_options *options) {
  return whole_consistent(g, e, other) &&
         psc_whole(g, e, other, sc_rule_or(options, SC_RC11));
}

// A cycle of psc has two seq_cst events: from one to itself it would be hb;
// eco?, which coherence forbids, since each part of scb is one of hb, co or fr.
// (So it would be by C++11's rule, too: psc.c.)
bool rc11_takes_all(const struct graph *g, enum order order) {
  return g->sc_events + (order == ORD_SC) < 2;
}

bool rc11_allows_complete(struct graph *g,
                          const struct model_options *options) {
  return c11_sequences_allow(g, options, sc_rule_or(options, SC_RC11));
}
