// SPDX-License-Identifier: MIT
// The models of languages, c11 and jam21, on shapes that tell them from rc11:
// the oracle has as many executions as are known, and the search finds the
// same. Then what jam21 promises, on random programs: its definition agrees
// with one that tries all orders of what pushes, and volatile accesses alone
// are sequentially consistent.
//   HEDDLE_SEEDS=n   how many programs (default 100)
#include "compare.h"
#include "setting.h"
#include "tap.h"

#include <stdlib.h>

struct row {
  const char *name;
  int c11, rc11; // executions
  const char *text;
};

// The values in question are assumed: one execution if they are allowed.
static const struct row c11_rows[] = {
    {"LB", 1, 0,
     "a=Rrlx x; Wrlx y 1; assume(a==1) | b=Rrlx y; Wrlx x 1; assume(b==1)"},
    {"LB+datas", 0, 0,
     "a=Rrlx x; Wrlx y a; assume(a==1) | b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"LB+data", 1, 0,
     "a=Rrlx x; Wrlx y a; assume(a==1) | b=Rrlx y; Wrlx x 1; assume(b==1)"},
    {"LB+datas for show", 0, 0,
     "a=Rrlx x; Wrlx y a^a+1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b^b+1; assume(b==1)"},
    {"LB+ctrls", 0, 0,
     "a=Rrlx x; if(a==2){Wrlx y 2}; assume(a==2) |"
     "b=Rrlx y; if(b==2){Wrlx x 2}; assume(b==2)"},
    {"LB+ctrl", 1, 0,
     "a=Rrlx x; if(a==1){Wrlx y 1}; assume(a==1) |"
     "b=Rrlx y; Wrlx x 1; assume(b==1)"},
    {"LB+ctrls, the same in both branches", 0, 0,
     "a=Rrlx x; if(a==1){Wrlx y 1} else {Wrlx y 1}; assume(a==1) |"
     "b=Rrlx y; if(b==1){Wrlx x 1} else {Wrlx x 1}; assume(b==1)"},
    {"LB+ctrls, then a store", 0, 0,
     "a=Rrlx x; if(a==1){Wrlx z 1}; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; if(b==1){Wrlx z 2}; Wrlx x 1; assume(b==1)"},
    {"LB+acqs", 0, 0,
     "a=Racq x; Wrlx y 1; assume(a==1) | b=Racq y; Wrlx x 1; assume(b==1)"},
    {"LB+acquire fences", 0, 0,
     "a=Rrlx x; Facq; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Facq; Wrlx x 1; assume(b==1)"},
    {"LB+rels", 1, 0,
     "a=Rrlx x; Wrel y 1; assume(a==1) | b=Rrlx y; Wrel x 1; assume(b==1)"},
    {"LB+release fences", 1, 0,
     "a=Rrlx x; Frel; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Frel; Wrlx x 1; assume(b==1)"},
    // The paper has the first of these: it asks only of addresses that are
    // written to that they order what follows (docs/manual/models.md).
    {"LB+data, the other one reads from an address", 0, 0,
     "a=Rrlx x; c=Rrlx z/w[a]; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"LB+data, the other one writes to an address", 0, 0,
     "a=Rrlx x; Wrlx z/w[a] 1; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"LB+rel+acq", 0, 0,
     "a=Racq x; Wrel y 1; assume(a==1) | b=Racq y; Wrel x 1; assume(b==1)"},
    {"thin air", 0, 0,
     "a=Rrlx x; Wrlx y a; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; Wrlx x b+1; assume(b==1)"},
    {"thin air, or else", 0, 0,
     "a=Rrlx x; Wrlx y a; assume(a==3) |"
     "b=Rrlx y; if(b==0){Wrlx x 3} else {Wrlx x b}; assume(b==3)"},
    {"SB", 0, 0,
     "Wsc x 1; a=Rsc y; assume(a==0) | Wsc y 1; b=Rsc x; assume(b==0)"},
    {"SB+fences", 0, 0,
     "Wrlx x 1; Fsc; a=Rrlx y; assume(a==0) |"
     "Wrlx y 1; Fsc; b=Rrlx x; assume(b==0)"},
    // 29.3p7: two fences, and with one of them collapsed into an access.
    {"R+fences", 0, 0,
     "main: spawn T1; spawn T2; join T1; join T2; f=Rrlx x; assume(f==1) |"
     "Wrlx x 1; Fsc; a=Rrlx y; assume(a==0) | Wrlx y 1; Fsc; Wrlx x 2"},
    {"R+sc+fence", 0, 0,
     "main: spawn T1; spawn T2; join T1; join T2; f=Rrlx x; assume(f==1) |"
     "Wsc x 1; a=Rsc y; assume(a==0) | Wsc y 1; Fsc; Wrlx x 2"},
    {"R+fence+sc", 0, 0,
     "main: spawn T1; spawn T2; join T1; join T2; f=Rrlx x; assume(f==1) |"
     "Wrlx x 1; Fsc; a=Rsc y; assume(a==0) | Wsc y 1; Wsc x 2"},
    {"R", 1, 1,
     "main: spawn T1; spawn T2; join T1; join T2; f=Rrlx x; assume(f==1) |"
     "Wrlx x 1; a=Rrlx y; assume(a==0) | Wrlx y 1; Wrlx x 2"},
    // An sc read does not read something older than an sc write before it, even
    // if that is not sc.
    {"a relaxed write between", 0, 0,
     "main: spawn T1; spawn T2; spawn T3; join T1; join T2; join T3;"
     "f=Rrlx x; assume(f==2) |"
     "Wrlx x 1 | Wsc x 2; a=Rsc y; assume(a==0) |"
     "Wsc y 1; b=Rsc x; assume(b==1)"},
    {"Z6.U", 0, 1,
     "Wsc x 1; Wrel y 1 |"
     "a=FADDsc y 1; b=Rrlx y; assume(a==1); assume(b==3) |"
     "Wsc y 3; c=Rsc x; assume(c==0)"},
    {"RWC+fences", 1, 0,
     "Wrlx x 1 | a=Rrlx x; Fsc; b=Rrlx y; assume(a==1); assume(b==0) |"
     "Wrlx y 1; Fsc; c=Rrlx x; assume(c==0)"},
    {"IRIW+acqs+fences", 1, 0,
     "Wrlx x 1 | Wrlx y 1 |"
     "a=Racq x; Fsc; b=Racq y; assume(a==1); assume(b==0) |"
     "c=Racq y; Fsc; d=Racq x; assume(c==1); assume(d==0)"},
    {"MP through a second store", 0, 1,
     "Wrlx x 1; Wrel y 1; Wrlx y 2 |"
     "a=Racq y; b=Rrlx x; assume(a==2); assume(b==0)"},
    // The store of another thread is between 1 and 2 in one order of three.
    {"MP, another store between", 1, 3,
     "Wrlx x 1; Wrel y 1; Wrlx y 2 | Wrlx y 3 |"
     "a=Racq y; b=Rrlx x; assume(a==2); assume(b==0)"},
    // The same, of a store that itself has learned from such a sequence.
    {"MP, another store between, after an acquire", 1, 3,
     "Wrlx x 1; Wrel y 1; a=Racq z; Wrlx y 2; assume(a==2) | Wrlx y 3 |"
     "Wrel z 1; Wrlx z 2 | b=Racq y; c=Rrlx x; assume(b==2); assume(c==0)"},
    {"MP, another store anywhere", 3, 3,
     "Wrlx x 1; Wrel y 1; Wrlx y 2 | Wrlx y 3 |"
     "a=Racq y; b=Rrlx x; assume(a==2); assume(b==1)"},
    {"2+2W", 1, 1,
     "main: spawn T1; spawn T2; join T1; join T2; f=Rrlx x; g=Rrlx y;"
     "assume(f==1); assume(g==1) | Wrlx x 1; Wrlx y 2 | Wrlx y 1; Wrlx x 2"},
};

// Graphs of rf and co. `final` is with --final-writes. Where rf alone counts,
// jam21 is the same with both; co has to contain what the model demands of it,
// so the graphs are fewer than if it were left out of sight (2+2W+4sc has one
// more then, whose co no order of the pushes explains).
static const struct {
  const char *name;
  int jam21, final, rc11; // executions
  const char *text;
} jam21_rows[] = {
    {"2+2W+4sc", 3, 3, 3, "Wsc x 1; Wsc y 2 | Wsc y 1; Wsc x 2"},
    {"2+2W+scfs", 3, 3, 3, "Wrlx x 1; Fsc; Wrlx y 2 | Wrlx y 1; Fsc; Wrlx x 2"},
    {"2+2W+2sc+scf", 3, 3, 3, "Wsc x 1; Wsc y 2 | Wrlx y 1; Fsc; Wrlx x 2"},
    {"2+2W+3sc+rel1", 4, 3, 4, "Wsc x 1; Wsc y 2 | Wrel y 1; Wsc x 2"},
    {"2+2W", 4, 4, 4, "Wrlx x 1; Wrlx y 2 | Wrlx y 1; Wrlx x 2"},
    {"SB+rfis", 3, 3, 4, "Wrel x 1; Rsc x; Rsc y | Wrel y 1; Rsc y; Rsc x"},
    {"SB+4sc", 3, 3, 3, "Wsc x 1; Rsc y | Wsc y 1; Rsc x"},
    {"SB+scfs", 3, 3, 3, "Wrlx x 1; Fsc; Rrlx y | Wrlx y 1; Fsc; Rrlx x"},
    {"SB+2sc+scf", 3, 3, 3, "Wsc x 1; Rsc y | Wrlx y 1; Fsc; Rrlx x"},
    {"RWC+syncs", 7, 7, 7,
     "Wrlx x 1 | Rrlx x; Fsc; Rrlx y | Wrlx y 1; Fsc; Rrlx x"},
    {"peterZ", 7, 7, 7,
     "Wsc x 1; Rsc y | Wrel y 1; Wrel z 1 | Racq z; Fsc; Racq x"},
    {"W+RWC", 7, 7, 7,
     "Wrlx x 1; Wrel z 1 | Racq z; Fsc; Rrlx y | Wrlx y 1; Fsc; Rrlx x"},
    {"Z6", 7, 7, 7, "Wsc x 1; Wsc y 1 | Wsc y 2; Wrel z 1 | Rsc z; Rsc x"},
    {"Z6+acq", 8, 8, 7, "Wsc x 1; Wsc y 1 | Wsc y 2; Wrel z 1 | Racq z; Rsc x"},
    // A write that pushes comes before the read that pushes, by po and rf
    // alone.
    {"psc-ar", 0, 0, 1,
     "a=Rrlx y; Fsc; b=Rrlx z; assume(a==1); assume(b==0) |"
     "Wrlx z 1; Fsc; Wrlx x 1 | c=Rrlx x; Wrlx y 1; assume(c==1)"},
    // An update is one event, so it passes on what it has read.
    {"MPU+rel+acq", 9, 9, 9,
     "Wrlx x 1; Wrel y 1 | FADDrlx y 1 | Racq y; Rrlx x"},
    // Volatile accesses as POWER has them: what is between the accesses of the
    // third thread is nothing, lwsync, sync; and the volatile accesses.
    {"compiled, nothing", 1, 1, 1,
     "Wrlx x 2; Fsc; a=Rrlx y; assume(a==0) | Wrlx y 1 |"
     "b=Rrlx y; assume(b==1); Wrlx x 1 |"
     "c=Rrlx x; assume(c==1); Fsc; d=Rrlx x; assume(d==2)"},
    {"compiled, lwsync", 1, 1, 1,
     "Wrlx x 2; Fsc; a=Rrlx y; assume(a==0) | Wrlx y 1 |"
     "b=Rrlx y; assume(b==1); Facqrel; Wrlx x 1 |"
     "c=Rrlx x; assume(c==1); Fsc; d=Rrlx x; assume(d==2)"},
    {"compiled, sync", 0, 0, 0,
     "Wrlx x 2; Fsc; a=Rrlx y; assume(a==0) | Wrlx y 1 |"
     "b=Rrlx y; assume(b==1); Fsc; Wrlx x 1 |"
     "c=Rrlx x; assume(c==1); Fsc; d=Rrlx x; assume(d==2)"},
    {"compiled, all volatile", 0, 0, 0,
     "Wsc x 2; a=Rsc y; assume(a==0) | Wsc y 1 |"
     "b=Rsc y; assume(b==1); Wsc x 1 |"
     "c=Rsc x; assume(c==1); d=Rsc x; assume(d==2)"},
    {"MP+rel+acq", 3, 3, 3, "Wrlx x 1; Wrel y 1 | Racq y; Rrlx x"},
    {"MP+rel", 4, 4, 4, "Wrlx x 1; Wrel y 1 | Rrlx y; Rrlx x"},
    {"IRIW+4sc", 15, 15, 15, "Wsc x 1 | Wsc y 1 | Rsc x; Rsc y | Rsc y; Rsc x"},
    {"IRIW+acqs", 16, 16, 16,
     "Wrel x 1 | Wrel y 1 | Racq x; Racq y | Racq y; Racq x"},
    // Why the order of pushes is judged at the end: the last store makes all
    // before the fence push, and forbids that T2 misses x.
    {"before the last store", 4, 4, 4,
     "Wrlx x 1; Wrlx y 1; Fsc | Rrlx y; Fsc; Rrlx x"},
    {"behind the last store", 3, 3, 4,
     "Wrlx x 1; Wrlx y 1; Fsc; Wrlx z 1 | Rrlx y; Fsc; Rrlx x"},
    {"behind the last store, the other way round", 3, 3, 4,
     "Rrlx y; Fsc; Rrlx x | Wrlx x 1; Wrlx y 1; Fsc; Wrlx z 1"},
    // Why final writes are judged at the end: with the third thread's store
    // last, the same order of the others is allowed.
    {"2+2W+3sc+rel1, and a last store", 12, 10, 12,
     "Wsc x 1; Wsc y 2 | Wrel y 1; Wsc x 2 | Wrlx x 3"},
    // A barrier of stores is no action that anything is pushed to.
    {"behind a barrier of stores", 4, 4, 4,
     "Wrlx x 1; Wrlx y 3 | Wrlx y 2; Wrlx x 1; Fsc; dmb.st"},
    // Three sc threads, where only those that are not next to each other meet.
    {"WWR+2WR", 0, 0, 0,
     "Wsc x 1; Wsc y 1; a=Rsc z; assume(a==0) |"
     "Wsc z 1; b=Rsc w; assume(b==0) | Wsc w 1; c=Rsc y; assume(c==0)"},
};

static void count(void *arg, unsigned models, const struct picture *x) {
  (void)x;
  unsigned *n = arg;
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    n[m] += models >> m & 1;
}

// Fills n with what the oracle has; the search must have the same.
static void run(const char *name, const char *text, unsigned models,
                unsigned n[ORACLE_MODELS]) {
  struct program p;
  struct diag why;
  CHECK(program_parse(text, &p, &why), "%s: %s", name, why.text);
  struct oracle_query q = {.models = models, .found = count, .arg = n};
  CHECK(oracle_run(&p, &q), "%s is too large", name);
  struct compare_run c = {.models = models & comparable_models(NULL)};
  CHECK_EQ(compare(&p, &c), AGREE, "%s: %s", name, str_text(&c.report));
  str_done(&c.report);
}

TEST(c11_has_the_known_shapes) {
  for (unsigned i = 0; i < sizeof c11_rows / sizeof *c11_rows; i++) {
    const struct row *r = &c11_rows[i];
    unsigned n[ORACLE_MODELS] = {0};
    run(r->name, r->text, 1u << ORACLE_C11 | 1u << ORACLE_RC11, n);
    CHECK_EQ(n[ORACLE_C11], r->c11, "%s", r->name);
    CHECK_EQ(n[ORACLE_RC11], r->rc11, "%s, rc11", r->name);
  }
}

TEST(jam21_has_the_known_shapes) {
  for (unsigned i = 0; i < sizeof jam21_rows / sizeof *jam21_rows; i++) {
    unsigned n[ORACLE_MODELS] = {0};
    run(jam21_rows[i].name, jam21_rows[i].text,
        1u << ORACLE_JAM21 | 1u << ORACLE_JAM21_ORDERS |
            1u << ORACLE_JAM21_FINAL | 1u << ORACLE_RC11,
        n);
    CHECK_EQ(n[ORACLE_JAM21], jam21_rows[i].jam21, "%s", jam21_rows[i].name);
    CHECK_EQ(n[ORACLE_JAM21_ORDERS], jam21_rows[i].jam21, "%s, all orders",
             jam21_rows[i].name);
    CHECK_EQ(n[ORACLE_JAM21_FINAL], jam21_rows[i].final, "%s, final writes",
             jam21_rows[i].name);
    CHECK_EQ(n[ORACLE_RC11], jam21_rows[i].rc11, "%s, rc11",
             jam21_rows[i].name);
  }
}

// -- random programs

struct pair {
  unsigned models, seen, differ;
};

static void compare_pair(void *arg, unsigned models, const struct picture *x) {
  (void)x;
  struct pair *p = arg;
  p->seen++;
  p->differ += models != p->models;
}

static unsigned seeds(void) {
  return (unsigned)setting_many("HEDDLE_SEEDS", 100);
}

static void compare_random(unsigned models, unsigned max_ops,
                           void (*change)(struct program *)) {
  unsigned seen = 0;
  for (unsigned seed = 0; seed < seeds(); seed++) {
    struct program p;
    program_random(seed, max_ops, &p);
    if (change)
      change(&p);
    struct pair pair = {.models = models};
    struct oracle_query q = {.models = models,
                             .max_work = 20000,
                             .found = compare_pair,
                             .arg = &pair};
    if (!oracle_run(&p, &q))
      continue;
    seen += pair.seen;
    CHECK_EQ(pair.differ, 0, "seed %u", seed);
  }
  CHECK(seeds() < 50 || seen > seeds(), "%u executions", seen);
  printf("# %u executions\n", seen);
}

TEST(jam21_needs_no_order_of_what_pushes) {
  compare_random(1u << ORACLE_JAM21 | 1u << ORACLE_JAM21_ORDERS, 8, NULL);
}

static void make_volatile(struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      p->ops[t][i].order = p->ops[t][i].order_fail = ORD_SC;
}

TEST(volatile_accesses_alone_are_sequentially_consistent) {
  compare_random(1u << ORACLE_JAM21 | 1u << ORACLE_SC, 8, make_volatile);
}
