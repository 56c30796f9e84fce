// SPDX-License-Identifier: MIT
// Bug hunting where a search is too big: executions are drawn at random from
// all over it, by sweeps (explore/search/sweep.c), until the time is over or
// so many were drawn. Each is an execution of the search and of no other; an
// error is one.
#pragma once

#include "explore/explore.h"

struct sampler;

struct sampling {
  double seconds;      // by the clock; 0: no end
  uint64_t executions; // likewise; about so many
  uint64_t seed;
};

// The config is as for one explorer. Its callbacks are called by one thread at
// a time.
struct sampler *sampler_new(const struct prog *p, const struct vm_config *vm,
                            const struct explore_config *config, unsigned jobs,
                            const struct sampling *what);
void sampler_free(struct sampler *s);
// The result belongs to the sampler. It is complete in no case; `drawn` says
// what was met.
const struct explore_result *sampler_run(struct sampler *s);
