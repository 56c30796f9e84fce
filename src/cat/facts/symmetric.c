// SPDX-License-Identifier: MIT
// May threads that are created alike be exchanged (explore/reduce/symmetry.c)?
// A text names no thread, so an execution with two of them exchanged is one,
// too. The proof needs one thing more: if thread u is one of a group, and t,
// another one, did the same so far, then t may read next what u has read next.
// That gives no new cycle, or pair: each event of t is a copy of one of u, and
// every pair of events of the new graph is, with the originals in place of the
// copies, a pair of the old one. This holds of the base relations, and goes on
// through all operators but two:
//   - ext: a copy and its original may be ext. But rf, co and fr never relate a
//     copy with an original (both read the same writes, and write only to what
//     is their own), so rf & ext and the like are fine.
//   - r \ s: a pair might be in s that was not in s before. If r is part of po,
//     and s says only what the two events are and whether they are of one
//     location, it is not.
#include "cat/facts/prove.h"

static bool is_base(const struct nodes *n, node_id x, enum cat_base b) {
  return n->at.at[x].kind == NODE_BASE && n->at.at[x].a == b;
}

// Is everything in it a pair of rf, co or fr?
static bool is_communication(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  if (v->kind == NODE_UNION)
    return is_communication(n, v->a) && is_communication(n, v->b);
  if (v->kind == NODE_INTERSECTION)
    return is_communication(n, v->a) || is_communication(n, v->b);
  return is_base(n, x, CAT_rf) || is_base(n, x, CAT_co) ||
         is_base(n, x, CAT_fr);
}

// Is it a set that only looks at the event itself?
static bool is_plain_set(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
    return v->type == TYPE_SET;
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return v->type == TYPE_SET && is_plain_set(n, v->a) &&
           is_plain_set(n, v->b);
  default:
    return false;
  }
}

static bool is_identity(const struct nodes *n, node_id x) {
  return n->at.at[x].kind == NODE_IDENTITY && is_plain_set(n, n->at.at[x].a);
}

// Does it say only what two events of po are, and whether they are of one
// location?
static bool is_local(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return v->a == CAT_po || v->a == CAT_loc || v->a == CAT_id;
  case NODE_EMPTY:
    return true;
  case NODE_IDENTITY:
    return is_identity(n, x);
  case NODE_PRODUCT:
    return is_plain_set(n, v->a) && is_plain_set(n, v->b);
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return is_local(n, v->a) && is_local(n, v->b);
  case NODE_SEQUENCE:
    return is_local(n, v->a) && is_local(n, v->b) &&
           (is_identity(n, v->a) || is_identity(n, v->b));
  default:
    return false;
  }
}

static bool is_copied(struct nodes *n, node_id x) {
  const struct node v = n->at.at[x];
  if (v.type == TYPE_SET && is_plain_set(n, x))
    return true;
  switch ((enum node_kind)v.kind) {
  case NODE_BASE:
    return v.a != CAT_ext;
  case NODE_EMPTY:
  case NODE_UNIVERSE:
    return true;
  case NODE_INTERSECTION:
    if (is_base(n, v.a, CAT_ext))
      return is_communication(n, v.b) && is_copied(n, v.b);
    if (is_base(n, v.b, CAT_ext))
      return is_communication(n, v.a) && is_copied(n, v.a);
    return is_copied(n, v.a) && is_copied(n, v.b);
  case NODE_DIFFERENCE:
    return v.type == TYPE_RELATION && is_copied(n, v.a) && is_local(n, v.b) &&
           cat_proves(n, v.a,
                      node_make(n, NODE_BASE, TYPE_RELATION, CAT_po, NO_NODE));
  case NODE_UNION:
  case NODE_SEQUENCE:
  case NODE_PRODUCT:
    return is_copied(n, v.a) && is_copied(n, v.b);
  case NODE_INVERSE:
  case NODE_OPTIONAL:
  case NODE_PLUS:
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return is_copied(n, v.a);
  case NODE_VARIABLE:
    break; // their bodies are not looked at
  }
  return false;
}

bool cat_is_symmetric(struct nodes *n, const struct cat *c) {
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (c->axioms.at[i].mode == MODE_CHECK &&
        !is_copied(n, c->axioms.at[i].node))
      return false;
  return true;
}
