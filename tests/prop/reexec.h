// SPDX-License-Identifier: MIT
// XMM by the steps of its definition [papers/000, figure 5.1]: graphs are
// reached by executing, one event after the other, and by re-executing a graph
// that was reached. Which events are committed is tried out. The other
// reference (xmm.h) is in a closed form with an order of the threads instead,
// as is the search; that the two forms are the same is tested here.
#pragma once

#include "oracle.h"

// Which pairs of committed events must be in order in the graph that is
// re-executed: CausalRestriction, which the thesis names and does not define.
enum causal {
  CAUSAL_CLOSING, // a read and its source, if that comes after it by po | rf
  CAUSAL_NONE,
  CAUSAL_ALL, // whatever comes after each other by po | rf
};

struct reexec_rule {
  enum causal causal;
  bool only_cores; // executions are re-executed as far as their cycles only
};

// As oracle_run, of programs whose threads run side by side; of the models,
// RC11 and XMM.
MUST_USE bool reexec_run(const struct program *p, const struct oracle_query *q);
MUST_USE bool reexec_run_by(struct reexec_rule rule, const struct program *p,
                            const struct oracle_query *q);
