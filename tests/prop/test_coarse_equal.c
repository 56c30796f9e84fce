// SPDX-License-Identifier: MIT
// --equivalence rf (explore/reduce/rf_equivalence.c) with equal threads
// (explore/reduce/symmetry.c, 5), on random programs. Classes are pairs
// (po, rf) up to the names of equal threads. Those of the oracle's executions
// are explored; no pair (po, rf) is met twice; what is explored stands for as
// many pairs as the oracle has; there is a race if and only if the oracle has
// one. What else goes wrong goes wrong at the same places as when nothing is
// left out.
//
// Environment: HEDDLE_SEEDS=n (default 1200), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name, HEDDLE_PROGRAM=text.
#include "classes.h"
#include "compare.h"
#include "error_set.h"

enum { MAX_WORK = 60000, MAX_OPS = 9 };

static bool is_right(const struct program *p, struct compare_run *c) {
  c->models = coarse_models();
  c->symmetric = c->ignores_co = c->skips_texts = true;
  c->max_work = MAX_WORK;
  return compare_agrees(p, c);
}

TEST(random_programs_have_the_classes_of_the_oracle) {
  uint64_t first = setting_first(1200);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1200), classes = 0, members = 0;
  unsigned with_classes = 0, refuted = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    struct compare_run c = {0};
    program_random(seed, MAX_OPS, &p);
    program_make_equal(seed, &p);
    CHECK(is_right(&p, &c), "HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1 repeats it",
          (unsigned long long)seed);
    classes += c.classes;
    members += c.members;
    with_classes += c.members > c.classes;
    refuted += c.refuted > 0;
  }
  printf("# %llu explored for %llu executions; in %u programs there are fewer, "
         "in %u threads are not equal\n",
         (unsigned long long)classes, (unsigned long long)members, with_classes,
         refuted);
  CHECK(n < 1000 || (with_classes > n / 3 && refuted < n / 3),
        "that proves little");
}

TEST(shapes_have_the_classes_of_the_oracle) {
  static const char *const shapes[] = {
      // Sources of equal threads that equal threads wrote.
      "Wrlx x 1 | Wrlx x 1 | a=Rrlx x | a=Rrlx x",
      "Wrlx x 1 | Wrlx x 1 | Wrlx x 2 | a=Rrlx x | a=Rrlx x | a=Rrlx x",
      // A circle of groups that read each other.
      "Wrlx x 1; a=Rrlx y | Wrlx x 1; a=Rrlx y | Wrlx y 1; a=Rrlx x |"
      " Wrlx y 1; a=Rrlx x",
      "a=Rrlx y; Wrlx x 1 | a=Rrlx y; Wrlx x 1 | a=Rrlx x; Wrlx y 1 |"
      " a=Rrlx x; Wrlx y 1",
      // Updates, the last of which is older than what a store has.
      "a=FADDrlx x 1 | a=FADDrlx x 1 | a=FADDrlx x 1 | Wrlx x 9",
      "a=FADDrlx x 1; b=Rrlx x | a=FADDrlx x 1; b=Rrlx x | Wrlx x 9; c=Rrlx x",
      "CAS(x,0,1)rlx/rlx | CAS(x,0,1)rlx/rlx | Wrlx x 2 | a=Rrlx x; b=Rrlx x",
      "a=XCHGrlx y 1 | a=XCHGrlx y 1 | Wrlx y 2 | Wrlx y 3; r1=Rrlx y",
      // A source that has become old stays that of a thread after it.
      "a=Rrlx x; b=Rrlx y | a=Rrlx x; b=Rrlx y | Wrlx y 1; Wrlx y 2; Wrlx x 1;"
      " c=Rrlx x | Wrlx x 2",
      "Wrlx y 1; Wrlx y 1; Wrlx x 2; c=Racq x | Wrlx x 1 | a=Racq x | a=Racq x",
      // The first of two equal threads reads what has much before it, and what
      // the other one reads is deleted again when z, or x, is written last. So
      // it was what the first reads, or as much; also if that has become old
      // and both wait with it.
      "a=Rrlx x | r=Rrlx z | a=Rrlx x | Wrlx y 1; Wrlx y 2; Wrlx x 2 |"
      " Wrlx x 1; b=Rrlx y; Wrlx z 1",
      "a=FADDrlx x 1 | r=Rrlx z | a=FADDrlx x 1 | Wrlx y 1; Wrlx y 2; Wrlx x 2"
      " | Wrlx x 1; b=Rrlx y; Wrlx z 1",
      "a=Rrlx x; assume(a==3) | Wrlx x 2; b=Rrlx y; Wrlx x 1 |"
      " a=Rrlx x; assume(a==3) | b=Rrlx y; Wrlx x 3",
      "lock m; Wrlx y 1; unlock m | lock m; Wrlx y 1; unlock m |"
      " lock m; Wrlx y 1; unlock m",
      "a=choose(1); Wrlx x a | a=choose(1); Wrlx x a | b=Rrlx x; c=Rrlx x",
  };
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct program p;
    struct diag why;
    struct compare_run c = {0};
    CHECK(program_parse(shapes[i], &p, &why), "%s", shapes[i]);
    CHECK(is_right(&p, &c), "%s", shapes[i]);
    CHECK(c.members > c.classes && !c.refuted, "%s: nothing is left out",
          shapes[i]);
  }
}

TEST(random_programs_go_wrong_where_they_do_with_nothing_left_out) {
  uint64_t first = setting_first(1200);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1200) / 3;
  struct errors_compared c = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    program_random(seed, MAX_OPS - 2, &p);
    if (seed % 4)
      program_add_awaits(seed, &p);
    program_make_equal(seed, &p);
    compare_errors(&c, seed, &p, WITHOUT_CO_AND_EQUALS);
  }
  printf("# %u deadlocks, %u hangs, %u races; %llu times there are fewer "
         "executions, %u times threads are not equal\n",
         c.kinds[FIND_DEADLOCK], c.kinds[FIND_HANG], c.kinds[FIND_RACE],
         (unsigned long long)c.fewer, c.refuted);
  CHECK(n < 300 ||
            (c.kinds[FIND_HANG] > n / 10 && c.kinds[FIND_RACE] > n / 10 &&
             c.fewer > n && c.refuted < n),
        "that proves little");
}

TEST(program_from_the_environment_has_its_classes) {
  const char *text = getenv("HEDDLE_PROGRAM");
  struct program p;
  struct diag why;
  struct compare_run c = {0};
  if (text)
    CHECK(program_parse(text, &p, &why) && is_right(&p, &c), "%s", text);
}
