// SPDX-License-Identifier: MIT
// All errors that the explorer finds in a program, by kind and site, with what
// --equivalence rf leaves out and without; and programs that wait.
#pragma once

#include "base/hash.h"
#include "explore/explore.h"
#include "lower.h"

enum { MAX_ERRORS = 64, MAX_EXPLORED = 20000 };

struct error_set {
  uint64_t at[MAX_ERRORS]; // kind and site
  unsigned n;
  uint64_t executions;
  bool is_asymmetric; // equal threads were not
};

static inline bool error_set_has(const struct error_set *e, uint64_t it) {
  for (unsigned i = 0; i < e->n; i++)
    if (e->at[i] == it)
      return true;
  return false;
}

// Which of two events of a race is the later one depends on the way.
static inline void error_set_add(struct error_set *e, const struct finding *f) {
  uint64_t it = (uint64_t)f->kind << 32 | (f->kind == FIND_RACE ? 0 : f->site);
  if (!error_set_has(e, it) && e->n < MAX_ERRORS)
    e->at[e->n++] = it;
}

enum what_is_left_out { ALL_ORDERS, WITHOUT_CO, WITHOUT_CO_AND_EQUALS };

static inline struct error_set errors_of(const struct prog *prog,
                                         const char *model,
                                         enum what_is_left_out what) {
  struct explore_config config = {.model = model_find(model),
                                  .ignores_co = what != ALL_ORDERS,
                                  .symmetry = what == WITHOUT_CO_AND_EQUALS,
                                  .explores_sections = what == ALL_ORDERS,
                                  .max_executions = MAX_EXPLORED,
                                  .all_errors = true};
  struct vm_config vm_config = vm_config_default();
  struct vm *vm = vm_new(prog, &vm_config);
  struct explorer *x = explorer_new(prog, vm, &config);
  const struct explore_result *r = explore(x);
  struct error_set all = {.executions = r->limit ? MAX_EXPLORED : r->executions,
                          .is_asymmetric = r->asymmetry != NULL};
  for (uint32_t i = 0; i < r->findings.len; i++)
    error_set_add(&all, &r->findings.at[i]);
  explorer_free(x);
  vm_free(vm);
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
