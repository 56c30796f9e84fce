// SPDX-License-Identifier: MIT
// Litmus tests made from cycles (cycle_random.h): each is read and explored,
// and its program is given to the oracle. Both must count as many executions
// with the outcome of the cycle, and as many without; and so must, of tests of
// machines without loops, the enumeration of all candidates
// (explore/memory/candidates.c).
#include "answer/answer.h"
#include "cat/catalogue.h"
#include "cat/model.h"
#include "cycle_random.h"
#include "litmus/litmus.h"
#include "oracle.h"
#include "setting.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// -- comparing

struct counts {
  const struct cycle *c;
  uint64_t positive, negative;
};

static uint64_t value_of(const struct picture *x, struct picture_name n) {
  return n.thread == PICTURE_INIT ? 0 : x->events[n.thread][n.index].value;
}

static uint64_t last_value(const struct picture *x, unsigned loc) {
  unsigned n = x->co_len[loc];
  return n ? value_of(x, x->co[loc][n - 1]) : 0; // nobody writes it
}

// The oracle numbers locations as they appear: the last one of ours comes
// first.
static unsigned oracle_loc(const struct cycle *c, unsigned loc) {
  return (loc + 1) % c->threads;
}

static bool has_outcome(const struct cycle *c, const struct picture *x) {
  for (unsigned i = 0; i < c->threads; i++) {
    for (unsigned k = 0; k < 2; k++) {
      const struct spot *p = &c->at[i][k];
      for (unsigned e = 0; !p->is_write && e < x->len[i + 1]; e++) {
        const struct picture_event *r = &x->events[i + 1][e];
        if (r->kind == PIC_READ && r->loc == oracle_loc(c, p->loc) &&
            r->value != p->value)
          return false;
      }
    }
    if (c->writes[i] == 2 && last_value(x, oracle_loc(c, i)) != 2)
      return false;
  }
  return true;
}

static void found(void *arg, unsigned allowed_by, const struct picture *x) {
  struct counts *n = arg;
  (void)allowed_by;
  if (has_outcome(n->c, x))
    n->positive++;
  else
    n->negative++;
}

static enum oracle_model oracle_of(const struct cycle *c) {
  static const enum oracle_model models_of[DIALECTS] = {
      [DIALECT_AARCH64] = ORACLE_ARM, [DIALECT_X86] = ORACLE_TSO,
      [DIALECT_X86_64] = ORACLE_TSO,  [DIALECT_C] = ORACLE_RC11,
      [DIALECT_RISCV] = ORACLE_RISCV, [DIALECT_PPC] = ORACLE_POWER,
      [DIALECT_ARM] = ORACLE_ARMV7,
  };
  bool is_arm_llsc = c->dialect == DIALECT_AARCH64 && cycle_has_llsc(c);
  return is_arm_llsc ? ORACLE_ARM_LLSC : models_of[c->dialect];
}

// A model with fast code, or a text that comes with Heddle; read once.
static const struct model *model_of(const char *name) {
  static struct {
    const char *name;
    struct cat_model *model;
  } texts[] = {{"riscv", NULL}, {"power", NULL}, {"armv7", NULL}};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char file[32];
    struct cat *c = NULL;
    struct diag why;
    if (strcmp(texts[i].name, name) != 0)
      continue;
    if (texts[i].model)
      return &texts[i].model->model;
    snprintf(file, sizeof file, "%s.cat", name);
    const struct cat_text *t = cat_text_find(file);
    check(cat_load_text(file, t->text, t->size, NULL, &c, &why) &&
          cat_model_of(c, &texts[i].model, &why));
    return &texts[i].model->model;
  }
  return model_find(name);
}

static void compare_candidates(uint64_t seed, const struct litmus *t,
                               struct answer_config config,
                               const struct answer *o) {
  struct answer all = {0};
  struct diag why;
  config.enumerates = true;
  bool ok = answer_of(t, &config, &all, &why);
  CHECK(ok && all.positive == o->positive && all.negative == o->negative,
        "seed %llu: %llu and %llu executions, of all candidates %llu and %llu",
        (unsigned long long)seed, (unsigned long long)o->positive,
        (unsigned long long)o->negative, (unsigned long long)all.positive,
        (unsigned long long)all.negative);
  answer_done(&all);
}

static bool compare_cycle(uint64_t seed, uint64_t *executions) {
  struct cycle c;
  struct str program = {0}, test = {0};
  struct program p;
  struct diag why;
  struct litmus *t = NULL;
  struct answer o = {0};
  cycle_draw(seed, &c);
  cycle_print_oracle(&c, &program);
  check(cycle_write(&c, "cycle", NULL, &test, &why));
  struct counts n = {.c = &c};
  struct oracle_query q = {
      .models = 1u << oracle_of(&c), .found = found, .arg = &n};
  bool ok = program_parse(str_text(&program), &p, &why) && oracle_run(&p, &q);
  if (ok)
    ok = litmus_read("cycle.litmus", str_text(&test), test.len, NULL, &t, &why);
  if (ok) {
    struct answer_config config = {
        .model = model_of(catalogue_of_language(litmus_language(t))),
        .reductions = REDUCE_DEFAULT};
    ok = answer_of(t, &config, &o, &why);
    if (ok && c.dialect != DIALECT_C && !cycle_waits(&c) && seed % 3 == 0)
      compare_candidates(seed, t, config, &o);
  }
  CHECK(ok, "seed %llu: %s\n# %s", (unsigned long long)seed, why.text,
        str_text(&program));
  bool is_same = ok && o.positive == n.positive && o.negative == n.negative;
  CHECK(is_same,
        "seed %llu: %llu and %llu executions, the oracle has %llu and "
        "%llu\n# %s\n%s",
        (unsigned long long)seed, (unsigned long long)o.positive,
        (unsigned long long)o.negative, (unsigned long long)n.positive,
        (unsigned long long)n.negative, str_text(&program), str_text(&test));
  *executions += n.positive + n.negative;
  if (t)
    answer_done(&o), litmus_free(t);
  str_done(&program);
  str_done(&test);
  return is_same;
}

TEST(cycles_have_the_executions_of_the_oracle) {
  uint64_t n = setting_many("HEDDLE_SEEDS", 4200), wrong = 0, all = 0;
  uint64_t from = setting_first(4200);
  for (uint64_t i = from; i < from + n && wrong < 5; i++)
    wrong += !compare_cycle(i, &all);
  printf("# %llu cycles, %llu executions\n", (unsigned long long)n,
         (unsigned long long)all);
}
