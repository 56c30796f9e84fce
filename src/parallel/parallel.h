// SPDX-License-Identifier: MIT
// The search on several processors: workers that explore different branches,
// each with a vm and a graph of its own. The counts are the same for any
// number of workers.
#pragma once

#include "explore/explore.h"

struct parallel;

enum { MAX_JOBS = 256 };

// The config is as for one explorer. Its callbacks are called by one thread at
// a time, but not always by the same; on_pause and team are ours.
struct parallel *parallel_new(const struct prog *p, const struct vm_config *vm,
                              const struct explore_config *config,
                              unsigned jobs);
void parallel_free(struct parallel *p);

// As explore(): to the end, to the first finding, or to a limit, whichever
// worker comes to it. One job is a plain explorer in the calling thread.
const struct explore_result *parallel_explore(struct parallel *p);

// Summed up over the workers.
struct vm_stats parallel_vm_stats(const struct parallel *p);
