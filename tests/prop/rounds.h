// SPDX-License-Identifier: MIT
// For tests of loops whose failed rounds are left out: what comes out of a
// program, as a set of numbers, with all rounds (up to a bound) and without.
#pragma once

#include "search.h"

struct run {
  struct hashes outcomes;
  uint64_t executions;
  bool is_complete, kinds[FIND_COUNT];
};

typedef void (*tell_execution)(void *run, struct vm *vm, const struct graph *g,
                               bool is_blocked);

// What memory is in the end. (Locations have no order.)
static inline uint64_t memory_of(struct vm *vm, const struct graph *g) {
  uint64_t sum = 0;
  for (uint32_t l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    if (co->len > 1)
      sum += mix(mix(2, vm_location(vm, l)->address),
                 graph_event(g, co->at[co->len - 1])->value);
  }
  return sum;
}

static inline void run_forget(void *arg) {
  struct run *r = arg;
  r->outcomes.len = 0;
}

static inline void run_look(void *arg, const struct explore_result *result) {
  struct run *r = arg;
  r->executions = result->executions;
  r->is_complete = !result->limit;
  for (uint32_t i = 0; i < result->findings.len; i++)
    r->kinds[result->findings.at[i].kind] = true;
}

static inline void run_program(struct run *r, const struct prog *p,
                               const char *model, bool all_rounds,
                               tell_execution tell) {
  static const struct loop_bound bound = {.rounds = 2};
  struct explore_config config = {
      .options.model = model_find(model),
      .observer.on_execution = tell,
      .observer.on_begin_again = run_forget,
      .options.reductions = REDUCE_DEFAULT & ~(all_rounds ? REDUCE_ROUNDS : 0u),
      .options.unroll = &bound,
      .options.unrolls = true,
      .limits.max_executions = 5000,
      .limits.max_events = 120,
      .options.all_errors = true,
      .observer.arg = r};
  config.options.disabled[FIND_LIVELOCK] = true;
  search(p, &config, run_look);
}

struct compared {
  uint64_t programs, all, explored;
};

// One program: what all rounds lead to is explored without them, too.
static inline void compare_rounds(struct compared *c, const struct prog *p,
                                  const char *model, uint64_t seed,
                                  tell_execution tell) {
  struct run all = {0}, few = {0};
  run_program(&few, p, model, /*all_rounds=*/false, tell);
  if (few.is_complete)
    run_program(&all, p, model, /*all_rounds=*/true, tell);
  if (few.is_complete && all.is_complete) {
    hashes_sort(&few.outcomes);
    unsigned lost = hashes_missing(&all.outcomes, &few.outcomes);
    CHECK(!lost, "seed %llu, %s: %u of %u outcomes are lost",
          (unsigned long long)seed, model, lost, all.outcomes.len);
    for (unsigned i = 0; i < FIND_COUNT; i++)
      CHECK(!all.kinds[i] || few.kinds[i], "seed %llu, %s: no %s",
            (unsigned long long)seed, model,
            finding_name((enum finding_kind)i));
    c->programs++;
    c->all += all.executions;
    c->explored += few.executions;
  }
  array_done(&all.outcomes);
  array_done(&few.outcomes);
}

struct seeds {
  struct compared c;
  struct prog *const *p;
  tell_execution tell;
};

static inline void compare_seed(uint64_t seed, const char *model, void *arg) {
  struct seeds *s = arg;
  compare_rounds(&s->c, *s->p, model, seed, s->tell);
}

// HEDDLE_SEEDS of them, drawn into *p.
static inline void compare_seeds(void (*draw)(uint64_t seed),
                                 struct prog *const *p, tell_execution tell) {
  struct seeds s = {.p = p, .tell = tell};
  uint64_t n =
      compare_random(400, p, draw, model_mostly_rc11, compare_seed, &s);
  printf("# %llu of %llu programs; %llu executions, %llu explored\n",
         (unsigned long long)s.c.programs, (unsigned long long)n,
         (unsigned long long)s.c.all, (unsigned long long)s.c.explored);
  CHECK(n < 400 || (s.c.programs > n / 4 && s.c.explored < s.c.all), "too few");
}
