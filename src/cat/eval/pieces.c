// SPDX-License-Identifier: MIT
// Atomic accesses of different size to the same bytes. Each is made in pieces,
// events of their own, of which every model knows what to think; but an access
// is one. So a graph is also judged by axioms in which the pieces of an access
// stand together: x is before y if a piece of x is before a piece of y.
//
// How much that orders is the model's own affair. Where accesses reach memory
// in one order (sc, tso), an access has one place in it. Where they do not
// (rc11), coherence is still about one location at a time: what a term says of
// one location (eco, a release sequence) is said of each piece, and only then
// of the access. An axiom that is about nothing else (coherence of tso,
// atomicity) holds of the pieces as it stands: a thread may see what it wrote
// itself before others do. On top of that, such ways must not lead from one
// access to another and back, else that one would see a part of it. (Flur et
// al.: Mixed-size Concurrency, POPL 2017, has the machines; Alglave et al.:
// Armed Cats, TOPLAS 2021, §4, the relation si of ARM's model, which is the
// same idea.)
//
// The axioms of a text are rewritten: r becomes same; r; same where r is all
// that is said of one location at once, or is a base relation of another kind.
#include "cat/eval/pieces.h"

static node_id relation(struct nodes *n, enum cat_base b) {
  return node_make(n, NODE_BASE, TYPE_RELATION, b, NO_NODE);
}

static node_id make(struct nodes *n, enum node_kind k, node_id a, node_id b) {
  return node_make(n, k, TYPE_RELATION, a, b);
}

// same; x; same
static node_id lift(struct nodes *n, node_id x) {
  node_id same = relation(n, CAT_same);
  return make(n, NODE_SEQUENCE, same, make(n, NODE_SEQUENCE, x, same));
}

static bool is_base(const struct node *v, enum cat_base b) {
  return v->kind == NODE_BASE && v->a == b;
}

static bool is_identity(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  return v->kind == NODE_IDENTITY || is_base(v, CAT_id) ||
         v->kind == NODE_EMPTY;
}

static bool is_of_location(const struct nodes *n, node_id x);

// Says it of which pairs of one location it speaks, if `other` says that they
// are of one?
static bool narrows(const struct nodes *n, node_id x, node_id other) {
  const struct node *v = node_at(n, x);
  return is_of_location(n, other) &&
         (is_base(v, CAT_po) || is_base(v, CAT_int) || is_base(v, CAT_ext));
}

// Does it relate accesses of one location only, and by what is said of that?
static bool is_of_location(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return v->a == CAT_rf || v->a == CAT_co || v->a == CAT_fr ||
           v->a == CAT_rmw || v->a == CAT_amo || v->a == CAT_loc ||
           v->a == CAT_id;
  case NODE_EMPTY:
  case NODE_IDENTITY:
    return true;
  case NODE_INTERSECTION:
    if (narrows(n, v->a, v->b) || narrows(n, v->b, v->a))
      return true;
    return is_of_location(n, v->a) && is_of_location(n, v->b);
  case NODE_UNION:
  case NODE_DIFFERENCE:
  case NODE_SEQUENCE:
    return is_of_location(n, v->a) && is_of_location(n, v->b);
  case NODE_INVERSE:
  case NODE_OPTIONAL:
  case NODE_PLUS:
    return is_of_location(n, v->a);
  default:
    return false;
  }
}

static node_id whole(struct nodes *n, node_id x);

// a; b; c, in which what is of one location stays together.
static node_id whole_sequence(struct nodes *n, node_id x) {
  struct node_list all = {0};
  node_id path = NO_NODE;
  check(node_flatten(n, NODE_SEQUENCE, x, &all));
  for (uint32_t end = all.len; end > 0;) {
    uint32_t first = end - 1;
    node_id part = all.at[first];
    bool is_together = is_of_location(n, part);
    while (is_together && first > 0 && is_of_location(n, all.at[first - 1]))
      part = make(n, NODE_SEQUENCE, all.at[--first], part);
    part = whole(n, part);
    path = path == NO_NODE ? part : make(n, NODE_SEQUENCE, part, path);
    end = first;
  }
  array_done(&all);
  return path;
}

// What the term is about whole accesses.
static node_id whole(struct nodes *n, node_id x) {
  const struct node v = *node_at(n, x);
  enum node_kind k = (enum node_kind)v.kind;
  if (v.type == TYPE_SET || is_identity(n, x) || k == NODE_UNIVERSE)
    return k == NODE_DOMAIN || k == NODE_RANGE
               ? node_make(n, k, TYPE_SET, whole(n, v.a), NO_NODE)
               : x;
  if (k == NODE_OPTIONAL)
    return make(n, k, whole(n, v.a), NO_NODE);
  if (k == NODE_UNION)
    return make(n, k, whole(n, v.a), whole(n, v.b));
  if (is_of_location(n, x))
    return lift(n, x);
  switch (k) {
  case NODE_BASE: // of po: the pieces of an access have no order
    return v.a == CAT_int || v.a == CAT_ext
               ? x
               : make(n, NODE_DIFFERENCE, lift(n, x), relation(n, CAT_same));
  case NODE_SEQUENCE:
    return whole_sequence(n, x);
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return make(n, k, whole(n, v.a), whole(n, v.b));
  case NODE_INVERSE:
  case NODE_PLUS:
    return make(n, k, whole(n, v.a), NO_NODE);
  default:
    return x; // a variable: what it stands for is rewritten
  }
}

// An atomic access is seen as a whole, or not at all.
static struct cat_axiom seen_whole(struct nodes *n) {
  node_id rfe =
      make(n, NODE_INTERSECTION, relation(n, CAT_rf), relation(n, CAT_ext));
  node_id com = make(n, NODE_UNION, relation(n, CAT_co), relation(n, CAT_fr));
  node_id seen =
      lift(n, make(n, NODE_PLUS, make(n, NODE_UNION, rfe, com), NO_NODE));
  node_id back = make(n, NODE_INVERSE, seen, NO_NODE);
  return (struct cat_axiom){
      .name = "an atomic access is seen as a whole, or not at all",
      .test = TEST_EMPTY,
      .mode = MODE_CHECK,
      .node = make(n, NODE_INTERSECTION, seen, back)};
}

void cat_put_together(struct cat *c) {
  static const enum cat_base needed[] = {CAT_same, CAT_rf, CAT_ext, CAT_co,
                                         CAT_fr};
  for (uint32_t g = 0; g < c->nodes.groups.len; g++)
    for (uint32_t i = 0; i < c->nodes.groups.at[g].bodies.len; i++) {
      node_id body = whole(&c->nodes, c->nodes.groups.at[g].bodies.at[i]);
      c->nodes.groups.at[g].bodies.at[i] = body;
    }
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (!is_of_location(&c->nodes, c->axioms.at[i].node))
      c->axioms.at[i].node = whole(&c->nodes, c->axioms.at[i].node);
  array_push(&c->axioms, seen_whole(&c->nodes));
  for (unsigned i = 0; i < LENGTH(needed); i++)
    c->uses |= UINT64_C(1) << needed[i];
}
