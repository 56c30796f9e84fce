// SPDX-License-Identifier: MIT
// How far a long exploration is: a line for people that is written over again
// and again, or a JSON object a line for tools.
#pragma once

#include "base/str.h"
#include "explore/explore.h"

enum progress_style { PROGRESS_NONE, PROGRESS_LINE, PROGRESS_JSON };

struct progress {
  enum progress_style style;
  double next; // seconds after the start when it is due again
  // The lowest and highest estimates of the executions in all, in the time
  // since `since` and in the time before that, which was half as long. How far
  // they are apart says how sure the estimate is.
  double since, low[2], high[2];
};

// Nothing is shown of runs that are over by then.
enum { PROGRESS_FIRST_SECONDS = 2 };

struct progress progress_of_style(enum progress_style style);

// Appends what is to be shown now; nothing if it is not due.
void progress_show(struct progress *p, const struct explore_result *so_far,
                   double seconds, struct str *out);
// The same for a run over many tests.
void progress_show_tests(struct progress *p, uint64_t done, uint64_t all,
                         double seconds, struct str *out);
// Appends what takes the line away again.
void progress_end(const struct progress *p, struct str *out);
