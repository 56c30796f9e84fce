// SPDX-License-Identifier: MIT
#pragma once

#include "graph/graph.h"

bool ra_consistent(struct graph *g, event_id e, event_id other);
