// SPDX-License-Identifier: MIT
// The oracle: all complete executions of a small program, found as naively as
// possible, for the explorer to be compared with. It is written from models.md
// and semantics.md and must never look at src/explore or src/model.
#pragma once

#include "axioms.h"
#include "picture.h"
#include "world.h"

struct oracle_query {
  unsigned models;   // bits 1 << enum oracle_model
  uint64_t max_work; // gives up after so many steps; 0: never
  // Called for each execution that some of these models allow, exactly once,
  // with those models.
  void (*found)(void *arg, unsigned models, const struct picture *x);
  void *arg;
  // Unless NULL, `found` is not asked, and this is called for every execution
  // in which no thread goes on, whether or not all have ended. (A lock that is
  // held, an assumption or an assertion that fails stop a thread for good.)
  void (*stopped)(void *arg, unsigned models, const struct world *w);
  // Unless NULL, filled: the models that allow an execution with a race.
  unsigned *racy;
  // Unless NULL, filled if XMM is among the models: does an execution of RC11,
  // which may be blocked, have a load-buffering race?
  bool *has_lb_race;
};

// Enumerates all graphs and filters them with the axioms. False: the program
// is too large (what was found so far is then worth nothing).
MUST_USE bool oracle_run(const struct program *p, const struct oracle_query *q);

// The executions of SC another way: runs all interleavings on one memory. Calls
// `found` with models = 1 << ORACLE_SC, usually many times for one execution.
MUST_USE bool interleave_run(const struct program *p,
                             const struct oracle_query *q);
