// SPDX-License-Identifier: MIT
// What each thread may read if the threads have an order (orders.c).
#pragma once

#include "explore/cycles/justify/orders.h"
#include "explore/cycles/justify/over_graph.h"

struct in_order {
  const struct guesses *edges;
  uint64_t before[MAX_THREADS];            // the smaller threads
  uint32_t owned[MAX_THREADS][MOST_OWNED]; // locations, or NONE
};
void in_order_find_owned(struct explorer *x, const struct uses *u,
                         struct in_order *ret);
