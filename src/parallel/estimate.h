// SPDX-License-Identifier: MIT
// How large a search is, by sweeps (explore/search/sweep.c): before it is made,
// or by a thread of its own that takes a small share of the time beside it.
#pragma once

#include "explore/explore.h"

struct estimator;

// The config is that of the search; its observers are not told anything.
struct estimator *estimator_new(const struct prog *p,
                                const struct vm_config *vm,
                                const struct explore_config *config,
                                uint64_t seed);
void estimator_free(struct estimator *e);

// Makes so many sweeps, in so many seconds by the clock; fewer, if the answer
// is exact.
void estimator_run(struct estimator *e, double seconds, uint64_t sweeps);
// The same beside the search, with that share of the time, until the estimator
// is freed. False: there is no thread to be had.
MUST_USE bool estimator_start(struct estimator *e, double share);
// What the search has learned of the program since.
void estimator_tell(struct estimator *e, const struct assumptions *learned);
struct explore_estimate estimator_read(struct estimator *e);
