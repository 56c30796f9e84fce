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

#include <stdlib.h>

// By node; operands come first, so each is looked at once.
struct symmetry {
  struct nodes *nodes;
  bool *communicates; // every pair is one of rf, co or fr
  // It says only what two events of po are, and whether they are of one
  // location.
  bool *is_local;
  bool *is_copied;
};

static bool is_base(const struct nodes *n, node_id x, enum cat_base b) {
  return n->at.at[x].kind == NODE_BASE && n->at.at[x].a == b;
}

static bool communicates(const struct symmetry *s, node_id x) {
  const struct node *v = node_at(s->nodes, x);
  const bool *is = s->communicates;
  if (v->kind == NODE_UNION)
    return is[v->a] && is[v->b];
  if (v->kind == NODE_INTERSECTION)
    return is[v->a] || is[v->b];
  return is_base(s->nodes, x, CAT_rf) || is_base(s->nodes, x, CAT_co) ||
         is_base(s->nodes, x, CAT_fr);
}

static bool is_static(const struct nodes *n, node_id x) {
  return node_at(n, x)->is_static;
}

static bool is_identity(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  return v->kind == NODE_IDENTITY && is_static(n, v->a);
}

static bool is_local(const struct symmetry *s, node_id x) {
  const struct nodes *n = s->nodes;
  const struct node *v = node_at(n, x);
  const bool *is = s->is_local;
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return v->a == CAT_po || v->a == CAT_loc || v->a == CAT_id;
  case NODE_EMPTY:
    return true;
  case NODE_IDENTITY:
    return is_identity(n, x);
  case NODE_PRODUCT:
    return is_static(n, v->a) && is_static(n, v->b);
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return is[v->a] && is[v->b];
  case NODE_SEQUENCE:
    return is[v->a] && is[v->b] &&
           (is_identity(n, v->a) || is_identity(n, v->b));
  default:
    return false;
  }
}

static bool is_copied(const struct symmetry *s, node_id x) {
  const struct node v = s->nodes->at.at[x];
  const bool *is = s->is_copied;
  if (v.type == TYPE_SET && v.is_static)
    return true;
  switch ((enum node_kind)v.kind) {
  case NODE_BASE:
    return v.a != CAT_ext;
  case NODE_EMPTY:
  case NODE_UNIVERSE:
    return true;
  case NODE_INTERSECTION:
    if (is_base(s->nodes, v.a, CAT_ext))
      return s->communicates[v.b] && is[v.b];
    if (is_base(s->nodes, v.b, CAT_ext))
      return s->communicates[v.a] && is[v.a];
    return is[v.a] && is[v.b];
  case NODE_DIFFERENCE:
    return v.type == TYPE_RELATION && is[v.a] && s->is_local[v.b] &&
           cat_proves(
               s->nodes, v.a,
               node_make(s->nodes, NODE_BASE, TYPE_RELATION, CAT_po, NO_NODE));
  case NODE_UNION:
  case NODE_SEQUENCE:
  case NODE_PRODUCT:
    return is[v.a] && is[v.b];
  case NODE_INVERSE:
  case NODE_OPTIONAL:
  case NODE_PLUS:
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return is[v.a];
  case NODE_VARIABLE:
    break; // their bodies are not looked at
  }
  return false;
}

bool cat_is_symmetric(struct nodes *n, const struct cat *c) {
  uint32_t nnodes = n->at.len;
  struct symmetry s = {n, xcalloc(nnodes, 1), xcalloc(nnodes, 1),
                       xcalloc(nnodes, 1)};
  bool *needed = xcalloc(nnodes, sizeof *needed), ok = true;
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (c->axioms.at[i].mode == MODE_CHECK)
      node_mark(n, c->axioms.at[i].node, needed);
  for (node_id x = 0; x < nnodes; x++)
    if (needed[x]) {
      s.communicates[x] = communicates(&s, x);
      s.is_local[x] = is_local(&s, x);
      s.is_copied[x] = is_copied(&s, x);
    }
  for (uint32_t i = 0; i < c->axioms.len; i++)
    ok &=
        c->axioms.at[i].mode != MODE_CHECK || s.is_copied[c->axioms.at[i].node];
  free(s.communicates);
  free(s.is_local);
  free(s.is_copied);
  free(needed);
  return ok;
}
