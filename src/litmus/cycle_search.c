// SPDX-License-Identifier: MIT
// All cycles of a size. The edges have numbers, and of the ways to begin a
// cycle the one with the least sequence of numbers counts, so that each is
// found once. Some neighbours say nothing that one edge would not: two
// communications of which the second is no rf (co; co, rf; fr are co), a
// barrier beside anything in its thread, for it orders what is farther away as
// well, and two steps of program order with an access without a mark between
// them.
#include "litmus/cycle.h"

struct searching {
  const struct cycle_search *s;
  uint32_t number[MOST_EDGES];
  struct cycle_edges e;
  bool goes_on;
};

static const struct cycle_edge *edge_at(const struct searching *x, unsigned i) {
  return &x->s->edges->at[x->number[i]].edge;
}

static bool is_communication(const struct cycle_edge *e) {
  return e->kind != CYCLE_LINK;
}

// Would one edge do?
static bool is_redundant(const struct cycle_edge *a,
                         const struct cycle_edge *b) {
  if (is_communication(a) && is_communication(b))
    return b->kind != CYCLE_RF;
  if (is_communication(a) || is_communication(b))
    return false;
  if (a->link == LINK_FENCE || b->link == LINK_FENCE)
    return true;
  return a->link == LINK_PO && b->link == LINK_PO &&
         (a->to == ANY_ORDER || a->to == ORD_RLX);
}

static bool can_follow(const struct cycle_edge *a, const struct cycle_edge *b) {
  return a->to_write == b->from_write && !is_redundant(a, b) &&
         (a->to == ANY_ORDER || b->from == ANY_ORDER || a->to == b->from);
}

// Is this the least way to begin the cycle?
static bool is_least(const struct searching *x) {
  unsigned n = x->e.len;
  for (unsigned r = 1; r < n; r++)
    for (unsigned i = 0; i < n; i++) {
      uint32_t here = x->number[i], there = x->number[(r + i) % n];
      if (there < here)
        return false;
      if (there > here)
        break;
    }
  return true;
}

static void finish(struct searching *x) {
  struct cycle c;
  struct diag unused;
  unsigned n = x->e.len;
  if (!can_follow(edge_at(x, n - 1), edge_at(x, 0)) || !is_least(x))
    return;
  for (unsigned i = 0; i < n; i++)
    x->e.at[i] = *edge_at(x, i);
  if (cycle_of_edges(x->s->dialect, &x->e, &c, &unused))
    x->goes_on = x->s->found(x->s->arg, &x->e, &c);
}

static void extend(struct searching *x) {
  unsigned i = x->e.len;
  if (i == x->s->size) {
    finish(x);
    return;
  }
  // None is smaller than the first.
  for (uint32_t k = i ? x->number[0] : 0; x->goes_on && k < x->s->edges->len;
       k++) {
    x->number[i] = k;
    if (i && !can_follow(edge_at(x, i - 1), edge_at(x, i)))
      continue;
    x->e.len++;
    extend(x);
    x->e.len--;
  }
}

bool cycle_search(const struct cycle_search *s) {
  struct searching x = {.s = s, .goes_on = true};
  if (s->size >= 2 && s->size <= MOST_EDGES)
    extend(&x);
  return x.goes_on;
}
