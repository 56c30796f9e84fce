// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

// Could psc be acyclic in a graph whose newest events are e and, unless it is
// NO_EVENT, `other`, which reads e? Cycles that do not come of them are not
// looked for.
bool psc_consistent(struct graph *g, event_id e, event_id other,
                    enum sc_rule rule);

// The same of whole accesses (whole.c).
bool psc_whole(struct graph *g, event_id e, event_id other, enum sc_rule rule);

// The rule that a model has if it is not told another.
static inline enum sc_rule sc_rule_or(const struct model_options *options,
                                      enum sc_rule own) {
  return options->sc_rule == SC_OWN ? own : options->sc_rule;
}
