// SPDX-License-Identifier: MIT
// A model after its names are resolved: a graph of operations on sets and
// relations in which equal terms are one node. Operands have smaller numbers
// than what is made of them; only a variable of a `let rec` refers to what
// comes later, through its group.
#pragma once

#include "base/array.h"
#include "base/fence.h"
#include "base/table.h"

typedef uint32_t node_id;
#define NO_NODE UINT32_MAX

enum cat_base {
#define CAT_SET(id, name, events) CAT_##id,
#define CAT_RELATION(id, name, pairs) CAT_##id,
#include "cat/language/base.def"
#undef CAT_SET
#undef CAT_RELATION
  CAT_BASE
};

struct cat_base_name {
  const char *name, *meaning;
  bool is_set;
};
extern const struct cat_base_name cat_base_names[CAT_BASE];

// Behind the base names come the sets of fences (base/fence.def).
static inline bool base_is_fence(uint32_t base) {
  return base >= CAT_BASE;
}

static inline enum fence_kind base_fence(uint32_t base) {
  return (enum fence_kind)(base - CAT_BASE);
}

enum node_kind {
  NODE_BASE, // a: enum cat_base, or CAT_BASE + enum fence_kind
  NODE_EMPTY,
  NODE_UNIVERSE,
  NODE_UNION,
  NODE_INTERSECTION,
  NODE_DIFFERENCE,
  NODE_SEQUENCE,
  NODE_PRODUCT,
  NODE_INVERSE,
  NODE_OPTIONAL,
  NODE_PLUS,
  NODE_IDENTITY,
  NODE_DOMAIN,
  NODE_RANGE,
  NODE_VARIABLE, // a: group, b: which of its members
};

// 0 and _ are both a set and a relation until something else decides.
enum node_type { TYPE_ANY, TYPE_SET, TYPE_RELATION };

struct node {
  uint8_t kind, type;
  bool is_static; // a set: it is told from an event alone whether it is in it
  node_id a, b;
  uint64_t groups; // bit g: it depends on variables of group g
};

// The bodies of a `let rec`, evaluated in this order until nothing changes.
struct node_group {
  ARRAY(node_id) variables;
  ARRAY(node_id) bodies;
};

struct nodes {
  ARRAY(struct node) at;
  ARRAY(struct node_group) groups;
  struct table table;
};

void nodes_done(struct nodes *n);

// The node for an operation, whose operands have the right types; simpler terms
// are found where that is easy.
node_id node_make(struct nodes *n, enum node_kind k, enum node_type type,
                  node_id a, node_id b);
// 0 or _ as what is wanted.
node_id node_as(struct nodes *n, node_id x, enum node_type type);

// Does x, or something that it is made of, take away what depends on variables
// of the group? Then there may be no fixpoint.
bool node_negates(const struct nodes *n, node_id x, uint32_t group);

struct node_list {
  node_id *at;
  uint32_t len, cap;
};

// Adds what x is made of by operations of this kind: a, b and c of (a; b); c.
// False: terms are shared so often that there would be too much.
bool node_flatten(const struct nodes *n, enum node_kind k, node_id x,
                  struct node_list *to);

// Marks x and all that it is made of (`marked` has room for all nodes).
void node_mark(const struct nodes *n, node_id x, bool *marked);

static inline enum node_type node_type(const struct nodes *n, node_id x) {
  return (enum node_type)n->at.at[x].type;
}

static inline const struct node *node_at(const struct nodes *n, node_id x) {
  return &n->at.at[x];
}

static inline bool node_is_binary(enum node_kind k) {
  return k == NODE_UNION || k == NODE_INTERSECTION || k == NODE_DIFFERENCE ||
         k == NODE_SEQUENCE || k == NODE_PRODUCT;
}

static inline bool node_is_unary(enum node_kind k) {
  return k >= NODE_INVERSE && k <= NODE_RANGE;
}
