// SPDX-License-Identifier: MIT
// What rows cost, so that the cheapest way to them can be taken (rows.h).
#include "cat/judge/rows.h"

#include <stdlib.h>

enum { MOST = 1 << 20, MAX_DEPTH = 6 };

static uint32_t least(uint64_t a, uint64_t b) {
  return (uint32_t)(a < b ? a : b);
}

// A row of a base relation, by how many pairs it may have.
static uint32_t cost_of_base(uint32_t b) {
  switch (b) {
  case CAT_po:
  case CAT_int:
    return 12;
  case CAT_ext:
    return 16;
  case CAT_co:
  case CAT_fr:
    return 6;
  case CAT_loc:
    return 8;
  default:
    return 2;
  }
}

static bool is_identity(const struct rows_plan *p, node_id x) {
  return node_at(&p->cat->nodes, x)->kind == NODE_IDENTITY;
}

// a \ b \ c & d, and so on: all that is asked of a pair. (Not too deep: terms
// may be shared.)
static void add_factors(struct rows_plan *p, node_id x, unsigned depth,
                        struct node_list *no) {
  const struct node *v = node_at(&p->cat->nodes, x);
  if (depth && v->kind == NODE_INTERSECTION) {
    add_factors(p, v->a, depth - 1, no);
    add_factors(p, v->b, depth - 1, no);
  } else if (depth && v->kind == NODE_DIFFERENCE) {
    add_factors(p, v->a, depth - 1, no);
    array_push(no, v->b);
  } else {
    array_push(&p->factors, x);
  }
}

static void swap(node_id *a, node_id *b) {
  node_id c = *a;
  *a = *b;
  *b = c;
}

static void sort_by_asking(const struct rows_plan *p, node_id *at, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t k = i; k && p->nodes[at[k]].ask < p->nodes[at[k - 1]].ask;
         k--)
      swap(&at[k], &at[k - 1]);
}

// The first makes a row, the others are asked.
static void find_factors(struct rows_plan *p, node_id x) {
  struct rows_node *n = &p->nodes[x];
  struct node_list no = {0};
  n->first = p->factors.len;
  add_factors(p, x, MAX_DEPTH, &no);
  n->positive = p->factors.len - n->first;
  n->negative = no.len;
  for (uint32_t i = 0; i < no.len; i++)
    array_push(&p->factors, no.at[i]);
  array_done(&no);
  node_id *f = p->factors.at + n->first;
  for (uint32_t i = 1; i < n->positive; i++)
    if (p->nodes[f[i]].make < p->nodes[f[0]].make)
      swap(&f[0], &f[i]);
  sort_by_asking(p, f + 1, n->positive - 1);
  sort_by_asking(p, f + n->positive, n->negative);
  uint64_t ask = 0;
  for (uint32_t i = 1; i < n->positive + n->negative; i++)
    ask += p->nodes[f[i]].ask;
  n->make = least(p->nodes[f[0]].make + ask, MOST);
  n->ask = least(p->nodes[f[0]].ask + ask, MOST);
}

// Both, of a node whose operands are known.
static void find_costs(struct rows_plan *p, node_id x) {
  const struct node *v = node_at(&p->cat->nodes, x);
  struct rows_node *n = &p->nodes[x], none = {0};
  enum node_kind k = (enum node_kind)v->kind;
  bool is_unary = node_is_unary(k), is_binary = node_is_binary(k);
  const struct rows_node *a = is_unary || is_binary ? &p->nodes[v->a] : &none;
  const struct rows_node *b = is_binary ? &p->nodes[v->b] : &none;
  switch (k) {
  case NODE_BASE:
    n->make = cost_of_base(v->a);
    n->ask = 1;
    return;
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    if (v->type != TYPE_SET)
      find_factors(p, x);
    return;
  case NODE_SEQUENCE:
    if (is_identity(p, v->a) || is_identity(p, v->b)) {
      n->make = least((uint64_t)a->make + b->make, MOST);
      n->ask = least((uint64_t)a->ask + b->ask, MOST);
      return;
    }
    n->make = least((uint64_t)a->make + UINT64_C(4) * b->make, MOST);
    break;
  case NODE_PLUS:
    n->make = least(UINT64_C(8) * a->make, MOST);
    break;
  case NODE_VARIABLE:
    n->make = MOST;
    break;
  case NODE_UNIVERSE:
  case NODE_PRODUCT:
    n->make = 16;
    n->ask = 2;
    return;
  default:
    n->make = least((uint64_t)a->make + b->make + 1, MOST);
    n->ask = least((uint64_t)a->ask + b->ask + 1, MOST);
    return;
  }
  n->ask = least((uint64_t)n->make + 8, MOST);
}

// Sequences, closures and variables are asked for by rows, which are kept.
static void find_terms(struct rows_plan *p, node_id x) {
  const struct node *v = node_at(&p->cat->nodes, x);
  enum node_kind k = (enum node_kind)v->kind;
  uint64_t terms = 1;
  bool is_kept =
      k == NODE_PLUS || k == NODE_DOMAIN || k == NODE_RANGE ||
      (k == NODE_SEQUENCE && !is_identity(p, v->a) && !is_identity(p, v->b));
  if (!v->is_static && !is_kept && (node_is_unary(k) || node_is_binary(k)))
    terms += p->nodes[v->a].terms;
  if (!v->is_static && !is_kept && node_is_binary(k))
    terms += p->nodes[v->b].terms;
  p->nodes[x].terms = least(terms, MOST);
}

static bool is_transitive(const struct rows_plan *p, const struct node *v) {
  if (v->kind == NODE_OPTIONAL)
    return is_transitive(p, node_at(&p->cat->nodes, v->a));
  return v->kind == NODE_PLUS ||
         (v->kind == NODE_BASE && v->type == TYPE_RELATION &&
          (v->a == CAT_po || v->a == CAT_co));
}

static struct recursion **find_recursions(const struct nodes *nodes) {
  struct recursion **at = xcalloc(nodes->groups.len + 1, sizeof *at), r;
  for (uint32_t g = 0; g < nodes->groups.len; g++)
    if (recursion_find(&r, nodes, g)) {
      at[g] = xmalloc(sizeof r);
      *at[g] = r;
    }
  return at;
}

struct rows_plan *rows_plan_new(const struct cat *c) {
  struct rows_plan *p = xcalloc(1, sizeof *p);
  *p = (struct rows_plan){.cat = c, .n = c->nodes.at.len, .is_possible = true};
  p->nodes = xcalloc(p->n + 1, sizeof *p->nodes);
  for (node_id x = 0; x < p->n; x++) {
    const struct node *v = node_at(&c->nodes, x);
    p->nodes[x].is_transitive = is_transitive(p, v);
    find_costs(p, x);
    find_terms(p, x);
    p->is_possible &= v->kind != NODE_VARIABLE || v->type == TYPE_RELATION;
  }
  p->recursions = find_recursions(&c->nodes);
  return p;
}

void rows_plan_free(struct rows_plan *p) {
  if (!p)
    return;
  for (uint32_t g = 0; g < p->cat->nodes.groups.len; g++)
    free(p->recursions[g]);
  free(p->recursions);
  free(p->nodes);
  array_done(&p->factors);
  free(p);
}
