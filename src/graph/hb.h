// SPDX-License-Identifier: MIT
// Inside graph/: the clocks of a new event.
#pragma once

#include "graph/graph.h"

// Fills hb, porf, rel, acq and fenced of `e` from its po-predecessor `pred`
// (NULL for the first event of a thread) and its source.
void hb_compute(struct graph *g, struct event *e, const struct event *pred);
