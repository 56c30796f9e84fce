// SPDX-License-Identifier: MIT
// The search on several processors: workers that explore different branches,
// each with a vm and a graph of its own. The counts are the same for any
// number of workers.
#pragma once

#include "parallel/frontier.h"

struct parallel;

enum { MAX_JOBS = 256 };

// Checkpoints: `save` is called about every so many seconds (0: only at the
// end), when a limit of
// time is over or the run is interrupted, and at the end, with the search as it
// stands; `about`, `command` and `part` are for the caller to fill in.
struct parallel_saving {
  double every;
  void (*save)(void *arg, struct frontier *f);
  void *arg;
};

// The config is as for one explorer. Its callbacks are called by one thread at
// a time, but not always by the same; on_pause and team are ours. `s` may be
// NULL: there are no checkpoints. So may `from`: the search begins at its root;
// otherwise it goes on from there, and `from` is empty afterwards.
struct parallel *parallel_new(const struct prog *p, const struct vm_config *vm,
                              const struct explore_config *config,
                              unsigned jobs, const struct parallel_saving *s,
                              struct frontier *from);
void parallel_free(struct parallel *p);

// As explore(): to the end, to the first finding, or to a limit, whichever
// worker comes to it. One job is a plain explorer in the calling thread.
const struct explore_result *parallel_explore(struct parallel *p);

// Explores the beginning of the search, until about so many branches are left,
// and has them saved; with an error, at a limit or at the end of a small search
// there is nothing to save.
const struct explore_result *parallel_split(struct parallel *p,
                                            uint64_t branches);

// What the workers know of the program; for on_progress.
struct assumptions parallel_learned(const struct parallel *p);
// Summed up over the workers.
struct vm_stats parallel_vm_stats(const struct parallel *p);
