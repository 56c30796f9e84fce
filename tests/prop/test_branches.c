// SPDX-License-Identifier: MIT
// Load buffering where what is read decides which events there are: a branch
// whose sides differ, a compare-exchange, an address. In models in which that
// does not order what comes later (the Linux kernel; texts without ctrl) events
// appear and vanish with the value. Known shapes, and random programs made of
// threads that each read what the one before them writes last, against the
// oracle.
//   HEDDLE_SEEDS=n        how many programs (default 300)
//   HEDDLE_FIRST_SEED=n   the first of them
#include "compare.h"
#include "rng.h"
#include "setting.h"
#include "tap.h"

static const unsigned models = ORACLE_KERNEL | 1u << ORACLE_BRANCHLESS;

static bool agree(const char *text, struct compare_run *c) {
  struct program p;
  struct diag why;
  if (!program_parse(text, &p, &why))
    fatal_internal(text, 0, why.text);
  *c = (struct compare_run){.models = models, .max_work = 400000};
  enum agreement a = compare(&p, c);
  CHECK(a != DISAGREE, "%s\n%s", text, str_text(&c->report));
  str_done(&c->report);
  return a == AGREE;
}

// -- shapes

struct row {
  const char *name;
  int kernel, branchless; // executions in which what is assumed holds
  const char *text;
};

static const struct row rows[] = {
    {"a write appears", 1, 1,
     "a=Rrlx x; if(a==1){Wrlx w 1}; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"a write vanishes", 1, 1,
     "a=Rrlx x; if(a==0){Wrlx w 1}; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"the write itself is guarded", 0, 1,
     "a=Rrlx x; if(a==1){Wrlx y 1}; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"from one branch to the other", 1, 1,
     "a=Rrlx x; if(a==1){Wrlx w 1} else {Wrlx z 1}; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; if(b==1){c=Rrlx w} else {d=Rrlx z}; Wrlx x 1; assume(b==1);"
     "assume(c==1)"},
    {"out of thin air, forwarded", 1, 1,
     "a=Rrlx x; if(a==1){Wrlx z 1}; c=Rrlx z; Wrlx y c; assume(a==1) |"
     "b=Rrlx y; Wrlx x b"},
    {"no value comes from itself", 0, 0,
     "a=Rrlx x; Wrlx y a; assume(a==1) | b=Rrlx y; Wrlx x b |"
     "c=Rrlx z; if(c==1){Wrlx x 1}"},
    {"another address", 1, 1,
     "a=Rrlx x; Wrlx z/w[a] 1; Wrlx y 1; assume(a==1) |"
     "b=Rrlx y; Wrlx x b; assume(b==1)"},
    {"plain accesses", 1, 1,
     "a=Rrlx x; if(a==1){Wna y 1}; assume(a==1) |"
     "b=Rna y; if(b==1){Wrlx x 1}; assume(b==1)"},
};

TEST(shapes) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct compare_run c;
    CHECK(agree(rows[i].text, &c), "%s", rows[i].name);
    CHECK_EQ((int)c.executions[ORACLE_LKMM], rows[i].kernel, "%s",
             rows[i].name);
    CHECK_EQ((int)c.executions[ORACLE_BRANCHLESS], rows[i].branchless, "%s",
             rows[i].name);
  }
}

// -- random programs

enum { LOCATIONS = 4 };
static const char names[] = "xyzw"; // LOCATIONS of them

static char location(struct rng *r) {
  return names[below(r, LOCATIONS)];
}

static const char *pick(struct rng *r, const char *const *of, unsigned n) {
  return of[below(r, n)];
}

static const char *order_of_load(struct rng *r) {
  static const char *const orders[] = {"rlx", "rlx", "rlx", "na", "acq"};
  return pick(r, orders, 5);
}

static const char *order_of_store(struct rng *r) {
  static const char *const orders[] = {"rlx", "rlx", "rlx", "na", "rel"};
  return pick(r, orders, 5);
}

// What a branch, or nothing, guards. `a` is a register that was read.
static void add_step(struct rng *r, char a, char b, struct str *out) {
  switch (below(r, 5)) {
  case 0:
    str_add(out, "%c=R%s %c", b, order_of_load(r), location(r));
    break;
  case 1:
    str_add(out, "%c=CAS(%c,%u,2)rlx/rlx", b, location(r), below(r, 2));
    break;
  case 2:
    str_add(out, "%c=FADDrlx %c 1", b, location(r));
    break;
  case 3:
    str_add(out, "W%s %c %c", order_of_store(r), location(r), a);
    break;
  default:
    str_add(out, "W%s %c 1", order_of_store(r), location(r));
  }
}

static void add_middle(struct rng *r, char a, struct str *out) {
  static const char *const conditions[] = {"==1", "==0", "!=0", "<2"};
  if (chance(r, 20)) {
    str_add(out, "W%s %c/%c[%c] 1; ", order_of_store(r), location(r),
            location(r), a);
    return;
  }
  str_add(out, "if(%c%s){", a, pick(r, conditions, 4));
  add_step(r, a, (char)(a + 1), out);
  str_add(out, "}");
  if (chance(r, 60)) {
    str_add(out, " else {");
    add_step(r, a, (char)(a + 2), out);
    str_add(out, "}");
  }
  str_add(out, "; ");
}

// Each thread reads what the one before it writes last.
static void draw(struct rng *r, struct str *out) {
  static const char *const values[] = {"1", "1", "%c", "%c^%c+1", "%c+1"};
  unsigned n = chance(r, 70) ? 2 : 3;
  for (unsigned t = 0; t < n; t++) {
    char a = (char)('a' + 4 * t);
    str_add(out, "%s%c=R%s %c; ", t ? " | " : "", a, order_of_load(r),
            names[t]);
    if (t == 0 || chance(r, 50))
      add_middle(r, a, out);
    if (chance(r, 10))
      str_add(out, "Fsc; ");
    if (chance(r, 30)) {
      a += 3;
      str_add(out, "%c=R%s %c; ", a, order_of_load(r), location(r));
    }
    str_add(out, "W%s %c ", order_of_store(r), names[(t + 1) % n]);
    const char *value = pick(r, values, 5);
    for (; *value; value++)
      if (*value == '%')
        str_add(out, "%c", a), value++;
      else
        str_add(out, "%c", *value);
  }
}

TEST(random_programs) {
  uint64_t n = setting_many("HEDDLE_SEEDS", 300), compared = 0, all = 0;
  uint64_t first = setting_first(300);
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct rng r = {seed * 104729 + 3};
    struct str text = {0};
    struct compare_run c;
    draw(&r, &text);
    if (agree(str_text(&text), &c)) {
      compared++;
      all += c.executions[ORACLE_LKMM];
    } else {
      printf("# HEDDLE_FIRST_SEED=%llu\n", (unsigned long long)seed);
    }
    str_done(&text);
  }
  CHECK(compared > n / 2, "only %llu programs", (unsigned long long)compared);
  printf("# %llu programs, %llu executions\n", (unsigned long long)compared,
         (unsigned long long)all);
}
