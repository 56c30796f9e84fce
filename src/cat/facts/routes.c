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
// Sets of events are decided here: the automaton is made for the combinations
// of sets (classes) that events of this program are in (routes_merge.c).
#include "cat/facts/routes.h"

#include "cat/facts/routes_build.h"

static void add_axiom(struct builder *b, const struct cat_axiom *x,
                      uint32_t begin, uint32_t end) {
  uint32_t first = routes_state(b), last = routes_state(b),
           nedges = b->edges.len;
  if (x->mode != MODE_CHECK || x->is_negated || x->test == TEST_EMPTY ||
      node_type(b->nodes, x->node) != TYPE_RELATION)
    return;
  if (!routes_build(b, x->node, (struct route_filter){0}, first, last)) {
    b->edges.len = nedges;
    return;
  }
  routes_stay(b, begin, first, all_classes(b));
  routes_stay(b, last, end, all_classes(b));
  if (x->test == TEST_ACYCLIC)
    routes_stay(b, last, first, all_classes(b));
}

static void make_subs(struct routes *r, const struct builder *b);

static struct builder begin_routes(struct routes *r, const struct builder *of) {
  r->nlabels = 0;
  return (struct builder){.cat = of->cat,
                          .nodes = of->nodes,
                          .classes = of->classes,
                          .nclasses = of->nclasses,
                          .depth = of->depth,
                          .routes = r};
}

// False: there is no room for them.
static bool make_axioms(struct routes *r, const struct builder *of,
                        uint64_t axioms) {
  struct builder b = begin_routes(r, of);
  uint32_t begin = routes_state(&b), end = routes_state(&b);
  for (; axioms; axioms &= axioms - 1)
    add_axiom(&b, &b.cat->axioms.at[__builtin_ctzll(axioms)], begin, end);
  bool ok = !b.is_full && routes_reduce(&b, begin, end);
  array_done(&b.edges);
  if (ok)
    make_subs(r, of);
  return ok;
}

static struct routes *make_sub(const struct builder *of, node_id x) {
  struct routes *r = xcalloc(1, sizeof *r);
  struct builder b = begin_routes(r, of);
  uint32_t begin = routes_state(&b), end = routes_state(&b);
  b.depth++;
  if (routes_build(&b, x, (struct route_filter){0}, begin, end) && !b.is_full &&
      routes_reduce(&b, begin, end))
    make_subs(r, &b);
  else
    r->begins = 0;
  array_done(&b.edges);
  return r;
}

static void make_subs(struct routes *r, const struct builder *b) {
  for (uint32_t l = 0; l < r->nlabels; l++)
    if (r->labels[l].base == ROUTE_MACRO)
      r->subs[l] = make_sub(b, r->labels[l].node);
}

uint64_t routes_init(struct routes *r, const struct cat *c, uint64_t axioms,
                     const cat_sets *classes, uint32_t nclasses) {
  struct builder of = {
      .cat = c, .nodes = &c->nodes, .classes = classes, .nclasses = nclasses};
  uint64_t some = axioms, last = 0;
  *r = (struct routes){0};
  if (!nclasses || nclasses > ROUTE_CLASSES)
    return 0;
  while (some && !make_axioms(r, &of, some)) {
    last = UINT64_C(1) << (63 - __builtin_clzll(some));
    some &= ~last;
  }
  // If there is no room for one alone, it is left out.
  return axioms & ~(some ? some : last);
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
