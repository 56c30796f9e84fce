// SPDX-License-Identifier: MIT
// Which threads read and write what, and whether an order of the threads, in
// which a known execution could justify something, has cycles at all.
#pragma once

#include "explore/cycles/justify/over.h"

struct use {
  struct location where; // of some machine
  uint64_t readers, writers;
};
struct uses {
  struct use *at;
  uint32_t len, cap;
  bool is_known;
};
// in_order.c. Of a graph that is complete, whatever the values are.
void over_find_uses(const struct over *a, struct uses *ret);

// `edges`: what threads read of each other in known executions. No:
// nothing that they justify has a cycle of these threads.
bool orders_may_have_cycles(struct explorer *x, uint64_t threads,
                            const struct guesses *edges,
                            const struct uses *uses);
