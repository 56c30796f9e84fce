// SPDX-License-Identifier: MIT
// Who checks the oracle? Published numbers of executions of known shapes (with
// the corrections for TSO that x86 demands), and for SC a machine that simply
// runs all interleavings.
#include "oracle.h"
#include "setting.h"
#include "tap.h"

struct row {
  const char *name;
  int sc, tso, ra, rc11, imm; // -1: not published
  const char *text;
};

static const struct row rows[] = {
#include "litmus_rows.def"
};

struct counts {
  uint64_t n[ORACLE_MODELS];
};

static void count(void *arg, unsigned models, const struct picture *x) {
  (void)x;
  struct counts *c = arg;
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    c->n[m] += models >> m & 1;
}

static void parse_or_fail(const char *text, struct program *p) {
  struct diag why;
  CHECK(program_parse(text, p, &why), "%s: %s", text, why.text);
}

static struct counts count_text(const char *text) {
  struct program p;
  parse_or_fail(text, &p);
  struct counts c = {0};
  struct oracle_query q = {.models =
                               (1u << ORACLE_MODELS) - 1 - ORACLE_INCOHERENT,
                           .found = count,
                           .arg = &c};
  CHECK(oracle_run(&p, &q), "%s", text);
  return c;
}

TEST(known_shapes_have_the_known_numbers) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *r = &rows[i];
    struct counts c = count_text(r->text);
    const int want[] = {[ORACLE_SC] = r->sc,        [ORACLE_TSO] = r->tso,
                        [ORACLE_PSO] = -1,          [ORACLE_RA] = r->ra,
                        [ORACLE_RC11] = r->rc11,    [ORACLE_RC11_C11] = -1,
                        [ORACLE_RC11_SC11] = -1,    [ORACLE_JAM21] = -1,
                        [ORACLE_JAM21_ORDERS] = -1, [ORACLE_JAM21_FINAL] = -1,
                        [ORACLE_PER_THREAD] = -1,   [ORACLE_LOOSE] = -1,
                        [ORACLE_IMM] = r->imm};
    for (unsigned m = 0; m < sizeof want / sizeof *want; m++)
      if (want[m] >= 0 && c.n[m] != (uint64_t)want[m]) {
        printf("# %s under model %u: %u, not %d: %s\n", r->name, m,
               (unsigned)c.n[m], want[m], r->text);
        wrong++;
      }
  }
  CHECK_EQ(wrong, 0, "of %u", (unsigned)(sizeof rows / sizeof *rows));
}

static const struct {
  const char *name;
  int imm, arm, arm_ldar, arm_llsc;
  const char *text;
} dependency_rows[] = {
#include "dependency_rows.def"
};

TEST(dependencies_and_barriers_order_as_known) {
  for (unsigned i = 0; i < sizeof dependency_rows / sizeof *dependency_rows;
       i++) {
    struct counts c = count_text(dependency_rows[i].text);
    const char *name = dependency_rows[i].name;
    CHECK_EQ(c.n[ORACLE_IMM], dependency_rows[i].imm, "%s, imm", name);
    CHECK_EQ(c.n[ORACLE_ARM], dependency_rows[i].arm, "%s, armv8", name);
    CHECK_EQ(c.n[ORACLE_ARM_LDAR], dependency_rows[i].arm_ldar,
             "%s, armv8 with ldar", name);
    CHECK_EQ(c.n[ORACLE_ARM_LLSC], dependency_rows[i].arm_llsc,
             "%s, armv8 with llsc", name);
    CHECK(c.n[ORACLE_ARM_LDAR_LLSC] >= c.n[ORACLE_ARM_LDAR] &&
              c.n[ORACLE_ARM_LDAR_LLSC] <= c.n[ORACLE_ARM_LLSC],
          "%s: ldar is stronger, llsc is weaker", name);
  }
}

TEST(pso_lets_stores_of_different_locations_pass) {
  // MP by itself breaks, every kind of store-store barrier mends it.
  CHECK_EQ(count_text("Wrlx x 1; Wrlx y 1 | Racq y; Racq x").n[ORACLE_PSO], 4,
           "plain");
  CHECK_EQ(count_text("Wrlx x 1; Wrel y 1 | Rrlx y; Rrlx x").n[ORACLE_PSO], 3,
           "release store");
  CHECK_EQ(
      count_text("Wrlx x 1; Frel; Wrlx y 1 | Rrlx y; Rrlx x").n[ORACLE_PSO], 3,
      "release fence");
  CHECK_EQ(count_text("Wrlx x 1; XCHGrlx y 1 | Rrlx y; Rrlx x").n[ORACLE_PSO],
           3, "exchange");
}

TEST(c11_release_sequences_go_on_with_stores_of_the_thread) {
  struct counts c =
      count_text("Wrlx x 1; Wrel y 0; Wrlx y 1 | a=Racq y; if(a!=0){Rrlx x}");
  CHECK_EQ(c.n[ORACLE_RC11], 4, "C++20");
  CHECK_EQ(c.n[ORACLE_RC11_C11], 3, "C++11");
  // A store of another thread in between ends the sequence: the reader of 3
  // may miss x iff co is 1 2 3.
  c = count_text("Wrlx x 1; Wrel y 1; Wrlx y 3 | Wrlx y 2 |"
                 "a=Racq y; assume(a==3); Rrlx x");
  CHECK_EQ(c.n[ORACLE_RC11], 6, "C++20");
  CHECK_EQ(c.n[ORACLE_RC11_C11], 4, "C++11");
}

TEST(an_acquire_fence_needs_an_atomic_read) {
  struct counts c =
      count_text("Wrlx x 1; Wrel y 1 | a=Rrlx y; Facq; if(a!=0){Rrlx x}");
  for (unsigned m = ORACLE_RA; m <= ORACLE_RC11_C11; m++)
    CHECK_EQ(c.n[m], 2, "relaxed, model %u", m);
  c = count_text("Wrlx x 1; Wrel y 1 | a=Rna y; Facq; if(a!=0){Rrlx x}");
  for (unsigned m = ORACLE_RA; m <= ORACLE_RC11_C11; m++)
    CHECK_EQ(c.n[m], 3, "non-atomic, model %u", m);
}

struct inclusions {
  struct picture_set all;
  unsigned broken, cyclic; // executions
};

static void check_inclusions(void *arg, unsigned models,
                             const struct picture *x) {
  static const struct {
    enum oracle_model strong, weak;
  } pairs[] = {
      {ORACLE_SC, ORACLE_TSO},       {ORACLE_TSO, ORACLE_PSO},
      {ORACLE_SC, ORACLE_RC11},      {ORACLE_RC11, ORACLE_RA},
      {ORACLE_SC, ORACLE_IMM},       {ORACLE_SC, ORACLE_ARM_LDAR},
      {ORACLE_ARM_LDAR, ORACLE_ARM}, {ORACLE_ARM_LDAR, ORACLE_ARM_LDAR_LLSC},
      {ORACLE_ARM, ORACLE_ARM_LLSC}, {ORACLE_ARM_LDAR_LLSC, ORACLE_ARM_LLSC},
  };
  struct inclusions *c = arg;
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
    c->broken += (models >> pairs[i].strong & 1) && // but not the weaker one
                 !(models >> pairs[i].weak & 1);
  c->cyclic += !(models & ~(unsigned)ORACLE_CYCLIC);
  picture_set_add(&c->all, x);
}

// What a model allows, weaker ones allow as well; and nothing is found twice.
TEST(models_are_weaker_than_others) {
  unsigned cyclic = 0;
  uint64_t n = setting_many("HEDDLE_SEEDS", 1000);
  for (uint64_t seed = 0; seed < n; seed++) {
    struct program p;
    program_random_dependent(seed, 8, &p);
    struct inclusions c = {0};
    struct oracle_query q = {.models = (1u << ORACLE_XMM) - 1,
                             .max_work = 10000,
                             .found = check_inclusions,
                             .arg = &c};
    if (oracle_run(&p, &q)) {
      CHECK_EQ(c.broken, 0, "seed %u", (unsigned)seed);
      CHECK_EQ(picture_set_sort(&c.all), 0, "twice, seed %u", (unsigned)seed);
      cyclic += c.cyclic > 0;
    }
    picture_set_done(&c.all);
  }
  CHECK(cyclic > n / 10, "only %u programs are weaker than rc11", cyclic);
}

static void add_sc(void *arg, unsigned models, const struct picture *x) {
  if (models >> ORACLE_SC & 1)
    picture_set_add(arg, x);
}

TEST(axioms_of_sc_equal_interleavings) {
  unsigned skipped = 0;
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500);
  for (uint64_t seed = 0; seed < n; seed++) {
    struct program p;
    program_random(seed, 9, &p);
    struct picture_set axioms = {0}, turns = {0};
    struct oracle_query q = {
        .models = 1u << ORACLE_SC, .max_work = 50000, .found = add_sc};
    q.arg = &axioms;
    bool is_small = oracle_run(&p, &q);
    q.arg = &turns;
    is_small = is_small && interleave_run(&p, &q);
    if (is_small) {
      CHECK_EQ(picture_set_sort(&axioms), 0, "twice, seed %u", (unsigned)seed);
      picture_set_sort(&turns);
      struct str text = {0};
      program_print(&p, &text);
      CHECK(picture_set_equal(&axioms, &turns), "seed %u, %u and %u: %s",
            (unsigned)seed, axioms.hashes.len, turns.hashes.len, text.at);
      str_done(&text);
    }
    skipped += !is_small;
    picture_set_done(&axioms);
    picture_set_done(&turns);
  }
  CHECK(skipped < n / 3, "%u programs were too large", skipped);
}
