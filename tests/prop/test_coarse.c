// SPDX-License-Identifier: MIT
// --equivalence rf (explore/reduce/rf_equivalence.c), on random programs: what
// is explored is (po, rf) of the oracle's executions, each once, and there is a
// race if and only if the oracle has one. What else goes wrong (deadlocks,
// loops that never end) goes wrong at the same places as with co and all orders
// of mutexes.
//
// Environment: HEDDLE_SEEDS=n (default 1500), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name, HEDDLE_PROGRAM=text.
#include "compare.h"
#include "error_set.h"

enum { MAX_WORK = 60000, MAX_OPS = 9 };

static bool is_right(const struct program *p, struct compare_run *c) {
  c->models = coarse_models();
  c->ignores_co = c->skips_texts = true;
  c->max_work = MAX_WORK;
  return compare_agrees(p, c);
}

TEST(random_programs_have_po_and_rf_of_the_oracle) {
  uint64_t first = setting_first(1500);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500), classes = 0, members = 0;
  unsigned with_classes = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    struct compare_run c = {0};
    program_random(seed, MAX_OPS, &p);
    CHECK(is_right(&p, &c), "HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1 repeats it",
          (unsigned long long)seed);
    classes += c.classes;
    members += c.members;
    with_classes += c.members > c.classes;
  }
  printf("# %llu pairs (po, rf) for %llu executions; in %u programs there are "
         "fewer\n",
         (unsigned long long)classes, (unsigned long long)members,
         with_classes);
  CHECK(n < 100 || with_classes * 5 > n, "hardly any program has two co");
}

// What the search for a co has to get right: writes that nobody reads, updates
// among them, and orders that other locations decide.
TEST(shapes_have_po_and_rf_of_the_oracle) {
  static const char *const shapes[] = {
      "Wrlx x 1 | Wrlx x 2 | Wrlx x 3 | Wrlx x 4",
      "Wrlx x 1 | Wrlx x 2 | Wrlx x 3 | a=Rrlx x; b=Rrlx x",
      "Wsc x 1; a=Rsc y | Wsc y 1; b=Rsc x | Wsc x 2; Wsc y 2",
      "Wrlx x 1; Wrlx y 1 | Wrlx y 2; Wrlx x 2 | a=Racq x; b=Racq y",
      "a=FADDrlx x 1 | Wrlx x 5 | b=FADDrlx x 1 | Wrlx x 7",
      "a=FADDacqrel x 1; Wrlx y 1 | Wrel x 5; b=Racq y | Wrlx x 3; Wrlx y 2",
      "Wrlx x 1; Fsc; a=Rrlx y | Wrlx y 1; Fsc; b=Rrlx x | Wrlx x 2 | Wrlx y 2",
      "lock m; Wrlx x 1; unlock m | lock m; Wrlx x 2; unlock m | Wrlx x 3",
      "CAS(x,0,1)acqrel/rlx; Wrlx y 1 | CAS(x,0,2)rlx/rlx; Wrlx y 2 | Wrlx x 3",
      // The second update finds its source taken. Under sc no co lets c be 1
      // then, so that read is not canonical, though of the greatest name.
      ("a=FADDrlx x 1 | b=Rrlx x; c=Rrlx y | d=Rrlx z; Wrlx y 2; e=FADDrlx x 1"
       " | Wrlx y 1; Wrlx z 1"),
      // An update of the second thread may come too late for its own store: the
      // read has to be asked, since the write only looks at the read.
      "Wrlx x 1; a=XCHGrlx x 3; b=Rrlx x | Wrlx x 2; c=Rrlx x; d=XCHGrlx x 4",
  };
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct program p;
    struct diag why;
    struct compare_run c = {0};
    CHECK(program_parse(shapes[i], &p, &why), "%s", shapes[i]);
    CHECK(is_right(&p, &c), "%s", shapes[i]);
    CHECK(c.members > c.classes, "%s: there is only one co", shapes[i]);
  }
}

// ---- errors

TEST(random_programs_go_wrong_where_they_do_with_co) {
  uint64_t first = setting_first(1500);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500) / 3;
  struct errors_compared c = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    program_random(seed, MAX_OPS - 2, &p);
    if (seed % 4)
      program_add_awaits(seed, &p);
    compare_errors(&c, seed, &p, WITHOUT_CO);
  }
  printf("# %llu times something is wrong (%u deadlocks, %u hangs, %u races); "
         "%llu times there are fewer executions\n",
         (unsigned long long)c.wrong, c.kinds[FIND_DEADLOCK],
         c.kinds[FIND_HANG], c.kinds[FIND_RACE], (unsigned long long)c.fewer);
  CHECK(n < 100 || (c.kinds[FIND_HANG] > n / 10 && c.kinds[FIND_RACE] > n / 10),
        "hardly anything goes wrong");
}

// ---- how many executions are left out

// The findings are gone.
static void keep_counts(void *arg, const struct explore_result *r) {
  *(struct explore_result *)arg = *r;
}

static struct explore_result counts_of(const struct prog *prog,
                                       const char *model, bool ignores_co) {
  struct explore_result r;
  struct explore_config config = {
      .options.model = model_find(model),
      .options.reductions = REDUCE_DEFAULT | (ignores_co ? REDUCE_RF : 0u),
      .options.names_loops = true,
      .limits.max_executions = 3000,
      .options.all_errors = true,
      .observer.arg = &r};
  search(prog, &config, keep_counts);
  return r;
}

TEST(executions_without_co_say_how_many_there_are_with_it) {
  static const char *const names[] = {"sc", "tso", "pso", "ra", "rc11"};
  uint64_t first = setting_first(1500), left_out = 0;
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500) / 3;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    program_random(seed, MAX_OPS, &p);
    struct prog *prog = lower_program(&p, lower_can_spin(&p));
    const char *model = names[seed % 5];
    struct explore_result with = counts_of(prog, model, false);
    struct explore_result without = counts_of(prog, model, true);
    if (!with.limit && !without.limit)
      CHECK_EQ(without.witnesses, with.executions, "seed %llu under %s",
               (unsigned long long)seed, model);
    left_out += without.witnesses - without.executions;
    prog_free(prog);
  }
  CHECK(n < 100 || left_out > n, "hardly anything is left out");
}

// Where loads cannot be buffered, executions without co are those of rc11;
// where they can, co counts.
TEST(xmm_has_those_of_rc11_or_its_own_with_co) {
  uint64_t first = setting_first(1500);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500) / 3;
  unsigned fewer = 0, with_co = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    program_random(seed, MAX_OPS, &p);
    struct prog *prog = lower_program(&p, lower_can_spin(&p));
    struct explore_result all = counts_of(prog, "xmm", false);
    struct explore_result rf = counts_of(prog, "xmm", true);
    struct explore_result rc11 = counts_of(prog, "rc11", true);
    prog_free(prog);
    if (all.limit || rf.limit || rc11.limit)
      continue;
    CHECK_EQ(rf.executions, rf.co_counts ? all.executions : rc11.executions,
             "seed %llu", (unsigned long long)seed);
    CHECK(rf.co_counts || (!all.cores && rf.witnesses == all.executions),
          "seed %llu", (unsigned long long)seed);
    fewer += rf.executions < all.executions;
    with_co += rf.co_counts != NULL;
  }
  printf("# in %u programs there are fewer, in %u co counts\n", fewer, with_co);
  CHECK(n < 100 || (fewer > n / 10 && with_co > n / 20), "hardly any");
}

TEST(program_from_the_environment_has_its_po_and_rf) {
  const char *text = getenv("HEDDLE_PROGRAM");
  struct program p;
  struct diag why;
  struct compare_run c = {0};
  if (text)
    CHECK(program_parse(text, &p, &why) && is_right(&p, &c), "%s", text);
}
