// SPDX-License-Identifier: MIT
// Terms are simplified as they are made ([A]; [B] is [A & B], rf^-1; co is fr),
// so that what is equal by such rules is one node.
#include "cat/language/node.h"

#include "base/hash.h"

const struct cat_base_name cat_base_names[CAT_BASE] = {
#define CAT_SET(id, name, events) {name, events, true},
#define CAT_RELATION(id, name, pairs) {name, pairs, false},
#include "cat/language/base.def"
#undef CAT_SET
#undef CAT_RELATION
};

void nodes_done(struct nodes *n) {
  for (uint32_t i = 0; i < n->groups.len; i++) {
    array_done(&n->groups.at[i].variables);
    array_done(&n->groups.at[i].bodies);
  }
  array_done(&n->groups);
  array_done(&n->at);
  table_done(&n->table);
}

// (0 and _ may still become sets.)
static bool is_static(const struct nodes *n, const struct node *x) {
  switch ((enum node_kind)x->kind) {
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
    return x->type != TYPE_RELATION;
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return x->type != TYPE_RELATION && n->at.at[x->a].is_static &&
           n->at.at[x->b].is_static;
  default:
    return false;
  }
}

static node_id intern(struct nodes *n, struct node x) {
  uint32_t key[] = {x.kind, x.type, x.a, x.b};
  uint32_t hash = (uint32_t)hash_bytes(key, sizeof key);
  for (uint32_t at = hash, i;
       (i = table_next(&n->table, hash, &at)) != TABLE_NONE;) {
    const struct node *y = &n->at.at[i];
    if (y->kind == x.kind && y->type == x.type && y->a == x.a && y->b == x.b)
      return i;
  }
  x.is_static = is_static(n, &x);
  array_push(&n->at, x);
  table_add(&n->table, hash, n->at.len - 1);
  return n->at.len - 1;
}

static bool is(const struct nodes *n, node_id x, enum node_kind k) {
  return x != NO_NODE && n->at.at[x].kind == k;
}

node_id node_as(struct nodes *n, node_id x, enum node_type type) {
  const struct node *v = &n->at.at[x];
  if (v->type != TYPE_ANY || type == TYPE_ANY)
    return x;
  return intern(
      n, (struct node){
             .kind = v->kind, .type = (uint8_t)type, .a = v->a, .b = v->b});
}

// Terms that are one of their operands, or nothing; NO_NODE: none of these.
static node_id simpler(struct nodes *n, enum node_kind k, enum node_type type,
                       node_id a, node_id b) {
  bool a_empty = is(n, a, NODE_EMPTY), b_empty = is(n, b, NODE_EMPTY);
  node_id empty = NO_NODE;
  if (a_empty || b_empty)
    empty = intern(n, (struct node){.kind = NODE_EMPTY,
                                    .type = (uint8_t)type,
                                    .a = NO_NODE,
                                    .b = NO_NODE});
  switch (k) {
  case NODE_UNION:
    return a == b || b_empty ? a : a_empty ? b : NO_NODE;
  case NODE_INTERSECTION:
    if (a_empty || b_empty)
      return empty;
    if (a == b || is(n, b, NODE_UNIVERSE))
      return a;
    return is(n, a, NODE_UNIVERSE) ? b : NO_NODE;
  case NODE_DIFFERENCE:
    return a_empty ? empty : b_empty ? a : NO_NODE;
  case NODE_SEQUENCE:
  case NODE_PRODUCT:
    return a_empty || b_empty ? empty : NO_NODE;
  case NODE_PLUS:
    return a_empty || is(n, a, NODE_PLUS) ? a : NO_NODE;
  case NODE_OPTIONAL:
    return is(n, a, NODE_OPTIONAL) ? a : NO_NODE;
  case NODE_INVERSE:
    if (is(n, a, NODE_INVERSE))
      return n->at.at[a].a;
    return a_empty || is(n, a, NODE_IDENTITY) ? a : NO_NODE;
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return a_empty ? empty : NO_NODE;
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
  case NODE_VARIABLE:
    break;
  }
  return NO_NODE;
}

static bool is_base(const struct nodes *n, node_id x, enum cat_base b) {
  return is(n, x, NODE_BASE) && n->at.at[x].a == b;
}

// rf^-1; co is fr, of which more is known: it leads forward.
static node_id from_reads(struct nodes *n, node_id a, node_id b) {
  if (!is(n, a, NODE_INVERSE) || !is_base(n, n->at.at[a].a, CAT_rf))
    return NO_NODE;
  node_id fr = node_make(n, NODE_BASE, TYPE_RELATION, CAT_fr, NO_NODE);
  if (is_base(n, b, CAT_co))
    return fr;
  if (is(n, b, NODE_SEQUENCE) && is_base(n, n->at.at[b].a, CAT_co))
    return node_make(n, NODE_SEQUENCE, TYPE_RELATION, fr, n->at.at[b].b);
  return NO_NODE;
}

node_id node_make(struct nodes *n, enum node_kind k, enum node_type type,
                  node_id a, node_id b) {
  node_id known = NO_NODE;
  if (node_is_unary(k) || node_is_binary(k))
    known = simpler(n, k, type, a, b);
  if (known == NO_NODE && k == NODE_SEQUENCE)
    known = from_reads(n, a, b);
  if (known != NO_NODE)
    return known;
  // (r+)? and (r?)+ are both r*.
  if (k == NODE_PLUS && is(n, a, NODE_OPTIONAL))
    return node_make(n, NODE_OPTIONAL, type,
                     node_make(n, NODE_PLUS, type, n->at.at[a].a, NO_NODE),
                     NO_NODE);
  if (k == NODE_SEQUENCE && is(n, a, NODE_IDENTITY) && is(n, b, NODE_IDENTITY))
    return node_make(
        n, NODE_IDENTITY, type,
        node_make(n, NODE_INTERSECTION, TYPE_SET, n->at.at[a].a, n->at.at[b].a),
        NO_NODE);
  if ((k == NODE_UNION || k == NODE_INTERSECTION) && a > b) {
    node_id t = a;
    a = b;
    b = t;
  }
  struct node x = {.kind = (uint8_t)k, .type = (uint8_t)type, .a = a, .b = b};
  if (node_is_binary(k))
    x.groups = n->at.at[a].groups | n->at.at[b].groups;
  else if (node_is_unary(k))
    x.groups = n->at.at[a].groups;
  else if (k == NODE_VARIABLE)
    x.groups = UINT64_C(1) << a;
  return intern(n, x);
}

bool node_negates(const struct nodes *n, node_id x, uint32_t group) {
  // Operands have smaller numbers: from x downwards all of it is seen.
  bool *is_part = xcalloc(x + 1, sizeof *is_part);
  bool found = false;
  is_part[x] = true;
  for (node_id i = x + 1; i-- > 0;) {
    const struct node *v = &n->at.at[i];
    if (!is_part[i] || !(v->groups >> group & 1))
      continue;
    if (node_is_unary((enum node_kind)v->kind) ||
        node_is_binary((enum node_kind)v->kind))
      is_part[v->a] = true;
    if (node_is_binary((enum node_kind)v->kind))
      is_part[v->b] = true;
    found |= v->kind == NODE_DIFFERENCE && (n->at.at[v->b].groups >> group & 1);
  }
  free(is_part);
  return found;
}

bool node_flatten(const struct nodes *n, enum node_kind k, node_id x,
                  struct node_list *to) {
  enum { MOST = 10000 };
  const struct node *v = node_at(n, x);
  if (v->kind == k)
    return node_flatten(n, k, v->a, to) && node_flatten(n, k, v->b, to);
  array_push(to, x);
  return to->len <= MOST;
}

void node_mark(const struct nodes *n, node_id x, bool *marked) {
  ARRAY(node_id) work = {0};
  array_push(&work, x);
  while (work.len) {
    node_id i = array_pop(&work);
    const struct node *v = &n->at.at[i];
    if (marked[i])
      continue;
    marked[i] = true;
    if (node_is_unary((enum node_kind)v->kind) ||
        node_is_binary((enum node_kind)v->kind))
      array_push(&work, v->a);
    if (node_is_binary((enum node_kind)v->kind))
      array_push(&work, v->b);
    // (All of a group is found together.)
    for (uint32_t k = 0;
         v->kind == NODE_VARIABLE && k < n->groups.at[v->a].bodies.len; k++)
      array_push(&work, n->groups.at[v->a].bodies.at[k]);
  }
  array_done(&work);
}
