// SPDX-License-Identifier: MIT
// Inside graph/: what a new event says about the prefixes of later ones.
#pragma once

#include "graph/graph.h"

// A set of enum prefix_shape.
uint8_t shape_of_prefix(const struct graph *g, event_id id);
