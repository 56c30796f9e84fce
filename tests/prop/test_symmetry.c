// SPDX-License-Identifier: MIT
// Symmetry (explore/reduce/symmetry.c), on random programs with equal threads:
// the classes that are explored are those of the oracle's executions, each
// once, they stand for as many executions as the oracle has, and there is a
// race if and only if the oracle has one.
//
// Environment: HEDDLE_SEEDS=n (default 1500), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name, HEDDLE_PROGRAM=text.
#include "classes.h"
#include "compare.h"
#include "setting.h"
#include "tap.h"
#include "xmm_random.h"

#include <stdlib.h>

enum { MAX_WORK = 60000, MAX_OPS = 9 };

// Models with dependencies are asked about every third program.
static unsigned wanted_models(uint64_t seed) {
  const char *only = getenv("HEDDLE_MODEL");
  unsigned most = 1u << ORACLE_SC | 1u << ORACLE_TSO | 1u << ORACLE_PSO |
                  1u << ORACLE_RA | 1u << ORACLE_RC11;
  unsigned tracking = 1u << ORACLE_IMM | 1u << ORACLE_ARM |
                      1u << ORACLE_ARM_LDAR | 1u << ORACLE_ARM_LLSC;
  return (only || seed % 3 == 0 ? most | tracking : most) &
         comparable_models(only);
}

static bool is_right(const struct program *p, uint64_t seed,
                     struct compare_run *c) {
  c->models = wanted_models(seed);
  c->symmetric = true;
  c->max_work = MAX_WORK;
  return compare_agrees(p, c);
}

TEST(the_classes_of_random_programs_are_those_of_the_oracle) {
  uint64_t first = setting_first(1500);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500), classes = 0, members = 0;
  unsigned with_classes = 0, refuted = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    // Models from files that may have symmetry too, on some of the programs.
    struct compare_run c = {.skips_texts = !getenv("HEDDLE_MODEL") && seed % 4};
    program_random(seed, MAX_OPS, &p);
    program_make_equal(seed, &p);
    CHECK(is_right(&p, seed, &c),
          "HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1 repeats it",
          (unsigned long long)seed);
    classes += c.classes;
    members += c.members;
    with_classes += c.members > c.classes;
    refuted += c.refuted > 0;
  }
  printf("# %llu classes stand for %llu executions; %u programs have classes, "
         "in %u the threads are not equal\n",
         (unsigned long long)classes, (unsigned long long)members, with_classes,
         refuted);
  CHECK(n < 1000 || (with_classes > n / 3 && refuted < n / 3),
        "that proves little");
}

// What the order of threads must get right, in programs that are rare among
// random ones: chosen values, halves of updates, writes that run against co.
static const char *const shapes[] = {
    "r0=choose(1); r1=Rrlx x | r0=choose(1); r1=Rrlx x | Wrlx x 1",
    "r0=Rrlx y | r0=choose(1); r1=Rrlx x; Wrlx y r0+1 |"
    " r0=choose(1); r1=Rrlx x; Wrlx y r0+1 | Wrlx x 1",
    "Wrlx y 3; r1=Rrlx y | r0=XCHGrlx y 1 | r0=XCHGrlx y 1 | Wrlx y 2",
    "r0=Rrlx x; Wrlx y 1 | r0=Rrlx x; Wrlx y 1 | r0=Rrlx y; Wrlx x 1 |"
    " Wrlx x 2",
    "lock x; Wrlx y 1; unlock x | lock x; Wrlx y 1; unlock x |"
    " lock x; Wrlx y 1; unlock x",
    // Where loads are not ordered, each of them may read a later store: of
    // equal threads, of another one, of an update.
    "r0=Rrlx x; Wrlx x 1 | r0=Rrlx x; Wrlx x 1 | r0=Rrlx x; Wrlx x 1",
    "r0=Rrlx x; Wrlx y 1 | r0=Rrlx x; Wrlx y 1 | r0=Rrlx y; Wrlx x r0",
    "r0=XCHGrlx x 1; Wrlx y 1 | r0=XCHGrlx x 1; Wrlx y 1 |"
    " r0=Rrlx y; r1=XCHGrlx x 2",
    // And here none can.
    "r0=Racq x; Wrlx y 1 | r0=Racq x; Wrlx y 1 | r0=Rrlx y; Wrlx x 1",
    "r0=FADDrlx x 1; Wrlx y r0 | r0=FADDrlx x 1; Wrlx y r0 | r0=Rrlx y",
};

// As long as there is nothing to be justified.
TEST(the_classes_of_programs_that_may_buffer_loads) {
  uint64_t first = setting_first(1500);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500) / 3;
  unsigned with_classes = 0, refuted = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    struct compare_run c = {.models = comparable_models("xmm"),
                            .symmetric = true,
                            .max_work = 20000};
    if (seed % 2)
      program_random_buffering(seed, 5, &p);
    else
      program_random_counter(seed, 5, &p);
    program_make_equal(seed, &p);
    CHECK(compare_agrees(&p, &c), "seed %llu", (unsigned long long)seed);
    with_classes += c.members > c.classes;
    refuted += c.refuted > 0;
  }
  printf("# %u programs have classes, in %u loads may be buffered\n",
         with_classes, refuted);
  CHECK(n < 300 || (with_classes > n / 10 && refuted > n / 10),
        "that proves little");
}

TEST(the_classes_of_known_shapes_are_those_of_the_oracle) {
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct program p;
    struct diag why;
    struct compare_run c = {0};
    CHECK(program_parse(shapes[i], &p, &why) && is_right(&p, 0, &c), "%s",
          shapes[i]);
    CHECK(c.members > c.classes || getenv("HEDDLE_MODEL"),
          "%s: no threads are equal", shapes[i]);
  }
}

TEST(program_from_the_environment_has_its_classes) {
  const char *text = getenv("HEDDLE_PROGRAM");
  struct program p;
  struct diag why;
  struct compare_run c = {0};
  if (text)
    CHECK(program_parse(text, &p, &why) && is_right(&p, 0, &c), "%s", text);
}
