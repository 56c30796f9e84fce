// SPDX-License-Identifier: MIT
// All errors that the explorer finds in a program, by kind and site, with what
// --equivalence rf leaves out and without; and programs that wait.
#pragma once

#include "base/hash.h"
#include "lower.h"
#include "search.h"

enum { MAX_EXPLORED = 20000 };

struct error_set {
  struct hashes at; // kind and place
  uint64_t executions;
  bool is_asymmetric; // equal threads were not
};

static inline void error_set_look(void *arg, const struct explore_result *r) {
  struct error_set *all = arg;
  all->executions = r->limit ? MAX_EXPLORED : r->executions;
  all->is_asymmetric = r->asymmetry != NULL;
  errors_of(r, /*unplaced=*/1 << FIND_RACE, &all->at);
}

enum what_is_left_out { ALL_ORDERS, WITHOUT_CO, WITHOUT_CO_AND_EQUALS };

static inline struct error_set error_set_of(const struct prog *prog,
                                            const char *model,
                                            enum what_is_left_out what) {
  struct error_set all = {0};
  static const uint32_t reductions[] = {
      [ALL_ORDERS] = REDUCE_DEFAULT,
      [WITHOUT_CO] = REDUCE_DEFAULT | REDUCE_RF,
      [WITHOUT_CO_AND_EQUALS] = REDUCE_DEFAULT | REDUCE_RF | REDUCE_SYMMETRY};
  struct explore_config config = {.options.model = model_find(model),
                                  .options.reductions = reductions[what],
                                  .limits.max_executions = MAX_EXPLORED,
                                  .options.all_errors = true,
                                  .observer.arg = &all};
  search(prog, &config, error_set_look);
  return all;
}

// One or two threads wait at their end until somebody has written a value.
static inline void program_add_awaits(uint64_t seed, struct program *p) {
  uint64_t dice = hash_u64(seed + 77);
  for (unsigned n = 0; n < 2; n++, dice >>= 16) {
    unsigned t = (unsigned)(dice % p->nthreads);
    if (!p->len[t] || p->len[t] + 2 > PROGRAM_OPS)
      continue;
    struct action load = action_new(DO_LOAD), wait = action_new(DO_ASSUME);
    load.loc = load.other = (uint8_t)((dice >> 4) % p->nlocs);
    load.order = dice >> 8 & 1 ? ORD_ACQ : ORD_RLX;
    load.dst = p->len[t];
    wait.assumed =
        (struct condition){CMP_EQ, load.dst, (uint8_t)(1 + (dice >> 9) % 3)};
    p->ops[t][p->len[t]++] = load;
    p->ops[t][p->len[t]++] = wait;
  }
}

// One program, with what is left out and without: the same errors, which are
// counted by kind.
struct errors_compared {
  uint64_t fewer, wrong;
  unsigned kinds[FIND_COUNT], refuted;
};

static inline void compare_errors(struct errors_compared *c, uint64_t seed,
                                  const struct program *p,
                                  enum what_is_left_out what) {
  static const char *const names[] = {"sc", "tso", "pso", "ra", "rc11"};
  struct prog *prog = lower_program(p, lower_can_spin(p));
  struct str text = {0};
  program_print(p, &text);
  for (unsigned m = 0; m < sizeof names / sizeof *names; m++) {
    struct error_set all = error_set_of(prog, names[m], ALL_ORDERS);
    struct error_set few = error_set_of(prog, names[m], what);
    bool is_whole = all.executions < MAX_EXPLORED;
    CHECK(!is_whole || hashes_same(&all.at, &few.at),
          "seed %llu under %s: %u errors are missed, %u are none: %s",
          (unsigned long long)seed, names[m], hashes_missing(&all.at, &few.at),
          hashes_missing(&few.at, &all.at), str_text(&text));
    for (unsigned i = 0; i < few.at.len; i++)
      c->kinds[few.at.at[i] >> 32]++;
    c->wrong += all.at.len > 0;
    c->fewer += few.executions < all.executions;
    c->refuted += few.is_asymmetric;
    array_done(&all.at);
    array_done(&few.at);
  }
  str_done(&text);
  prog_free(prog);
}
