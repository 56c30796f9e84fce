// SPDX-License-Identifier: MIT
// An exploration of everything, errors included, that counts the outcomes and
// keeps some of the executions.
#pragma once

#include "cmd/run.h"
#include "report/outcome.h"
#include "report/reads.h"
#include "report/report.h"

struct kept {
  uint32_t outcome; // of collector.outcomes; NO_OUTCOME: it is blocked
  struct view *view;
};
#define NO_OUTCOME UINT32_MAX

struct collector {
  struct run run;
  struct options options; // --all-errors, and the model
  struct outcomes outcomes;
  ARRAY(struct kept) kept;
  ARRAY(struct shown) findings;
  struct reads reads; // with --reads
  uint32_t most;      // executions to keep; of each outcome one comes first
  const struct explore_result *result;
  // If not NULL: is the execution wanted? Only those are kept. It may call
  // run_stop.
  bool (*is_wanted)(void *arg, uint32_t outcome, const struct graph *g,
                    struct vm *vm);
  void *arg;
};

// Reads the program; explores it under that model (NULL: that of the run).
MUST_USE bool collect_begin(struct collector *c, const struct options *o,
                            const char *model, struct diag *why);
void collect(struct collector *c);
void collector_done(struct collector *c);

// The first execution with that outcome that was kept, or NULL.
const struct view *collected_view(const struct collector *c, uint32_t outcome);
// The verdict as `heddle check --all-errors` says it.
void collected_verdict(const struct collector *c, struct str *out);
// What limits it, in lines of their own.
void collected_notes(const struct collector *c, struct str *out);
