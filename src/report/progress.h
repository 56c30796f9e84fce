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
  bool is_shown;
};

// Nothing is shown of runs that are over by then.
enum { PROGRESS_FIRST_SECONDS = 2 };

struct progress progress_of_style(enum progress_style style);

// Appends what is to be shown now; nothing if it is not due.
void progress_show(struct progress *p, const struct explore_result *so_far,
                   const struct explore_estimate *all, double seconds,
                   struct str *out);
// 1234567 as "1.23M"; 5000 seconds as "1.4 hours".
void progress_add_number(struct str *out, double n);
void progress_add_time(struct str *out, double seconds);
// Is anything known of how much there is in all? Not if there were more than
// twice as many executions already as the estimate allows for: sweeps that lead
// nowhere, or nearly so, say little of how long the search goes on.
bool progress_is_known(const struct explore_result *so_far,
                       const struct explore_estimate *all);
// How many executions there are in all: never fewer than there were already.
double progress_total(const struct explore_result *so_far,
                      const struct explore_estimate *all);
// The same for a run over many tests.
void progress_show_tests(struct progress *p, uint64_t done, uint64_t all,
                         double seconds, struct str *out);
// Appends what takes the line away again.
void progress_end(const struct progress *p, struct str *out);
