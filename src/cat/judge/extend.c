// SPDX-License-Identifier: MIT
// When event e is added, each relation gets a column (who leads to e) and a row
// (where e leads to), computed from those of its operands in the order of the
// plan. For most that is all: a new event at the end of its thread leads
// nowhere, so no two older ones become related through it. If they do (x leads
// to e by r, and e to y by s, so x leads to y by r;s), the pair is put into the
// relation and followed wherever the relation is used (pairs.c). Only one
// thing cannot be followed: that a pair is taken away (\) which was there
// before. Then the graph is judged from scratch.
//
// Most graphs have at most 64 events, so that a row is one word. The functions
// here are inlined and get the number of words as a constant then.
#include "base/patience.h"
#include "cat/eval/sets.h"
#include "cat/judge/judge.h"

#include <string.h>

#define HOT static inline __attribute__((always_inline))

HOT uint64_t *col_at(const struct judge *j, uint32_t s, uint32_t e,
                     uint32_t words) {
  return j->col + ((size_t)s * j->cap + e) * words;
}

HOT uint64_t *row_at(const struct judge *j, uint32_t s, uint32_t e,
                     uint32_t words) {
  return j->row + ((size_t)s * j->cap + e) * words;
}

HOT uint64_t *set_at_step(const struct judge *j, uint32_t s, uint32_t words) {
  return j->set + (size_t)s * words;
}

HOT bool any(const uint64_t *bits, uint32_t words) {
  uint64_t all = 0;
  for (uint32_t w = 0; w < words; w++)
    all |= bits[w];
  return all;
}

HOT bool meet(const uint64_t *a, const uint64_t *b, uint32_t words) {
  uint64_t all = 0;
  for (uint32_t w = 0; w < words; w++)
    all |= a[w] & b[w];
  return all;
}

HOT void unite(uint64_t *to, const uint64_t *from, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    to[w] |= from[w];
}

// The n-th row of plan.wakes.
HOT void wake(const struct plan *p, uint32_t n, uint64_t *todo) {
  const uint64_t *users = p->wakes.at + (size_t)n * p->words;
  for (uint32_t w = 0; w < p->words; w++)
    todo[w] |= users[w];
}

// -- recursion

static bool is_in_recursion(const struct plan *p, uint32_t s) {
  return s >= p->rec_first && s < p->rec_end;
}

// In a `let rec`, steps come to their operands again.
static void wake_recursion(struct judge *j, uint32_t s) {
  const struct plan *p = j->plan;
  for (uint32_t u = p->first_use.at[s]; u < p->first_use.at[s + 1]; u++)
    if (is_in_recursion(p, p->uses.at[u].user))
      bit_add(j->todo, p->uses.at[u].user);
}

// -- sets

// Which of the plan's static sets has an event with these base sets?
static uint64_t find_class(const struct plan *p, uint64_t sets) {
  uint64_t in = 0;
  for (uint32_t i = 0; i < p->statics.len; i++) {
    const struct plan_step *s = &p->steps.at[p->statics.at[i]];
    bool a = node_is_binary((enum node_kind)s->kind) &&
             (in >> p->steps.at[s->a].ordinal & 1);
    bool b = node_is_binary((enum node_kind)s->kind) &&
             (in >> p->steps.at[s->b].ordinal & 1);
    bool is_in = s->kind == NODE_BASE           ? cat_is_in(sets, s->a)
                 : s->kind == NODE_UNIVERSE     ? true
                 : s->kind == NODE_UNION        ? a || b
                 : s->kind == NODE_INTERSECTION ? a && b
                 : s->kind == NODE_DIFFERENCE   ? a && !b
                                                : false;
    in |= (uint64_t)is_in << i;
  }
  return in;
}

uint64_t judge_class_of(struct judge *j, uint64_t sets) {
  uint64_t key = sets * UINT64_C(0x9e3779b97f4a7c15) >> 58;
  struct judge_class *c = &j->classes[key];
  if (c->sets != sets || !sets)
    *c = (struct judge_class){sets, find_class(j->plan, sets)};
  return c->in;
}

// What was in the slot before may have been in the same sets.
HOT void extend_static_sets(struct judge *j, uint32_t words) {
  const struct plan *p = j->plan;
  uint32_t e = j->n - 1;
  uint64_t in = judge_class_of(j, j->slots[e].sets), bit = UINT64_C(1)
                                                           << e % 64;
  for (uint64_t other = in ^ j->class_at[e]; other; other &= other - 1) {
    uint32_t s = p->statics.at[__builtin_ctzll(other)];
    set_at_step(j, s, words)[e / 64] ^= bit;
  }
  j->class_at[e] = in;
  for (; in; in &= in - 1)
    wake(p, 2 * p->statics.at[__builtin_ctzll(in)], j->todo);
}

static bool set_has_newest(struct judge *j, const struct plan_step *s) {
  uint32_t e = j->n - 1;
  switch ((enum node_kind)s->kind) {
  case NODE_BASE:
    return cat_is_in(j->slots[e].sets, s->a);
  case NODE_UNIVERSE:
    return true;
  case NODE_UNION:
    return judge_member(j, s->a, e) || judge_member(j, s->b, e);
  case NODE_INTERSECTION:
    return judge_member(j, s->a, e) && judge_member(j, s->b, e);
  case NODE_DIFFERENCE:
    return judge_member(j, s->a, e) && !judge_member(j, s->b, e);
  case NODE_DOMAIN:
    return !bits_none(j, judge_row(j, s->a, e));
  case NODE_RANGE:
    return !bits_none(j, judge_col(j, s->a, e));
  case NODE_VARIABLE:
    return judge_member(j, s->a, e);
  default:
    return false;
  }
}

// A set that depends on relations.
static void extend_set(struct judge *j, uint32_t s) {
  const struct plan_step *step = &j->plan->steps.at[s];
  uint32_t e = j->n - 1;
  if (set_has_newest(j, step) && !judge_member(j, s, e)) {
    wake(j->plan, 2 * s, j->todo);
    if (is_in_recursion(j->plan, s))
      wake_recursion(j, s);
    bit_add(judge_set(j, s), e);
    bit_add(j->dirty + (size_t)e * j->dirty_words, s);
  }
  if (step->kind == NODE_DOMAIN || step->kind == NODE_RANGE) {
    const uint64_t *old = step->kind == NODE_DOMAIN ? judge_col(j, step->a, e)
                                                    : judge_row(j, step->a, e);
    EACH_BIT(x, old, j->words) {
      judge_insert(j, s, x, x);
    }
  }
}

// -- relations

// Adds to `to` all that leads to one of `at` by step s. If the step is
// transitive, what leads to those that are in `to` already is there too.
HOT void unite_columns(const struct judge *j, uint32_t s, const uint64_t *at,
                       uint32_t words, uint64_t *to) {
  bool is_transitive = j->plan->steps.at[s].is_transitive;
  const uint64_t *led = j->led + (size_t)s * words;
  for (uint32_t w = words; w-- > 0;) {
    uint64_t left = at[w] & led[w] & ~(is_transitive ? to[w] : 0);
    while (left) {
      uint32_t top = 63 - (uint32_t)__builtin_clzll(left);
      unite(to, col_at(j, s, w * 64 + top, words), words);
      left &= ~(UINT64_C(1) << top);
      left &= ~(is_transitive ? to[w] : 0);
    }
  }
}

// Adds to `to` all that one of `at` leads to by step s.
HOT void unite_rows(const struct judge *j, uint32_t s, const uint64_t *at,
                    uint32_t words, uint64_t *to) {
  if (j->plan->steps.at[s].keeps_rows) {
    EACH_BIT(y, at, words) {
      unite(to, row_at(j, s, y, words), words);
    }
    return;
  }
  EACH_BIT(z, j->led + (size_t)s * words, words) {
    if (meet(col_at(j, s, z, words), at, words))
      bit_add(to, z);
  }
}

HOT void extend_sequence(struct judge *j, uint32_t s, uint32_t words,
                         uint64_t *col, uint64_t *row) {
  const struct plan_step *step = &j->plan->steps.at[s];
  const struct plan_step *a = &j->plan->steps.at[step->a];
  const struct plan_step *b = &j->plan->steps.at[step->b];
  uint32_t e = j->n - 1;
  const uint64_t *into_a = col_at(j, step->a, e, words);
  const uint64_t *into_b = col_at(j, step->b, e, words);
  const uint64_t *from_a = row_at(j, step->a, e, words);
  const uint64_t *from_b = row_at(j, step->b, e, words);
  if (step->demand == DEMAND_LOOPS) {
    j->is_broken |= meet(from_a, into_b, words) || meet(into_a, from_b, words);
    return;
  }
  if (a->kind == NODE_IDENTITY) {
    const uint64_t *set = set_at_step(j, a->a, words);
    for (uint32_t w = 0; w < words; w++)
      col[w] = into_b[w] & set[w];
    if (bit_has(set, e))
      unite(row, from_b, words);
    return;
  }
  if (b->kind == NODE_IDENTITY) {
    const uint64_t *set = set_at_step(j, b->a, words);
    if (bit_has(set, e))
      unite(col, into_a, words);
    for (uint32_t w = 0; w < words; w++)
      row[w] = from_a[w] & set[w];
    return;
  }
  unite_columns(j, step->a, into_b, words, col);
  if (any(from_a, words))
    unite_rows(j, step->b, from_a, words, row);
  if (any(from_b, words) && any(into_a, words))
    judge_insert_all(j, s, into_a, from_b);
}

// Adds to `col` all that leads to one of `into`, newest first: what leads to it
// leads to most of the others too.
HOT void unite_closure(const struct judge *j, uint32_t s, const uint64_t *into,
                       uint32_t words, uint64_t *col) {
  uint32_t e = j->n - 1;
  for (uint32_t w = words; w-- > 0;) {
    uint64_t left = into[w];
    if (w == e / 64)
      left &= ~(UINT64_C(1) << e % 64);
    while (left) {
      uint32_t top = 63 - (uint32_t)__builtin_clzll(left);
      unite(col, col_at(j, s, w * 64 + top, words), words);
      left &= ~(UINT64_C(1) << top) & ~col[w];
    }
  }
  unite(col, into, words);
}

HOT void extend_closure(struct judge *j, uint32_t s, uint32_t words,
                        uint64_t *col, uint64_t *row) {
  const struct plan_step *step = &j->plan->steps.at[s];
  uint32_t e = j->n - 1;
  const uint64_t *from = row_at(j, step->a, e, words);
  unite_closure(j, s, col_at(j, step->a, e, words), words, col);
  if (!any(from, words))
    return;
  unite(row, from, words);
  EACH_BIT(y, from, words) {
    if (y != e)
      judge_unite_row(j, s, y, row);
  }
  if (meet(col, row, words)) {
    bit_add(col, e);
    bit_add(row, e);
  }
  judge_insert_all(j, s, col, row);
}

// (Static sets may have members from before that are gone.)
HOT void extend_product(const struct judge *j, const struct plan_step *step,
                        uint32_t words, uint64_t *col, uint64_t *row) {
  uint32_t e = j->n - 1;
  const uint64_t *a = set_at_step(j, step->a, words);
  const uint64_t *b = set_at_step(j, step->b, words);
  bool in_a = bit_has(a, e), in_b = bit_has(b, e);
  for (uint32_t w = 0; w <= e / 64; w++) {
    uint64_t there = w < e / 64 ? ~UINT64_C(0) : ~UINT64_C(0) >> (63 - e % 64);
    col[w] = in_b ? a[w] & there : 0;
    row[w] = in_a ? b[w] & there : 0;
  }
}

HOT void extend_union(const struct judge *j, const struct plan_step *step,
                      uint32_t words, uint64_t *col, uint64_t *row) {
  const uint32_t *operand = j->plan->operands.at + step->a;
  for (uint32_t i = 0; i < step->b; i++) {
    unite(col, col_at(j, operand[i], j->n - 1, words), words);
    unite(row, row_at(j, operand[i], j->n - 1, words), words);
  }
}

// What an operand has at the newest event.
HOT void find_operand(const struct judge *j, uint32_t s, uint32_t words,
                      const uint64_t **col, const uint64_t **row) {
  const struct plan_step *step = &j->plan->steps.at[s];
  if (step->is_near) {
    *col = *row = judge_near(j, (enum cat_base)step->a);
    return;
  }
  *col = col_at(j, s, j->n - 1, words);
  *row = row_at(j, s, j->n - 1, words);
}

// The column and the row of step s at the newest event.
HOT void compute(struct judge *j, const struct graph *g,
                 const struct model_options *options, uint32_t s,
                 uint32_t words, uint64_t *col, uint64_t *row) {
  const struct plan_step *step = &j->plan->steps.at[s];
  uint32_t e = j->n - 1;
  enum node_kind k = (enum node_kind)step->kind;
  const uint64_t *ca = NULL, *ra = NULL, *cb = NULL, *rb = NULL;
  if (step_is_union(step)) {
    extend_union(j, step, words, col, row);
    return;
  }
  if (k > NODE_UNIVERSE)
    find_operand(j, step->a, words, &ca, &ra);
  if (node_is_binary(k))
    find_operand(j, step->b, words, &cb, &rb);
  switch (k) {
  case NODE_BASE:
    judge_base(j, g, options, s, col, row);
    if (step->a == CAT_po && any(row, words))
      judge_insert_all(j, s, col, row);
    return;
  case NODE_EMPTY:
    return;
  case NODE_UNIVERSE:
    for (uint32_t i = 0; i <= e; i++) {
      bit_add(col, i);
      bit_add(row, i);
    }
    return;
  case NODE_INTERSECTION:
    for (uint32_t w = 0; w < words; w++) {
      col[w] = ca[w] & cb[w];
      row[w] = ra[w] & rb[w];
    }
    return;
  case NODE_DIFFERENCE:
    for (uint32_t w = 0; w < words; w++) {
      col[w] = ca[w] & ~cb[w];
      row[w] = ra[w] & ~rb[w];
    }
    return;
  case NODE_SEQUENCE:
    extend_sequence(j, s, words, col, row);
    return;
  case NODE_PRODUCT:
    extend_product(j, step, words, col, row);
    return;
  case NODE_INVERSE:
    unite(col, ra, words);
    unite(row, ca, words);
    return;
  case NODE_VARIABLE:
  case NODE_OPTIONAL:
    unite(col, ca, words);
    unite(row, ra, words);
    if (k == NODE_VARIABLE)
      return;
    bit_add(col, e);
    bit_add(row, e);
    return;
  case NODE_PLUS:
    extend_closure(j, s, words, col, row);
    return;
  case NODE_IDENTITY:
    if (bit_has(set_at_step(j, step->a, words), e)) {
      bit_add(col, e);
      bit_add(row, e);
    }
    return;
  case NODE_UNION:
  case NODE_DOMAIN:
  case NODE_RANGE:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "not a relation");
}

// Does the step have at the newest event what it had there before?
HOT bool is_same(const struct judge *j, uint32_t s, uint32_t words,
                 const uint64_t *col, const uint64_t *row) {
  const uint64_t *old_col = col_at(j, s, j->n - 1, words);
  const uint64_t *old_row = row_at(j, s, j->n - 1, words);
  uint64_t other = 0;
  for (uint32_t w = 0; w < words; w++)
    other |= (col[w] ^ old_col[w]) | (row[w] ^ old_row[w]);
  return !other;
}

// Keeps them, and wakes whom that concerns. There was nothing before, but for
// steps of a `let rec`.
HOT void store(struct judge *j, uint32_t s, uint32_t words, const uint64_t *col,
               const uint64_t *row) {
  const struct plan_step *step = &j->plan->steps.at[s];
  uint32_t e = j->n - 1;
  bool has_col = any(col, words), has_row = any(row, words);
  if (!has_col && !has_row)
    return;
  if (is_in_recursion(j->plan, s)) {
    if (is_same(j, s, words, col, row))
      return;
    wake_recursion(j, s);
  }
  uint64_t *led = j->led + (size_t)s * words;
  if (has_col) {
    wake(j->plan, 2 * s, j->todo);
    bit_add(led, e);
  }
  if (has_row)
    wake(j->plan, 2 * s + 1, j->todo);
  bit_add(j->dirty + (size_t)e * j->dirty_words, s);
  for (uint32_t w = 0; w < words; w++) {
    col_at(j, s, e, words)[w] = col[w];
    row_at(j, s, e, words)[w] = row[w];
  }
  if (!step->is_virtual && has_row) {
    EACH_BIT(y, row, words) {
      bit_add(col_at(j, s, y, words), e);
    }
    unite(led, row, words);
  }
  if (step->keeps_rows) {
    EACH_BIT(x, col, words) {
      bit_add(row_at(j, s, x, words), e);
    }
  }
}

HOT void extend(struct judge *j, const struct graph *g,
                const struct model_options *options, uint32_t s,
                uint32_t words) {
  if (j->plan->steps.at[s].is_set) {
    if (!j->plan->steps.at[s].is_static)
      extend_set(j, s);
    return;
  }
  uint64_t few[4] = {0, 0, 0, 0};
  uint64_t *col = words <= 2 ? few : judge_scratch(j, 3);
  uint64_t *row = words <= 2 ? few + 2 : judge_scratch(j, 4);
  if (words > 2) {
    memset(col, 0, words * sizeof *col);
    memset(row, 0, words * sizeof *row);
  }
  compute(j, g, options, s, words, col, row);
  store(j, s, words, col, row);
}

// Is it a sequence whose first part leads nowhere?
HOT bool is_idle(const struct judge *j, uint32_t s, uint32_t words) {
  const struct plan_step *step = &j->plan->steps.at[s];
  if (step->kind != NODE_SEQUENCE)
    return false;
  const struct plan_step *a = &j->plan->steps.at[step->a];
  return a->kind == NODE_IDENTITY
             ? !any(set_at_step(j, a->a, words), words)
             : !any(j->led + (size_t)step->a * words, words);
}

// Whatever is not awake has nothing at this event: there everything is empty
// before an event is added. The steps of a `let rec` wake each other until they
// have no more than before.
HOT void extend_all(struct judge *j, const struct graph *g,
                    const struct model_options *options, uint32_t words) {
  const struct plan *p = j->plan;
  uint64_t *todo = j->todo;
  memset(todo, 0, p->words * sizeof *todo);
  memset(j->dirty + (size_t)(j->n - 1) * j->dirty_words, 0,
         j->dirty_words * sizeof *j->dirty);
  extend_static_sets(j, words);
  judge_find_near(j);
  for (uint32_t i = 0; i < p->bases.len; i++)
    if (bit_has(j->active, p->bases.at[i]) &&
        judge_base_may_have(j, p->bases.at[i]))
      bit_add(todo, p->bases.at[i]);
  wake(p, 2 * p->steps.len, todo);
  for (uint32_t w = 0; w < p->words;) {
    todo[w] &= j->active[w];
    if (!todo[w]) {
      w++;
      continue;
    }
    uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(todo[w]);
    todo[w] &= todo[w] - 1;
    if (!is_idle(j, s, words))
      extend(j, g, options, s, words);
    if (is_in_recursion(p, s))
      w = p->rec_first / 64;
  }
}

static void extend_words(struct judge *j, const struct graph *g,
                         const struct model_options *options) {
  extend_all(j, g, options, j->words);
}

static void extend_two(struct judge *j, const struct graph *g,
                       const struct model_options *options) {
  extend_all(j, g, options, 2);
}

static void extend_word(struct judge *j, const struct graph *g,
                        const struct model_options *options) {
  extend_all(j, g, options, 1);
}

void judge_extend(struct judge *j, const struct graph *g,
                  const struct model_options *options, bool is_quiet) {
  patience_ask();
  if (j->words == 1)
    extend_word(j, g, options);
  else if (j->words == 2)
    extend_two(j, g, options);
  else
    extend_words(j, g, options);
  if (j->queue.len)
    judge_follow(j);
  judge_add_up(j);
  if (!is_quiet || j->edges.len)
    judge_test(j);
}
