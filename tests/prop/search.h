// SPDX-License-Identifier: MIT
// For tests that compare searches of the same program: a search, the errors
// that it found, and random programs that are compared under a model each.
#pragma once

#include "explore/explore.h"
#include "hashes.h"
#include "setting.h"
#include "tap.h"

#include <stdlib.h>

typedef void (*look_at_result)(void *arg, const struct explore_result *r);

// What comes out of it is looked at with config->observer.arg.
static inline void search(const struct prog *p,
                          const struct explore_config *config,
                          look_at_result look) {
  struct vm_config vm_config = vm_config_default();
  struct vm *vm = vm_new(p, &vm_config);
  struct explorer *x = explorer_new(p, vm, config);
  look(config->observer.arg, explore(x));
  explorer_free(x);
  vm_free(vm);
}

// Kind and place of what went wrong, sorted. Of some kinds (a bit for each) the
// place depends on the way: which of two events of a race is the later one,
// which of the threads that wait is told.
static inline void errors_of(const struct explore_result *r, uint64_t unplaced,
                             struct hashes *ret) {
  for (uint32_t i = 0; i < r->findings.len; i++) {
    const struct finding *f = &r->findings.at[i];
    bool is_placed = !(unplaced >> f->kind & 1);
    array_push(ret, (uint64_t)f->kind << 32 | (is_placed ? f->site : 0));
  }
  hashes_sort(ret);
}

// The model of a seed: all of them in turn, or rc11 every other time.
static inline const char *model_in_turn(uint64_t seed) {
  static const char *const names[] = {"sc",   "tso", "pso",  "ra",
                                      "rc11", "imm", "armv8"};
  const char *only = getenv("HEDDLE_MODEL");
  return only ? only : names[seed % 7];
}

static inline const char *model_mostly_rc11(uint64_t seed) {
  static const char *const names[] = {"sc", "tso", "pso", "ra", "imm", "armv8"};
  const char *only = getenv("HEDDLE_MODEL");
  return only ? only : seed % 2 ? "rc11" : names[seed / 2 % 6];
}

// Random programs, drawn into *p: HEDDLE_SEEDS of them, or as many as given
// here, from HEDDLE_FIRST_SEED on. Yields their number.
static inline uint64_t compare_random(
    uint64_t seeds, struct prog *const *p, void (*draw)(uint64_t seed),
    const char *(*model_of)(uint64_t seed),
    void (*compare_one)(uint64_t seed, const char *model, void *sums),
    void *sums) {
  uint64_t first = setting_first(seeds),
           n = setting_many("HEDDLE_SEEDS", seeds);
  for (uint64_t s = first; s < first + n; s++) {
    draw(s);
    compare_one(s, model_of(s), sums);
    prog_free(*p);
  }
  return n;
}
