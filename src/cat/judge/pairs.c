// SPDX-License-Identifier: MIT
// Pairs of older events that become related because of a new one. They are rare
// while the search adds events at the ends of threads, so this may take its
// time; see extend.c for the rest.
#include "base/patience.h"
#include "cat/judge/judge.h"

#include <string.h>

static void break_tests(struct judge *j, uint32_t s, uint32_t x, uint32_t y) {
  for (uint64_t t = j->plan->tested.at[s]; t; t &= t - 1) {
    switch ((enum test)j->plan->tests.at[__builtin_ctzll(t)].test) {
    case TEST_EMPTY:
      j->is_broken = true;
      break;
    case TEST_IRREFLEXIVE:
      j->is_broken |= x == y;
      break;
    case TEST_ACYCLIC:
      bit_add(judge_all_col(j, (uint32_t)__builtin_ctzll(t), y), x);
      array_push(&j->edges,
                 (struct judge_pair){(uint32_t)__builtin_ctzll(t), x, y});
      break;
    }
  }
}

void judge_insert(struct judge *j, uint32_t s, uint32_t x, uint32_t y) {
  if (judge_has(j, s, x, y))
    return;
  const struct plan_step *step = &j->plan->steps.at[s];
  struct judge_pair pair = {s, x, y};
  uint32_t e = j->n - 1;
  if (step->is_set) {
    bit_add(judge_set(j, s), x);
  } else {
    bit_add(judge_col(j, s, y), x);
    bit_add(judge_led(j, s), y);
    if (step->keeps_rows || y < x)
      bit_add(judge_row(j, s, x), y);
  }
  if (x == e || y == e)
    bit_add(j->dirty + (size_t)e * j->dirty_words, s);
  else
    array_push(&j->log, pair);
  array_push(&j->queue, pair);
  break_tests(j, s, x, y);
}

void judge_insert_all(struct judge *j, uint32_t s, const uint64_t *from,
                      const uint64_t *to) {
  const struct plan_step *step = &j->plan->steps.at[s];
  uint32_t e = j->n - 1;
  bool is_masked = step->demand == DEMAND_MASKED;
  EACH_BIT(y, to, j->words) {
    patience_ask();
    const uint64_t *known = judge_col(j, s, y);
    for (uint32_t w = 0; y != e && w < j->words; w++) {
      uint64_t fresh = from[w] & ~known[w];
      for (; fresh; fresh &= fresh - 1) {
        uint32_t x = w * 64 + (uint32_t)__builtin_ctzll(fresh);
        if (x != e && (!is_masked || judge_has(j, step->mask, x, y)))
          judge_insert(j, s, x, y);
      }
    }
  }
}

// x leads to y by operand a (or b) of sequence s.
static void follow_sequence(struct judge *j, uint32_t s, bool is_right,
                            uint32_t x, uint32_t y) {
  const struct plan_step *step = &j->plan->steps.at[s];
  if (step->demand == DEMAND_LOOPS) {
    j->is_broken |= judge_has(j, is_right ? step->a : step->b, y, x);
    return;
  }
  uint64_t *others = judge_scratch(j, 0);
  bits_clear(j, others);
  if (is_right)
    bits_unite(j, others, judge_col(j, step->a, x));
  else
    judge_unite_row(j, step->b, y, others);
  EACH_BIT(i, others, j->words) {
    uint32_t from = is_right ? i : x, to = is_right ? y : i;
    if (step->demand != DEMAND_MASKED || judge_has(j, step->mask, from, to))
      judge_insert(j, s, from, to);
  }
}

// x leads to y by what s is the closure of.
static void follow_closure(struct judge *j, uint32_t s, uint32_t x,
                           uint32_t y) {
  uint64_t *from = judge_scratch(j, 1), *to = judge_scratch(j, 2);
  memcpy(from, judge_col(j, s, x), j->words * sizeof *from);
  bit_add(from, x);
  bits_clear(j, to);
  judge_unite_row(j, s, y, to);
  bit_add(to, y);
  EACH_BIT(i, to, j->words) {
    EACH_BIT(k, from, j->words) {
      judge_insert(j, s, k, i);
    }
  }
}

static void follow_product(struct judge *j, uint32_t s, bool is_right,
                           uint32_t x) {
  const struct plan_step *step = &j->plan->steps.at[s];
  EACH_BIT(i, judge_set(j, is_right ? step->a : step->b), j->words) {
    if (i < j->n)
      judge_insert(j, s, is_right ? i : x, is_right ? x : i);
  }
}

static void follow(struct judge *j, const struct judge_pair p,
                   const struct plan_use u) {
  const struct plan_step *step = &j->plan->steps.at[u.user];
  uint32_t other = u.is_right ? step->a : step->b;
  switch ((enum node_kind)step->kind) {
  case NODE_UNION:
  case NODE_OPTIONAL:
  case NODE_IDENTITY:
  case NODE_VARIABLE:
    judge_insert(j, u.user, p.x, p.y);
    return;
  case NODE_INTERSECTION:
    if (judge_has(j, other, p.x, p.y))
      judge_insert(j, u.user, p.x, p.y);
    return;
  case NODE_DIFFERENCE:
    if (u.is_right)
      j->needs_scratch |= judge_has(j, u.user, p.x, p.y);
    else if (!judge_has(j, step->b, p.x, p.y))
      judge_insert(j, u.user, p.x, p.y);
    return;
  case NODE_SEQUENCE:
    follow_sequence(j, u.user, u.is_right, p.x, p.y);
    return;
  case NODE_PRODUCT:
    follow_product(j, u.user, u.is_right, p.x);
    return;
  case NODE_INVERSE:
    judge_insert(j, u.user, p.y, p.x);
    return;
  case NODE_PLUS:
    follow_closure(j, u.user, p.x, p.y);
    return;
  case NODE_DOMAIN:
    judge_insert(j, u.user, p.x, p.x);
    return;
  case NODE_RANGE:
    judge_insert(j, u.user, p.y, p.y);
    return;
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
    return;
  }
}

void judge_follow(struct judge *j) {
  const struct plan *p = j->plan;
  for (uint32_t i = 0; i < j->queue.len; i++) {
    struct judge_pair pair = j->queue.at[i];
    for (uint32_t u = p->first_use.at[pair.step];
         u < p->first_use.at[pair.step + 1]; u++)
      if (bit_has(j->active, p->uses.at[u].user))
        follow(j, pair, p->uses.at[u]);
  }
  j->queue.len = 0;
}
