// SPDX-License-Identifier: MIT
// XMM, the search against graphs that are re-executed (reexec.h): the same
// executions, on programs with known counts and on random ones.
//   HEDDLE_SEEDS=n   how many random programs of each kind (default 1500)
//   HEDDLE_SEED=n    the first of them
//   HEDDLE_OPS=n     operations of a program: 4 to this (default 9)
#include "compare.h"
#include "reexec.h"
#include "rng.h"
#include "setting.h"
#include "tap.h"
#include "xmm_random.h"
#include "xmm_rows.h"

#include <string.h>

TEST(rows) {
  unsigned compared = 0;
  for (unsigned i = 0; i < XMM_ROWS; i++) {
    const struct xmm_row *row = &xmm_rows[i];
    struct program p;
    struct diag why;
    CHECK(program_parse(row->text, &p, &why), "%s: %s", row->name, why.text);
    struct compare_run c = {.models =
                                comparable_models("xmm") | 1u << ORACLE_RC11,
                            .skips_texts = true,
                            .reference = reexec_run,
                            .max_work = 2000000};
    enum agreement a = compare(&p, &c);
    CHECK(a != DISAGREE, "%s\n%s", row->name, c.report.at);
    if (a == AGREE) {
      CHECK_EQ(c.executions[ORACLE_RC11], row->rc11, "%s", row->name);
      CHECK_EQ(c.executions[ORACLE_XMM], row->xmm, "%s", row->name);
      compared++;
    } else {
      printf("# %s is not compared\n", row->name);
    }
    str_done(&c.report);
  }
  CHECK(compared * 4 > XMM_ROWS * 3, "only %u rows", compared);
}

static enum agreement compare_one(const struct program *p, bool says,
                                  struct compare_run *c) {
  *c = (struct compare_run){.models =
                                comparable_models("xmm") | 1u << ORACLE_RC11,
                            .skips_texts = true,
                            .is_brief = true,
                            .reference = reexec_run,
                            .max_work = 30000};
  enum agreement a = compare(p, c);
  if (says && c->report.at)
    printf("%s", c->report.at);
  str_done(&c->report);
  return a;
}

// Makes a program on which they differ smaller, as long as they do.
static void explain(struct program *p) {
  struct program smaller;
  struct compare_run c;
  for (unsigned i = 0; program_shrink(p, i, &smaller);) {
    bool differs = memcmp(&smaller, p, sizeof *p) != 0 &&
                   compare_one(&smaller, false, &c) == DISAGREE;
    i = differs ? 0 : i + 1;
    if (differs)
      *p = smaller;
  }
  struct str text = {0};
  program_print(p, &text);
  printf("# %s\n", text.at);
  compare_one(p, true, &c);
  str_done(&text);
}

static void compare_random(void (*draw)(uint64_t seed, unsigned max_ops,
                                        struct program *ret)) {
  uint64_t first = setting("HEDDLE_SEED", 0);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500);
  unsigned most = (unsigned)setting("HEDDLE_OPS", 9);
  unsigned compared = 0, weaker = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    struct compare_run c;
    draw(seed, 4 + (unsigned)(seed % (most - 3)), &p);
    enum agreement a = compare_one(&p, false, &c);
    compared += a == AGREE;
    weaker += c.executions[ORACLE_XMM] > c.executions[ORACLE_RC11];
    if (a == DISAGREE)
      explain(&p);
    CHECK(a != DISAGREE, "seed %llu", (unsigned long long)seed);
  }
  printf("# %u programs, %u of them weaker than under rc11\n", compared,
         weaker);
  CHECK(n < 64 || compared > n / 16, "only %u programs were compared",
        compared);
}

// ---- programs near to those with known counts

static unsigned nregs_of(const struct program *p, unsigned t) {
  unsigned n = 0;
  for (unsigned i = 0; i < p->len[t]; i++)
    if (p->ops[t][i].dst != NO_REGISTER && p->ops[t][i].dst >= n)
      n = p->ops[t][i].dst + 1u;
  return n;
}

static void insert_access(struct program *p, unsigned t, unsigned at,
                          struct rng *r) {
  unsigned n = nregs_of(p, t);
  struct action a = action_new(chance(r, 50) ? DO_LOAD : DO_STORE);
  if (p->len[t] == PROGRAM_OPS || n == PROGRAM_OPS)
    return;
  memmove(&p->ops[t][at + 1], &p->ops[t][at],
          (p->len[t] - at) * sizeof p->ops[t][0]);
  p->len[t]++;
  a.order = ORD_RLX;
  a.loc = a.other = (uint8_t)below(r, p->nlocs);
  a.value.plus = 1;
  if (a.kind == DO_LOAD)
    a.dst = (uint8_t)n;
  p->ops[t][at] = a;
}

static void change_access(struct program *p, unsigned t, unsigned at,
                          struct rng *r) {
  static const uint8_t orders[] = {ORD_RLX, ORD_RLX, ORD_ACQ, ORD_REL, ORD_SC};
  struct action *a = &p->ops[t][at], other = *a;
  unsigned n = nregs_of(p, t), kind = below(r, 6);
  if (kind == 0 && at + 1 < p->len[t]) {
    *a = a[1];
    a[1] = other;
  } else if (kind == 1) {
    a->loc = a->other = (uint8_t)below(r, p->nlocs);
  } else if (kind == 2 && a->kind != DO_CAS) {
    uint8_t order = orders[below(r, 5)];
    bool fits = a->kind == DO_LOAD    ? order != ORD_REL
                : a->kind == DO_STORE ? order != ORD_ACQ
                                      : order != ORD_RLX;
    a->order = fits ? order : a->order;
  } else if (kind == 3 && n) {
    static const uint8_t how[] = {CMP_ALWAYS, CMP_EQ, CMP_NE};
    a->guard = (struct condition){.comparison = how[below(r, 3)],
                                  .reg = (uint8_t)below(r, n),
                                  .than = (uint8_t)below(r, 2)};
  } else if (kind == 4) {
    a->value = (struct operand){.reg = NO_REGISTER, .plus = 1};
    if (n && chance(r, 60))
      a->value = (struct operand){.reg = (uint8_t)below(r, n)};
  } else if (kind == 5) {
    memmove(a, a + 1, (p->len[t] - at - 1u) * sizeof *a);
    p->len[t]--;
  }
}

static void draw_near(uint64_t seed, unsigned max_ops, struct program *ret) {
  struct rng r = {.state = seed};
  struct diag why;
  (void)max_ops;
  do
    check(program_parse(xmm_rows[below(&r, XMM_ROWS)].text, ret, &why));
  while (ret->len[0] + 1 != ret->nthreads);
  for (unsigned n = 1 + below(&r, 4); n; n--) {
    unsigned t = 1 + below(&r, ret->nthreads - 1u);
    unsigned at = below(&r, ret->len[t] + 1u);
    if (at == ret->len[t] || chance(&r, 25))
      insert_access(ret, t, at, &r);
    else
      change_access(ret, t, at, &r);
  }
}

TEST(random_programs_near_to_known_ones) {
  compare_random(draw_near);
}

TEST(random_programs_that_cross) {
  compare_random(program_random_crossing);
}

TEST(random_programs_that_look_back) {
  compare_random(program_random_sums);
}

TEST(random_programs_that_buffer_loads) {
  compare_random(program_random_buffering);
}

TEST(random_programs_with_dependencies) {
  compare_random(program_random_dependent);
}

// ---- what the definition has to have

struct numbers {
  unsigned rc11, xmm;
  bool has_race;
};

static void count(void *arg, unsigned models, const struct picture *x) {
  struct numbers *n = arg;
  (void)x;
  n->rc11 += models >> ORACLE_RC11 & 1;
  n->xmm += models >> ORACLE_XMM & 1;
}

static bool count_all(struct reexec_rule rule, const struct program *p,
                      struct numbers *ret) {
  *ret = (struct numbers){0};
  struct oracle_query q = {.models = 1u << ORACLE_RC11 | 1u << ORACLE_XMM,
                           .max_work = 30000,
                           .found = count,
                           .arg = ret,
                           .has_lb_race = &ret->has_race};
  return reexec_run_by(rule, p, &q);
}

// Theorem 1; and a graph is an execution iff its core is.
TEST(lbrf_and_cores) {
  unsigned compared = 0, racy = 0, weaker = 0;
  for (uint64_t seed = 0; seed < setting_many("HEDDLE_SEEDS", 1500); seed++) {
    struct program p;
    struct numbers all, cores;
    if (seed % 2)
      draw_near(seed, 0, &p);
    else
      program_random_crossing(seed, 4 + (unsigned)(seed % 6), &p);
    if (!count_all((struct reexec_rule){0}, &p, &all))
      continue;
    CHECK(count_all((struct reexec_rule){.only_cores = true}, &p, &cores),
          "seed %u is too large", (unsigned)seed);
    CHECK_EQ(all.xmm, cores.xmm, "seed %u", (unsigned)seed);
    CHECK(all.has_race || all.rc11 == all.xmm, "seed %u has no race",
          (unsigned)seed);
    compared++;
    racy += all.has_race;
    weaker += all.xmm > all.rc11;
  }
  printf("# %u programs, %u with races, %u weaker than under rc11\n", compared,
         racy, weaker);
  CHECK(weaker && racy < compared, "nothing was compared");
}
