// SPDX-License-Identifier: MIT
// The term of an axiom as a regular expression over steps. r | s and r; s and
// r+ are what they look like; [S] is a guard on the event where the walk is. In
// `r & int` and the like, r is asked step by step where that is the same, or is
// a path of its own, of which the two ends are looked at. What is neither is
// left out, and noted where all possible paths are wanted. These may be more
// than there are, by a question about two ends that is not asked; but never by
// leaving out what depends on a third event (judge/refute.h says why).
#include "cat/facts/routes_build.h"

#include <string.h>

enum { MAX_NODES = 2000, MAX_TERMS = 20000, MAX_UNFOLD = 2 };

uint32_t routes_state(struct builder *b) {
  b->is_full |= b->nstates == MAX_NODES;
  return b->is_full ? 0 : b->nstates++;
}

// Terms are looked at as often as they are used, and may be shared.
static bool is_too_much(struct builder *b) {
  b->is_full |= ++b->terms > MAX_TERMS;
  return b->is_full;
}

static void add_edge(struct builder *b, struct edge e) {
  if (e.classes)
    array_push(&b->edges, e);
}

// -- guards

// What is left out here may be possible.
static bool lack(struct builder *b) {
  b->routes->lacks = true;
  return false;
}

static bool is_static(const struct builder *b, node_id set) {
  return node_at(b->nodes, set)->is_static;
}

// Sets that are not static count as empty.
static uint64_t classes_in(struct builder *b, node_id set) {
  if (!is_static(b, set) && !b->is_void[set])
    (void)lack(b);
  return b->in[set];
}

// -- steps

void routes_stay(struct builder *b, uint32_t from, uint32_t to,
                 uint64_t classes) {
  add_edge(b, (struct edge){from, to, NO_NUMBER, classes});
}

static bool is_nothing(struct route_filter f) {
  return f.side == SIDE_ANY && !f.same_loc && !f.in_po && !f.not_id;
}

// May every event be with itself in what the filter lets through? (Not all have
// a location.)
static bool admits_id(const struct builder *b, struct route_filter f) {
  return f.side != SIDE_EXT && (!f.same_loc || b->is_upper) && !f.in_po &&
         !f.not_id;
}

static bool is_same_label(const struct route_label *a,
                          const struct route_label *b) {
  const struct route_filter *f = &a->filter, *h = &b->filter;
  return a->base == b->base && a->node == b->node && a->is_back == b->is_back &&
         f->side == h->side && f->same_loc == h->same_loc &&
         f->in_po == h->in_po && f->not_id == h->not_id;
}

static bool add_step(struct builder *b, struct route_label want, uint32_t from,
                     uint32_t to) {
  struct routes *r = b->routes;
  uint32_t i = 0;
  while (i < r->nlabels && !is_same_label(&r->labels[i], &want))
    i++;
  if (i == ROUTE_LABELS) {
    b->is_full = true;
    return false;
  }
  r->labels[i] = want;
  r->nlabels += i == r->nlabels;
  add_edge(b, (struct edge){from, to, i, all_classes(b)});
  return true;
}

// Paths of x whose two ends the filter lets through.
static bool add_macro(struct builder *b, node_id x, struct route_filter f,
                      uint32_t from, uint32_t to) {
  struct route_label want;
  if (b->depth + 1 == ROUTE_DEPTH)
    return b->is_upper &&
           routes_build(b, x, (struct route_filter){0}, from, to);
  memset(&want, 0, sizeof want);
  want.base = ROUTE_MACRO;
  want.node = x;
  want.filter = f;
  return add_step(b, want, from, to);
}

enum { IN_PO = 1, OF_LOC = 2 };

// Can the base relation be walked? Is it in po, of one location?
static bool is_step(uint32_t base, unsigned *is) {
  *is = 0;
  switch (base) {
  case CAT_rf:
  case CAT_co:
  case CAT_fr:
    *is = OF_LOC;
    return true;
  case CAT_rmw:
    *is = IN_PO | OF_LOC;
    return true;
  case CAT_po:
  case CAT_addr:
  case CAT_data:
  case CAT_ctrl:
  case CAT_ctrl_after:
    *is = IN_PO;
    return true;
  default:
    return false;
  }
}

static bool add_base(struct builder *b, uint32_t base, bool is_back,
                     struct route_filter f, uint32_t from, uint32_t to) {
  struct route_label want;
  unsigned is;
  memset(&want, 0, sizeof want);
  if (!is_step(base, &is))
    return lack(b);
  f.not_id = false; // none of them leads from an event to itself
  f.same_loc &= !(is & OF_LOC);
  bool is_in_po = (is & IN_PO) && !is_back;
  bool is_asked = base == CAT_po ? f.side != SIDE_EXT
                                 : !f.same_loc && (!f.in_po || is_in_po);
  if (!is_asked && !b->is_upper)
    return false;
  if (!is_asked)
    f = (struct route_filter){0};
  f.in_po = false;
  want.base = base;
  want.filter = f;
  want.is_back = is_back;
  return add_step(b, want, from, to);
}

// -- terms

// Is the term made of parts of po? Then its paths in one thread are nearly all
// that it has there.
static bool is_local(struct builder *b, node_id x) {
  const struct node *v = node_at(b->nodes, x);
  enum node_kind k = (enum node_kind)v->kind;
  unsigned is = 0;
  if (is_too_much(b))
    return false;
  if (v->type == TYPE_SET || k == NODE_IDENTITY || b->is_void[x])
    return true;
  if (k == NODE_BASE)
    return v->a == CAT_id || (is_step(v->a, &is) && (is & IN_PO));
  if (!node_is_unary(k) && !node_is_binary(k))
    return false;
  return is_local(b, v->a) && (!node_is_binary(k) || is_local(b, v->b));
}

// Is it enough to ask each step? Two steps in one thread are in one thread.
// (They may be in one thread, too, by way of another one, so if all that is
// possible is wanted, nothing is asked.)
static bool passes_on(struct builder *b, node_id x, struct route_filter *f) {
  bool is = is_nothing(*f) || (f->side == SIDE_INT && !f->same_loc &&
                               !f->in_po && !f->not_id && is_local(b, x));
  if (is && b->is_upper)
    *f = (struct route_filter){0};
  return is;
}

static bool build_sequence(struct builder *b, node_id x, struct route_filter f,
                           uint32_t from, uint32_t to) {
  const struct node *v = node_at(b->nodes, x);
  bool is_guard = node_at(b->nodes, v->a)->kind == NODE_IDENTITY;
  bool is_guarded = node_at(b->nodes, v->b)->kind == NODE_IDENTITY;
  if (!is_guard && !is_guarded && !passes_on(b, x, &f))
    return add_macro(b, x, f, from, to);
  struct route_filter first = f, second = f;
  if (is_guard)
    first = (struct route_filter){0};
  else if (is_guarded)
    second = (struct route_filter){0};
  uint32_t middle = routes_state(b), nedges = b->edges.len;
  if (routes_build(b, v->a, first, from, middle) &&
      routes_build(b, v->b, second, middle, to))
    return true;
  b->edges.len = nedges;
  return false;
}

static bool build_closure(struct builder *b, node_id x, struct route_filter f,
                          uint32_t from, uint32_t to) {
  if (!passes_on(b, x, &f))
    return add_macro(b, x, f, from, to);
  uint32_t first = routes_state(b), last = routes_state(b);
  if (!routes_build(b, node_at(b->nodes, x)->a, f, first, last))
    return false;
  routes_stay(b, from, first, all_classes(b));
  routes_stay(b, last, first, all_classes(b));
  routes_stay(b, last, to, all_classes(b));
  return true;
}

// Pairs that `x` asks for, if each pair is told from its two events alone.
static bool add_filter(const struct builder *b, node_id x,
                       struct route_filter *f) {
  const struct node *v = node_at(b->nodes, x);
  if (v->kind != NODE_BASE || v->type != TYPE_RELATION)
    return false;
  switch (v->a) {
  case CAT_loc:
    f->same_loc = true;
    return true;
  case CAT_int:
  case CAT_ext: {
    enum route_side side = v->a == CAT_int ? SIDE_INT : SIDE_EXT;
    bool ok = f->side == SIDE_ANY || f->side == side;
    f->side = (uint8_t)side;
    return ok; // (else there is none, which is not looked at here)
  }
  default:
    return false;
  }
}

static bool is_po(const struct builder *b, node_id x) {
  const struct node *v = node_at(b->nodes, x);
  return v->kind == NODE_BASE && v->type == TYPE_RELATION && v->a == CAT_po;
}

// Is it po, or what of it has both ends in one place?
static bool add_po(const struct builder *b, node_id x, struct route_filter *f) {
  const struct node *v = node_at(b->nodes, x);
  f->in_po = true;
  return is_po(b, x) || (v->kind == NODE_INTERSECTION &&
                         ((is_po(b, v->a) && add_filter(b, v->b, f)) ||
                          (is_po(b, v->b) && add_filter(b, v->a, f))));
}

// r & A*B is [A]; r; [B]
static bool build_within(struct builder *b, node_id x, node_id product,
                         struct route_filter f, uint32_t from, uint32_t to) {
  const struct node *v = node_at(b->nodes, product);
  uint32_t first = routes_state(b), last = routes_state(b),
           nedges = b->edges.len;
  routes_stay(b, from, first, classes_in(b, v->a));
  routes_stay(b, last, to, classes_in(b, v->b));
  if (routes_build(b, x, f, first, last))
    return true;
  b->edges.len = nedges;
  return false;
}

// Is each of its pairs told from its two events alone?
static bool is_pairwise(struct builder *b, node_id x) {
  const struct node *v = node_at(b->nodes, x);
  struct route_filter f = {0};
  if (is_too_much(b))
    return false;
  switch ((enum node_kind)v->kind) {
  case NODE_UNION:
    return is_pairwise(b, v->a) && is_pairwise(b, v->b);
  case NODE_SEQUENCE:
    return node_at(b->nodes, v->a)->kind == NODE_IDENTITY
               ? is_pairwise(b, v->b)
               : node_at(b->nodes, v->b)->kind == NODE_IDENTITY &&
                     is_pairwise(b, v->a);
  default:
    return v->kind == NODE_PRODUCT || b->is_void[x] || add_filter(b, x, &f);
  }
}

static bool build_meet(struct builder *b, node_id x, node_id pairs,
                       struct route_filter f, uint32_t from, uint32_t to);

// r & ([S]; p) is [S]; (r & p)
static bool build_guarded(struct builder *b, node_id x, const struct node *v,
                          struct route_filter f, uint32_t from, uint32_t to) {
  const struct node *first = node_at(b->nodes, v->a);
  const struct node *second = node_at(b->nodes, v->b);
  uint32_t middle = routes_state(b), nedges = b->edges.len;
  bool ok;
  if (first->kind == NODE_IDENTITY) {
    routes_stay(b, from, middle, classes_in(b, first->a));
    ok = build_meet(b, x, v->b, f, middle, to);
  } else {
    routes_stay(b, middle, to, classes_in(b, second->a));
    ok = build_meet(b, x, v->a, f, from, middle);
  }
  if (!ok)
    b->edges.len = nedges;
  return ok;
}

// What x has of pairs that are told from their two events.
static bool build_meet(struct builder *b, node_id x, node_id pairs,
                       struct route_filter f, uint32_t from, uint32_t to) {
  const struct node *v = node_at(b->nodes, pairs);
  if (is_too_much(b) || b->is_void[pairs])
    return false;
  switch ((enum node_kind)v->kind) {
  case NODE_UNION: {
    bool ok = build_meet(b, x, v->a, f, from, to);
    return build_meet(b, x, v->b, f, from, to) || ok;
  }
  case NODE_SEQUENCE:
    return build_guarded(b, x, v, f, from, to);
  case NODE_PRODUCT:
    return build_within(b, x, pairs, f, from, to);
  default:
    return add_filter(b, pairs, &f) && routes_build(b, x, f, from, to);
  }
}

static bool build_intersection(struct builder *b, const struct node *v,
                               struct route_filter f, uint32_t from,
                               uint32_t to) {
  node_id sides[] = {v->a, v->b};
  for (unsigned i = 0; i < 2; i++)
    if (is_pairwise(b, sides[i]))
      return build_meet(b, sides[!i], sides[i], f, from, to);
  for (unsigned i = 0; i < 2; i++) {
    struct route_filter both = f;
    if (add_po(b, sides[i], &both))
      return routes_build(b, sides[!i], both, from, to);
  }
  return lack(b);
}

// Classes that may be where x begins, or ends.
static uint64_t classes_at(struct builder *b, node_id x, bool is_end) {
  const struct node *v = node_at(b->nodes, x);
  node_id set = is_end ? v->b : v->a;
  if (is_too_much(b))
    return 0;
  switch ((enum node_kind)v->kind) {
  case NODE_IDENTITY:
    return is_static(b, v->a) ? classes_in(b, v->a) : all_classes(b);
  case NODE_PRODUCT:
    return is_static(b, set) ? classes_in(b, set) : all_classes(b);
  case NODE_SEQUENCE:
    return classes_at(b, set, is_end);
  case NODE_UNION:
    return classes_at(b, v->a, is_end) | classes_at(b, v->b, is_end);
  case NODE_INTERSECTION:
    return classes_at(b, v->a, is_end) & classes_at(b, v->b, is_end);
  case NODE_DIFFERENCE:
    return classes_at(b, v->a, is_end);
  case NODE_EMPTY:
    return 0;
  default:
    return all_classes(b);
  }
}

// r \ s has what begins where s does not, or ends where it does not.
static bool build_difference(struct builder *b, const struct node *v,
                             struct route_filter f, uint32_t from,
                             uint32_t to) {
  const struct node *less = node_at(b->nodes, v->b);
  if (less->kind == NODE_BASE && less->a == CAT_id) {
    f.not_id = true;
    return routes_build(b, v->a, f, from, to);
  }
  if (b->is_upper)
    return b->is_void[v->b] ? routes_build(b, v->a, f, from, to) : lack(b);
  uint32_t first = routes_state(b), last = routes_state(b);
  uint64_t begins = all_classes(b) & ~classes_at(b, v->b, false);
  uint64_t ends = all_classes(b) & ~classes_at(b, v->b, true);
  routes_stay(b, from, first, begins);
  routes_stay(b, last, to, ends);
  bool ok = begins && routes_build(b, v->a, f, first, to);
  return (ends && routes_build(b, v->a, f, from, last)) || ok;
}

static bool build_inverse(struct builder *b, const struct node *v,
                          struct route_filter f, uint32_t from, uint32_t to) {
  const struct node *x = node_at(b->nodes, v->a);
  return x->kind == NODE_BASE && x->a == CAT_rmw
             ? add_base(b, CAT_rmw, true, f, from, to)
             : lack(b);
}

// An end is where a term has just been read, so that there is one at least.
static bool build_recursion(struct builder *b, const struct recursion *r,
                            uint32_t x, struct route_filter f, uint32_t from,
                            uint32_t to) {
  uint32_t node[2] = {routes_state(b), routes_state(b)};
  bool ok = false;
  routes_stay(b, node[0], node[1], all_classes(b));
  routes_stay(b, from, node[r->nodes[x] & 1], all_classes(b));
  for (uint32_t i = 0; i < r->nrules; i++) {
    const struct recursion_rule *rule = &r->rules[i];
    if (rule->y != NO_NODE)
      continue;
    uint32_t last = routes_state(b), nodes = r->nodes[rule->x];
    if (!routes_build(b, rule->term, f, node[nodes & 1], last))
      continue;
    ok = true;
    routes_stay(b, last, node[nodes >> 1], all_classes(b));
    if (nodes >> 1 <= r->nodes[x] >> 1)
      routes_stay(b, last, to, all_classes(b));
  }
  return ok;
}

// NULL: the group is no automaton.
static const struct recursion *find_recursion(const struct builder *b,
                                              uint32_t group) {
  struct known_recursion *k = &b->recursions[group];
  if (!k->is_known)
    k->is_found = recursion_find(&k->as, b->nodes, group);
  k->is_known = true;
  return k->is_found ? &k->as : NULL;
}

static bool build_variable(struct builder *b, node_id x, struct route_filter f,
                           uint32_t from, uint32_t to) {
  const struct node *v = node_at(b->nodes, x);
  const struct recursion *r = find_recursion(b, v->a);
  if (r)
    return passes_on(b, x, &f) ? build_recursion(b, r, v->b, f, from, to)
                               : add_macro(b, x, f, from, to);
  if (b->is_upper)
    return lack(b);
  if (b->unfolded == MAX_UNFOLD)
    return false;
  b->unfolded++;
  bool ok =
      routes_build(b, b->nodes->groups.at[v->a].bodies.at[v->b], f, from, to);
  b->unfolded--;
  return ok;
}

bool routes_build(struct builder *b, node_id x, struct route_filter f,
                  uint32_t from, uint32_t to) {
  const struct node *v = node_at(b->nodes, x);
  if (is_too_much(b) || b->is_void[x])
    return false;
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    if (v->a != CAT_id)
      return add_base(b, v->a, false, f, from, to);
    if (admits_id(b, f))
      routes_stay(b, from, to, all_classes(b));
    return admits_id(b, f);
  case NODE_UNION: {
    bool a = routes_build(b, v->a, f, from, to);
    return routes_build(b, v->b, f, from, to) || a;
  }
  case NODE_INTERSECTION:
    return build_intersection(b, v, f, from, to);
  case NODE_DIFFERENCE:
    return build_difference(b, v, f, from, to);
  case NODE_SEQUENCE:
    return build_sequence(b, x, f, from, to);
  case NODE_PLUS:
    return build_closure(b, x, f, from, to);
  case NODE_OPTIONAL:
    if (admits_id(b, f))
      routes_stay(b, from, to, all_classes(b));
    return routes_build(b, v->a, f, from, to) || admits_id(b, f);
  case NODE_IDENTITY: {
    uint64_t classes = classes_in(b, v->a);
    if (admits_id(b, f))
      routes_stay(b, from, to, classes);
    return admits_id(b, f) && classes;
  }
  case NODE_INVERSE:
    return build_inverse(b, v, f, from, to);
  case NODE_VARIABLE:
    return build_variable(b, x, f, from, to);
  case NODE_EMPTY:
    return false;
  case NODE_UNIVERSE:
  case NODE_PRODUCT:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return lack(b);
  }
  return false;
}

// From the end of a pair back to where it began, and on by x: of updates that
// is where the newest event is, mostly.
static bool build_round(struct builder *b, node_id x, node_id back,
                        uint32_t from, uint32_t to) {
  static const struct route_filter none = {0};
  const struct node *v = node_at(b->nodes, back);
  uint32_t middle = routes_state(b), nedges = b->edges.len;
  bool is_rmw = v->kind == NODE_BASE && v->a == CAT_rmw;
  if ((is_rmw ? add_base(b, CAT_rmw, true, none, from, middle)
              : routes_build(b, v->a, none, from, middle)) &&
      routes_build(b, x, none, middle, to))
    return true;
  b->edges.len = nedges;
  return false;
}

bool routes_build_empty(struct builder *b, node_id x, uint32_t from,
                        uint32_t to) {
  const struct node *v = node_at(b->nodes, x);
  if (v->kind == NODE_INTERSECTION)
    for (unsigned i = 0; i < 2; i++) {
      const struct node *back = node_at(b->nodes, i ? v->a : v->b);
      if (back->kind == NODE_INVERSE ||
          (back->kind == NODE_BASE && back->a == CAT_rmw))
        return build_round(b, i ? v->b : v->a, i ? v->a : v->b, from, to);
    }
  return lack(b);
}
