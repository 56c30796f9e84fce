// SPDX-License-Identifier: MIT
// The random programs themselves: do they contain what is worth testing, and
// does their printed form mean the same? HEDDLE_COVERAGE=1 prints how many of
// them have each feature.
#include "program.h"
#include "tap.h"

#include <stdlib.h>

enum { MAX_OPS = 12 };

enum feature {
  HAS_TWO_SC_FENCES,
  HAS_TWO_SC_ACCESSES,
  HAS_OTHER_FENCE,
  HAS_RMW_CHAIN, // RMWs of one location in two threads
  HAS_CAS,
  HAS_STRONG_FAILURE, // a CAS whose failure order is the stronger one
  HAS_THREE_THREADS,
  HAS_FOUR_THREADS,
  HAS_GUARD,
  HAS_COMPUTED_VALUE,
  HAS_ASSUME,
  HAS_CHOICE,
  HAS_LOCK,
  HAS_PLAIN_ACCESS,
  HAS_JOIN,
  HAS_ADDRESS,       // that depends on a register
  HAS_FALSE_ADDRESS, // and is the same whatever it holds
  HAS_FALSE_VALUE,   // computed from a register, but always the same
  HAS_COMPUTED_EXPECTATION,
  HAS_MERGE, // a register that is set twice
  HAS_ISB,
  HAS_STORE_BARRIER,
  FEATURES
};

static const char *const feature_names[FEATURES] = {
    [HAS_TWO_SC_FENCES] = "two sc fences",
    [HAS_TWO_SC_ACCESSES] = "two sc accesses",
    [HAS_OTHER_FENCE] = "fence that is not sc",
    [HAS_RMW_CHAIN] = "RMWs of a location in two threads",
    [HAS_CAS] = "CAS",
    [HAS_STRONG_FAILURE] = "CAS with a stronger failure order",
    [HAS_THREE_THREADS] = "three threads",
    [HAS_FOUR_THREADS] = "four threads",
    [HAS_GUARD] = "guard",
    [HAS_COMPUTED_VALUE] = "computed value",
    [HAS_ASSUME] = "assume",
    [HAS_CHOICE] = "choice",
    [HAS_LOCK] = "lock",
    [HAS_PLAIN_ACCESS] = "plain access",
    [HAS_JOIN] = "join",
    [HAS_ADDRESS] = "computed address",
    [HAS_FALSE_ADDRESS] = "computed address, always the same",
    [HAS_FALSE_VALUE] = "computed value, always the same",
    [HAS_COMPUTED_EXPECTATION] = "CAS with a computed expectation",
    [HAS_MERGE] = "register that is set twice",
    [HAS_ISB] = "isb",
    [HAS_STORE_BARRIER] = "dmb st",
};

static bool is_rmw(const struct action *a) {
  return a->kind == DO_ADD || a->kind == DO_EXCHANGE || a->kind == DO_CAS;
}

static bool has_rmw_of(const struct program *p, unsigned t, unsigned loc) {
  for (unsigned i = 0; i < p->len[t]; i++)
    if (is_rmw(&p->ops[t][i]) && p->ops[t][i].loc == loc)
      return true;
  return false;
}

static bool has_rmw_chain(const struct program *p) {
  for (unsigned l = 0; l < p->nlocs; l++) {
    unsigned threads = 0;
    for (unsigned t = 0; t < p->nthreads; t++)
      threads += has_rmw_of(p, t, l);
    if (threads >= 2)
      return true;
  }
  return false;
}

static bool has_merge(const struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      for (unsigned j = 0; j < i; j++)
        if (p->ops[t][i].dst != NO_REGISTER &&
            p->ops[t][i].dst == p->ops[t][j].dst)
          return true;
  return false;
}

// Counts, per feature, how often an operation shows it.
static void count_action(const struct action *a, unsigned n[FEATURES]) {
  bool is_access = action_is_access(a);
  bool is_cas = a->kind == DO_CAS, is_fence = a->kind == DO_FENCE;
  n[HAS_TWO_SC_FENCES] += is_fence && a->order == ORD_SC;
  n[HAS_TWO_SC_ACCESSES] += is_access && a->order == ORD_SC;
  n[HAS_OTHER_FENCE] += is_fence && a->order != ORD_SC;
  n[HAS_CAS] += is_cas;
  n[HAS_STRONG_FAILURE] +=
      is_cas && a->order_fail > order_of_read((enum order)a->order);
  n[HAS_GUARD] += a->guard.comparison != CMP_ALWAYS;
  n[HAS_COMPUTED_VALUE] += a->value.reg != NO_REGISTER;
  n[HAS_ASSUME] += a->kind == DO_ASSUME;
  n[HAS_CHOICE] += a->kind == DO_CHOOSE;
  n[HAS_LOCK] += a->kind == DO_LOCK;
  n[HAS_PLAIN_ACCESS] += is_access && a->order == ORD_NA;
  n[HAS_JOIN] += a->kind == DO_JOIN;
  bool is_computed = a->value.reg != NO_REGISTER;
  n[HAS_ADDRESS] += action_is_indexed(a) && a->other != a->loc;
  n[HAS_FALSE_ADDRESS] += action_is_indexed(a) && a->other == a->loc;
  n[HAS_FALSE_VALUE] += is_computed && a->value.computation == COMPUTE_ZERO;
  n[HAS_COMPUTED_EXPECTATION] += is_cas && a->expected.reg != NO_REGISTER;
  n[HAS_ISB] += a->kind == DO_ISB;
  n[HAS_STORE_BARRIER] += a->kind == DO_STORES;
}

// Adds the features of a program to how many programs have each.
static void count_program(const struct program *p, unsigned count[FEATURES]) {
  unsigned n[FEATURES] = {
      [HAS_RMW_CHAIN] = has_rmw_chain(p),
      [HAS_MERGE] = has_merge(p),
      [HAS_THREE_THREADS] = p->nthreads > 3,
      [HAS_FOUR_THREADS] = p->nthreads > 4,
  };
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      count_action(&p->ops[t][i], n);
  n[HAS_TWO_SC_FENCES] /= 2;
  n[HAS_TWO_SC_ACCESSES] /= 2;
  for (unsigned i = 0; i < FEATURES; i++)
    count[i] += n[i] > 0;
}

TEST(random_programs_have_all_features_often_enough) {
  const unsigned programs = 2000, enough = programs / 50;
  unsigned count[FEATURES] = {0};
  for (uint64_t seed = 0; seed < programs; seed++) {
    struct program p;
    program_random(seed, MAX_OPS, &p);
    count_program(&p, count);
  }
  for (unsigned i = 0; i < FEATURES; i++) {
    if (getenv("HEDDLE_COVERAGE"))
      printf("# %5.1f %%  %s\n", 100.0 * count[i] / programs, feature_names[i]);
    CHECK(count[i] >= enough, "only %u programs with: %s", count[i],
          feature_names[i]);
  }
}

static void parse_or_fail(const char *text, struct program *p) {
  struct diag why;
  CHECK(program_parse(text, p, &why), "%s: %s", text, why.text);
}

TEST(printed_programs_parse_to_themselves) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    struct program p, again;
    program_random(seed, 12, &p);
    struct str text = {0}, text2 = {0};
    program_print(&p, &text);
    parse_or_fail(str_text(&text), &again);
    // Names may be numbered differently, executions may not.
    program_print(&again, &text2);
    struct program third;
    parse_or_fail(str_text(&text2), &third);
    CHECK_EQ(p.nthreads, again.nthreads, "seed %u", (unsigned)seed);
    CHECK(memcmp(p.len, again.len, sizeof p.len) == 0, "%s", text.at);
    CHECK(memcmp(&again, &third, sizeof third) == 0, "%s", text.at);
    str_done(&text);
    str_done(&text2);
  }
}
