// SPDX-License-Identifier: MIT
// Most of a model is about events that a program does not have: fences, seq_cst
// accesses, updates. As long as no event is in some set, [set]; r is empty, and
// so is what is made of it; and what only such terms ask for need not be known.
#include "cat/judge/plan.h"

#include "base/bits.h"

#include <stdlib.h>

static bool is_recursive(const struct plan *p, uint32_t s) {
  return s >= p->rec_first && s < p->rec_end;
}

static bool is_empty(const struct plan *p, uint32_t s, uint64_t present,
                     const uint64_t *empty) {
  const struct plan_step *x = &p->steps.at[s];
  if (x->is_static)
    return !(present >> x->ordinal & 1);
  if (is_recursive(p, s))
    return false;
  switch ((enum node_kind)x->kind) {
  case NODE_EMPTY:
    return true;
  case NODE_UNION: {
    bool all = true;
    for (uint32_t i = 0; !x->is_set && all && i < x->b; i++)
      all = bit_has(empty, p->operands.at[x->a + i]);
    return all &&
           (!x->is_set || (bit_has(empty, x->a) && bit_has(empty, x->b)));
  }
  case NODE_INTERSECTION:
  case NODE_SEQUENCE:
  case NODE_PRODUCT:
    return bit_has(empty, x->a) || bit_has(empty, x->b);
  case NODE_DIFFERENCE:
  case NODE_INVERSE:
  case NODE_PLUS:
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return bit_has(empty, x->a);
  case NODE_BASE:
  case NODE_UNIVERSE:
  case NODE_OPTIONAL:
  case NODE_VARIABLE:
    return false;
  }
  return false;
}

// To ask for a step is to ask for what it is made of.
static void ask(const struct plan *p, uint32_t s, uint64_t *active) {
  const struct plan_step *x = &p->steps.at[s];
  enum node_kind k = (enum node_kind)x->kind;
  if (step_is_union(x)) {
    for (uint32_t i = 0; i < x->b; i++)
      bit_add(active, p->operands.at[x->a + i]);
    return;
  }
  if (node_is_unary(k) || node_is_binary(k) || k == NODE_VARIABLE)
    bit_add(active, x->a);
  if (node_is_binary(k))
    bit_add(active, x->b);
  if (x->demand == DEMAND_MASKED)
    bit_add(active, x->mask);
}

void plan_find_active(const struct plan *p, uint64_t present,
                      uint64_t *active) {
  uint64_t *empty = xcalloc(p->words, sizeof *empty);
  for (uint32_t s = 0; s < p->steps.len; s++)
    if (is_empty(p, s, present, empty))
      bit_add(empty, s);
  for (uint32_t w = 0; w < p->words; w++)
    active[w] = 0;
  for (uint32_t i = 0; i < p->leaves.len; i++)
    bit_add(active, p->leaves.at[i]);
  // A `let rec` is asked for as a whole.
  for (uint32_t s = p->rec_first; s < p->rec_end; s++)
    bit_add(active, s);
  for (uint32_t s = p->steps.len; s-- > 0;)
    if (bit_has(active, s) && !bit_has(empty, s))
      ask(p, s, active);
  for (uint32_t w = 0; w < p->words; w++)
    active[w] &= ~empty[w];
  free(empty);
}
