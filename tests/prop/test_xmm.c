// SPDX-License-Identifier: MIT
// XMM, the search against the reference (xmm.h): the same executions, nothing
// twice, on programs with known counts and on random ones.
//   HEDDLE_SEEDS=n   how many random programs of each kind (default 1000,
//                    so 5,000 in all)
//   HEDDLE_SEED=n    the first of them, and what differs is printed
//   HEDDLE_OPS=n     operations of a program (default 7)
#include "compare.h"
#include "setting.h"
#include "tap.h"
#include "xmm_random.h"
#include "xmm_rows.h"

#include <stdlib.h>
#include <string.h>

TEST(rows) {
  for (unsigned i = 0; i < XMM_ROWS; i++) {
    const struct xmm_row *row = &xmm_rows[i];
    struct program p;
    struct diag why;
    CHECK(program_parse(row->text, &p, &why), "%s: %s", row->name, why.text);
    struct compare_run c = {.models = comparable_models("xmm")};
    enum agreement a = compare(&p, &c);
    CHECK(a == AGREE, "%s\n%s", row->name, c.report.at);
    CHECK_EQ(c.executions[ORACLE_XMM], row->xmm, "%s", row->name);
    str_done(&c.report);
  }
}

// Does main only create the other threads, one after the other?
static bool only_creates(const struct program *p) {
  for (unsigned i = 0; i < p->len[0]; i++)
    if (p->ops[0][i].kind != DO_SPAWN || p->ops[0][i].thread != i + 1)
      return false;
  return p->len[0] == p->nthreads - 1u;
}

// The next of the orders of 1 to n, from the first one on, which is sorted.
static bool next_order(unsigned *at, unsigned n) {
  unsigned i = n - 1, j = n;
  while (i > 0 && at[i] >= at[i + 1])
    i--;
  if (i == 0)
    return false;
  while (at[j] <= at[i])
    j--;
  unsigned other = at[i];
  at[i] = at[j];
  at[j] = other;
  for (unsigned a = i + 1, b = n; a < b; a++, b--) {
    other = at[a];
    at[a] = at[b];
    at[b] = other;
  }
  return true;
}

// The numbers of executions do not depend on the order in which threads are
// created.
static unsigned check_orders(const struct xmm_row *row,
                             const struct program *p) {
  unsigned order[PROGRAM_THREADS], tried = 0;
  for (unsigned t = 0; t < PROGRAM_THREADS; t++)
    order[t] = t;
  while (next_order(order, p->nthreads - 1u)) {
    struct program other = *p;
    uint8_t now[PROGRAM_THREADS] = {0}; // what was which thread
    for (unsigned t = 1; t < p->nthreads; t++) {
      memcpy(other.ops[t], p->ops[order[t]], sizeof other.ops[t]);
      other.len[t] = p->len[order[t]];
      now[order[t]] = (uint8_t)t;
    }
    for (unsigned t = 1; t < p->nthreads; t++)
      for (unsigned i = 0; i < other.len[t]; i++)
        if (other.ops[t][i].kind == DO_JOIN)
          other.ops[t][i].thread = now[other.ops[t][i].thread];
    struct compare_run c = {.models = comparable_models("xmm")};
    CHECK(compare(&other, &c) == AGREE, "%s\n%s", row->name, c.report.at);
    CHECK_EQ(c.executions[ORACLE_XMM], row->xmm, "%s", row->name);
    str_done(&c.report);
    tried++;
  }
  return tried;
}

TEST(rows_in_every_order_of_creation) {
  unsigned tried = 0;
  for (unsigned i = 0; i < XMM_ROWS; i++) {
    struct program p;
    struct diag why;
    CHECK(program_parse(xmm_rows[i].text, &p, &why), "%s", why.text);
    if (only_creates(&p))
      tried += check_orders(&xmm_rows[i], &p);
  }
  CHECK(tried > 100, "only %u orders", tried);
}

// Makes a program on which they differ smaller, as long as they do.
static void shrink(struct program *p) {
  struct program smaller;
  for (unsigned i = 0; program_shrink(p, i, &smaller);) {
    struct compare_run c = {.models = comparable_models("xmm"),
                            .max_work = 20000};
    bool differs = memcmp(&smaller, p, sizeof *p) != 0 &&
                   compare(&smaller, &c) == DISAGREE;
    str_done(&c.report);
    i = differs ? 0 : i + 1;
    if (differs)
      *p = smaller;
  }
}

static void explain(struct program *p) {
  struct str text = {0};
  shrink(p);
  program_print(p, &text);
  struct compare_run c = {.models = comparable_models("xmm")};
  compare(p, &c);
  printf("# %s\n%s", text.at, c.report.at ? c.report.at : "");
  str_done(&c.report);
  str_done(&text);
}

static void compare_random(void (*draw)(uint64_t seed, unsigned max_ops,
                                        struct program *ret)) {
  uint64_t first = setting("HEDDLE_SEED", 0);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1000);
  unsigned ops = (unsigned)setting("HEDDLE_OPS", 7);
  unsigned compared = 0, weaker = 0;
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    draw(seed, ops, &p);
    struct compare_run c = {.models =
                                comparable_models("xmm") | 1u << ORACLE_RC11,
                            .max_work = 20000};
    enum agreement a = compare(&p, &c);
    str_done(&c.report);
    compared += a == AGREE;
    weaker += c.executions[ORACLE_XMM] > c.executions[ORACLE_RC11];
    if (a == DISAGREE)
      explain(&p);
    CHECK(a != DISAGREE, "seed %u", (unsigned)seed);
  }
  printf("# %u programs, %u of them weaker than under rc11\n", compared,
         weaker);
  CHECK(compared > n / 2, "only %u programs were compared", compared);
}

// With dependencies, real ones and such for show.
TEST(random_programs_with_dependencies) {
  compare_random(program_random_dependent);
}

// With everything else: updates, fences, locks, joins, seq_cst.
TEST(random_programs) {
  compare_random(program_random);
}

// Dense in what XMM is about.
TEST(random_programs_that_buffer_loads) {
  compare_random(program_random_buffering);
}

// What updates leave, and what they synchronise, makes most guesses vain.
TEST(random_programs_with_a_counter) {
  compare_random(program_random_counter);
}

// What a thread reads of itself says which values others could read.
TEST(random_programs_that_look_back) {
  compare_random(program_random_sums);
}

TEST(random_programs_of_two_parts) {
  compare_random(program_random_pairs);
}
