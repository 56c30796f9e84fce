// SPDX-License-Identifier: MIT
// A row of r;s is the union of the rows of s at what the row of r has, that of
// a closure is found by walking. An intersection makes the row of its cheapest
// part, and asks the others: pair by pair if few are left. A `let rec` that is
// an automaton (facts/recursion.c) is walked. The variables of another one
// begin with nothing; their rows are found from the last event to the first,
// since most of what they follow leads on in its thread, until none of them
// grows.
#include "cat/judge/rows.h"

#include "base/patience.h"
#include "cat/eval/sets.h"

#include <stdlib.h>
#include <string.h>

// For each i in a set of bits; the body is in braces and has no break.
#define EACH_BIT(i, bits, words)                                               \
  for (uint32_t i##_word = 0; i##_word < (words); i##_word++)                  \
    for (uint64_t i##_rest = (bits)[i##_word]; i##_rest;                       \
         i##_rest &= i##_rest - 1)                                             \
      for (uint32_t i = i##_word * 64 + (uint32_t)__builtin_ctzll(i##_rest),   \
                    i##_once = 1;                                              \
           i##_once; i##_once = 0)

// -- memory

static void *take(struct rows *r, size_t size) {
  enum { BLOCK = 1 << 14 };
  size = (size + 7) & ~(size_t)7;
  if (r->left < size) {
    r->left = size > BLOCK ? size : BLOCK;
    r->room = xmalloc(r->left);
    array_push(&r->blocks, r->room);
  }
  void *found = r->room;
  r->room += size;
  r->left -= size;
  return memset(found, 0, size);
}

static uint64_t *new_row(struct rows *r) {
  return take(r, r->words * sizeof(uint64_t));
}

static void unite(const struct rows *r, uint64_t *to, const uint64_t *from) {
  for (uint32_t w = 0; w < r->words; w++)
    to[w] |= from[w];
}

static bool any(const struct rows *r, const uint64_t *row) {
  for (uint32_t w = 0; w < r->words; w++)
    if (row[w])
      return true;
  return false;
}

static const struct node *get(const struct rows *r, node_id a) {
  return node_at(r->nodes, a);
}

// -- sets

// Does it have shared terms that would be asked again and again? Then what it
// has is made once, and kept.
static bool is_large(const struct rows *r, node_id a) {
  enum { MOST_TERMS = 500 };
  return r->plan->nodes[a].terms > MOST_TERMS;
}

static const uint64_t *members_of(struct rows *r, node_id set);

bool rows_is_in(struct rows *r, node_id set, uint32_t x) {
  const struct node *v = get(r, set);
  if (v->is_static)
    return r->classes[set] >> r->part->class_of[x] & 1;
  if (r->members[set] || is_large(r, set))
    return bit_has(members_of(r, set), x);
  switch ((enum node_kind)v->kind) {
  case NODE_UNION:
    return rows_is_in(r, v->a, x) || rows_is_in(r, v->b, x);
  case NODE_INTERSECTION:
    return rows_is_in(r, v->a, x) && rows_is_in(r, v->b, x);
  case NODE_DIFFERENCE:
    return rows_is_in(r, v->a, x) && !rows_is_in(r, v->b, x);
  case NODE_DOMAIN:
    return any(r, rows_row(r, v->a, x, false));
  case NODE_RANGE:
    return any(r, rows_row(r, v->a, x, true));
  default:
    return false;
  }
}

static const uint64_t *members_of(struct rows *r, node_id set) {
  if (r->members[set])
    return r->members[set];
  const struct node *v = get(r, set);
  enum node_kind k = (enum node_kind)v->kind;
  uint64_t *row = new_row(r);
  if (v->is_static || !node_is_binary(k)) {
    for (uint32_t x = 0; x < r->n; x++)
      if (rows_is_in(r, set, x))
        bit_add(row, x);
  } else {
    const uint64_t *a = members_of(r, v->a), *b = members_of(r, v->b);
    for (uint32_t w = 0; w < r->words; w++)
      row[w] = k == NODE_UNION          ? a[w] | b[w]
               : k == NODE_INTERSECTION ? a[w] & b[w]
                                        : a[w] & ~b[w];
  }
  return r->members[set] = row;
}

// -- what is empty

static bool is_empty(const struct rows *r, node_id x) {
  const struct node *v = get(r, x);
  const uint8_t *e = r->is_empty;
  if (v->is_static)
    return !r->classes[x];
  switch ((enum node_kind)v->kind) {
  case NODE_EMPTY:
    return true;
  case NODE_UNION:
    return e[v->a] && e[v->b];
  case NODE_INTERSECTION:
  case NODE_SEQUENCE:
  case NODE_PRODUCT:
    return e[v->a] || e[v->b];
  case NODE_DIFFERENCE:
  case NODE_INVERSE:
  case NODE_PLUS:
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return e[v->a];
  case NODE_VARIABLE: {
    const struct node_group *g = &r->nodes->groups.at[v->a];
    return v->b < g->bodies.len && e[g->bodies.at[v->b]];
  }
  case NODE_BASE:
    return (v->a == CAT_born || v->a == CAT_freed) && !r->part->has_lives;
  case NODE_UNIVERSE:
  case NODE_OPTIONAL:
    return false;
  }
  return false;
}

// Variables have nothing as long as what they are has nothing.
static void find_empty(struct rows *r) {
  cat_find_classes(r->nodes, r->plan->n, r->part->class_sets, r->part->nclasses,
                   r->classes);
  memset(r->is_empty, 1, r->plan->n);
  for (bool changed = true; changed;) {
    changed = false;
    for (node_id x = 0; x < r->plan->n; x++)
      if (r->is_empty[x] && !is_empty(r, x)) {
        r->is_empty[x] = false;
        changed |= r->nodes->groups.len > 0;
      }
  }
}

// -- rows

static void keep_members(struct rows *r, uint64_t *row, const uint64_t *from,
                         node_id set) {
  const uint64_t *in = members_of(r, set);
  for (uint32_t w = 0; w < r->words; w++)
    row[w] = from[w] & in[w];
}

// What comes after all of `from`, by the second part of a sequence. If that is
// transitive, what was reached already leads to nothing new.
static void follow(struct rows *r, node_id to, const uint64_t *from,
                   bool is_back, uint64_t *row) {
  const struct node *v = get(r, to);
  const uint64_t *in = NULL;
  node_id rest = to;
  if (v->kind == NODE_SEQUENCE) {
    node_id near = is_back ? v->b : v->a, far = is_back ? v->a : v->b;
    if (get(r, near)->kind == NODE_IDENTITY) {
      in = members_of(r, get(r, near)->a);
      rest = far;
    }
  }
  bool is_transitive = r->plan->nodes[rest].is_transitive;
  for (uint32_t w = 0; w < r->words; w++) {
    uint64_t left = from[w] & (in ? in[w] : ~UINT64_C(0));
    for (; left; left &= left - 1) {
      uint32_t y = w * 64 + (uint32_t)__builtin_ctzll(left);
      if (!is_transitive || !bit_has(row, y))
        unite(r, row, rows_row(r, rest, y, is_back));
    }
  }
}

static bool has_many(const struct rows *r, const uint64_t *row) {
  enum { MANY = 3 };
  unsigned n = 0;
  for (uint32_t w = 0; w < r->words && n < MANY; w++)
    for (uint64_t left = row[w]; left && n < MANY; left &= left - 1)
      n++;
  return n == MANY;
}

// Takes off what a does not have, or what it has, pair by pair or as a row.
static void sift(struct rows *r, node_id a, uint32_t x, bool is_back,
                 bool is_wanted, uint64_t *row) {
  if (has_many(r, row)) {
    const uint64_t *other = rows_row(r, a, x, is_back);
    for (uint32_t w = 0; w < r->words; w++)
      row[w] &= is_wanted ? other[w] : ~other[w];
    return;
  }
  EACH_BIT(y, row, r->words) {
    if (rows_has(r, a, is_back ? y : x, is_back ? x : y) != is_wanted)
      bit_clear(row, y);
  }
}

// `in`: only these matter; NULL: all.
static const uint64_t *intersection(struct rows *r, node_id a, uint32_t x,
                                    bool is_back, const uint64_t *in) {
  const struct rows_node *n = &r->plan->nodes[a];
  const node_id *f = r->plan->factors.at + n->first;
  const uint64_t *from = rows_row(r, f[0], x, is_back);
  uint64_t *row = new_row(r);
  for (uint32_t w = 0; w < r->words; w++)
    row[w] = from[w] & (in ? in[w] : ~UINT64_C(0));
  for (uint32_t i = 1; i < n->positive + n->negative; i++)
    sift(r, f[i], x, is_back, i < n->positive, row);
  return row;
}

static const uint64_t *sequence(struct rows *r, const struct node *v,
                                uint32_t x, bool is_back) {
  node_id first = is_back ? v->b : v->a, then = is_back ? v->a : v->b;
  const struct node *f = get(r, first), *t = get(r, then);
  if (f->kind == NODE_IDENTITY)
    return rows_is_in(r, f->a, x) ? rows_row(r, then, x, is_back) : r->nothing;
  if (t->kind == NODE_IDENTITY && r->plan->nodes[first].positive)
    return intersection(r, first, x, is_back, members_of(r, t->a));
  const uint64_t *from = rows_row(r, first, x, is_back);
  if (!any(r, from))
    return r->nothing;
  uint64_t *row = new_row(r);
  if (t->kind == NODE_IDENTITY)
    keep_members(r, row, from, t->a);
  else
    follow(r, then, from, is_back, row);
  return row;
}

static const uint64_t *closure(struct rows *r, node_id a, uint32_t x,
                               bool is_back) {
  node_id of = get(r, a)->a;
  uint64_t *row = new_row(r), *left = new_row(r);
  memcpy(row, rows_row(r, of, x, is_back), r->words * sizeof *row);
  memcpy(left, row, r->words * sizeof *row);
  for (uint32_t w = 0; w < r->words;) {
    if (!left[w]) {
      w++;
      continue;
    }
    uint32_t y = w * 64 + (uint32_t)__builtin_ctzll(left[w]);
    left[w] &= left[w] - 1;
    uint64_t **known = r->at[is_back][a];
    const uint64_t *more =
        known && known[y] ? known[y] : rows_row(r, of, y, is_back);
    uint32_t least = w;
    for (uint32_t v = 0; v < r->words; v++) {
      uint64_t fresh = more[v] & ~row[v];
      row[v] |= fresh;
      left[v] |= fresh;
      if (fresh && v < least)
        least = v;
    }
    w = least;
  }
  return row;
}

// Events that are still to be looked at, and those that were found, by node of
// an automaton.
struct walked {
  uint64_t *left[2], *seen[2];
};

static void arrive(const struct rows *r, struct walked *w, unsigned node,
                   const uint64_t *row) {
  for (uint32_t i = 0; i < r->words; i++) {
    uint64_t fresh = row[i] & ~w->seen[node][i];
    w->seen[node][i] |= fresh;
    w->left[node][i] |= fresh;
  }
}

// An event at which the walk is at the node; `x` gets it.
static bool next_left(const struct rows *r, struct walked *w, unsigned node,
                      uint32_t *x) {
  for (uint32_t i = 0; i < r->words; i++)
    if (w->left[node][i]) {
      *x = i * 64 + (uint32_t)__builtin_ctzll(w->left[node][i]);
      w->left[node][i] &= w->left[node][i] - 1;
      return true;
    }
  return false;
}

// Where terms lead from the node where the variable begins to the one where it
// ends; node 0 leads to node 1. Backwards it is the same the other way round.
static const uint64_t *automaton(struct rows *r, const struct recursion *rec,
                                 uint32_t variable, uint32_t x, bool is_back) {
  unsigned begin = rec->nodes[variable] & 1u;
  unsigned end = rec->nodes[variable] >> 1;
  struct walked w;
  struct {
    uint8_t from, to;
    node_id term;
  } steps[RECURSION_RULES];
  uint32_t nsteps = 0;
  uint64_t *row = new_row(r);
  for (uint32_t i = 0; i < rec->nrules; i++) {
    const struct recursion_rule *rule = &rec->rules[i];
    unsigned nodes = rec->nodes[rule->x];
    if (rule->y != NO_NODE || r->is_empty[rule->term])
      continue;
    steps[nsteps].from = nodes & 1u;
    steps[nsteps].to = (uint8_t)(nodes >> 1);
    steps[nsteps++].term = rule->term;
  }
  for (unsigned u = 0; u < 2; u++) {
    w.left[u] = new_row(r);
    w.seen[u] = new_row(r);
  }
  bit_add(w.left[is_back ? end : begin], x);
  bit_add(w.seen[is_back ? end : begin], x);
  for (unsigned u = 0; u < 2;) {
    uint32_t y;
    if (!next_left(r, &w, u, &y)) {
      u++;
      continue;
    }
    for (uint32_t i = 0; i < nsteps; i++) {
      unsigned from = steps[i].from, to = steps[i].to;
      if (is_back ? u < to : from < u)
        continue;
      const uint64_t *more = rows_row(r, steps[i].term, y, is_back);
      if (more == r->nothing)
        continue;
      arrive(r, &w, is_back ? from : to, more);
      if (is_back ? begin <= from : to <= end)
        unite(r, row, more);
    }
    u = any(r, w.left[0]) ? 0 : 1;
  }
  return row;
}

static void solve(struct rows *r, uint32_t group);

static const uint64_t *variable(struct rows *r, node_id a, uint32_t x,
                                bool is_back) {
  const struct node *v = get(r, a);
  if (r->plan->recursions[v->a])
    return automaton(r, r->plan->recursions[v->a], v->b, x, is_back);
  if (!r->is_solved[v->a])
    solve(r, v->a);
  if (!is_back)
    return r->at[false][a][x];
  uint64_t *row = new_row(r);
  for (uint32_t y = 0; y < r->n; y++)
    if (bit_has(r->at[false][a][y], x))
      bit_add(row, y);
  return row;
}

static const uint64_t *compute(struct rows *r, node_id a, uint32_t x,
                               bool is_back) {
  const struct node *v = get(r, a);
  uint64_t *row;
  switch ((enum node_kind)v->kind) {
  case NODE_SEQUENCE:
    return sequence(r, v, x, is_back);
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return intersection(r, a, x, is_back, NULL);
  case NODE_PLUS:
    return closure(r, a, x, is_back);
  case NODE_INVERSE:
    return rows_row(r, v->a, x, !is_back);
  case NODE_VARIABLE:
    return variable(r, a, x, is_back);
  case NODE_PRODUCT:
    return rows_is_in(r, is_back ? v->b : v->a, x)
               ? members_of(r, is_back ? v->a : v->b)
               : r->nothing;
  case NODE_UNION: {
    if (r->is_empty[v->a] || r->is_empty[v->b])
      return rows_row(r, r->is_empty[v->a] ? v->b : v->a, x, is_back);
    const uint64_t *one = rows_row(r, v->a, x, is_back);
    const uint64_t *other = rows_row(r, v->b, x, is_back);
    if (one == r->nothing || other == r->nothing)
      return one == r->nothing ? other : one;
    row = new_row(r);
    for (uint32_t w = 0; w < r->words; w++)
      row[w] = one[w] | other[w];
    return row;
  }
  default:
    break;
  }
  row = new_row(r);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    part_add_row(r->part, (enum cat_base)v->a, x, is_back, row);
    break;
  case NODE_UNIVERSE:
    for (uint32_t y = 0; y < r->n; y++)
      bit_add(row, y);
    break;
  case NODE_OPTIONAL:
    unite(r, row, rows_row(r, v->a, x, is_back));
    bit_add(row, x);
    break;
  case NODE_IDENTITY:
    if (rows_is_in(r, v->a, x))
      bit_add(row, x);
    break;
  default:
    fatal_internal(__FILE__, __LINE__, "not a relation");
  }
  return row;
}

const uint64_t *rows_make_row(struct rows *r, node_id a, uint32_t x,
                              bool is_back) {
  if (r->is_empty[a])
    return r->nothing;
  patience_ask();
  const uint64_t *row = compute(r, a, x, is_back);
  if (!r->at[is_back][a])
    r->at[is_back][a] = take(r, r->n * sizeof **r->at[is_back]);
  return r->at[is_back][a][x] = (uint64_t *)row;
}

// -- pairs

static bool has_all(struct rows *r, node_id a, uint32_t x, uint32_t y) {
  const struct rows_node *n = &r->plan->nodes[a];
  const node_id *f = r->plan->factors.at + n->first;
  for (uint32_t i = 0; i < n->positive + n->negative; i++)
    if (rows_has(r, f[i], x, y) != (i < n->positive))
      return false;
  return true;
}

static bool sequence_has(struct rows *r, node_id a, uint32_t x, uint32_t y) {
  const struct node *v = get(r, a);
  const struct node *f = get(r, v->a), *t = get(r, v->b);
  if (f->kind == NODE_IDENTITY)
    return rows_is_in(r, f->a, x) && rows_has(r, v->b, x, y);
  if (t->kind == NODE_IDENTITY)
    return rows_is_in(r, t->a, y) && rows_has(r, v->a, x, y);
  return bit_has(rows_row(r, a, x, false), y);
}

bool rows_has(struct rows *r, node_id a, uint32_t x, uint32_t y) {
  const struct node *v = get(r, a);
  if (r->is_empty[a])
    return false;
  if ((r->at[false][a] && r->at[false][a][x]) || is_large(r, a))
    return bit_has(rows_row(r, a, x, false), y);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return part_has(r->part, (enum cat_base)v->a, x, y);
  case NODE_UNIVERSE:
    return true;
  case NODE_EMPTY:
    return false;
  case NODE_UNION:
    return rows_has(r, v->a, x, y) || rows_has(r, v->b, x, y);
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return has_all(r, a, x, y);
  case NODE_INVERSE:
    return rows_has(r, v->a, y, x);
  case NODE_OPTIONAL:
    return x == y || rows_has(r, v->a, x, y);
  case NODE_IDENTITY:
    return x == y && rows_is_in(r, v->a, x);
  case NODE_PRODUCT:
    return rows_is_in(r, v->a, x) && rows_is_in(r, v->b, y);
  case NODE_SEQUENCE:
    return sequence_has(r, a, x, y);
  case NODE_PLUS:
  case NODE_VARIABLE:
  case NODE_DOMAIN:
  case NODE_RANGE:
    break;
  }
  return bit_has(rows_row(r, a, x, false), y);
}

// -- `let rec`

// What was made of the group's variables must be made anew (x: at event x).
static void forget(struct rows *r, uint32_t group, uint32_t x) {
  for (node_id a = 0; a < r->plan->n; a++) {
    const struct node *v = get(r, a);
    bool is_variable = v->kind == NODE_VARIABLE; // its rows stay, no columns
    if (!(v->groups >> group & 1))
      continue;
    r->members[a] = NULL;
    if (x == NO_NUMBER) {
      r->at[true][a] = NULL;
      if (!is_variable)
        r->at[false][a] = NULL;
    } else if (r->at[false][a] && !is_variable) {
      r->at[false][a][x] = NULL;
    }
  }
}

static bool solve_at(struct rows *r, const struct node_group *g, uint32_t x) {
  bool changed = false;
  for (uint32_t i = 0; i < g->bodies.len; i++) {
    uint64_t *row = r->at[false][g->variables.at[i]][x];
    const uint64_t *now = rows_row(r, g->bodies.at[i], x, false);
    changed |= memcmp(row, now, r->words * sizeof *row) != 0;
    memcpy(row, now, r->words * sizeof *row);
  }
  return changed;
}

static void solve(struct rows *r, uint32_t group) {
  const struct node_group *g = &r->nodes->groups.at[group];
  r->is_solved[group] = true;
  for (uint32_t i = 0; i < g->variables.len; i++) {
    uint64_t **at = take(r, r->n * sizeof *at);
    for (uint32_t x = 0; x < r->n; x++)
      at[x] = new_row(r);
    r->at[false][g->variables.at[i]] = at;
  }
  for (bool changed = true; changed;) {
    changed = false;
    forget(r, group, NO_NUMBER);
    for (uint32_t x = r->n; x-- > 0;)
      while (solve_at(r, g, x)) {
        forget(r, group, x);
        changed = true;
      }
  }
}

// -- tests

// Walks from each event; `on` are those on the way, `done` those that lead to
// no cycle.
static bool is_acyclic(struct rows *r, node_id a) {
  uint64_t *on = new_row(r), *done = new_row(r);
  struct step {
    uint32_t x;
    const uint64_t *row;
  };
  ARRAY(struct step) way = {0};
  bool ok = true;
  for (uint32_t x = 0; ok && x < r->n; x++) {
    if (bit_has(done, x))
      continue;
    array_push(&way, (struct step){x, rows_row(r, a, x, false)});
    bit_add(on, x);
    while (ok && way.len) {
      struct step s = *array_last(&way);
      uint32_t w = 0;
      while (w < r->words && !(s.row[w] & ~done[w]))
        w++;
      if (w == r->words) {
        bit_clear(on, s.x);
        bit_add(done, s.x);
        way.len--;
        continue;
      }
      uint32_t y = w * 64 + (uint32_t)__builtin_ctzll(s.row[w] & ~done[w]);
      ok = !bit_has(on, y);
      bit_add(on, y);
      array_push(&way, (struct step){y, rows_row(r, a, y, false)});
    }
  }
  array_done(&way);
  return ok;
}

static bool leads_to_itself(struct rows *r, node_id a, uint32_t x) {
  const struct node *v = get(r, a);
  if (r->is_empty[a])
    return false;
  if (v->kind == NODE_UNION && !is_large(r, a))
    return leads_to_itself(r, v->a, x) || leads_to_itself(r, v->b, x);
  if (v->kind != NODE_SEQUENCE)
    return rows_has(r, a, x, x);
  const uint64_t *from = rows_row(r, v->a, x, false);
  bool found = false;
  EACH_BIT(y, from, r->words) {
    found = found || rows_has(r, v->b, y, x);
  }
  return found;
}

static node_id tested(const struct rows *r, const struct cat_axiom *a) {
  node_id node = a->node;
  while (a->test == TEST_ACYCLIC && get(r, node)->kind == NODE_PLUS)
    node = get(r, node)->a;
  return node;
}

bool rows_hold(struct rows *r, const struct cat_axiom *a) {
  node_id node = tested(r, a);
  bool holds = true, is_set = node_type(r->nodes, node) == TYPE_SET;
  if (r->is_empty[node])
    return !a->is_negated;
  if (a->test == TEST_ACYCLIC && !is_set)
    return is_acyclic(r, node) != a->is_negated;
  for (uint32_t x = 0; holds && x < r->n; x++)
    holds = is_set                  ? !rows_is_in(r, node, x)
            : a->test == TEST_EMPTY ? !any(r, rows_row(r, node, x, false))
                                    : !leads_to_itself(r, node, x);
  return holds != a->is_negated;
}

// -- the whole

void rows_init(struct rows *r, const struct rows_plan *plan,
               struct part *part) {
  *r = (struct rows){.plan = plan,
                     .nodes = &plan->cat->nodes,
                     .part = part,
                     .n = part->n,
                     .words = part->words};
  r->classes = take(r, plan->n * sizeof *r->classes);
  r->members = take(r, plan->n * sizeof *r->members);
  r->is_empty = take(r, plan->n);
  r->at[0] = take(r, plan->n * sizeof *r->at[0]);
  r->at[1] = take(r, plan->n * sizeof *r->at[1]);
  r->is_solved = take(r, r->nodes->groups.len + 1);
  r->nothing = new_row(r);
  find_empty(r);
}

uint64_t rows_find_idle(const struct rows_plan *plan, const cat_sets *classes,
                        uint32_t n, bool has_lives) {
  struct part none = {.nclasses = n, .has_lives = has_lives};
  struct rows r;
  uint64_t idle = 0;
  memcpy(none.class_sets, classes, n * sizeof *classes);
  rows_init(&r, plan, &none);
  for (uint32_t i = 0; i < plan->cat->axioms.len && i < 64; i++)
    idle |= (uint64_t)r.is_empty[tested(&r, &plan->cat->axioms.at[i])] << i;
  rows_done(&r);
  return idle;
}

void rows_done(struct rows *r) {
  for (uint32_t i = 0; i < r->blocks.len; i++)
    free(r->blocks.at[i]);
  array_done(&r->blocks);
}
