// SPDX-License-Identifier: MIT
// The same relation in a form that is cheap to extend by one event. The column
// of r;s at a new event is found from that of s, so if s ends in [S] and the
// event is not in S, there is nothing to do. So what ends in a set is pushed to
// the right as far as possible: (a | b; c); t becomes a; t | b; (c; t).
#include "cat/judge/plan.h"

#include <stdlib.h>

struct narrower {
  struct nodes *nodes;
  uint32_t pushed;     // terms, of one sequence
  ARRAY(node_id) done; // by node: its form, or NO_NODE
};

static struct node get(const struct narrower *n, node_id x) {
  return n->nodes->at.at[x];
}

static node_id make(struct narrower *n, enum node_kind k, node_id a,
                    node_id b) {
  return node_make(n->nodes, k, TYPE_RELATION, a, b);
}

// Terms may be shared; a sequence as it is is right, too.
static bool is_too_much(struct narrower *n) {
  enum { MOST_TERMS = 2000 };
  return ++n->pushed > MOST_TERMS;
}

// Does it end in a set?
static bool is_narrow(struct narrower *n, node_id x) {
  const struct node v = get(n, x);
  if (is_too_much(n))
    return false;
  switch ((enum node_kind)v.kind) {
  case NODE_IDENTITY:
    return true;
  case NODE_SEQUENCE:
    return is_narrow(n, v.b);
  case NODE_UNION:
    return is_narrow(n, v.a) && is_narrow(n, v.b);
  default:
    return false;
  }
}

// Is it told from two events alone whether they are in it?
static bool is_pairwise(const struct narrower *n, node_id x) {
  const struct node v = get(n, x);
  return v.kind == NODE_PRODUCT ||
         (v.kind == NODE_BASE &&
          (v.a == CAT_loc || v.a == CAT_int || v.a == CAT_ext));
}

// x; t
static node_id push(struct narrower *n, node_id x, node_id t) {
  const struct node v = get(n, x);
  if (is_too_much(n))
    return make(n, NODE_SEQUENCE, x, t);
  switch ((enum node_kind)v.kind) {
  case NODE_UNION: {
    node_id a = push(n, v.a, t), b = push(n, v.b, t);
    return make(n, NODE_UNION, a, b);
  }
  case NODE_SEQUENCE:
    return push(n, v.a, push(n, v.b, t));
  case NODE_OPTIONAL: {
    node_id a = push(n, v.a, t);
    return make(n, NODE_UNION, t, a);
  }
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE: // (a & b); [S] is (a; [S]) & b
    if (get(n, t).kind != NODE_IDENTITY)
      return make(n, NODE_SEQUENCE, x, t);
    if (v.kind == NODE_INTERSECTION && is_pairwise(n, v.a))
      return make(n, NODE_INTERSECTION, v.a, push(n, v.b, t));
    return make(n, (enum node_kind)v.kind, push(n, v.a, t), v.b);
  default:
    return make(n, NODE_SEQUENCE, x, t);
  }
}

// a; b, where a; c? is a | a; c: no event has c? for itself alone then.
static node_id sequence(struct narrower *n, node_id a, node_id b) {
  const struct node v = get(n, b);
  if (v.kind != NODE_OPTIONAL)
    return make(n, NODE_SEQUENCE, a, b);
  return make(n, NODE_UNION, a, make(n, NODE_SEQUENCE, a, v.a));
}

static node_id narrow(struct narrower *n, node_id x) {
  const struct node v = get(n, x);
  enum node_kind k = (enum node_kind)v.kind;
  if (v.type != TYPE_RELATION || v.groups || k == NODE_IDENTITY ||
      k == NODE_PRODUCT || !(node_is_unary(k) || node_is_binary(k)))
    return x;
  while (n->done.len <= x)
    array_push(&n->done, NO_NODE);
  if (n->done.at[x] != NO_NODE)
    return n->done.at[x];
  node_id a = narrow(n, v.a), b = NO_NODE;
  if (node_is_binary(k))
    b = narrow(n, v.b);
  n->pushed = 0;
  n->done.at[x] = k != NODE_SEQUENCE ? make(n, k, a, b)
                  : is_narrow(n, b)  ? push(n, a, b)
                                     : sequence(n, a, b);
  return n->done.at[x];
}

void plan_narrow(struct nodes *nodes, node_id *at, uint32_t n) {
  struct narrower all = {.nodes = nodes};
  for (uint32_t i = 0; i < n; i++)
    at[i] = narrow(&all, at[i]);
  array_done(&all.done);
}
