// SPDX-License-Identifier: MIT
// Models in which accesses of one location are not coherent: what a read may
// read and where a write may come in co is then not cut down by what is before
// them. On small random programs the explorer has the executions of the oracle,
// each once. Environment: see campaign.h.
#include "campaign.h"
#include "tap.h"

static enum agreement compare_executions(const struct campaign *k,
                                         const struct program *p, uint64_t seed,
                                         uint64_t max_work, struct totals *t,
                                         struct str *report) {
  struct compare_run c = {.models = k->models,
                          .option = seed ? seed : ALL_OPTIONS,
                          .max_work = max_work};
  enum agreement result = compare(p, &c);
  *report = c.report;
  if (result != AGREE)
    return result;
  t->blocked += c.blocked;
  campaign_count(t, c.executions[__builtin_ctz(k->models)]);
  return AGREE;
}

static void run_campaign(struct campaign k) {
  struct totals t;
  k.compare = compare_executions;
  k.share = 1;
  k.max_work = 100000;
  CHECK(campaign_run(&k, &t), "see above");
  CHECK(t.seeds < 100 || t.too_large < t.seeds / 5, "%u too large",
        t.too_large);
}

TEST(a_model_without_coherence_has_the_executions_of_the_oracle) {
  run_campaign((struct campaign){
      .draw = program_random, .models = 1 << ORACLE_LOOSE, .max_ops = 9});
}

TEST(a_model_with_load_load_hazards_has_the_executions_of_the_oracle) {
  run_campaign((struct campaign){.draw = program_random_dependent,
                                 .models = 1 << ORACLE_HAZARDS,
                                 .max_ops = 7});
}

// CoRR, CoWR, CoRW, CoWW: what only such models allow.
TEST(shapes_of_coherence_are_told_apart) {
  static const struct {
    const char *name, *text;
    unsigned loose, hazards;
  } rows[] = {
      {"CoRR", "Wrlx x 1 | a=Rrlx x; b=Rrlx x; assume(a==1); assume(b==0)", 1,
       1},
      {"CoRR sc", "Wsc x 1 | a=Rsc x; b=Rsc x; assume(a==1); assume(b==0)", 0,
       1},
      {"CoWR", "Wrlx x 1; a=Rrlx x; assume(a==0)", 1, 0},
      {"CoWW", "Wrlx x 1; Wrlx x 2", 2, 1},
      {"CoWW sc", "Wsc x 1; Wsc x 2", 1, 1},
      {"CoRW", "Wrlx x 1 | a=Rrlx x; Wrlx x 2; assume(a==1)", 2, 1},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct program p;
    struct diag why;
    struct compare_run c = {.models = 1 << ORACLE_LOOSE | 1 << ORACLE_HAZARDS};
    CHECK(program_parse(rows[i].text, &p, &why), "%s", why.text);
    CHECK_EQ(compare(&p, &c), AGREE, "%s: %s", rows[i].name,
             str_text(&c.report));
    CHECK_EQ(c.executions[ORACLE_LOOSE], rows[i].loose, "%s", rows[i].name);
    CHECK_EQ(c.executions[ORACLE_HAZARDS], rows[i].hazards, "%s", rows[i].name);
    str_done(&c.report);
  }
}
