// SPDX-License-Identifier: MIT
// Known shapes under the models of processors, by the oracle (whose executions
// test_explore.c compares with the search): how many executions there are, so
// that one less says that the famous one is forbidden. The verdicts are those
// of the papers: Sarkar et al., "Understanding POWER Multiprocessors", PLDI
// 2011; Alglave et al., "Herding Cats", TOPLAS 2014; the RISC-V manual.
#include "oracle.h"
#include "tap.h"

struct row {
  const char *name, *program;
  int armv7, power, riscv;
};

static const struct row rows[] = {
    {"SB", "Wrlx x 1; Rrlx y | Wrlx y 1; Rrlx x", 4, 4, 4},
    {"SB+fences", "Wrlx x 1; Fsc; Rrlx y | Wrlx y 1; Fsc; Rrlx x", 3, 3, 3},
    // lwsync does not order a store with a later load, dmb does.
    {"SB+acq_rel fences",
     "Wrlx x 1; Facqrel; Rrlx y | Wrlx y 1; Facqrel; Rrlx x", 3, 4, 4},
    {"SB of sc accesses", "Wsc x 1; Rsc y | Wsc y 1; Rsc x", 3, 3, 3},
    {"MP", "Wrlx x 1; Wrlx y 1 | Rrlx y; Rrlx x", 4, 4, 4},
    {"MP+rel+acq", "Wrlx x 1; Wrel y 1 | Racq y; Rrlx x", 3, 3, 3},
    {"MP+rel", "Wrlx x 1; Wrel y 1 | Rrlx y; Rrlx x", 4, 4, 4},
    {"MP+fences", "Wrlx x 1; Frel; Wrlx y 1 | Rrlx y; Facq; Rrlx x", 3, 3, 3},
    {"LB", "Rrlx x; Wrlx y 1 | Rrlx y; Wrlx x 1", 4, 4, 4},
    {"LB+acqs", "Racq x; Wrlx y 1 | Racq y; Wrlx x 1", 3, 3, 3},
    {"LB+rels", "Rrlx x; Wrel y 1 | Rrlx y; Wrel x 1", 3, 3, 3},
    {"2+2W", "Wrlx x 1; Wrlx y 1 | Wrlx y 2; Wrlx x 2", 4, 4, 4},
    {"2+2W+rels", "Wrlx x 1; Wrel y 1 | Wrlx y 2; Wrel x 2", 3, 3, 3},
    {"S+rel+acq", "Wrlx x 1; Wrel y 1 | Racq y; Wrlx x 2", 3, 3, 3},
    // R+lwsync+sync: lwsync is not enough where writes arrive one by one.
    {"R+rel+fence", "Wrlx x 1; Wrel y 1 | Wrlx y 2; Fsc; Rrlx x", 3, 4, 3},
    // Only POWER and ARMv7 are not multi-copy atomic; a dmb after the first
    // load is a full one, isync is not.
    {"IRIW+acqs", "Wrlx x 1 | Wrlx y 1 | Racq x; Rrlx y | Racq y; Rrlx x", 15,
     16, 15},
    {"IRIW+fences",
     "Wrlx x 1 | Wrlx y 1 | Rrlx x; Fsc; Rrlx y | Rrlx y; Fsc; Rrlx x", 15, 15,
     15},
    {"IRIW+lwsyncs",
     "Wrlx x 1 | Wrlx y 1 | Rrlx x; Facq; Rrlx y | Rrlx y; Facq; Rrlx x", 15,
     16, 15},
    {"WRC+rel+acq", "Wrlx x 1 | Rrlx x; Wrel y 1 | Racq y; Rrlx x", 7, 7, 7},
    {"WRC+acq+acq", "Wrlx x 1 | Racq x; Wrlx y 1 | Racq y; Rrlx x", 7, 8, 7},
    {"ISA2+rel+acqs", "Wrlx x 1; Wrel y 1 | Racq y; Wrlx z 1 | Racq z; Rrlx x",
     7, 7, 7},
    {"RWC+acq+fence", "Wrlx x 1 | Racq x; Rrlx y | Wrlx y 1; Fsc; Rrlx x", 7, 8,
     7},
};

static void count(void *arg, unsigned models, const struct picture *x) {
  (void)x;
  unsigned *n = arg;
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    n[m] += models >> m & 1;
}

TEST(shapes) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *r = &rows[i];
    unsigned n[ORACLE_MODELS] = {0};
    struct program p;
    struct diag why;
    CHECK(program_parse(r->program, &p, &why), "%s: %s", r->name, why.text);
    struct oracle_query q = {.models = 1u << ORACLE_ARMV7 | 1u << ORACLE_POWER |
                                       1u << ORACLE_RISCV,
                             .found = count,
                             .arg = n};
    CHECK(oracle_run(&p, &q), "%s is too large", r->name);
    CHECK_EQ(n[ORACLE_ARMV7], r->armv7, "%s, armv7", r->name);
    CHECK_EQ(n[ORACLE_POWER], r->power, "%s, power", r->name);
    CHECK_EQ(n[ORACLE_RISCV], r->riscv, "%s, riscv", r->name);
  }
}
