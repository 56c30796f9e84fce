// SPDX-License-Identifier: MIT
// Most of a model is about events that a program does not have. A term has
// nothing if it asks for an event in a set that none is in, whatever else it
// says; variables of a `let rec` begin with nothing, and have nothing if their
// bodies have nothing then.
#include "cat/facts/routes_build.h"

bool routes_is_static(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
    return true;
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return routes_is_static(n, v->a) && routes_is_static(n, v->b);
  default:
    return false;
  }
}

bool routes_is_in(const struct nodes *n, node_id x, cat_sets sets) {
  const struct node *v = node_at(n, x);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return cat_is_in(sets, v->a);
  case NODE_UNIVERSE:
    return true;
  case NODE_UNION:
    return routes_is_in(n, v->a, sets) || routes_is_in(n, v->b, sets);
  case NODE_INTERSECTION:
    return routes_is_in(n, v->a, sets) && routes_is_in(n, v->b, sets);
  case NODE_DIFFERENCE:
    return routes_is_in(n, v->a, sets) && !routes_is_in(n, v->b, sets);
  default:
    return false;
  }
}

struct voids {
  const struct nodes *nodes;
  const cat_sets *classes;
  uint32_t nclasses;
  bool *is;
};

// Is no event in the set? (The initial writes are no class.)
static bool is_set_void(const struct voids *v, node_id x) {
  for (uint32_t c = 0; c < v->nclasses; c++)
    if (routes_is_in(v->nodes, x, v->classes[c]))
      return false;
  return !routes_is_in(v->nodes, x, cat_initial_sets());
}

static bool is_void(const struct voids *v, node_id id) {
  const struct node *x = node_at(v->nodes, id);
  if (x->type == TYPE_SET && routes_is_static(v->nodes, id))
    return is_set_void(v, id);
  switch ((enum node_kind)x->kind) {
  case NODE_EMPTY:
    return true;
  case NODE_BASE: // a relation
  case NODE_UNIVERSE:
  case NODE_OPTIONAL:
    return false;
  case NODE_UNION:
    return v->is[x->a] && v->is[x->b];
  case NODE_INTERSECTION:
  case NODE_SEQUENCE:
  case NODE_PRODUCT:
    return v->is[x->a] || v->is[x->b];
  case NODE_DIFFERENCE:
  case NODE_INVERSE:
  case NODE_PLUS:
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return v->is[x->a];
  case NODE_VARIABLE: {
    // (None asks for variables of a `let rec` that was tried as another type.)
    const struct node_group *g = &v->nodes->groups.at[x->a];
    return x->b >= g->bodies.len || v->is[g->bodies.at[x->b]];
  }
  }
  return false;
}

bool *routes_find_void(const struct nodes *n, const cat_sets *classes,
                       uint32_t nclasses) {
  struct voids v = {n, classes, nclasses, xmalloc(n->at.len + 1)};
  for (node_id x = 0; x < n->at.len; x++)
    v.is[x] = true;
  for (bool more = true; more;) {
    more = false;
    for (node_id x = 0; x < n->at.len; x++)
      if (v.is[x] && !is_void(&v, x)) {
        v.is[x] = false;
        more = true;
      }
  }
  return v.is;
}
