// SPDX-License-Identifier: MIT
// The explorer finds exactly the executions that the oracle finds, each once,
// on random programs. Models that track dependencies have tests of their own,
// on smaller programs: the oracle has many more graphs to try for them.
// Environment: see campaign.h, and
//   HEDDLE_MODEL=name     compare under this model only
#include "campaign.h"
#include "pairing.h"
#include "tap.h"

#include <stdlib.h>

enum { RACY, PAIRED }; // of totals.counts; the last: by pairing

static bool is_brief(void) {
  return getenv("HEDDLE_BRIEF");
}

// Under the weakest model that was compared.
static uint64_t most_executions(const struct compare_run *c) {
  uint64_t most = 0;
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    most = c->executions[m] > most ? c->executions[m] : most;
  return most;
}

static enum agreement compare_executions(const struct campaign *k,
                                         const struct program *p, uint64_t seed,
                                         uint64_t max_work, struct totals *t,
                                         struct str *report) {
  struct compare_run c = {.models = k->models,
                          .skips_texts = !getenv("HEDDLE_MODEL") && seed % 8 &&
                                         !is_brief(),
                          .is_brief = is_brief(),
                          .option = seed ? seed : ALL_OPTIONS,
                          .max_work = max_work};
  enum agreement result = compare(p, &c);
  *report = c.report;
  if (result != AGREE)
    return result;
  t->blocked += c.blocked;
  t->counts[RACY] += c.racy > 0;
  for (unsigned i = 0; pairing_at(i); i++)
    t->counts[PAIRED + i] += c.pairings >> i & 1;
  campaign_count(t, most_executions(&c));
  return AGREE;
}

static unsigned wanted_models(void) {
  return comparable_models(getenv("HEDDLE_MODEL"));
}

static void run_campaign(struct campaign k) {
  struct totals t;
  k.models &= wanted_models();
  k.compare = compare_executions;
  CHECK(campaign_run(&k, &t), "see above");
  printf("# %u programs with races\n", t.counts[RACY]);
  for (unsigned i = 0; is_brief() && pairing_at(i); i++)
    if (t.counts[PAIRED + i])
      printf("# %s%s: %u programs\n", pairing_at(i)->name,
             pairing_at(i)->variant, t.counts[PAIRED + i]);
  // A comparison of trivial programs would prove little.
  unsigned dull = t.buckets[0] + t.buckets[1];
  CHECK(t.seeds < 1000 || (t.too_large < t.seeds / 5 && dull < t.seeds / 5),
        "%u too large, %u with at most one execution", t.too_large, dull);
}

TEST(random_programs_have_the_executions_of_the_oracle) {
  run_campaign(
      (struct campaign){.draw = program_random,
                        .models = (1 << ORACLE_MODELS) - 1 - ORACLE_CYCLIC,
                        .max_ops = 12,
                        .share = 1,
                        .max_work = 40000});
}

TEST(random_programs_with_dependencies_have_the_executions_of_the_oracle) {
  run_campaign((struct campaign){.draw = program_random_dependent,
                                 .models = ORACLE_CYCLIC - ORACLE_KERNEL,
                                 .max_ops = 8,
                                 .share = 1,
                                 .max_work = 40000});
}

TEST(random_programs_of_the_kernel_have_the_executions_of_the_oracle) {
  run_campaign((struct campaign){.draw = program_random_kernel,
                                 .models = ORACLE_KERNEL,
                                 .are_texts = true,
                                 .max_ops = 7,
                                 .share = 1,
                                 .max_work = 40000});
}

// With several accesses of one thread to one location, so that values are
// forwarded.
TEST(larger_programs_with_dependencies_have_the_executions_of_the_oracle) {
  run_campaign((struct campaign){.draw = program_random_forwarding,
                                 .models = ORACLE_CYCLIC - ORACLE_KERNEL,
                                 .max_ops = 12,
                                 .share = 20,
                                 .max_work = 150000});
}

// What languages order by chains of updates, processors may not.
TEST(chains_of_updates_have_the_executions_of_the_oracle) {
  run_campaign((struct campaign){.draw = program_random_chains,
                                 .models = (1 << ORACLE_MODELS) - 1,
                                 .max_ops = 8,
                                 .share = 4,
                                 .max_work = 40000});
}

// -- known shapes, and a program from outside

static const struct {
  const char *name;
  int sc, tso, ra, rc11, imm;
  const char *text;
} rows[] = {
#include "litmus_rows.def"
};

static const struct {
  const char *name;
  int imm, arm, arm_ldar, arm_llsc;
  const char *text;
} dependency_rows[] = {
#include "dependency_rows.def"
};

static struct campaign for_texts(void) {
  return (struct campaign){.models = wanted_models(),
                           .max_work = 100000,
                           .compare = compare_executions};
}

// With seeds such that all models are asked, and one of the options.
static void compare_texts(const char *const *texts, unsigned n) {
  struct campaign k = for_texts();
  CHECK(campaign_texts(&k, texts, n, 8), "see above");
}

TEST(known_shapes_have_the_executions_of_the_oracle) {
  enum {
    ROWS = sizeof rows / sizeof *rows,
    DEPENDENT = sizeof dependency_rows / sizeof *dependency_rows
  };
  const char *texts[ROWS + DEPENDENT];
  for (unsigned i = 0; i < ROWS; i++)
    texts[i] = rows[i].text;
  for (unsigned i = 0; i < DEPENDENT; i++)
    texts[ROWS + i] = dependency_rows[i].text;
  compare_texts(texts, ROWS);
  compare_texts(texts + ROWS, DEPENDENT);
}

static const char *const once_wrong[] = {
#include "once_wrong.def"
};

TEST(programs_that_were_wrong_once_have_the_executions_of_the_oracle) {
  compare_texts(once_wrong, sizeof once_wrong / sizeof *once_wrong);
}

TEST(program_from_the_environment) {
  const char *text = getenv("HEDDLE_PROGRAM");
  struct campaign k = for_texts();
  if (text)
    CHECK(campaign_text(&k, text, 0), "%s", text);
}
