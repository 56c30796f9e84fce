// SPDX-License-Identifier: MIT
// Most of what the search asks about is refused, and mostly for a cycle of a
// few steps. To find one, it is not necessary to know the relations of the
// axioms: it is enough to know some paths that certainly are in them.
//
// The term of an axiom is read as a regular expression over steps: po, rf, co,
// fr, dependencies, the two halves of an update. r | s and r; s and r+ are what
// they look like; [S] is a guard on the event where the walk is. `r & int` asks
// each step of r to stay in its thread, which is more than the term asks. What
// is no such path is left out: an intersection of two paths, r \ s. So the
// automaton reads a part of the relation, never more than it. What a walk finds
// in it is in the relation, also in larger graphs, since only axioms are asked
// that a later event cannot repair.
//
// The guards are decided here: the automaton is made for the combinations of
// sets (classes) that events of this program are in. States in which an event
// of each class has the same future are one.
#include "cat/facts/routes.h"

#include "base/bits.h"

#include <string.h>

enum { MAX_NODES = 2000, MAX_UNFOLD = 2 };
#define NO_NUMBER UINT32_MAX

// Between states of the raw automaton. `label` NO_NUMBER: no step, but the
// event has to be of one of the classes.
struct edge {
  uint32_t from, to, label;
  uint64_t classes;
};

struct builder {
  const struct cat *cat;
  const struct nodes *nodes;
  const cat_sets *classes;
  uint32_t nclasses, nstates, unfolded;
  bool is_full;
  struct routes *routes;
  ARRAY(struct edge) edges;
};

// What is asked of each step of a term.
struct filter {
  uint8_t side;
  bool same_loc;
};

static uint64_t all_classes(const struct builder *b) {
  return ~UINT64_C(0) >> (64 - b->nclasses);
}

static uint32_t new_state(struct builder *b) {
  b->is_full |= b->nstates == MAX_NODES;
  return b->is_full ? 0 : b->nstates++;
}

static void add_edge(struct builder *b, struct edge e) {
  if (e.classes)
    array_push(&b->edges, e);
}

// -- guards

// Is it told from the event alone whether it is in the set?
static bool is_static(const struct nodes *n, node_id x) {
  const struct node *v = node_at(n, x);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
    return true;
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return is_static(n, v->a) && is_static(n, v->b);
  default:
    return false;
  }
}

static bool is_in(const struct nodes *n, node_id x, cat_sets sets) {
  const struct node *v = node_at(n, x);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return cat_is_in(sets, v->a);
  case NODE_UNIVERSE:
    return true;
  case NODE_UNION:
    return is_in(n, v->a, sets) || is_in(n, v->b, sets);
  case NODE_INTERSECTION:
    return is_in(n, v->a, sets) && is_in(n, v->b, sets);
  case NODE_DIFFERENCE:
    return is_in(n, v->a, sets) && !is_in(n, v->b, sets);
  default:
    return false;
  }
}

// Sets that are not static count as empty.
static uint64_t classes_in(const struct builder *b, node_id set) {
  uint64_t in = 0;
  for (uint32_t c = 0; is_static(b->nodes, set) && c < b->nclasses; c++)
    in |= (uint64_t)is_in(b->nodes, set, b->classes[c]) << c;
  return in;
}

// -- steps

static bool is_step(enum cat_base base) {
  switch (base) {
  case CAT_po:
  case CAT_rf:
  case CAT_co:
  case CAT_fr:
  case CAT_rmw:
  case CAT_addr:
  case CAT_data:
  case CAT_ctrl:
  case CAT_ctrl_after:
    return true;
  default:
    return false;
  }
}

static void add_step(struct builder *b, struct route_label want, uint32_t from,
                     uint32_t to) {
  struct routes *r = b->routes;
  uint32_t i = 0;
  if (want.base == CAT_rf || want.base == CAT_co || want.base == CAT_fr ||
      want.base == CAT_rmw)
    want.same_loc = false; // it is anyway
  while (i < r->nlabels && memcmp(&r->labels[i], &want, sizeof want) != 0)
    i++;
  if (i == ROUTE_LABELS) {
    b->is_full = true;
    return;
  }
  r->labels[i] = want;
  r->nlabels += i == r->nlabels;
  add_edge(b, (struct edge){from, to, i, all_classes(b)});
}

static void stay(struct builder *b, uint32_t from, uint32_t to,
                 uint64_t classes) {
  add_edge(b, (struct edge){from, to, NO_NUMBER, classes});
}

// -- terms

static bool build(struct builder *b, node_id x, struct filter f, uint32_t from,
                  uint32_t to);

static bool build_base(struct builder *b, enum cat_base base, struct filter f,
                       uint32_t from, uint32_t to) {
  if (base == CAT_id && f.side != SIDE_EXT && !f.same_loc) {
    stay(b, from, to, all_classes(b));
    return true;
  }
  if (!is_step(base))
    return false;
  add_step(b, (struct route_label){base, f.side, false, f.same_loc}, from, to);
  return true;
}

// Two steps between events of one thread, or of one location, are between such
// events again; two steps from thread to thread need not be.
static bool build_sequence(struct builder *b, const struct node *v,
                           struct filter f, uint32_t from, uint32_t to) {
  struct filter first = f, second = f;
  if (node_at(b->nodes, v->a)->kind == NODE_IDENTITY)
    first = (struct filter){0};
  else if (node_at(b->nodes, v->b)->kind == NODE_IDENTITY)
    second = (struct filter){0};
  else if (f.side == SIDE_EXT)
    return false;
  uint32_t middle = new_state(b), nedges = b->edges.len;
  if (build(b, v->a, first, from, middle) && build(b, v->b, second, middle, to))
    return true;
  b->edges.len = nedges;
  return false;
}

static bool build_closure(struct builder *b, const struct node *v,
                          struct filter f, uint32_t from, uint32_t to) {
  uint32_t first = new_state(b), last = new_state(b);
  if (f.side == SIDE_EXT || !build(b, v->a, f, first, last))
    return false;
  stay(b, from, first, all_classes(b));
  stay(b, last, first, all_classes(b));
  stay(b, last, to, all_classes(b));
  return true;
}

// Pairs that `x` asks for, if each pair is told from its two events alone: of
// one location, of one or of two threads.
static bool add_filter(const struct builder *b, node_id x, struct filter *f) {
  const struct node *v = node_at(b->nodes, x);
  if (v->kind != NODE_BASE || v->type != TYPE_RELATION)
    return false;
  switch ((enum cat_base)v->a) {
  case CAT_loc:
    f->same_loc = true;
    return true;
  case CAT_int:
  case CAT_ext: {
    enum route_side side = v->a == CAT_int ? SIDE_INT : SIDE_EXT;
    bool ok = f->side == SIDE_ANY || f->side == side;
    f->side = (uint8_t)side;
    return ok;
  }
  default:
    return false;
  }
}

// r & A*B is [A]; r; [B]
static bool build_within(struct builder *b, node_id x, node_id product,
                         struct filter f, uint32_t from, uint32_t to) {
  const struct node *v = node_at(b->nodes, product);
  uint32_t first = new_state(b), last = new_state(b), nedges = b->edges.len;
  stay(b, from, first, classes_in(b, v->a));
  stay(b, last, to, classes_in(b, v->b));
  if (build(b, x, f, first, last))
    return true;
  b->edges.len = nedges;
  return false;
}

static bool build_intersection(struct builder *b, const struct node *v,
                               struct filter f, uint32_t from, uint32_t to) {
  node_id sides[] = {v->a, v->b};
  for (unsigned i = 0; i < 2; i++) {
    struct filter both = f;
    if (add_filter(b, sides[i], &both))
      return build(b, sides[!i], both, from, to);
    if (node_at(b->nodes, sides[i])->kind == NODE_PRODUCT)
      return build_within(b, sides[!i], sides[i], f, from, to);
  }
  return false;
}

// The inverse of what is symmetric, or of an update.
static bool build_inverse(struct builder *b, const struct node *v,
                          struct filter f, uint32_t from, uint32_t to) {
  const struct node *x = node_at(b->nodes, v->a);
  if (x->kind != NODE_BASE || x->a != CAT_rmw)
    return false;
  add_step(b, (struct route_label){CAT_rmw, f.side, true, false}, from, to);
  return true;
}

static bool build_variable(struct builder *b, const struct node *v,
                           struct filter f, uint32_t from, uint32_t to) {
  if (b->unfolded == MAX_UNFOLD)
    return false;
  b->unfolded++;
  bool ok = build(b, b->nodes->groups.at[v->a].bodies.at[v->b], f, from, to);
  b->unfolded--;
  return ok;
}

// Adds the paths of x from one state to another; false: there are none.
static bool build(struct builder *b, node_id x, struct filter f, uint32_t from,
                  uint32_t to) {
  const struct node *v = node_at(b->nodes, x);
  if (b->is_full)
    return false;
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    return build_base(b, (enum cat_base)v->a, f, from, to);
  case NODE_UNION: {
    bool a = build(b, v->a, f, from, to);
    return build(b, v->b, f, from, to) || a;
  }
  case NODE_INTERSECTION:
    return build_intersection(b, v, f, from, to);
  case NODE_SEQUENCE:
    return build_sequence(b, v, f, from, to);
  case NODE_PLUS:
    return build_closure(b, v, f, from, to);
  case NODE_OPTIONAL: {
    bool stays = f.side != SIDE_EXT && !f.same_loc;
    if (stays)
      stay(b, from, to, all_classes(b));
    return build(b, v->a, f, from, to) || stays;
  }
  case NODE_IDENTITY: {
    uint64_t classes = classes_in(b, v->a);
    bool ok = classes && f.side != SIDE_EXT && !f.same_loc;
    if (ok)
      stay(b, from, to, classes);
    return ok;
  }
  case NODE_INVERSE:
    return build_inverse(b, v, f, from, to);
  case NODE_VARIABLE:
    return build_variable(b, v, f, from, to);
  case NODE_EMPTY:
  case NODE_UNIVERSE:
  case NODE_DIFFERENCE:
  case NODE_PRODUCT:
  case NODE_DOMAIN:
  case NODE_RANGE:
    return false;
  }
  return false;
}

// -- from the raw automaton to the one without guards

struct reducer {
  const struct builder *b;
  uint32_t n;           // raw states
  uint32_t *first;      // by raw state: its edges, in b->edges, which is sorted
  uint32_t *kept;       // by raw state: NO_NUMBER, or its number
  ARRAY(uint32_t) raw;  // by number
  ARRAY(uint32_t) todo; // raw states
  uint32_t *mark, epoch;
};

static int by_from(const void *a, const void *b) {
  const struct edge *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

// Fills r->todo with what a raw state leads to without a step, at an event of
// class c.
static void close(struct reducer *r, uint32_t state, uint32_t c) {
  r->epoch++;
  r->todo.len = 0;
  array_push(&r->todo, state);
  r->mark[state] = r->epoch;
  for (uint32_t i = 0; i < r->todo.len; i++) {
    uint32_t s = r->todo.at[i];
    for (uint32_t k = r->first[s]; k < r->first[s + 1]; k++) {
      const struct edge *e = &r->b->edges.at[k];
      if (e->label != NO_NUMBER || !(e->classes >> c & 1) ||
          r->mark[e->to] == r->epoch)
        continue;
      r->mark[e->to] = r->epoch;
      array_push(&r->todo, e->to);
    }
  }
}

static void keep(struct reducer *r, uint32_t state) {
  if (r->kept[state] != NO_NUMBER)
    return;
  r->kept[state] = r->raw.len;
  array_push(&r->raw, state);
}

// By class and kept state: does it end there, and by label where it leads.
struct moves {
  uint32_t nclasses, n, nlabels, words;
  bool *ends;
  uint64_t *to;
};

static uint64_t *to_at(const struct moves *t, uint32_t c, uint32_t s,
                       uint32_t label) {
  return t->to + (((size_t)c * t->n + s) * t->nlabels + label) * t->words;
}

static void fill_table(struct reducer *r, struct moves *t, uint32_t end) {
  for (uint32_t c = 0; c < t->nclasses; c++)
    for (uint32_t s = 0; s < t->n; s++) {
      close(r, r->raw.at[s], c);
      t->ends[c * t->n + s] = r->mark[end] == r->epoch;
      for (uint32_t i = 0; i < r->todo.len; i++)
        for (uint32_t k = r->first[r->todo.at[i]];
             k < r->first[r->todo.at[i] + 1]; k++) {
          const struct edge *e = &r->b->edges.at[k];
          if (e->label != NO_NUMBER)
            bit_add(to_at(t, c, s, e->label), r->kept[e->to]);
        }
    }
}

// States that lead to an end at all.
static void find_live(const struct moves *t, uint64_t *live) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = 0; s < t->n; s++) {
      bool is = false;
      for (uint32_t c = 0; !is && c < t->nclasses; c++) {
        is = t->ends[c * t->n + s];
        const uint64_t *to = to_at(t, c, s, 0);
        for (uint32_t i = 0; !is && i < t->nlabels * t->words; i++)
          is = to[i] & live[i % t->words];
      }
      more |= is && !bit_has(live, s);
      if (is)
        bit_add(live, s);
    }
  }
}

// What state s leads to, by groups: as many words as there are classes and
// labels, times `t->words`, and a bit for each class in which it ends.
static void find_future(const struct moves *t, const uint32_t *group,
                        uint32_t s, uint64_t *ret) {
  size_t row = (size_t)t->nlabels * t->words;
  memset(ret, 0, (t->nclasses * row + 1) * sizeof *ret);
  for (uint32_t c = 0; c < t->nclasses; c++) {
    const uint64_t *to = to_at(t, c, s, 0);
    ret[t->nclasses * row] |= (uint64_t)t->ends[c * t->n + s] << c;
    for (uint32_t i = 0; i < row; i++)
      for (uint64_t left = to[i]; left; left &= left - 1) {
        uint32_t u = i % t->words * 64 + (uint32_t)__builtin_ctzll(left);
        if (group[u])
          bit_add(ret + c * row + i / t->words * t->words, group[u] - 1);
      }
  }
}

// Puts states with the same future into groups; group 0 has none. Yields how
// many groups there are, this one too.
static uint32_t find_groups(const struct moves *t, uint32_t *group) {
  size_t size = (size_t)t->nclasses * t->nlabels * t->words + 1;
  uint64_t *live = xcalloc(t->words, sizeof *live);
  uint64_t *future = xmalloc(t->n * size * sizeof *future);
  uint32_t *next = xcalloc(t->n, sizeof *next), n = 2;
  find_live(t, live);
  for (uint32_t s = 0; s < t->n; s++)
    group[s] = bit_has(live, s);
  for (bool more = true; more;) {
    uint32_t found = 1;
    for (uint32_t s = 0; s < t->n; s++)
      find_future(t, group, s, future + s * size);
    for (uint32_t s = 0; s < t->n; s++) {
      next[s] = 0;
      for (uint32_t u = 0; bit_has(live, s) && u < s && !next[s]; u++)
        if (group[u] == group[s] && memcmp(future + u * size, future + s * size,
                                           size * sizeof *future) == 0)
          next[s] = next[u];
      if (bit_has(live, s) && !next[s])
        next[s] = found++;
    }
    more = found != n;
    n = found;
    memcpy(group, next, t->n * sizeof *group);
  }
  free(live);
  free(future);
  free(next);
  return n;
}

static void write_routes(struct routes *r, const struct moves *t,
                         const uint32_t *group, uint32_t ngroups) {
  r->nstates = ngroups - 1;
  for (uint32_t c = 0; c < t->nclasses; c++) {
    r->ends[c] = 0;
    for (uint32_t q = 1; q < ngroups; q++) {
      uint32_t s = 0;
      while (group[s] != q)
        s++;
      array_push(&r->first, r->moves.len);
      r->ends[c] |= (uint64_t)t->ends[c * t->n + s] << (q - 1);
      for (uint32_t l = 0; l < t->nlabels; l++) {
        struct route_move m = {l, 0};
        for (uint32_t u = 0; u < t->n; u++)
          if (bit_has(to_at(t, c, s, l), u) && group[u])
            m.to |= UINT64_C(1) << (group[u] - 1);
        if (m.to)
          array_push(&r->moves, m);
      }
    }
  }
  array_push(&r->first, r->moves.len);
}

// False: there are too many states.
static bool reduce(struct builder *b, uint32_t begin, uint32_t end) {
  struct reducer r = {.b = b, .n = b->nstates};
  struct routes *to = b->routes;
  r.first = xcalloc(r.n + 2, sizeof *r.first);
  r.kept = xmalloc((r.n + 1) * sizeof *r.kept);
  r.mark = xcalloc(r.n + 1, sizeof *r.mark);
  if (b->edges.len)
    qsort(b->edges.at, b->edges.len, sizeof *b->edges.at, by_from);
  for (uint32_t i = 0; i < b->edges.len; i++)
    r.first[b->edges.at[i].from + 1]++;
  for (uint32_t s = 0; s < r.n; s++) {
    r.first[s + 1] += r.first[s];
    r.kept[s] = NO_NUMBER;
  }
  keep(&r, begin);
  for (uint32_t i = 0; i < b->edges.len; i++)
    if (b->edges.at[i].label != NO_NUMBER)
      keep(&r, b->edges.at[i].to);
  struct moves t = {.nclasses = b->nclasses,
                    .n = r.raw.len,
                    .nlabels = to->nlabels,
                    .words = r.raw.len / 64 + 1};
  t.ends = xcalloc((size_t)t.nclasses * t.n, sizeof *t.ends);
  t.to =
      xcalloc((size_t)t.nclasses * t.n * t.nlabels * t.words + 1, sizeof *t.to);
  fill_table(&r, &t, end);
  uint32_t *group = xcalloc(t.n, sizeof *group);
  uint32_t ngroups = find_groups(&t, group);
  bool ok = ngroups <= ROUTE_STATES + 1;
  to->begins = ok && group[0] ? UINT64_C(1) << (group[0] - 1) : 0;
  if (ok)
    write_routes(to, &t, group, ngroups);
  free(group);
  free(t.ends);
  free(t.to);
  free(r.first);
  free(r.kept);
  free(r.mark);
  array_done(&r.raw);
  array_done(&r.todo);
  return ok;
}

static void add_axiom(struct builder *b, const struct cat_axiom *x,
                      uint32_t begin, uint32_t end) {
  uint32_t first = new_state(b), last = new_state(b), nedges = b->edges.len;
  if (x->mode != MODE_CHECK || x->is_negated || x->test == TEST_EMPTY ||
      node_type(b->nodes, x->node) != TYPE_RELATION)
    return;
  if (!build(b, x->node, (struct filter){0}, first, last)) {
    b->edges.len = nedges;
    return;
  }
  stay(b, begin, first, all_classes(b));
  stay(b, last, end, all_classes(b));
  if (x->test == TEST_ACYCLIC)
    stay(b, last, first, all_classes(b));
}

void routes_init(struct routes *r, const struct cat *c, uint64_t axioms,
                 const cat_sets *classes, uint32_t nclasses) {
  bool ok = nclasses && nclasses <= ROUTE_CLASSES ? false : true;
  *r = (struct routes){0};
  // If there is no room for all of them, the last ones have to go.
  for (; !ok && axioms;
       axioms &= ~(UINT64_C(1) << (63 - __builtin_clzll(axioms)))) {
    struct builder b = {.cat = c,
                        .nodes = &c->nodes,
                        .classes = classes,
                        .nclasses = nclasses,
                        .routes = r};
    uint32_t begin = new_state(&b), end = new_state(&b);
    r->nlabels = 0;
    for (uint64_t left = axioms; left; left &= left - 1)
      add_axiom(&b, &c->axioms.at[__builtin_ctzll(left)], begin, end);
    ok = !b.is_full && reduce(&b, begin, end);
    array_done(&b.edges);
  }
  if (!ok)
    r->begins = 0;
}

void routes_done(struct routes *r) {
  array_done(&r->first);
  array_done(&r->moves);
}
