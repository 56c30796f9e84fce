// SPDX-License-Identifier: MIT
// From tree to nodes: names are looked up where they stand (a later definition
// of a name shadows an earlier one), functions are put in where they are
// called, `try` and `if` are decided, and every term gets its type.
#include "base/suggest.h"
#include "cat/language/resolver.h"

void resolver_bind(struct resolver *r, uint32_t name, struct value v) {
  array_push(&r->bounds, (struct bound){name, v, r->scope});
  r->scope = r->bounds.len - 1;
}

const struct bound *resolver_look_up(const struct resolver *r, uint32_t name) {
  for (uint32_t s = r->scope; s; s = r->bounds.at[s].outer)
    if (r->bounds.at[s].name == name)
      return &r->bounds.at[s];
  return NULL;
}

bool resolver_unknown_name(struct resolver *r, struct cat_place at,
                           uint32_t name) {
  const char *text = strings_get(&r->tree->names, name);
  struct suggestion s = {.wanted = text};
  for (uint32_t b = r->scope; b; b = r->bounds.at[b].outer)
    suggest_consider(&s, strings_get(&r->tree->names, r->bounds.at[b].name));
  cat_fail(r->tree, at, r->why, "'%s' is not defined", text);
  if (s.best)
    diag_hint(r->why,
              "did you mean '%s'? `heddle models --names` lists what a "
              "model can start from",
              s.best);
  else
    diag_hint(r->why,
              "`heddle models --names` lists what a model can start "
              "from; `try %s with 0` does without it",
              text);
  return false;
}

// -- types

bool resolver_expect(struct resolver *r, uint32_t e, enum node_type wanted,
                     node_id *ret) {
  struct value v;
  if (!resolver_resolve(r, e, &v))
    return false;
  struct cat_place at = r->tree->exprs.at[e].at;
  if (v.kind != VAL_NODE)
    return cat_fail(r->tree, at, r->why,
                    "expected a set or a relation, not a %s",
                    v.kind == VAL_TUPLE ? "tuple" : "function");
  *ret = node_as(r->nodes, v.node, wanted);
  enum node_type type = node_type(r->nodes, *ret);
  if (wanted == TYPE_ANY || type == wanted)
    return true;
  if (wanted == TYPE_RELATION) {
    cat_fail(r->tree, at, r->why, "expected a relation, but this is a set");
    diag_hint(r->why, "[S] is the relation of each event of S with itself, "
                      "S * T that of all pairs");
  } else {
    cat_fail(r->tree, at, r->why, "expected a set, but this is a relation");
    diag_hint(r->why, "domain(r) and range(r) are sets");
  }
  return false;
}

// -- operators

// | & \ : both sides are sets, or both are relations.
static bool resolve_either(struct resolver *r, const struct expr e,
                           enum node_kind k, node_id *ret) {
  node_id a = NO_NODE, b = NO_NODE;
  if (!resolver_expect(r, e.a, TYPE_ANY, &a) ||
      !resolver_expect(r, e.b, TYPE_ANY, &b))
    return false;
  enum node_type ta = node_type(r->nodes, a), tb = node_type(r->nodes, b);
  if (ta != tb && ta != TYPE_ANY && tb != TYPE_ANY) {
    cat_fail(r->tree, e.at, r->why, "a %s on the left, a %s on the right",
             ta == TYPE_SET ? "set" : "relation",
             tb == TYPE_SET ? "set" : "relation");
    diag_hint(r->why, "[S] is the relation of each event of S with itself");
    return false;
  }
  enum node_type type = ta == TYPE_ANY ? tb : ta;
  a = node_as(r->nodes, a, type);
  b = node_as(r->nodes, b, type);
  *ret = node_make(r->nodes, k, type, a, b);
  return true;
}

static bool resolve_two(struct resolver *r, const struct expr e,
                        enum node_kind k, enum node_type operands,
                        node_id *ret) {
  node_id a = NO_NODE, b = NO_NODE;
  if (!resolver_expect(r, e.a, operands, &a) ||
      !resolver_expect(r, e.b, operands, &b))
    return false;
  *ret = node_make(r->nodes, k, TYPE_RELATION, a, b);
  return true;
}

static bool resolve_one(struct resolver *r, const struct expr e,
                        enum node_kind k, enum node_type operand,
                        node_id *ret) {
  node_id a = NO_NODE;
  if (!resolver_expect(r, e.a, operand, &a))
    return false;
  *ret = node_make(r->nodes, k, TYPE_RELATION, a, NO_NODE);
  return true;
}

static node_id universe(struct resolver *r, enum node_type type) {
  return node_make(r->nodes, NODE_UNIVERSE, type, NO_NODE, NO_NODE);
}

// ~a is everything but a.
static bool resolve_complement(struct resolver *r, const struct expr e,
                               node_id *ret) {
  node_id a = NO_NODE;
  if (!resolver_expect(r, e.a, TYPE_ANY, &a))
    return false;
  enum node_type type = node_type(r->nodes, a);
  *ret = node_make(r->nodes, NODE_DIFFERENCE, type, universe(r, type), a);
  return true;
}

static bool resolve_operator(struct resolver *r, const struct expr e,
                             node_id *ret) {
  switch ((enum expr_kind)e.kind) {
  case EX_EMPTY:
    *ret = node_make(r->nodes, NODE_EMPTY, TYPE_ANY, NO_NODE, NO_NODE);
    return true;
  case EX_UNIVERSE:
    *ret = universe(r, TYPE_ANY);
    return true;
  case EX_UNION:
    return resolve_either(r, e, NODE_UNION, ret);
  case EX_INTERSECTION:
    return resolve_either(r, e, NODE_INTERSECTION, ret);
  case EX_DIFFERENCE:
    return resolve_either(r, e, NODE_DIFFERENCE, ret);
  case EX_COMPLEMENT:
    return resolve_complement(r, e, ret);
  case EX_SEQUENCE:
    return resolve_two(r, e, NODE_SEQUENCE, TYPE_RELATION, ret);
  case EX_PRODUCT:
    return resolve_two(r, e, NODE_PRODUCT, TYPE_SET, ret);
  case EX_INVERSE:
    return resolve_one(r, e, NODE_INVERSE, TYPE_RELATION, ret);
  case EX_OPTIONAL:
    return resolve_one(r, e, NODE_OPTIONAL, TYPE_RELATION, ret);
  case EX_PLUS:
    return resolve_one(r, e, NODE_PLUS, TYPE_RELATION, ret);
  case EX_STAR:
    if (!resolve_one(r, e, NODE_PLUS, TYPE_RELATION, ret))
      return false;
    *ret = node_make(r->nodes, NODE_OPTIONAL, TYPE_RELATION, *ret, NO_NODE);
    return true;
  case EX_IDENTITY:
    return resolve_one(r, e, NODE_IDENTITY, TYPE_SET, ret);
  default:
    fatal_internal(__FILE__, __LINE__, "no operator");
  }
}

// -- names and functions

static bool resolve_name(struct resolver *r, const struct expr e,
                         struct value *ret) {
  const struct bound *b = resolver_look_up(r, e.name);
  if (!b)
    return resolver_unknown_name(r, e.at, e.name);
  *ret = b->value;
  return true;
}

static bool resolve_tuple(struct resolver *r, const struct expr e,
                          struct value *ret) {
  struct value cells[64];
  uint32_t n = 0;
  for (struct expr cell = e;; cell = r->tree->exprs.at[cell.b]) {
    check(n < LENGTH(cells));
    if (!resolver_resolve(r, cell.a, &cells[n++]))
      return false;
    if (!cell.b)
      break;
  }
  *ret = (struct value){.kind = VAL_TUPLE, .first = r->tuples.len, .n = n};
  for (uint32_t i = 0; i < n; i++)
    array_push(&r->tuples, cells[i]);
  return true;
}

bool resolver_bind_arguments(struct resolver *r, struct cat_place at,
                             const struct binding f, struct value argument) {
  uint32_t wanted = 0, i = 0;
  for (uint32_t p = f.parameters; p; p = r->tree->parameters.at[p].next)
    wanted++;
  uint32_t given = argument.kind == VAL_TUPLE ? argument.n : 1;
  if (wanted != given && wanted != 1)
    return cat_fail(r->tree, at, r->why, "'%s' takes %u arguments, not %u",
                    strings_get(&r->tree->names, f.name), wanted, given);
  for (uint32_t p = f.parameters; p; p = r->tree->parameters.at[p].next, i++)
    resolver_bind(r, r->tree->parameters.at[p].name,
                  wanted == 1 ? argument : r->tuples.at[argument.first + i]);
  return true;
}

static bool apply_builtin(struct resolver *r, const struct expr e,
                          enum node_kind k, struct value *ret) {
  node_id a = NO_NODE;
  if (!resolver_expect(r, e.b, TYPE_RELATION, &a))
    return false;
  *ret = of_node(node_make(r->nodes, k, TYPE_SET, a, NO_NODE));
  return true;
}

static bool resolve_application(struct resolver *r, const struct expr e,
                                struct value *ret) {
  struct value f, argument;
  if (!resolver_resolve(r, e.a, &f))
    return false;
  if (f.kind == VAL_BUILTIN)
    return apply_builtin(r, e, (enum node_kind)f.node, ret);
  if (f.kind != VAL_FUNCTION) {
    cat_fail(r->tree, e.at, r->why,
             "this is not a function, so nothing can "
             "be given to it");
    diag_hint(r->why, "an operator may be missing: | ; & \\ or *");
    return false;
  }
  if (!resolver_resolve(r, e.b, &argument))
    return false;
  const struct binding b = r->tree->bindings.at[f.function];
  uint32_t scope = r->scope;
  r->scope = f.scope;
  bool ok = resolver_bind_arguments(r, e.at, b, argument) &&
            resolver_resolve(r, b.body, ret);
  r->scope = scope;
  return ok;
}

// -- let

// A name for reports; inner ones do not matter.
static void publish(struct resolver *r, uint32_t name, struct value v) {
  if (v.kind == VAL_NODE)
    array_push(&r->l->cat->names,
               (struct cat_name){strings_get(&r->tree->names, name), v.node});
}

// Bindings joined by `and` do not see each other.
bool resolver_bind_all(struct resolver *r, const struct statement s,
                       bool is_published) {
  ARRAY(struct value) values = {0};
  uint32_t n = 0;
  bool ok = true;
  for (uint32_t b = s.binding; ok && b; b = r->tree->bindings.at[b].next) {
    const struct binding x = r->tree->bindings.at[b];
    struct value v = {.kind = VAL_FUNCTION, .function = b, .scope = r->scope};
    ok = x.is_function || resolver_resolve(r, x.body, &v);
    array_push(&values, v);
  }
  for (uint32_t b = s.binding; ok && b; b = r->tree->bindings.at[b].next) {
    resolver_bind(r, r->tree->bindings.at[b].name, values.at[n]);
    if (is_published)
      publish(r, r->tree->bindings.at[b].name, values.at[n]);
    n++;
  }
  array_done(&values);
  return ok;
}

static struct node_group *group_of(const struct resolver *r, uint32_t group) {
  return &r->nodes->groups.at[group];
}

// The members of a `let rec` get variables of the given type, from number
// `first` of a group on, and their bodies must be of that type too. (Until that
// is known, a variable is what it is: nothing.)
static bool try_rec(struct resolver *r, const struct statement s,
                    enum node_type type, uint32_t group, uint32_t *first) {
  uint32_t around = r->rec, i = *first = group_of(r, group)->variables.len;
  uint64_t all_around = r->recs;
  bool ok = true;
  for (uint32_t b = s.binding; b; b = r->tree->bindings.at[b].next, i++) {
    node_id v = node_make(r->nodes, NODE_VARIABLE, type, group, i);
    array_push(&group_of(r, group)->variables, v);
    array_push(&group_of(r, group)->bodies, v);
    resolver_bind(r, r->tree->bindings.at[b].name, of_node(v));
  }
  r->rec = group;
  r->recs |= UINT64_C(1) << group;
  i = *first;
  for (uint32_t b = s.binding; ok && b; b = r->tree->bindings.at[b].next) {
    node_id body = NO_NODE;
    ok = resolver_expect(r, r->tree->bindings.at[b].body, type, &body);
    if (ok)
      group_of(r, group)->bodies.at[i++] = body;
  }
  r->rec = around;
  r->recs = all_around;
  return ok;
}

static bool try_new_group(struct resolver *r, const struct statement s,
                          enum node_type type, uint32_t *group) {
  uint32_t first;
  *group = r->nodes->groups.len;
  array_push(&r->nodes->groups, (struct node_group){0});
  bool ok = try_rec(r, s, type, *group, &first);
  if (!ok)
    group_of(r, *group)->bodies.len = 0;
  return ok;
}

static bool depends_on_those_around(const struct resolver *r, uint32_t group) {
  const struct node_group *g = group_of(r, group);
  bool found = false;
  for (uint32_t i = 0; i < g->bodies.len; i++)
    found |= (node_at(r->nodes, g->bodies.at[i])->groups & r->recs) != 0;
  return found;
}

// What a `let rec` takes away must not depend on what it defines.
static bool check_fixpoint(struct resolver *r, const struct statement s,
                           uint32_t group, uint32_t first) {
  const struct node_group *g = group_of(r, group);
  uint32_t i = first;
  for (uint32_t b = s.binding; b; b = r->tree->bindings.at[b].next, i++)
    if (node_negates(r->nodes, g->bodies.at[i], group)) {
      const struct binding *x = &r->tree->bindings.at[b];
      cat_fail(r->tree, x->at, r->why,
               "'%s' may have no fixpoint: it takes away (\\ or ~) something "
               "that depends on it",
               strings_get(&r->tree->names, x->name));
      diag_hint(r->why, "in a let rec, only what is outside of it can be "
                        "taken away");
      return false;
    }
  return true;
}

// A `let rec` within the body of another one that depends on it has no fixpoint
// of its own: its members become members of that one. (The least fixpoint of
// x = f(x, the least y = g(x, y)) is the x of the least fixpoint of both: a
// pair that g leaves alone has at least that y, and so an f of x that is as
// small.)
bool resolver_bind_rec(struct resolver *r, const struct statement s,
                       bool is_published) {
  for (uint32_t b = s.binding; b; b = r->tree->bindings.at[b].next)
    if (r->tree->bindings.at[b].is_function) {
      cat_fail(r->tree, r->tree->bindings.at[b].at, r->why,
               "a recursive function: this is not supported");
      diag_hint(r->why, "sets and relations can be recursive, functions not");
      return false;
    }
  if (r->nodes->groups.len + 2 > MAX_GROUPS)
    return cat_fail(r->tree, s.at, r->why, "more than %d 'let rec'",
                    MAX_GROUPS / 2);
  uint32_t scope = r->scope, group, first = 0;
  enum node_type type = TYPE_RELATION;
  struct diag why;
  if (!try_new_group(r, s, type, &group)) {
    why = *r->why;
    r->scope = scope;
    type = TYPE_SET;
    if (!try_new_group(r, s, type, &group)) {
      *r->why = why;
      return false;
    }
  }
  if (depends_on_those_around(r, group)) {
    group_of(r, group)->bodies.len = 0;
    group = r->rec;
    r->scope = scope;
    if (!try_rec(r, s, type, group, &first))
      return false;
  }
  if (!check_fixpoint(r, s, group, first))
    return false;
  const struct node_group *g = group_of(r, group);
  for (uint32_t b = s.binding; is_published && b;
       b = r->tree->bindings.at[b].next)
    publish(r, r->tree->bindings.at[b].name, of_node(g->variables.at[first++]));
  return true;
}

static bool resolve_let(struct resolver *r, const struct expr e,
                        struct value *ret) {
  const struct statement s = r->tree->statements.at[e.a];
  uint32_t scope = r->scope;
  bool ok = (s.kind == ST_REC ? resolver_bind_rec(r, s, false)
                              : resolver_bind_all(r, s, false)) &&
            resolver_resolve(r, e.b, ret);
  r->scope = scope;
  return ok;
}

// The first that is defined and has a type.
static bool resolve_try(struct resolver *r, const struct expr e,
                        struct value *ret) {
  struct diag before = *r->why;
  uint32_t scope = r->scope;
  if (resolver_resolve(r, e.a, ret))
    return true;
  *r->why = before;
  r->scope = scope;
  return resolver_resolve(r, e.b, ret);
}

bool resolver_is_chosen(const struct resolver *r, uint32_t condition) {
  const struct cat_search *search = r->l->search;
  return variant_holds(r->tree, condition, search ? search->variants : NULL);
}

bool resolver_too_much(struct resolver *r, struct cat_place at) {
  cat_fail(r->tree, at, r->why, "this model is too large");
  diag_hint(r->why,
            "there may be %d terms, each different one counted once; "
            "functions that call others again and again grow fast",
            MAX_TERMS);
  return false;
}

bool resolver_resolve(struct resolver *r, uint32_t id, struct value *ret) {
  const struct expr e = r->tree->exprs.at[id];
  if (r->steps++ > MAX_STEPS || r->depth > MAX_DEPTH ||
      r->nodes->at.len > MAX_TERMS)
    return resolver_too_much(r, e.at);
  r->depth++;
  bool ok;
  switch ((enum expr_kind)e.kind) {
  case EX_NAME:
    ok = resolve_name(r, e, ret);
    break;
  case EX_APPLY:
    ok = resolve_application(r, e, ret);
    break;
  case EX_TUPLE:
    ok = resolve_tuple(r, e, ret);
    break;
  case EX_LET:
    ok = resolve_let(r, e, ret);
    break;
  case EX_TRY:
    ok = resolve_try(r, e, ret);
    break;
  case EX_IF:
    ok = resolver_resolve(r, resolver_is_chosen(r, e.name) ? e.a : e.b, ret);
    break;
  default: {
    node_id x = NO_NODE;
    ok = resolve_operator(r, e, &x);
    *ret = of_node(x);
  }
  }
  r->depth--;
  return ok;
}
