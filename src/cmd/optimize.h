// SPDX-License-Identifier: MIT
// What heddle optimize prints.
#pragma once

#include "cmd/run.h"
#include "optimise/optimise.h"

#include <pthread.h>

// How weak one site can be; `is_known` unless a check did not come to its end.
struct weakest {
  mode mode;
  bool is_known;
};

struct optimizing {
  const struct options *options;
  struct search search;
  struct run *runs;               // by client
  struct options *client_options; // of each of them
  struct weakest *weakest;        // by site, of --check-only; else NULL
  mode *source;                   // what is written
  struct costs costs;
  pthread_mutex_t showing; // held while an execution becomes a text
  uint64_t budget;         // executions that are left; 0: no limit
  uint32_t most_events;    // of an execution that is judged; 0: no limit
  char limit[600];         // what ended a check before its end, or ""
  double shown;            // when progress was shown, in seconds
  bool has_line;           // of progress
};

// The same search for one program that was loaded and checked already, with
// options that must outlive it; `copy` is changed. Afterwards
// optimize_program_done.
MUST_USE bool optimize_program(struct optimizing *z, const struct run *checked,
                               struct prog *copy, struct diag *why);
void optimize_program_done(struct optimizing *z);

struct view;
// What would mend the error that was found, in a sentence; nothing if that is
// not known soon (mend.c).
void mend_text(const struct run *checked, const struct finding *f,
               const struct view *v, struct str *out);

// Sets the bounds of the search, when its sites are known (optimize_bounds.c).
MUST_USE bool optimize_bounds(struct optimizing *z, struct diag *why);
// The last check that failed, when nothing helps: what is wrong then.
const struct bad *optimize_failure(const struct optimizing *z);
void optimize_text(struct optimizing *z, struct str *out);
// A solution as a patch of the source (optimize_diff.c).
void optimize_diff(const struct optimizing *z, const mode *x, struct str *out);
void optimize_json(struct optimizing *z, struct str *out);
