// SPDX-License-Identifier: MIT
// A node is evaluated once and its value kept. The variables of a `let rec`
// begin empty and are evaluated again until none of them grows.
#include "cat/eval/eval.h"

#include "cat/eval/sets.h"

#include <stdlib.h>
#include <string.h>

void cat_values_init(struct cat_values *v, const struct cat *c,
                     struct cat_world *w) {
  *v = (struct cat_values){.cat = c, .world = w};
  v->at = xcalloc(c->nodes.at.len, sizeof(struct rel *));
}

void cat_values_done(struct cat_values *v) {
  free(v->at);
}

static struct rel *everything(struct cat_values *v, bool is_set) {
  struct rel *r = rel_new(&v->world->rels);
  r->is_set = is_set;
  for (uint32_t i = 0; i < r->n; i++)
    for (uint32_t j = is_set ? i : 0; j < (is_set ? i + 1 : r->n); j++)
      rel_add(r, i, j);
  return r;
}

static struct rel *product(struct cat_values *v, const struct rel *a,
                           const struct rel *b) {
  struct rel *r = rel_new(&v->world->rels);
  for (uint32_t i = 0; i < r->n; i++)
    for (uint32_t j = 0; j < r->n; j++)
      if (rel_has(a, i, i) && rel_has(b, j, j))
        rel_add(r, i, j);
  return r;
}

// The first or the second parts of the pairs.
static struct rel *project(struct cat_values *v, const struct rel *a,
                           bool is_domain) {
  struct rel *r = rel_new(&v->world->rels);
  for (uint32_t i = 0; i < r->n; i++)
    for (uint32_t j = 0; j < r->n; j++)
      if (rel_has(a, i, j))
        rel_add(r, is_domain ? i : j, is_domain ? i : j);
  return r;
}

static struct rel *base(struct cat_values *v, uint32_t b) {
  if (!base_is_fence(b))
    return v->world->base[b];
  struct rel *r = rel_new(&v->world->rels);
  for (uint32_t i = 0; i < r->n; i++)
    if (cat_is_in(v->world->events[i].sets, b))
      rel_add(r, i, i);
  return r;
}

// What depends on a group of `let rec` must be evaluated anew.
static void forget(struct cat_values *v, uint32_t group) {
  const struct nodes *n = &v->cat->nodes;
  for (uint32_t i = 0; i < n->at.len; i++)
    if (n->at.at[i].kind != NODE_VARIABLE && n->at.at[i].groups >> group & 1)
      v->at[i] = NULL;
}

static bool is_equal(const struct rel *a, const struct rel *b) {
  return memcmp(a->bits, b->bits, (size_t)a->n * a->words * sizeof *a->bits) ==
         0;
}

// From nothing, in the order of the text, until nothing changes.
static bool solve(struct cat_values *v, uint32_t group) {
  const struct node_group *g = &v->cat->nodes.groups.at[group];
  for (uint32_t i = 0; i < g->variables.len; i++)
    v->at[g->variables.at[i]] = rel_new(&v->world->rels);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < g->variables.len; i++) {
      forget(v, group);
      struct rel *now = cat_value(v, g->bodies.at[i]);
      struct rel **before = &v->at[g->variables.at[i]];
      changed |= !is_equal(now, *before);
      *before = now;
    }
  }
  forget(v, group);
  return true;
}

// Is nothing left of it if its first operand has nothing? Then the other one is
// not asked for: without seq_cst events, say, most of a model is not evaluated.
static bool needs_first(enum node_kind k) {
  return k == NODE_SEQUENCE || k == NODE_INTERSECTION || k == NODE_DIFFERENCE ||
         k == NODE_PRODUCT;
}

static struct rel *evaluate(struct cat_values *v, const struct node *x) {
  struct rels *r = &v->world->rels;
  struct rel *a = NULL, *b = NULL;
  enum node_kind k = (enum node_kind)x->kind;
  if (node_is_unary(k) || node_is_binary(k))
    a = cat_value(v, x->a);
  if (needs_first(k) && rel_is_empty(a))
    return rel_new(r);
  if (node_is_binary(k))
    b = cat_value(v, x->b);
  switch (k) {
  case NODE_BASE:
    return base(v, x->a);
  case NODE_EMPTY:
    return rel_new(r);
  case NODE_UNIVERSE:
    return everything(v, x->type == TYPE_SET);
  case NODE_UNION:
    return rel_or(r, a, b);
  case NODE_INTERSECTION:
    return rel_and(r, a, b);
  case NODE_DIFFERENCE:
    return rel_minus(r, a, b);
  case NODE_SEQUENCE:
    return rel_seq(r, a, b);
  case NODE_PRODUCT:
    return product(v, a, b);
  case NODE_INVERSE:
    return rel_inverse(r, a);
  case NODE_OPTIONAL:
    return rel_optional(r, a);
  case NODE_PLUS:
    return rel_plus(r, a);
  case NODE_IDENTITY:
    return a;
  case NODE_DOMAIN:
    return project(v, a, true);
  case NODE_RANGE:
    return project(v, a, false);
  case NODE_VARIABLE:
    solve(v, x->a);
    break;
  }
  return NULL;
}

struct rel *cat_value(struct cat_values *v, node_id x) {
  if (v->at[x])
    return v->at[x];
  const struct node *n = node_at(&v->cat->nodes, x);
  struct rel *r = evaluate(v, n);
  if (n->kind == NODE_VARIABLE)
    return v->at[x];
  r->is_set |= n->type == TYPE_SET || n->kind == NODE_IDENTITY;
  v->at[x] = r;
  return r;
}

bool cat_axiom_holds(struct cat_values *v, const struct cat_axiom *a) {
  const struct rel *r = cat_value(v, a->node);
  bool holds = false;
  switch ((enum test)a->test) {
  case TEST_ACYCLIC:
    holds = rel_is_acyclic(&v->world->rels, r);
    break;
  case TEST_IRREFLEXIVE:
    holds = rel_is_irreflexive(r);
    break;
  case TEST_EMPTY:
    holds = rel_is_empty(r);
    break;
  }
  return holds != a->is_negated;
}

const struct cat_axiom *cat_broken_in(const struct cat *c,
                                      struct cat_world *w) {
  struct cat_values v;
  const struct cat_axiom *broken = NULL;
  cat_values_init(&v, c, w);
  for (uint32_t i = 0; !broken && i < c->axioms.len; i++)
    if (c->axioms.at[i].mode == MODE_CHECK &&
        !cat_axiom_holds(&v, &c->axioms.at[i]))
      broken = &c->axioms.at[i];
  cat_values_done(&v);
  return broken;
}

const struct cat_axiom *cat_broken(const struct cat *c, const struct graph *g,
                                   const struct model_options *options) {
  struct cat_world w;
  cat_world_init(&w, c, g, options, /*has_lives=*/false);
  const struct cat_axiom *broken = cat_broken_in(c, &w);
  cat_world_done(&w);
  return broken;
}
