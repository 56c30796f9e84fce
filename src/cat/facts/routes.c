// SPDX-License-Identifier: MIT
// Most of what the search asks about is refused, and mostly for a cycle of a
// few steps. To find one, it is not necessary to know the relations of the
// axioms: it is enough to know some paths that certainly are in them.
//
// The term of an axiom is read as a regular expression over steps: po, rf, co,
// fr, dependencies, the two halves of an update (routes_terms.c). What is none,
// such as an intersection of two paths, is left out. So the automaton reads a
// part of the relation, never more than it. What a walk finds in it is in the
// relation, also in larger graphs, since only axioms are asked that a later
// event cannot repair.
//
// What is left out is noted, so that the automaton may also be made to know all
// paths that there are: then what no walk finds is not there.
//
// Sets of events are decided here: the automaton is made for the combinations
// of sets (classes) that events of this program are in (routes_merge.c).
#include "cat/facts/routes.h"

#include "cat/facts/routes_build.h"

// A walk for what is forbidden begins at the newest event, and for what is
// possible it may begin anywhere in a term, so that goes on after its end.
static void add_axiom(struct builder *b, const struct cat_axiom *x,
                      uint32_t begin, uint32_t end) {
  uint32_t first = routes_state(b), last = routes_state(b),
           nedges = b->edges.len;
  if (b->is_void[x->node] && x->mode == MODE_CHECK && !x->is_negated)
    return;
  if (x->mode != MODE_CHECK || x->is_negated ||
      node_type(b->nodes, x->node) != TYPE_RELATION) {
    b->routes->lacks = true;
    return;
  }
  if (!(x->test == TEST_EMPTY
            ? routes_build_empty(b, x->node, first, last)
            : routes_build(b, x->node, (struct route_filter){0}, first,
                           last))) {
    b->edges.len = nedges;
    return;
  }
  routes_stay(b, begin, first, all_classes(b));
  routes_stay(b, last, end, all_classes(b));
  if (b->is_upper || x->test == TEST_ACYCLIC)
    routes_stay(b, last, first, all_classes(b));
}

static void make_subs(struct routes *r, const struct builder *b);

static struct builder begin_routes(struct routes *r, const struct builder *of) {
  r->nlabels = 0;
  r->lacks = false;
  return (struct builder){.cat = of->cat,
                          .nodes = of->nodes,
                          .classes = of->classes,
                          .nclasses = of->nclasses,
                          .depth = of->depth,
                          .is_upper = of->is_upper,
                          .in = of->in,
                          .is_void = of->is_void,
                          .recursions = of->recursions,
                          .routes = r};
}

static uint64_t last_bit(uint64_t bits) {
  return bits ? UINT64_C(1) << (63 - __builtin_clzll(bits)) : 0;
}

// Yields which of these axioms to try next, the first of them: all, if there
// was room for them.
//
// From the states of an axiom nothing leads to those of another one. So without
// an axiom there are, in all, at most its own states less, and that at which
// all begin.
static uint64_t make_axioms(struct routes *r, const struct builder *of,
                            uint64_t axioms) {
  struct builder b = begin_routes(r, of);
  uint32_t begin = routes_state(&b), end = routes_state(&b), own[64];
  uint64_t next = axioms & ~last_bit(axioms);
  for (uint64_t left = axioms; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(left), before = b.nstates;
    add_axiom(&b, &b.cat->axioms.at[i], begin, end);
    own[i] = b.nstates - before;
  }
  if (!b.is_full && routes_reduce(&b, begin, end)) {
    make_subs(r, of);
    next = axioms;
  } else if (!b.is_full) {
    uint32_t gone = 1 + own[__builtin_ctzll(last_bit(axioms))];
    while (next && b.ngroups > ROUTE_STATES + gone) {
      gone += own[__builtin_ctzll(last_bit(next))];
      next &= ~last_bit(next);
    }
  }
  array_done(&b.edges);
  return next;
}

static struct routes *make_sub(const struct builder *of, node_id x) {
  struct routes *r = xcalloc(1, sizeof *r);
  struct builder b = begin_routes(r, of);
  uint32_t begin = routes_state(&b), end = routes_state(&b);
  b.depth++;
  bool ok = routes_build(&b, x, (struct route_filter){0}, begin, end);
  // (What is too large may look as if it had no paths.)
  bool fits = !b.is_full && (!ok || routes_reduce(&b, begin, end));
  if (ok && fits)
    make_subs(r, &b);
  else
    r->begins = 0;
  r->lacks |= !fits;
  array_done(&b.edges);
  return r;
}

static void make_subs(struct routes *r, const struct builder *b) {
  for (uint32_t l = 0; l < r->nlabels; l++)
    if (r->labels[l].base == ROUTE_MACRO) {
      r->subs[l] = make_sub(b, r->labels[l].node);
      r->lacks |= r->subs[l]->lacks;
    }
}

// Are there fences that have a location? What is said of locations here is said
// of accesses.
static bool have_places(const cat_sets *classes, uint32_t nclasses) {
  for (uint32_t c = 0; c < nclasses; c++)
    for (unsigned k = 0; k < FENCE_COUNT; k++)
      if (fence_has_location((enum fence_kind)k) &&
          cat_is_fence(classes[c], (enum fence_kind)k))
        return true;
  return false;
}

uint64_t routes_init(struct routes *r, const struct cat *c, uint64_t axioms,
                     enum route_bound bound, const cat_sets *classes,
                     uint32_t nclasses) {
  struct builder of = {.cat = c,
                       .nodes = &c->nodes,
                       .classes = classes,
                       .nclasses = nclasses,
                       .is_upper = bound == ROUTES_POSSIBLE};
  uint64_t some = axioms;
  *r = (struct routes){.lacks = true};
  if (!nclasses || nclasses > ROUTE_CLASSES ||
      (of.is_upper && have_places(classes, nclasses)))
    return 0;
  uint64_t *in = xmalloc((c->nodes.at.len + 1) * sizeof *in);
  cat_find_classes(&c->nodes, c->nodes.at.len, classes, nclasses, in);
  bool *is_void = routes_find_void(&c->nodes, in);
  of.in = in;
  of.is_void = is_void;
  of.recursions = xcalloc(c->nodes.groups.len + 1, sizeof *of.recursions);
  for (uint64_t tried = 0; some && some != tried;) {
    tried = some;
    some = make_axioms(r, &of, tried);
  }
  // If there is no room for one alone, it is left out.
  r->lacks |= !some;
  free(in);
  free(is_void);
  free(of.recursions);
  return axioms & ~(some ? some : axioms & -axioms);
}

void routes_done(struct routes *r) {
  for (uint32_t l = 0; l < ROUTE_LABELS; l++)
    if (r->subs[l]) {
      routes_done(r->subs[l]);
      free(r->subs[l]);
    }
  array_done(&r->first);
  array_done(&r->moves);
}
