// SPDX-License-Identifier: MIT
// Is an axiom only broken by graphs with a cycle of po | rf | co | fr? It is if
// every pair of its relation is a path of these (at least one step long, or
// the same event again). That is asked of all nodes, operands first. Members of
// a `let rec` begin with nothing, so if they are such paths as long as they
// are, they are.
//
// From the write of an update to its read, rmw^-1 leads against po. But models
// only go there to ask what the read is like, and come back.
#include "cat/facts/prove.h"

#include <stdlib.h>

enum { MAX_FACTORS = 64 };

// What is known of the pairs of a node.
enum bound {
  BOUND_NONE,
  BOUND_STAYS, // paths, or the same event
  BOUND_MOVES, // paths
};

struct bounder {
  const struct nodes *nodes;
  uint8_t *bounds; // enum bound, by node
};

static enum bound lower(enum bound a, enum bound b) {
  return a < b ? a : b;
}

static enum bound higher(enum bound a, enum bound b) {
  return a > b ? a : b;
}

static enum bound bound_of_base(enum cat_base b) {
  switch (b) {
  case CAT_po:
  case CAT_rf:
  case CAT_co:
  case CAT_fr:
  case CAT_rmw:
  case CAT_amo:
  case CAT_addr:
  case CAT_data:
  case CAT_basic_addr:
  case CAT_basic_data:
  case CAT_ctrl:
  case CAT_ctrl_after:
  case CAT_casdep:
  case CAT_rcu_rscs:
    return BOUND_MOVES;
  case CAT_id:
    return BOUND_STAYS;
  default:
    return BOUND_NONE;
  }
}

// -- sequences

struct factors {
  node_id at[MAX_FACTORS];
  uint32_t n;
  bool has_more;
};

static void add_factors(const struct bounder *b, node_id x,
                        struct factors *to) {
  const struct node *v = node_at(b->nodes, x);
  if (v->kind == NODE_SEQUENCE) {
    add_factors(b, v->a, to);
    add_factors(b, v->b, to);
  } else if (to->n == MAX_FACTORS) {
    to->has_more = true;
  } else {
    to->at[to->n++] = x;
  }
}

// Is it rmw, or a part of it?
static bool is_update(const struct bounder *b, node_id x) {
  struct factors f = {0};
  uint32_t steps = 0;
  add_factors(b, x, &f);
  for (uint32_t i = 0; i < f.n; i++) {
    const struct node *v = node_at(b->nodes, f.at[i]);
    if (v->kind == NODE_IDENTITY)
      continue;
    if (v->kind != NODE_BASE || (v->a != CAT_rmw && v->a != CAT_amo))
      return false;
    steps++;
  }
  return steps == 1 && !f.has_more;
}

// 1: to the write of an update, -1: back to its read, 0: something else.
static int direction(const struct bounder *b, node_id x) {
  const struct node *v = node_at(b->nodes, x);
  if (v->kind == NODE_INVERSE)
    return is_update(b, v->a) ? -1 : 0;
  return v->kind == NODE_BASE && is_update(b, x);
}

static enum bound bound_of_sequence(const struct bounder *b, node_id x) {
  struct factors f = {0};
  enum bound all = BOUND_STAYS;
  add_factors(b, x, &f);
  for (uint32_t i = 0; i < f.n; i++) {
    if (node_at(b->nodes, f.at[i])->kind == NODE_IDENTITY)
      continue;
    // There and back again?
    uint32_t next = i + 1;
    while (next < f.n && node_at(b->nodes, f.at[next])->kind == NODE_IDENTITY)
      next++;
    int way = direction(b, f.at[i]);
    if (way && next < f.n && direction(b, f.at[next]) == -way) {
      i = next;
      continue;
    }
    if (b->bounds[f.at[i]] == BOUND_NONE)
      return BOUND_NONE;
    all = higher(all, (enum bound)b->bounds[f.at[i]]);
  }
  return f.has_more ? BOUND_NONE : all;
}

static bool is_identity(const struct bounder *b, node_id x) {
  const struct node *v = node_at(b->nodes, x);
  return v->kind == NODE_BASE && v->a == CAT_id;
}

static enum bound bound_of(const struct bounder *b, node_id x) {
  const struct node *v = node_at(b->nodes, x);
  const uint8_t *is = b->bounds;
  if (v->type == TYPE_SET)
    return BOUND_NONE;
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return bound_of_base((enum cat_base)v->a);
  case NODE_EMPTY:
    return BOUND_MOVES;
  case NODE_UNION:
    return lower((enum bound)is[v->a], (enum bound)is[v->b]);
  case NODE_INTERSECTION:
    return higher((enum bound)is[v->a], (enum bound)is[v->b]);
  case NODE_DIFFERENCE: // (without those that stay, the others move)
    return is[v->a] == BOUND_STAYS && is_identity(b, v->b)
               ? BOUND_MOVES
               : (enum bound)is[v->a];
  case NODE_PLUS:
    return (enum bound)is[v->a];
  case NODE_SEQUENCE:
    return bound_of_sequence(b, x);
  case NODE_OPTIONAL:
    return lower((enum bound)is[v->a], BOUND_STAYS);
  case NODE_IDENTITY:
    return BOUND_STAYS;
  case NODE_VARIABLE: {
    // (None, if it was tried as a relation and is a set.)
    const struct node_group *g = &b->nodes->groups.at[v->a];
    return v->b < g->bodies.len ? (enum bound)is[g->bodies.at[v->b]]
                                : BOUND_NONE;
  }
  case NODE_UNIVERSE:
  case NODE_PRODUCT:
  case NODE_INVERSE:
  case NODE_DOMAIN:
  case NODE_RANGE:
    break;
  }
  return BOUND_NONE;
}

static bool is_bounded(const struct bounder *b, const struct cat_axiom *x) {
  return x->mode == MODE_CHECK && x->test != TEST_EMPTY && !x->is_negated &&
         b->bounds[x->node] == BOUND_MOVES;
}

uint64_t cat_find_bounded(const struct cat *c) {
  struct bounder b = {.nodes = &c->nodes};
  uint32_t n = c->nodes.at.len;
  uint64_t found = 0;
  b.bounds = xmalloc(n);
  for (node_id x = 0; x < n; x++)
    b.bounds[x] = BOUND_MOVES;
  for (bool changed = true; changed;) {
    changed = false;
    for (node_id x = 0; x < n; x++) {
      uint8_t now = (uint8_t)bound_of(&b, x);
      changed |= now != b.bounds[x];
      b.bounds[x] = now;
    }
  }
  for (uint32_t i = 0; i < c->axioms.len && i < 64; i++)
    found |= (uint64_t)is_bounded(&b, &c->axioms.at[i]) << i;
  free(b.bounds);
  return found;
}
