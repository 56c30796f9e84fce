// SPDX-License-Identifier: MIT
// What a model certainly forbids, so that the search need not try it: that
// happens-before goes against coherence, and that loads are overtaken in ways
// that acquires, fences or dependencies exclude. A trial on small graphs would
// not do, for a wrong yes loses executions; here is a proof, by the form of the
// terms, that one relation is part of another.
//
// The part is read as a path of steps, a; b; c, and the whole as a pattern that
// the path must fit: r | s is a choice, r+ a loop. On the way we know of each
// event some sets that it is in: those of [S] in the path, and what its steps
// say of their ends (rf begins with a write). A closure in the path fits a loop
// if each of its steps does.
#include "cat/prove.h"

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_PATH = 24, // factors of a path or of a pattern
  MAX_DEPTH = 400,
  MAX_WORK = 2000,
  MAX_SETS = 12, // base sets in one question about sets
};

struct prover {
  struct nodes *nodes;
  uint32_t work, depth;
};

// A path, or a pattern: its next factor is the last one here.
struct path {
  node_id at[MAX_PATH];
  uint32_t n;
};

static const struct node *get(const struct prover *p, node_id x) {
  return &p->nodes->at.at[x];
}

static bool is_kind(const struct prover *p, node_id x, enum node_kind k) {
  return get(p, x)->kind == k;
}

static bool is_base(const struct prover *p, node_id x, enum cat_base b) {
  return is_kind(p, x, NODE_BASE) && get(p, x)->a == b;
}

static bool put(struct path *to, node_id x) {
  if (to->n == MAX_PATH)
    return false;
  to->at[to->n++] = x;
  return true;
}

// -- sets

struct set_question {
  node_id base[MAX_SETS];
  uint32_t n, values; // bit i: the event is in base[i]
  bool is_too_hard;
};

static bool is_in(const struct prover *p, struct set_question *q, node_id s) {
  const struct node *v = get(p, s);
  switch ((enum node_kind)v->kind) {
  case NODE_EMPTY:
    return false;
  case NODE_UNIVERSE:
    return true;
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE: {
    // Both are asked, so that all base sets are found.
    bool a = is_in(p, q, v->a), b = is_in(p, q, v->b);
    return v->kind == NODE_UNION          ? a || b
           : v->kind == NODE_INTERSECTION ? a && b
                                          : a && !b;
  }
  default:
    break;
  }
  uint32_t i = 0;
  while (i < q->n && q->base[i] != s)
    i++;
  if (i == MAX_SETS)
    return q->is_too_hard = true;
  q->base[i] = s;
  q->n = i < q->n ? q->n : i + 1;
  return q->values >> i & 1;
}

// Is every event of one set in the other, whatever the base sets are?
static bool set_is_part(const struct prover *p, node_id part, node_id whole) {
  struct set_question q = {0};
  (void)is_in(p, &q, part);
  (void)is_in(p, &q, whole);
  for (q.values = 0; q.values < 1u << q.n; q.values++)
    if (is_in(p, &q, part) && !is_in(p, &q, whole))
      return false;
  return !q.is_too_hard;
}

static node_id base_set(struct prover *p, enum cat_base b) {
  return node_make(p->nodes, NODE_BASE, TYPE_SET, b, NO_NODE);
}

static node_id meet(struct prover *p, node_id a, node_id b) {
  return node_make(p->nodes, NODE_INTERSECTION, TYPE_SET, a, b);
}

// What the ends of a step are.
static node_id end_of(struct prover *p, node_id step, bool is_range) {
  const struct node v = *get(p, step);
  if (v.kind == NODE_INTERSECTION)
    return meet(p, end_of(p, v.a, is_range), end_of(p, v.b, is_range));
  bool is_base_step = v.kind == NODE_BASE;
  if (is_base_step && (v.a == CAT_fr || v.a == CAT_rmw))
    return base_set(p, is_range ? CAT_W : CAT_R);
  if (is_base_step && v.a == CAT_rf)
    return base_set(p, is_range ? CAT_R : CAT_W);
  if (is_base_step && v.a == CAT_co)
    return base_set(p, CAT_W);
  return node_make(p->nodes, NODE_UNIVERSE, TYPE_SET, NO_NODE, NO_NODE);
}

// -- single steps

// Is every pair of the step in the base relation?
static bool step_is_in_base(const struct prover *p, node_id step,
                            enum cat_base b) {
  const struct node *v = get(p, step);
  if (v->kind == NODE_INTERSECTION)
    return step_is_in_base(p, v->a, b) || step_is_in_base(p, v->b, b);
  if (v->kind == NODE_DIFFERENCE)
    return step_is_in_base(p, v->a, b);
  if (v->kind != NODE_BASE)
    return false;
  if (v->a == b)
    return true;
  switch (b) {
  case CAT_po:
    return v->a == CAT_rmw || v->a == CAT_amo || v->a == CAT_addr ||
           v->a == CAT_data || v->a == CAT_ctrl || v->a == CAT_ctrl_after ||
           v->a == CAT_casdep || v->a == CAT_rcu_rscs || v->a == CAT_srcu_rscs;
  case CAT_rmw:
    return v->a == CAT_amo;
  case CAT_int:
  case CAT_loc:
    return v->a == CAT_rmw ||
           (b == CAT_loc &&
            (v->a == CAT_rf || v->a == CAT_co || v->a == CAT_fr));
  default:
    return false;
  }
}

static bool step_is_part(const struct prover *p, node_id step, node_id whole) {
  const struct node *s = get(p, step), *w = get(p, whole);
  if (step == whole || w->kind == NODE_UNIVERSE)
    return true;
  if (w->kind == NODE_INTERSECTION)
    return step_is_part(p, step, w->a) && step_is_part(p, step, w->b);
  if (w->kind == NODE_UNION)
    return step_is_part(p, step, w->a) || step_is_part(p, step, w->b);
  if (w->kind == NODE_PLUS || w->kind == NODE_OPTIONAL)
    return step_is_part(p, step, w->a);
  if (s->kind == NODE_INTERSECTION &&
      (step_is_part(p, s->a, whole) || step_is_part(p, s->b, whole)))
    return true;
  return w->kind == NODE_BASE && step_is_in_base(p, step, (enum cat_base)w->a);
}

// -- paths

static bool fits(struct prover *p, struct path path, struct path pattern,
                 node_id known);

// With another factor in front of the path, or of the pattern.
static bool fits_with(struct prover *p, struct path path, node_id step,
                      struct path pattern, node_id wanted, node_id known) {
  return (step == NO_NODE || put(&path, step)) &&
         (wanted == NO_NODE || put(&pattern, wanted)) &&
         fits(p, path, pattern, known);
}

// Steps of po follow each other in po.
static bool fits_po(struct prover *p, struct path path, struct path pattern) {
  while (path.n) {
    node_id step = path.at[--path.n];
    const struct node *v = get(p, step);
    if (v->kind == NODE_IDENTITY)
      continue;
    if (v->kind == NODE_SEQUENCE && put(&path, v->b) && put(&path, v->a))
      continue;
    if (!step_is_in_base(p, step, CAT_po))
      return false;
    if (fits(p, path, pattern, end_of(p, step, true)))
      return true;
  }
  return false;
}

// The pattern goes on with a loop over `body`.
static bool fits_loop(struct prover *p, struct path path, struct path pattern,
                      node_id loop, node_id known) {
  node_id body = get(p, loop)->a;
  node_id again =
      node_make(p->nodes, NODE_OPTIONAL, TYPE_RELATION, loop, NO_NODE);
  node_id all = node_make(p->nodes, NODE_UNIVERSE, TYPE_SET, NO_NODE, NO_NODE);
  if (path.n && is_kind(p, path.at[path.n - 1], NODE_PLUS)) {
    // Is each round of the closure some rounds of the loop?
    struct path rest = path, round = {{get(p, path.at[path.n - 1])->a}, 1};
    rest.n--;
    if (fits(p, round, (struct path){{loop}, 1}, all) &&
        fits_with(p, rest, NO_NODE, pattern, again, all))
      return true;
  }
  struct path once = pattern;
  if (fits_with(p, path, NO_NODE, once, body, known))
    return true;
  return put(&pattern, again) && put(&pattern, body) &&
         fits(p, path, pattern, known);
}

// The path begins with a choice; all of it must fit.
static bool fits_each(struct prover *p, struct path path, struct path pattern,
                      node_id known, bool *is_choice) {
  *is_choice = path.n;
  if (!path.n)
    return false;
  const struct node v = *get(p, path.at[path.n - 1]);
  path.n--;
  switch ((enum node_kind)v.kind) {
  case NODE_UNION:
    return fits_with(p, path, v.a, pattern, NO_NODE, known) &&
           fits_with(p, path, v.b, pattern, NO_NODE, known);
  case NODE_OPTIONAL:
    return fits_with(p, path, v.a, pattern, NO_NODE, known) &&
           fits(p, path, pattern, known);
  case NODE_SEQUENCE:
    return put(&path, v.b) && fits_with(p, path, v.a, pattern, NO_NODE, known);
  case NODE_IDENTITY:
    return fits(p, path, pattern, meet(p, known, v.a));
  default:
    *is_choice = false;
    return false;
  }
}

// The pattern begins with a factor that is neither loop nor choice.
static bool fits_factor(struct prover *p, struct path path, struct path pattern,
                        node_id wanted, node_id known) {
  if (is_kind(p, wanted, NODE_IDENTITY))
    return set_is_part(p, known, get(p, wanted)->a) &&
           fits(p, path, pattern, known);
  if (!path.n)
    return false;
  if (is_base(p, wanted, CAT_po) && fits_po(p, path, pattern))
    return true;
  node_id step = path.at[--path.n];
  return step_is_part(p, step, wanted) &&
         fits(p, path, pattern, end_of(p, step, true));
}

// The path does not begin with a choice.
static bool fits_pattern(struct prover *p, struct path path,
                         struct path pattern, node_id known) {
  if (!pattern.n)
    return !path.n;
  if (path.n)
    known = meet(p, known, end_of(p, path.at[path.n - 1], false));
  node_id wanted = pattern.at[--pattern.n];
  const struct node v = *get(p, wanted);
  switch ((enum node_kind)v.kind) {
  case NODE_UNION:
    return fits_with(p, path, NO_NODE, pattern, v.a, known) ||
           fits_with(p, path, NO_NODE, pattern, v.b, known);
  case NODE_OPTIONAL:
    return fits(p, path, pattern, known) ||
           fits_with(p, path, NO_NODE, pattern, v.a, known);
  case NODE_SEQUENCE:
    return put(&pattern, v.b) &&
           fits_with(p, path, NO_NODE, pattern, v.a, known);
  case NODE_PLUS:
    return fits_loop(p, path, pattern, wanted, known);
  default:
    return fits_factor(p, path, pattern, wanted, known);
  }
}

static bool fits(struct prover *p, struct path path, struct path pattern,
                 node_id known) {
  bool is_choice;
  if (++p->work > MAX_WORK || p->depth > MAX_DEPTH)
    return false;
  p->depth++;
  bool ok = fits_each(p, path, pattern, known, &is_choice);
  if (!is_choice)
    ok = fits_pattern(p, path, pattern, known);
  p->depth--;
  return ok;
}

bool cat_proves(struct nodes *n, node_id part, node_id whole) {
  struct prover p = {.nodes = n};
  node_id all = node_make(n, NODE_UNIVERSE, TYPE_SET, NO_NODE, NO_NODE);
  return part == whole ||
         fits(&p, (struct path){{part}, 1}, (struct path){{whole}, 1}, all);
}

// -- what is asked

static node_id relation(struct nodes *n, enum cat_base b) {
  return node_make(n, NODE_BASE, TYPE_RELATION, b, NO_NODE);
}

static node_id make(struct nodes *n, enum node_kind k, node_id a, node_id b) {
  return node_make(n, k, TYPE_RELATION, a, b);
}

static node_id set(struct nodes *n, enum cat_base b) {
  return node_make(n, NODE_BASE, TYPE_SET, b, NO_NODE);
}

// [S]
static node_id events(struct nodes *n, node_id s) {
  return make(n, NODE_IDENTITY, s, NO_NODE);
}

// [kind & one of the orders]
static node_id ordered(struct nodes *n, node_id kind,
                       const enum cat_base *orders, unsigned norders) {
  node_id any = set(n, orders[0]);
  for (unsigned i = 1; i < norders; i++)
    any = node_make(n, NODE_UNION, TYPE_SET, any, set(n, orders[i]));
  return events(n, node_make(n, NODE_INTERSECTION, TYPE_SET, kind, any));
}
#define ORDERED(n, kind, ...)                                                  \
  ordered(n, kind, (const enum cat_base[]){__VA_ARGS__},                       \
          sizeof((const enum cat_base[]){__VA_ARGS__}) /                       \
              sizeof(enum cat_base))

// The first of them, then the next, up to NO_NODE.
static node_id path_of(struct nodes *n, const node_id *steps, unsigned nsteps) {
  node_id all = steps[nsteps - 1];
  for (unsigned i = nsteps - 1; i-- > 0;)
    all = make(n, NODE_SEQUENCE, steps[i], all);
  return all;
}
#define PATH(n, ...)                                                           \
  path_of(n, (const node_id[]){__VA_ARGS__},                                   \
          sizeof((const node_id[]){__VA_ARGS__}) / sizeof(node_id))

static node_id eco_of(struct nodes *n) {
  node_id co = make(n, NODE_UNION, relation(n, CAT_co), relation(n, CAT_fr));
  node_id any = make(n, NODE_UNION, relation(n, CAT_rf), co);
  return make(n, NODE_PLUS, any, NO_NODE);
}

static node_id po_and_eco(struct nodes *n) {
  node_id po_loc =
      make(n, NODE_INTERSECTION, relation(n, CAT_po), relation(n, CAT_loc));
  return PATH(n, po_loc, eco_of(n));
}

// [kind & any order of an atomic access], or [kind] if plain accesses
// synchronise as well.
static node_id synchronising(struct nodes *n, node_id kind, bool is_plain) {
  return is_plain
             ? events(n, kind)
             : ORDERED(n, kind, CAT_RLX, CAT_ACQ, CAT_REL, CAT_ACQ_REL, CAT_SC);
}

static node_id reads_of_registers(struct nodes *n) {
  return node_make(n, NODE_DIFFERENCE, TYPE_SET, set(n, CAT_R),
                   set(n, CAT_NORETURN));
}

// Happens-before as the clocks of graph/hb.c have it. `same`: the built-in
// model that says what synchronises, if any.
static node_id hb_of(struct nodes *n, const struct model *same) {
  bool is_plain = same && same->plain_syncs;
  node_id po = relation(n, CAT_po), rf = relation(n, CAT_rf);
  node_id r = set(n, CAT_R), w = set(n, CAT_W), f = set(n, CAT_F);
  node_id fences = events(n, f);
  node_id rs = make(
      n, NODE_OPTIONAL,
      make(n, NODE_PLUS, PATH(n, rf, relation(n, CAT_rmw)), NO_NODE), NO_NODE);
  node_id either = node_make(n, NODE_UNION, TYPE_SET, r, f);
  node_id acquire = ORDERED(n, either, CAT_ACQ, CAT_ACQ_REL, CAT_SC);
  either = node_make(n, NODE_UNION, TYPE_SET, w, f);
  node_id release = ORDERED(n, either, CAT_REL, CAT_ACQ_REL, CAT_SC);
  if (!same || !same->skips_noret) // else, fences do not know all that was read
    acquire =
        PATH(n, make(n, NODE_OPTIONAL, PATH(n, po, fences), NO_NODE), acquire);
  node_id sw =
      PATH(n, release, make(n, NODE_OPTIONAL, PATH(n, fences, po), NO_NODE),
           synchronising(n, w, is_plain), rs, rf, synchronising(n, r, is_plain),
           acquire);
  return make(n, NODE_PLUS, make(n, NODE_UNION, po, sw), NO_NODE);
}

// Does the axiom forbid that an event leads to itself by `path`?
static bool forbids(struct nodes *n, const struct cat_axiom *x, node_id path) {
  if (x->mode != MODE_CHECK || x->is_negated || x->test == TEST_EMPTY)
    return false;
  node_id whole = x->node;
  if (x->test == TEST_ACYCLIC)
    whole = make(n, NODE_PLUS, whole, NO_NODE);
  return cat_proves(n, path, whole);
}

static bool is_forbidden(struct nodes *n, const struct cat *c,
                         const struct cat_analysis *a, node_id path) {
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (cat_prunes(a, i) && forbids(n, &c->axioms.at[i], path))
      return true;
  return false;
}

// Which orders of loads are in the axiom's relation? (Reading from another
// thread has to be, too: then what loads lead to is.)
//
// Why the search loses no core by them (explore/promise/promise.c has the
// words): let S be the last cycles of a core, and A+ the closure of the axiom's
// relation, which is a partial order in every graph that the model allows. Take
// a write w that is maximal in A+ among the last events of S in their threads.
// If r reads w from another thread, w comes before r in A+. The last event u of
// r's thread in the core leads to a cycle, which is in S, so u is one of those
// last events. Were r ordered before u by one of these rules, w would come
// before u. So r is free, and w can be taken back from it; the rules are all of
// one axiom, since the argument is about one order.
static uint8_t load_orders(struct nodes *n, const struct cat_axiom *x,
                           enum cat_base branch) {
  node_id po = relation(n, CAT_po), f = set(n, CAT_F);
  node_id reads = events(n, set(n, CAT_R)), writes = events(n, set(n, CAT_W));
  node_id rfe =
      make(n, NODE_INTERSECTION, relation(n, CAT_rf), relation(n, CAT_ext));
  uint8_t found = 0;
  if (x->test != TEST_ACYCLIC || !forbids(n, x, rfe))
    return 0;
  if (forbids(n, x,
              PATH(n, ORDERED(n, set(n, CAT_R), CAT_ACQ, CAT_SC), po, writes)))
    found |= ORDER_ACQUIRE;
  if (forbids(n, x,
              PATH(n, reads, po, ORDERED(n, set(n, CAT_W), CAT_REL, CAT_SC))))
    found |= ORDER_RELEASE;
  node_id fences[] = {ORDERED(n, f, CAT_ACQ), ORDERED(n, f, CAT_REL),
                      ORDERED(n, f, CAT_ACQ_REL), ORDERED(n, f, CAT_SC)};
  // The search knows that an acquire fence may not see all reads.
  node_id seen = events(n, reads_of_registers(n));
  unsigned good = 0;
  for (unsigned i = 0; i < 4; i++)
    good += forbids(n, x,
                    PATH(n, i == 0 ? seen : reads, po, fences[i], po, writes));
  if (good == 4)
    found |= ORDER_FENCE;
  node_id threads = events(n, set(n, CAT_THREAD));
  if (forbids(n, x, PATH(n, reads, po, threads, po, writes)))
    found |= ORDER_THREAD;
  if (forbids(n, x, PATH(n, reads, relation(n, CAT_addr), writes)) &&
      forbids(n, x, PATH(n, reads, relation(n, CAT_addr), po, writes)) &&
      forbids(n, x, PATH(n, reads, relation(n, CAT_data), writes)) &&
      forbids(n, x, PATH(n, reads, relation(n, branch), writes)) &&
      ((found & ORDER_THREAD) || // or else, what other threads do is meant, too
       forbids(n, x, PATH(n, reads, relation(n, branch), threads, po, writes))))
    found |= ORDER_DEPEND;
  node_id update = node_make(n, NODE_INTERSECTION, TYPE_SET, set(n, CAT_LOCKED),
                             set(n, CAT_EXCLUSIVE));
  if (forbids(
          n, x,
          PATH(n, events(n, update), relation(n, CAT_rmw), events(n, update))))
    found |= ORDER_UPDATE;
  return found;
}

// Does it forbid cycles of co | po | rf?
static bool keeps_porf(struct nodes *n, const struct cat_axiom *x) {
  return x->test == TEST_ACYCLIC && forbids(n, x, relation(n, CAT_po)) &&
         forbids(n, x, relation(n, CAT_rf)) &&
         forbids(n, x, relation(n, CAT_co));
}

// Does it only say that no other thread's write comes between the two halves of
// an update? The search sees to that in all models. (A write of the same thread
// may come between a load-linked and its store-conditional, graph/reserve.c.)
static bool is_atomicity(struct nodes *n, const struct cat_axiom *x) {
  const struct node v = n->at.at[x->node];
  node_id rmw = relation(n, CAT_rmw);
  node_id ext = relation(n, CAT_ext);
  node_id between =
      PATH(n, make(n, NODE_INTERSECTION, relation(n, CAT_fr), ext),
           make(n, NODE_INTERSECTION, relation(n, CAT_co), ext));
  return x->mode == MODE_CHECK && x->test == TEST_EMPTY && !x->is_negated &&
         v.kind == NODE_INTERSECTION &&
         ((v.a == rmw && cat_proves(n, v.b, between)) ||
          (v.b == rmw && cat_proves(n, v.a, between)));
}

// Does the search see to the axiom itself?
//   - What is part of (po | rf)+ has no cycle where every event comes at the
//   end
//     of its thread and reads what is there.
//   - If happens-before is coherent, sources and places are chosen accordingly
//     (graph_co_floor). Then accesses of one location have an order, too: one
//     by po would go against eco otherwise. (If only program order is, not all
//     of it counts there.)
static bool is_given(struct nodes *n, const struct cat_analysis *a,
                     const struct cat_axiom *x, bool hb_is_coherent,
                     const struct model *same) {
  if (is_atomicity(n, x))
    return true;
  if (x->mode != MODE_CHECK || x->is_negated || x->test == TEST_EMPTY)
    return false;
  node_id rf = relation(n, CAT_rf), po = relation(n, CAT_po);
  node_id porf = make(n, NODE_PLUS, make(n, NODE_UNION, po, rf), NO_NODE);
  if (a->tried.porf_is_acyclic && cat_proves(n, x->node, porf))
    return true;
  node_id com = make(n, NODE_UNION, relation(n, CAT_co), relation(n, CAT_fr));
  node_id local =
      make(n, NODE_UNION, make(n, NODE_INTERSECTION, po, relation(n, CAT_loc)),
           make(n, NODE_UNION, rf, com));
  if (!hb_is_coherent)
    return false;
  if (cat_proves(n, x->node, make(n, NODE_PLUS, local, NO_NODE)))
    return true;
  node_id eco = make(n, NODE_OPTIONAL, eco_of(n), NO_NODE);
  return x->test == TEST_IRREFLEXIVE &&
         cat_proves(n, x->node, PATH(n, hb_of(n, same), eco));
}

// Of what is asked the model itself shall know nothing.
static struct nodes copy_of(const struct nodes *n) {
  struct nodes copy = {.mask = n->mask, .groups.at = n->groups.at};
  copy.groups.len = n->groups.len;
  for (uint32_t i = 0; i < n->at.len; i++)
    array_push(&copy.at, n->at.at[i]);
  copy.slots = xmalloc((n->mask + 1) * sizeof *copy.slots);
  memcpy(copy.slots, n->slots, (n->mask + 1) * sizeof *copy.slots);
  return copy;
}

struct cat_proved cat_prove(const struct cat_analysis *a, const struct cat *c) {
  // What follows a branch, whether that guards it or not.
  enum cat_base branch =
      c->uses >> CAT_ctrl_after & 1 ? CAT_ctrl_after : CAT_ctrl;
  struct nodes n = copy_of(&c->nodes);
  struct cat_proved found = {.is_symmetric = cat_is_symmetric(&n, c),
                             .bounded = cat_find_bounded(c)};
  for (uint32_t i = 0; i < c->axioms.len && i < 64; i++) {
    const struct cat_axiom *x = &c->axioms.at[i];
    if (!cat_prunes(a, i))
      continue;
    uint8_t orders = load_orders(&n, x, branch);
    // Not of coherence, say: that promises only change values is a question of
    // the same order.
    if (!(orders & ORDER_DEPEND))
      orders = 0;
    if (__builtin_popcount(orders) > __builtin_popcount(found.load_orders))
      found.load_orders = orders;
    found.co_keeps_porf |= keeps_porf(&n, x);
  }
  node_id hb = hb_of(&n, NULL);
  found.hb_is_coherent = is_forbidden(&n, c, a, hb) &&
                         is_forbidden(&n, c, a, PATH(&n, hb, eco_of(&n)));
  found.po_is_coherent = is_forbidden(&n, c, a, po_and_eco(&n));
  if (found.hb_is_coherent)
    found.load_orders |= ORDER_HB;
  const struct model *same = c->same_as;
  bool is_coherent = same || found.hb_is_coherent;
  for (uint32_t i = 0; i < c->axioms.len && i < 64; i++)
    found.given |=
        (uint64_t)is_given(&n, a, &c->axioms.at[i], is_coherent, same) << i;
  array_done(&n.at);
  free(n.slots);
  return found;
}
