// SPDX-License-Identifier: MIT
// Most of a model is about events that a program does not have. A term has
// nothing if it asks for an event in a set that none is in, whatever else it
// says; variables of a `let rec` begin with nothing, and have nothing if their
// bodies have nothing then.
#include "cat/facts/routes_build.h"

struct voids {
  const struct nodes *nodes;
  const uint64_t *in, *initial; // classes that are in sets
  bool *is;
};

static bool is_void(const struct voids *v, node_id id) {
  const struct node *x = node_at(v->nodes, id);
  if (x->is_static)
    return !v->in[id] && !v->initial[id];
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

bool *routes_find_void(const struct nodes *n, const uint64_t *in) {
  uint32_t nnodes = n->at.len;
  cat_sets initial = cat_initial_sets(); // they are no class
  uint64_t *in_initial = xmalloc((nnodes + 1) * sizeof *in_initial);
  struct voids v = {n, in, in_initial, xmalloc(nnodes + 1)};
  cat_find_classes(n, nnodes, &initial, 1, in_initial);
  for (node_id x = 0; x < nnodes; x++)
    v.is[x] = true;
  for (bool more = true; more;) {
    more = false;
    for (node_id x = 0; x < nnodes; x++)
      if (v.is[x] && !is_void(&v, x)) {
        v.is[x] = false;
        more = true;
      }
  }
  free(in_initial);
  return v.is;
}
