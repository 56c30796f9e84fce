// SPDX-License-Identifier: MIT
// For tests of equal threads: with symmetry, the executions that are explored
// stand for as many as there are without it, and what goes wrong is the same.
#pragma once

#include "search.h"
#include "unit/program.h"

struct with_or_without {
  uint64_t executions, stands_for;
  bool is_complete, is_refuted;
  struct hashes errors;
  uint64_t unplaced; // kinds of errors whose place is not compared
};

struct stands_for {
  struct explore_config config; // limits, and reductions if not by default
  uint64_t unplaced;
  uint64_t programs, fewer, refuted, all, few, errors;
};

static inline void with_or_without_look(void *arg,
                                        const struct explore_result *result) {
  struct with_or_without *r = arg;
  r->executions = result->executions;
  r->stands_for = result->stands_for;
  r->is_complete = !result->limit;
  r->is_refuted = result->asymmetry != NULL;
  errors_of(result, r->unplaced, &r->errors);
}

static inline struct with_or_without
search_equal(const struct stands_for *s, const char *model, bool is_symmetric) {
  struct with_or_without r = {.unplaced = s->unplaced};
  struct explore_config config = s->config;
  config.options.model = model_find(model);
  if (!config.options.reductions)
    config.options.reductions = REDUCE_DEFAULT;
  config.options.reductions |= is_symmetric ? REDUCE_SYMMETRY : 0u;
  config.limits.max_executions *= is_symmetric ? 16 : 1; // more may be blocked
  config.options.all_errors = true;
  config.observer.arg = &r;
  search(P, &config, with_or_without_look);
  return r;
}

static inline void compare_equal(uint64_t seed, const char *model, void *arg) {
  struct stands_for *sum = arg;
  struct with_or_without all = search_equal(sum, model, false);
  if (all.is_complete) {
    struct with_or_without few = search_equal(sum, model, true);
    CHECK(few.is_complete && few.stands_for == all.executions,
          "seed %llu, %s: %llu executions stand for %llu, there are %llu",
          (unsigned long long)seed, model, (unsigned long long)few.executions,
          (unsigned long long)few.stands_for,
          (unsigned long long)all.executions);
    CHECK(hashes_same(&all.errors, &few.errors), "seed %llu, %s: other errors",
          (unsigned long long)seed, model);
    sum->programs++;
    sum->fewer += few.executions < all.executions;
    sum->refuted += few.is_refuted;
    sum->all += all.executions;
    sum->few += few.executions;
    sum->errors += few.errors.len > 0;
    array_done(&few.errors);
  }
  array_done(&all.errors);
}

static inline void stands_for_say(const struct stands_for *sum) {
  printf("# %llu programs, fewer executions in %llu, %llu with threads that "
         "differ; %llu executions, %llu explored; %llu with errors\n",
         (unsigned long long)sum->programs, (unsigned long long)sum->fewer,
         (unsigned long long)sum->refuted, (unsigned long long)sum->all,
         (unsigned long long)sum->few, (unsigned long long)sum->errors);
}

static inline void check_stand_for(struct stands_for *sum, uint64_t seeds,
                                   void (*draw)(uint64_t seed)) {
  uint64_t n =
      compare_random(seeds, &P, draw, model_in_turn, compare_equal, sum);
  stands_for_say(sum);
  CHECK(n < 500 || (sum->fewer * 4 > n && sum->refuted * 50 > n &&
                    sum->errors * 10 > n),
        "too few");
}
