// SPDX-License-Identifier: MIT
// What the newest event breaks. The graph without it was whole, so only what
// leads through it, or through pairs that came with it, has to be looked at.
#include "cat/judge.h"

#include <string.h>

// Is one of `goal` before one of `from` by a path over the test's relation?
static bool is_reached(const struct judge *j, const struct plan_test *t,
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
    for (uint32_t i = 0; i < t->n; i++) {
      const uint64_t *col = judge_col(j, j->plan->leaves.at[t->first + i], x);
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
  }
  return false;
}

static bool has_cycle(struct judge *j, const struct plan_test *t) {
  uint64_t *col = judge_scratch(j, 3), *row = judge_scratch(j, 4);
  uint32_t e = j->n - 1;
  bits_clear(j, col);
  bits_clear(j, row);
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t leaf = j->plan->leaves.at[t->first + i];
    bits_unite(j, col, judge_col(j, leaf, e));
    bits_unite(j, row, judge_row(j, leaf, e));
  }
  return bit_has(col, e) || (!bits_none(j, col) && !bits_none(j, row) &&
                             is_reached(j, t, col, row));
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
      j->is_broken = has_cycle(j, t);
    for (uint32_t k = 0; t->test != TEST_ACYCLIC && k < t->n; k++)
      j->is_broken |=
          leaf_breaks(j, (enum test)t->test, j->plan->leaves.at[t->first + k]);
  }
  uint64_t *from = judge_scratch(j, 3), *goal = judge_scratch(j, 4);
  for (uint32_t i = 0; i < j->edges.len && !j->is_broken; i++) {
    bits_clear(j, from);
    bits_clear(j, goal);
    bit_set(from, j->edges.at[i].x);
    bit_set(goal, j->edges.at[i].y);
    j->is_broken =
        is_reached(j, &j->plan->tests.at[j->edges.at[i].step], from, goal);
  }
  j->edges.len = 0;
}
