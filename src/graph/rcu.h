// SPDX-License-Identifier: MIT
// Sections of RCU and SRCU, which a thread begins and ends by fences.
#pragma once

#include "graph/graph.h"

// The fence that begins the section which fence `id` ends; NO_EVENT if it ends
// none. Sections of RCU nest like brackets, inside of each other. One of SRCU
// ends where its location is given back the number that it was begun with.
event_id rcu_begin(const struct graph *g, event_id id);
