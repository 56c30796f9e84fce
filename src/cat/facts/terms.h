// SPDX-License-Identifier: MIT
// Terms to ask the prover about: paths of base relations between sets of
// events.
#pragma once

#include "cat/eval/sets.h"
#include "cat/facts/prove.h"

static inline node_id relation(struct nodes *n, enum cat_base b) {
  return node_make(n, NODE_BASE, TYPE_RELATION, b, NO_NODE);
}

static inline node_id make(struct nodes *n, enum node_kind k, node_id a,
                           node_id b) {
  return node_make(n, k, TYPE_RELATION, a, b);
}

static inline node_id set(struct nodes *n, enum cat_base b) {
  return node_make(n, NODE_BASE, TYPE_SET, b, NO_NODE);
}

// [S]
static inline node_id events(struct nodes *n, node_id s) {
  return make(n, NODE_IDENTITY, s, NO_NODE);
}

// [kind & one of the orders]
static inline node_id ordered(struct nodes *n, node_id kind,
                              const enum cat_base *orders, unsigned norders) {
  node_id any = set(n, orders[0]);
  for (unsigned i = 1; i < norders; i++)
    any = node_make(n, NODE_UNION, TYPE_SET, any, set(n, orders[i]));
  return events(n, node_make(n, NODE_INTERSECTION, TYPE_SET, kind, any));
}
#define ORDERED(n, kind, ...)                                                  \
  ordered(n, kind, (const enum cat_base[]){__VA_ARGS__},                       \
          sizeof((const enum cat_base[]){__VA_ARGS__}) /                       \
              sizeof(enum cat_base))

// The first of them, then the next, up to NO_NODE.
static inline node_id path_of(struct nodes *n, const node_id *steps,
                              unsigned nsteps) {
  node_id all = steps[nsteps - 1];
  for (unsigned i = nsteps - 1; i-- > 0;)
    all = make(n, NODE_SEQUENCE, steps[i], all);
  return all;
}
#define PATH(n, ...)                                                           \
  path_of(n, (const node_id[]){__VA_ARGS__},                                   \
          sizeof((const node_id[]){__VA_ARGS__}) / sizeof(node_id))

static inline node_id reads_of_registers(struct nodes *n) {
  return node_make(n, NODE_DIFFERENCE, TYPE_SET, set(n, CAT_R),
                   set(n, CAT_NORETURN));
}

static inline bool is_plain_check(const struct cat_axiom *x) {
  return x->mode == MODE_CHECK && !x->is_negated && x->test != TEST_EMPTY;
}

// Does the axiom forbid that an event leads to itself by `path`?
static inline bool forbids(struct nodes *n, const struct cat_axiom *x,
                           node_id path) {
  if (!is_plain_check(x))
    return false;
  node_id whole = x->node;
  if (x->test == TEST_ACYCLIC)
    whole = make(n, NODE_PLUS, whole, NO_NODE);
  return cat_proves(n, path, whole);
}

static inline node_id external(struct nodes *n, enum cat_base b) {
  return make(n, NODE_INTERSECTION, relation(n, b), relation(n, CAT_ext));
}

// Of events in `sets` which no litmus test has by name: the sets of fences that
// they are in, too, as far as the text speaks of them.
static inline node_id made_of(struct nodes *n, const struct cat *c,
                              node_id some, cat_sets sets) {
  for (unsigned k = 0; k < FENCE_COUNT; k++)
    if (c->uses_fence[k] && cat_is_fence(sets, (enum fence_kind)k))
      some =
          node_make(n, NODE_INTERSECTION, TYPE_SET, some,
                    node_make(n, NODE_BASE, TYPE_SET, CAT_BASE + k, NO_NODE));
  return some;
}

static inline node_id thread_events(struct nodes *n, const struct cat *c) {
  return events(n, made_of(n, c, set(n, CAT_THREAD), CAT_IN(THREAD)));
}
