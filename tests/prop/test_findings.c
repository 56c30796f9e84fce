// SPDX-License-Identifier: MIT
// The explorer reports what is wrong by definition (findings.h), and nothing
// else, on random programs: with its first finding, and with all of them.
// Environment: see campaign.h, and
//   HEDDLE_MODEL=name     compare under this model only
#include "campaign.h"
#include "explore/explore.h"
#include "findings.h"
#include "lower.h"
#include "pairing.h"
#include "tap.h"

#include <stdlib.h>

// -- the oracle's side

struct definition {
  bool spins;
  bool by_model;                 // races are the model's own (--races model)
  uint64_t wrong[ORACLE_MODELS]; // bits 1 << enum finding_kind
  uint64_t ends[ORACLE_MODELS];  // how many executions there are
};

static void collect(void *arg, unsigned allowed, const struct world *w) {
  struct definition *d = arg;
  uint64_t found = findings_of(w, d->spins, ORACLE_MODELS);
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    if (allowed >> m & 1) {
      d->wrong[m] |=
          d->by_model ? findings_of(w, d->spins, (enum oracle_model)m) : found;
      d->ends[m]++;
    }
}

// -- the explorer's side

// *is_cut: the search says that there may be more.
static uint64_t explore_kinds(const struct prog *prog, const struct pairing *m,
                              bool by_model, bool all_errors, bool *is_cut) {
  struct vm_config vm_config = vm_config_default();
  struct explore_config config = {.options.model = pairing_model(m),
                                  .options.reductions = REDUCE_DEFAULT,
                                  .options.model_options = m->options,
                                  .options.all_errors = all_errors};
  if (by_model)
    config.options.race_order =
        model_with_order(config.options.model, &config.options.model_options);
  for (unsigned k = 0; k < FIND_COUNT; k++)
    config.options.disabled[k] = !(findings_known >> k & 1);
  struct vm *vm = vm_new(prog, &vm_config);
  struct explorer *x = explorer_new(prog, vm, &config);
  const struct explore_result *r = explore(x);
  uint64_t found = 0;
  for (uint32_t i = 0; i < r->findings.len; i++)
    found |= (uint64_t)1 << r->findings.at[i].kind;
  *is_cut = explore_is_cut(r);
  explorer_free(x);
  vm_free(vm);
  return found;
}

// -- both

static bool has_life(const struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == DO_ALLOC ||
          (action_is_access(&p->ops[t][i]) && p->ops[t][i].order == ORD_NA))
        return true;
  return false;
}

// By C++11's release sequences more happens before, and the definition does not
// say that; the kernel and xmm have rules of their own.
static bool is_comparable(const struct pairing *m, unsigned wanted,
                          const struct program *p, uint64_t seed) {
  return (wanted >> m->oracle & 1) && m->oracle != ORACLE_LKMM &&
         m->oracle != ORACLE_XMM && (!m->is_text || seed % 8 == 0) &&
         !(m->options.c11_release_sequences && has_life(p));
}

static void add_kinds(struct str *out, const char *who, uint64_t kinds) {
  str_add(out, "#   %s:", who);
  for (unsigned k = 0; k < FIND_COUNT; k++)
    if (kinds >> k & 1)
      str_add(out, " %s", finding_name((enum finding_kind)k));
  str_add(out, "\n");
}

// Is what was found what is wrong? Behind a double free nothing is defined, and
// nobody says which of the two is the second one: if there is one, the rest may
// be found or not; so may all of it if the search was cut, and says so.
static bool is_right(uint64_t found, uint64_t wrong, bool is_cut,
                     bool all_errors) {
  const uint64_t twice = (uint64_t)1 << FIND_DOUBLE_FREE;
  uint64_t must = wrong & twice ? twice : wrong;
  bool is_enough = all_errors ? (must & ~found) == 0 : !found == !must;
  return (is_enough || is_cut) && (found & ~wrong) == 0;
}

static bool agree(const struct prog *prog, const struct pairing *m,
                  const struct definition *d, struct str *report) {
  uint64_t wrong = d->wrong[m->oracle];
  for (int all_errors = 0; all_errors < 2; all_errors++) {
    bool is_cut;
    uint64_t found = explore_kinds(prog, m, d->by_model, all_errors, &is_cut);
    // Values that cannot all be guessed are a matter of cycles.
    bool may_be_cut = ORACLE_CYCLIC >> m->oracle & 1;
    if (is_right(found, wrong, is_cut && may_be_cut, all_errors))
      continue;
    str_add(report, "#   %s%s%s%s%s\n", m->name, m->variant,
            d->by_model ? " --races model" : "", d->spins ? ", with loops" : "",
            all_errors ? " --all-errors" : "");
    add_kinds(report, "found", found);
    add_kinds(report, "wrong", wrong);
    return false;
  }
  return true;
}

static enum agreement compare_with(const struct campaign *k,
                                   const struct program *p, bool by_model,
                                   bool spins, uint64_t seed, uint64_t max_work,
                                   struct totals *t, struct str *report) {
  struct definition d = {.spins = spins, .by_model = by_model};
  struct oracle_query q = {.max_work = max_work, .stopped = collect, .arg = &d};
  const struct pairing *m;
  for (unsigned i = 0; (m = pairing_at(i)); i++)
    if (is_comparable(m, k->models, p, seed))
      q.models |= 1u << m->oracle;
  if (!oracle_run(p, &q))
    return TOO_LARGE;
  struct prog *prog = lower_program(p, spins);
  bool is_same = true;
  uint64_t kinds = 0, most = 0;
  for (unsigned i = 0; (m = pairing_at(i)); i++)
    if (is_comparable(m, k->models, p, seed)) {
      is_same &= agree(prog, m, &d, report);
      kinds |= d.wrong[m->oracle];
      most = d.ends[m->oracle] > most ? d.ends[m->oracle] : most;
    }
  prog_free(prog);
  for (unsigned kind = 0; kind < FIND_COUNT; kind++)
    t->counts[kind] += kinds >> kind & 1;
  t->counts[FIND_COUNT] += !kinds;
  campaign_count(t, most);
  return is_same ? AGREE : DISAGREE;
}

static enum agreement compare_by(const struct campaign *k,
                                 const struct program *p, bool by_model,
                                 uint64_t seed, uint64_t max_work,
                                 struct totals *t, struct str *report) {
  enum agreement a =
      compare_with(k, p, by_model, false, seed, max_work, t, report);
  return a == AGREE && lower_can_spin(p)
             ? compare_with(k, p, by_model, true, seed, max_work, t, report)
             : a;
}

static enum agreement compare_findings(const struct campaign *k,
                                       const struct program *p, uint64_t seed,
                                       uint64_t max_work, struct totals *t,
                                       struct str *report) {
  return compare_by(k, p, false, seed, max_work, t, report);
}

static enum agreement compare_by_model(const struct campaign *k,
                                       const struct program *p, uint64_t seed,
                                       uint64_t max_work, struct totals *t,
                                       struct str *report) {
  return compare_by(k, p, true, seed, max_work, t, report);
}

static unsigned wanted_models(void) {
  return comparable_models(getenv("HEDDLE_MODEL"));
}

// Every kind is there, and programs without any, often enough.
static void check_counts(const struct totals *t) {
  for (unsigned k = 0; k <= FIND_COUNT; k++) {
    if (k < FIND_COUNT && !(findings_known >> k & 1))
      continue;
    const char *name =
        k < FIND_COUNT ? finding_name((enum finding_kind)k) : "nothing";
    printf("# %u with %s\n", t->counts[k], name);
    CHECK(t->seeds < 300 || t->counts[k] > t->seeds / 100, "few with %s", name);
  }
}

TEST(random_programs_have_the_findings_of_the_oracle) {
  struct campaign k = {.draw = program_random_wrong,
                       .models = wanted_models() &
                                 ((1 << ORACLE_MODELS) - 1 - ORACLE_CYCLIC),
                       .max_ops = 8,
                       .share = 1,
                       .max_work = 100000,
                       .compare = compare_findings};
  struct totals t;
  CHECK(campaign_run(&k, &t), "see above");
  check_counts(&t);
}

TEST(random_programs_have_the_findings_of_the_oracle_with_dependencies) {
  struct campaign k = {.draw = program_random_wrong,
                       .models = wanted_models() & ORACLE_CYCLIC,
                       .max_ops = 6,
                       .share = 1,
                       .max_work = 100000,
                       .compare = compare_findings};
  struct totals t;
  CHECK(campaign_run(&k, &t), "see above");
  check_counts(&t);
}

// Of the wanted models those that say what they order.
static unsigned ordering_models(unsigned among) {
  unsigned ret = 0;
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    if ((wanted_models() & among) >> m & 1 &&
        axioms_have_order((enum oracle_model)m))
      ret |= 1u << m;
  return ret;
}

TEST(random_programs_have_the_races_of_the_model) {
  struct campaign k = {.draw = program_random_wrong,
                       .models = ordering_models(~(unsigned)ORACLE_CYCLIC),
                       .max_ops = 8,
                       .share = 2,
                       .max_work = 100000,
                       .compare = compare_by_model};
  struct totals t;
  CHECK(campaign_run(&k, &t), "see above");
}

TEST(random_programs_have_the_races_of_the_model_with_dependencies) {
  struct campaign k = {.draw = program_random_wrong,
                       .models = ordering_models(ORACLE_CYCLIC),
                       .max_ops = 7,
                       .share = 2,
                       .max_work = 100000,
                       .compare = compare_by_model};
  struct totals t;
  CHECK(campaign_run(&k, &t), "see above");
}

static struct campaign for_texts(void) {
  return (struct campaign){.models = wanted_models(),
                           .max_work = 100000,
                           .compare = compare_findings};
}

static const char *const once_wrong[] = {
#include "once_wrong_findings.def"
};

TEST(programs_that_were_wrong_once_have_the_findings_of_the_oracle) {
  struct campaign k = for_texts();
  CHECK(
      campaign_texts(&k, once_wrong, sizeof once_wrong / sizeof *once_wrong, 0),
      "see above");
}

TEST(programs_that_were_wrong_once_have_the_races_of_the_model) {
  struct campaign k = for_texts();
  k.models = ordering_models(~0u);
  k.compare = compare_by_model;
  CHECK(!k.models || campaign_texts(&k, once_wrong,
                                    sizeof once_wrong / sizeof *once_wrong, 0),
        "see above");
}

TEST(program_from_the_environment) {
  const char *text = getenv("HEDDLE_PROGRAM");
  struct campaign k = for_texts();
  if (!text)
    return;
  CHECK(campaign_text(&k, text, 0), "%s", text);
  k.models = ordering_models(~0u);
  k.compare = compare_by_model;
  CHECK(!k.models || campaign_text(&k, text, 0), "%s", text);
}
