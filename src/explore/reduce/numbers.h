// SPDX-License-Identifier: MIT
// How many preemptions, or reorderings, an execution needs; numbers.c has the
// definitions.
#pragma once

#include "base/bound.h"
#include "graph/graph.h"
#include "vm/vm.h"

#include <stdbool.h>

// A part of a graph that is closed under po ∪ rf: so many events of each
// thread.
struct graph_part {
  const struct graph *g;
  uint32_t length[MAX_THREADS];
  bool interleaves; // the model has no executions but interleavings
};

// Adds what comes before the part by po ∪ rf.
void part_close(struct graph_part *p);
// Is its number at most `most`?
bool part_has_at_most(const struct graph_part *p, enum bounded what,
                      uint32_t most);
