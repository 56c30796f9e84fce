// SPDX-License-Identifier: MIT
// What the newest event breaks. The graph without it was whole, so only what
// leads through it, or through pairs that came with it, has to be looked at.
#include "cat/judge/judge.h"

#include <string.h>

// -- sums

void judge_add_up(struct judge *j) {
  const struct plan *p = j->plan;
  uint32_t e = j->n - 1;
  for (uint32_t t = 0; t < p->tests.len; t++) {
    const struct plan_test *test = &p->tests.at[t];
    uint64_t *col = judge_all_col(j, t, e), *row = judge_all_row(j, t, e);
    for (uint32_t i = 0; test->test == TEST_ACYCLIC && i < test->n; i++) {
      uint32_t leaf = p->leaves.at[test->first + i];
      bits_unite(j, col, judge_col(j, leaf, e));
      bits_unite(j, row, judge_row(j, leaf, e));
    }
    EACH_BIT(y, row, j->words) {
      bit_add(judge_all_col(j, t, y), e);
    }
  }
}

void judge_take_off(struct judge *j) {
  uint32_t e = j->n - 1;
  for (uint32_t t = 0; t < j->plan->tests.len; t++) {
    uint64_t *row = judge_all_row(j, t, e);
    EACH_BIT(y, row, j->words) {
      bit_clear(judge_all_col(j, t, y), e);
    }
    bits_clear(j, row);
    bits_clear(j, judge_all_col(j, t, e));
  }
}

static bool has_pair(const struct judge *j, const struct plan_test *t,
                     uint32_t x, uint32_t y) {
  for (uint32_t i = 0; i < t->n; i++)
    if (judge_has(j, j->plan->leaves.at[t->first + i], x, y))
      return true;
  return false;
}

void judge_take_off_pair(struct judge *j, uint32_t s, uint32_t x, uint32_t y) {
  for (uint64_t t = j->plan->tested.at[s]; t; t &= t - 1) {
    uint32_t test = (uint32_t)__builtin_ctzll(t);
    if (!has_pair(j, &j->plan->tests.at[test], x, y))
      bit_clear(judge_all_col(j, test, y), x);
  }
}

// -- cycles

// Is one of `goal` before one of `from` by a path over the test's relation?
static bool is_reached(const struct judge *j, uint32_t test,
                       const uint64_t *from, const uint64_t *goal) {
  uint64_t *seen = judge_scratch(j, 5), *left = judge_scratch(j, 6);
  memcpy(seen, from, j->words * sizeof *seen);
  memcpy(left, from, j->words * sizeof *left);
  if (bits_meet(j, seen, goal))
    return true;
  for (uint32_t w = 0; w < j->words;) {
    if (!left[w]) {
      w++;
      continue;
    }
    uint32_t x = w * 64 + (uint32_t)__builtin_ctzll(left[w]);
    left[w] &= left[w] - 1;
    const uint64_t *col = judge_all_col(j, test, x);
    for (uint32_t v = 0; v < j->words; v++) {
      uint64_t fresh = col[v] & ~seen[v];
      if (fresh & goal[v])
        return true;
      seen[v] |= fresh;
      left[v] |= fresh;
      if (fresh && v < w)
        w = v;
    }
  }
  return false;
}

static bool has_cycle(const struct judge *j, uint32_t test) {
  uint32_t e = j->n - 1;
  const uint64_t *col = judge_all_col(j, test, e);
  const uint64_t *row = judge_all_row(j, test, e);
  return bit_has(col, e) || (!bits_none(j, col) && !bits_none(j, row) &&
                             is_reached(j, test, col, row));
}

static bool leaf_breaks(const struct judge *j, enum test test, uint32_t leaf) {
  uint32_t e = j->n - 1;
  if (j->plan->steps.at[leaf].is_set)
    return judge_member(j, leaf, e);
  if (test == TEST_EMPTY)
    return !bits_none(j, judge_col(j, leaf, e)) ||
           !bits_none(j, judge_row(j, leaf, e));
  return j->plan->steps.at[leaf].demand != DEMAND_LOOPS &&
         bit_has(judge_col(j, leaf, e), e);
}

void judge_test(struct judge *j) {
  for (uint32_t i = 0; i < j->plan->tests.len && !j->is_broken; i++) {
    const struct plan_test *t = &j->plan->tests.at[i];
    if (t->test == TEST_ACYCLIC)
      j->is_broken = has_cycle(j, i);
    for (uint32_t k = 0; t->test != TEST_ACYCLIC && k < t->n; k++)
      j->is_broken |=
          leaf_breaks(j, (enum test)t->test, j->plan->leaves.at[t->first + k]);
  }
  uint64_t *from = judge_scratch(j, 3), *goal = judge_scratch(j, 4);
  for (uint32_t i = 0; i < j->edges.len && !j->is_broken; i++) {
    bits_clear(j, from);
    bits_clear(j, goal);
    bit_add(from, j->edges.at[i].x);
    bit_add(goal, j->edges.at[i].y);
    j->is_broken = is_reached(j, j->edges.at[i].step, from, goal);
  }
  j->edges.len = 0;
}
