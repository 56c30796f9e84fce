// SPDX-License-Identifier: MIT
// Between resolve.c, which turns expressions into nodes, and
// resolve_statement.c, which goes through the statements of a text.
#pragma once

#include "cat/language/resolve.h"

enum value_kind {
  VAL_NODE,
  VAL_FUNCTION,
  VAL_PROCEDURE,
  VAL_TUPLE,
  VAL_BUILTIN
};

struct value {
  enum value_kind kind;
  node_id node;      // NODE; of a BUILTIN: the kind of its node
  uint32_t function; // binding; of a PROCEDURE: statement
  uint32_t scope;    // in which a function was defined
  uint32_t first, n; // TUPLE: values in `tuples`
};

// A name and its value; 0 is the end of a chain of scopes.
struct bound {
  uint32_t name;
  struct value value;
  uint32_t outer;
};

struct resolver {
  uint32_t arm;  // the text with Arm's names; 0: they are there already
  uint32_t seen; // expressions that were looked at for that
  struct loader *l;
  struct ast *tree;
  struct nodes *nodes;
  ARRAY(struct bound) bounds;
  ARRAY(struct value) tuples;
  uint32_t scope; // newest
  uint32_t steps, depth;
  uint32_t rec;  // the group of the innermost `let rec` around, or NO_GROUP
  uint64_t recs; // those of all around
  struct diag *why;
};

#define NO_GROUP UINT32_MAX

enum {
  MAX_STEPS = 1 << 20,
  MAX_DEPTH = 2000,
  MAX_GROUPS = 64,
  MAX_TERMS = 5000, // so that terms within terms fit on the stack
};

static inline struct value of_node(node_id x) {
  return (struct value){.kind = VAL_NODE, .node = x};
}

void resolver_bind(struct resolver *r, uint32_t name, struct value v);
const struct bound *resolver_look_up(const struct resolver *r, uint32_t name);

// These are false if something is wrong, which r->why then says.
bool resolver_unknown_name(struct resolver *r, struct cat_place at,
                           uint32_t name);
bool resolver_too_much(struct resolver *r, struct cat_place at);
bool resolver_resolve(struct resolver *r, uint32_t expr, struct value *ret);
// A set or a relation, as is wanted.
bool resolver_expect(struct resolver *r, uint32_t expr, enum node_type wanted,
                     node_id *ret);
// Binds the parameters of a function or procedure to what it is given.
bool resolver_bind_arguments(struct resolver *r, struct cat_place at,
                             const struct binding f, struct value argument);
// `let`, and `let rec`. is_published: reports may use the names.
bool resolver_bind_all(struct resolver *r, const struct statement s,
                       bool is_published);
bool resolver_bind_rec(struct resolver *r, const struct statement s,
                       bool is_published);
// Does the condition of an `if` hold?
bool resolver_is_chosen(const struct resolver *r, uint32_t condition);
