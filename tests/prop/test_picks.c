// SPDX-License-Identifier: MIT
// Compare-exchanges of one instruction, which are no branches (CAS of AArch64,
// cmpxchg of the Linux kernel), in models with promises: what comes after one
// may be read by whoever writes what it compares, so that it succeeds, or
// fails, just because of that. And what is computed by picks, of these and of
// conditional selects, is ordered otherwise than data. Known shapes first; then
// random programs, all of whose compare-exchanges are such, against the oracle.
//   HEDDLE_SEEDS=n   how many programs (default 300)
#include "compare.h"
#include "setting.h"
#include "tap.h"

#include <stdlib.h>

struct row {
  const char *name;
  int arm; // executions in which what is assumed holds
  const char *text;
};

// The store to y is not ordered behind the CAS, so T2 may see it first.
static const struct row rows[] = {
    {"LB, the CAS fails because of it", 1,
     "a=PICK(x,0,5)rlx/rlx; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"LB, the CAS succeeds because of it", 1,
     "a=PICK(x,1,5)rlx/rlx; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"LB, the CAS would have succeeded", 1,
     "a=PICK(x,0,5)rlx/rlx; Wrlx y 1; assume(a==5) | "
     "b=Rrlx y; Wrlx x 5; assume(b==1)"},
    // As a branch it orders the store behind itself.
    {"LB, the CAS is a branch", 0,
     "a=CAS(x,1,5)rlx/rlx; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"LB, the CAS acquires", 0,
     "a=PICK(x,1,5)acq/acq; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    // What the CAS writes depends on what it reads.
    {"LB, of what the CAS writes", 0,
     "a=PICK(x,1,5)rlx/rlx; assume(a==1) | b=Rrlx x; Wrlx x 1; assume(b==5)"},
    {"LB, of two that succeed", 1,
     "a=PICK(x,1,5)rlx/rlx; Wrlx y 1; assume(a==1) |"
     "b=PICK(y,1,6)rlx/rlx; Wrlx x 1; assume(b==1)"},
    {"LB, one succeeds and one fails", 1,
     "a=PICK(x,1,5)rlx/rlx; Wrlx y 1; assume(a==1) |"
     "b=PICK(y,0,6)rlx/rlx; Wrlx x 1; assume(b==1)"},
    // The outcome depends on the expected value, and the write on the outcome.
    {"LB, through what is expected", 0,
     "a=Rrlx x; c=PICK(y,a,1)rlx/rlx; assume(a==1); assume(c==0) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"LB, the expected value comes late", 1,
     "a=Rrlx x; c=PICK(z,a,1)rlx/rlx; Wrlx y 1; assume(a==1); assume(c==0) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    // Without the promise the first CAS succeeds and the second one fails.
    {"LB, of what a CAS writes that only then succeeds", 1,
     "a=FADDrlx y 0; c=PICK(x,a,2)acqrel/acq; d=PICK(x,0,c^c+2)rlx/rlx;"
     "assume(a==1) | b=PICK(x,0,1)rlx/rlx; e=FADDrel y 1; assume(b==2)"},
    // A select: stores are behind its condition, also by way of memory; a load
    // whose address it yields is not, but stores behind that load are.
    {"LB, through a select", 0,
     "a=Rrlx x; Wrlx y a?1; assume(a==1) | b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"MP, the address by data", 0,
     "Wrlx x 1; Frel; Wrlx y 1 | a=Rrlx y; b=Rrlx x[a]; assume(a==1);"
     "assume(b==0)"},
    {"MP, the address by a select", 1,
     "Wrlx x 1; Frel; Wrlx y 1 | a=Rrlx y; b=Rrlx x[a?2]; assume(a==1);"
     "assume(b==0)"},
    {"LB, a store behind an address by a select", 0,
     "a=Rrlx x; b=Rrlx z[a?2]; Wrlx y 1; assume(a==1); assume(b==0) |"
     "c=Rrlx y; Wrlx x c; assume(c==1)"},
    {"LB, by way of a load", 0,
     "a=Rrlx x; b=Rrlx z[a?2]; Wrlx y b^b+1; assume(a==1) |"
     "c=Rrlx y; Wrlx x c; assume(c==1)"},
    {"MP, forwarded data", 0,
     "Wrlx x 1; Frel; Wrlx y 1 | a=Rrlx y; Wrlx z a; c=Rrlx z; b=Rrlx x[c];"
     "assume(a==1); assume(c==1); assume(b==0)"},
    {"MP, forwarded data by a select", 1,
     "Wrlx x 1; Frel; Wrlx y 1 | a=Rrlx y; Wrlx z a?1; c=Rrlx z; b=Rrlx x[c];"
     "assume(a==1); assume(c==1); assume(b==0)"},
    {"MP, the address by what a CAS has read", 1,
     "Wrlx x 1; Frel; Wrlx y 1 | a=PICK(y,1,2)rlx/rlx; b=Rrlx x[a];"
     "assume(a==1); assume(b==0)"},
    {"MP, the address by what a CAS has read that failed", 0,
     "Wrlx x 1; Frel; Wrlx y 1 | a=PICK(y,0,2)rlx/rlx; b=Rrlx x[a];"
     "assume(a==1); assume(b==0)"},
    {"MP, through what is expected and memory", 1,
     "Wrlx x 1; Frel; Wrlx y 1 | a=Rrlx y; c=PICK(z,a,2)rlx/rlx; d=Rrlx z;"
     "b=Rrlx x[d]; assume(a==1); assume(d==2); assume(b==0) | Wrlx z 1"},
    {"S, through what is expected and memory", 0,
     "Wrlx x 2; Frel; Wrlx y 1 | a=Rrlx y; c=PICK(z,a,2)rlx/rlx; d=Rrlx z;"
     "Wrlx x/w[d] 1; assume(a==1); assume(d==2) | Wrlx z 1 | e=Rrlx x;"
     "f=Rrlx x; assume(e==1); assume(f==2)"},
};

enum { ROWS = sizeof rows / sizeof *rows };

static bool agree(const struct program *p, unsigned models, const char *name,
                  struct compare_run *c) {
  *c = (struct compare_run){.models = models, .max_work = 200000};
  enum agreement a = compare(p, c);
  struct str text = {0};
  program_print(p, &text);
  CHECK(a != DISAGREE, "%s: %s\n%s", name, str_text(&text),
        str_text(&c->report));
  str_done(&text);
  str_done(&c->report);
  return a == AGREE;
}

TEST(shapes) {
  for (unsigned i = 0; i < ROWS; i++) {
    struct program p;
    struct compare_run c;
    struct diag why;
    check(program_parse(rows[i].text, &p, &why));
    CHECK(agree(&p, comparable_models("armv8"), rows[i].name, &c), "%s",
          rows[i].name);
    CHECK((int)c.executions[ORACLE_ARM] == rows[i].arm, "%s: %d executions",
          rows[i].name, (int)c.executions[ORACLE_ARM]);
  }
}

// Turns compare-exchanges into such of one instruction, and some other updates
// and loads as well. False: there was nothing to turn.
static bool turn(struct program *p, uint64_t seed) {
  bool found = false;
  for (unsigned t = 1; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++) {
      struct action *a = &p->ops[t][i];
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      bool is_turned =
          a->kind == DO_EXCHANGE || (a->kind == DO_LOAD && seed >> 33 & 1);
      if (is_turned && a->order != ORD_NA) {
        a->kind = DO_CAS;
        a->order_fail = (uint8_t)order_of_read((enum order)a->order);
        a->expected = (struct operand){.reg = NO_REGISTER,
                                       .plus = (uint8_t)(seed >> 40 & 1)};
        if (!a->value.plus && a->value.reg == NO_REGISTER)
          a->value.plus = 2;
      }
      struct operand *all[] = {&a->value, &a->index, &a->expected};
      for (unsigned k = 0; k < 3; k++)
        if (all[k]->reg != NO_REGISTER && seed >> (44 + k) & 1) {
          all[k]->computation = COMPUTE_PICK;
          all[k]->plus = all[k]->plus ? all[k]->plus : 1;
        }
      a->is_pick = a->kind == DO_CAS;
      found |= a->is_pick;
    }
  return found;
}

TEST(random_programs) {
  uint64_t n = setting_many("HEDDLE_SEEDS", 300), compared = 0, all = 0;
  unsigned models = comparable_models("armv8") | comparable_models("lkmm") |
                    comparable_models("riscv");
  for (uint64_t seed = 0; seed < n; seed++) {
    struct program p;
    struct compare_run c;
    char name[32];
    program_random_dependent(seed, 7, &p);
    if (!turn(&p, seed))
      continue;
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    if (agree(&p, models, name, &c)) {
      compared++;
      all += c.executions[ORACLE_ARM];
    }
  }
  CHECK(compared > n / 3, "only %llu programs", (unsigned long long)compared);
  printf("# %llu programs, %llu executions\n", (unsigned long long)compared,
         (unsigned long long)all);
}
