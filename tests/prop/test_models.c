// SPDX-License-Identifier: MIT
// Random model files on small random programs: the search has the executions
// that the text allows, each once, whatever is proved of it. Environment:
//   HEDDLE_SEEDS=n        how many models (default 500)
//   HEDDLE_FIRST_SEED=n   the first of them (default 0)
#include "compare.h"
#include "model_random.h"
#include "setting.h"
#include "tap.h"

#include <string.h>

enum { PROGRAMS = 6 }; // of each model

static struct {
  unsigned models, refused, compared, too_large, executions;
} done;

static void draw_program(uint64_t seed, unsigned i, struct program *p) {
  uint64_t own = seed * PROGRAMS + i;
  if (i % 3 == 0)
    program_random_chains(own, 5, p);
  else if (i % 3 == 1)
    program_random_dependent(own, 6, p);
  else
    program_random(own, 6, p);
}

static bool disagrees(const struct program *p, struct str *report) {
  struct compare_run c = {
      .models = 1u << ORACLE_TEXT, .is_brief = true, .max_work = 4000};
  enum agreement found = compare(p, &c);
  done.too_large += found == TOO_LARGE;
  done.compared += found != TOO_LARGE;
  done.executions += (unsigned)c.executions[ORACLE_TEXT];
  str_done(report);
  *report = c.report;
  return found == DISAGREE;
}

static void shrink(struct program *p, struct str *report) {
  struct program less;
  for (unsigned i = 0; program_shrink(p, i, &less);) {
    struct str own = {0};
    bool is_less = memcmp(&less, p, sizeof less) != 0 && disagrees(&less, &own);
    i = is_less ? 0 : i + 1;
    if (is_less) {
      *p = less;
      str_done(report);
      *report = own;
    } else {
      str_done(&own);
    }
  }
}

static bool agrees_on(uint64_t seed, const char *text) {
  for (unsigned i = 0; i < PROGRAMS; i++) {
    struct str report = {0}, shown = {0};
    struct program p;
    draw_program(seed, i, &p);
    if (!disagrees(&p, &report)) {
      str_done(&report);
      continue;
    }
    shrink(&p, &report);
    program_print(&p, &shown);
    printf("# HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1 repeats it\n# %s\n%s"
           "# under\n%s",
           (unsigned long long)seed, str_text(&shown), str_text(&report), text);
    str_done(&report);
    str_done(&shown);
    return false;
  }
  return true;
}

static bool agrees(uint64_t seed) {
  struct str text = {0}, for_oracle = {0};
  struct diag why;
  model_random(seed, &text, &for_oracle);
  bool ok = true;
  done.models++;
  if (compare_use_text(str_text(&text), str_text(&for_oracle), &why))
    ok = agrees_on(seed, str_text(&text));
  else
    done.refused++;
  str_done(&text);
  str_done(&for_oracle);
  return ok;
}

// -- what small graphs did not refute once

// All pairs of two sets, for Heddle and for the oracle.
#define PAIRS(a, b) "((" a ") * (" b "))", "([" a "]; (int | ext); [" b "])"
#define TERM(t) t, t

static const struct row {
  const char *less, *for_oracle; // this does not order
  const char *program;
} incoherent[] = {
    {PAIRS("W & REL", "W & RLX"), "Wrel x 1; Wrlx x 2"},
    {PAIRS("R & ACQ", "R & RLX"), "Racq x; Rrlx x | Wrlx x 1"},
    {PAIRS("X", "W \\ X"), "FADDrlx x 1; Wrlx x 3 | Wrlx x 5"},
    {TERM("data"), "a=Rrlx x; Wrlx x a^a+1 | Wrlx x 2"},
    {TERM("(ctrl; [R])"), "a=Rrlx x; if(a==1){Rrlx x} | Wrlx x 1"},
    {TERM("(po; [F]; po)"), "Wrlx x 1; Fsc; Wrlx x 2"},
    {TERM("(po; [R]; po)"), "Wrlx x 1; Rrlx y; Wrlx x 2"},
    {TERM("(po; [W]; po)"), "Rrlx x; Wrlx y 1; Rrlx x | Wrlx x 1"},
    {TERM("rmw"), "FADDrlx x 1; FADDrlx x 1 | Wrlx x 5"},
};

struct rule {
  const char *before, *behind; // what does not order
};

// Compares under `rule` with less and with nothing taken away. How many
// executions are there only with less?
static uint64_t count_more(const struct rule *rule, const struct row *r,
                           const struct program *p) {
  uint64_t n[2];
  for (unsigned i = 0; i < 2; i++) {
    struct str text = {0}, for_oracle = {0};
    struct diag why;
    struct compare_run c = {.models = 1u << ORACLE_TEXT};
    str_add(&text, "%s%s%s", rule->before, i ? r->less : "0", rule->behind);
    str_add(&for_oracle, "%s%s%s", rule->before, i ? r->for_oracle : "0",
            rule->behind);
    CHECK(compare_use_text(str_text(&text), str_text(&for_oracle), &why), "%s",
          why.text);
    CHECK(compare_agrees(p, &c), "%s", str_text(&text));
    n[i] = c.executions[ORACLE_TEXT];
    str_done(&text);
    str_done(&for_oracle);
  }
  return n[1] - n[0];
}

static void compare_row(const struct rule *rule, const struct row *r,
                        bool may_be_equal) {
  struct program p;
  struct diag why;
  CHECK(program_parse(r->program, &p, &why), "%s", why.text);
  uint64_t more = count_more(rule, r, &p);
  CHECK(more || may_be_equal, "%s: nothing depends on it", r->less);
}

TEST(orders_of_one_location_that_are_left_out_are_not_kept) {
  static const struct rule rule = {"acyclic po | rf as porf\n"
                                   "acyclic ((po & loc) \\ ",
                                   ") | rf | co | fr as c\n"};
  for (unsigned i = 0; i < sizeof incoherent / sizeof *incoherent; i++)
    compare_row(&rule, &incoherent[i], strcmp(incoherent[i].less, "rmw") == 0);
}

// Load buffering through a part of po that is left out.
TEST(cycles_of_po_and_rf_that_are_not_forbidden_are_found) {
  static const struct row rows[] = {
      {PAIRS("X", "W \\ X"), "FADDrlx x 1; Wrlx y 1 | FADDrlx y 1; Wrlx x 1"},
      {PAIRS("R & ACQ", "W & RLX"), "Racq x; Wrlx y 1 | Racq y; Wrlx x 1"},
      {PAIRS("R & ACQ", "W & RLX"), "Racq x; Wrlx y 1 | Racq y; Wrel x 1"},
      {TERM("(po; [F]; po)"), "Rrlx x; Fsc; Wrlx y 1 | Rrlx y; Fsc; Wrlx x 1"},
      {TERM("(po; [R]; po)"), "Rrlx x; Rrlx z; Wrlx y 1 | Rrlx y; Rrlx z; "
                              "Wrlx x 1"},
  };
  static const struct rule rule = {"acyclic (([R]; po; [W]) \\ ",
                                   ") | rf as porf\n"
                                   "acyclic (po & loc) | rf | co | fr as c\n"};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    compare_row(&rule, &rows[i], i == 2);
}

// Cycles of one length are forbidden, others are not.
TEST(longer_cycles_of_po_and_rf_are_found) {
  static const char *const lb[] = {
      "Rrlx x; Wrlx y 1 | Rrlx y; Wrlx x 1",
      "Rrlx x; Wrlx y 1 | Rrlx y; Wrlx z 1 | Rrlx z; Wrlx x 1"};
  static const struct row step = {TERM("s"), NULL}, two = {TERM("s; s"), NULL};
  static const struct rule rule = {"let s = [R]; po; [W]; rf\nirreflexive ",
                                   " as s\n"
                                   "acyclic (po & loc) | rf | co | fr as c\n"};
  for (unsigned i = 0; i < 2; i++) {
    struct program p;
    struct diag why;
    CHECK(program_parse(lb[i], &p, &why), "%s", why.text);
    CHECK_EQ(count_more(&rule, &step, &p), 0, "%s", lb[i]);
    CHECK_EQ(count_more(&rule, &two, &p), (uint64_t)(i ? 0 : -1), "%s", lb[i]);
  }
}

TEST(random_models_have_the_executions_of_their_texts) {
  uint64_t first = setting_first(500);
  uint64_t n = setting_many("HEDDLE_SEEDS", 500);
  unsigned wrong = 0;
  for (uint64_t seed = first; seed < first + n && wrong < 5; seed++)
    wrong += !agrees(seed);
  printf("# %u models, %u refused; %u programs compared, %u too large, %u "
         "executions\n",
         done.models, done.refused, done.compared, done.too_large,
         done.executions);
  CHECK_EQ(wrong, 0, "see above");
}
