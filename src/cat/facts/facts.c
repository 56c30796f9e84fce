// SPDX-License-Identifier: MIT
// What a model certainly forbids, so that the search need not try it: cycles of
// program order and reads-from, values out of thin air, that one location is
// seen in another order, that happens-before goes against that, and that loads
// are overtaken in ways that acquires, fences or dependencies exclude. Trials
// on small graphs would not do, for a wrong yes loses executions. What is not
// proved here (prove.c) is not used: then everything is tried, however slow.
//
// All that is asked is about paths of base relations, and these never vanish
// while a graph grows. So it does not matter when an axiom is looked at: what
// it refuses in a complete graph, no execution has.
#include "cat/facts/terms.h"

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static node_id eco_of(struct nodes *n) {
  node_id co = make(n, NODE_UNION, relation(n, CAT_co), relation(n, CAT_fr));
  node_id any = make(n, NODE_UNION, relation(n, CAT_rf), co);
  return make(n, NODE_PLUS, any, NO_NODE);
}

// [kind & any order of an atomic access], or [kind] if plain accesses
// synchronise as well.
static node_id synchronising(struct nodes *n, node_id kind, bool is_plain) {
  return is_plain
             ? events(n, kind)
             : ORDERED(n, kind, CAT_RLX, CAT_ACQ, CAT_REL, CAT_ACQ_REL, CAT_SC);
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

static bool is_forbidden(struct nodes *n, const struct cat *c, node_id path) {
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (forbids(n, &c->axioms.at[i], path))
      return true;
  return false;
}

// The same for a path that may begin with any of its steps.
static bool is_cycle_forbidden(struct nodes *n, const struct cat *c,
                               const node_id *steps, unsigned nsteps) {
  enum { MOST = 8 };
  node_id turned[MOST];
  check(nsteps <= MOST);
  for (unsigned first = 0; first < nsteps; first++) {
    for (unsigned i = 0; i < nsteps; i++)
      turned[i] = steps[(first + i) % nsteps];
    if (is_forbidden(n, c, path_of(n, turned, nsteps)))
      return true;
  }
  return false;
}
#define IS_CYCLE_FORBIDDEN(n, c, ...)                                          \
  is_cycle_forbidden(n, c, (const node_id[]){__VA_ARGS__},                     \
                     sizeof((const node_id[]){__VA_ARGS__}) / sizeof(node_id))

// Does the axiom forbid all cycles of the relation?
static bool forbids_cycles(struct nodes *n, const struct cat_axiom *x,
                           node_id relation) {
  return forbids(n, x,
                 x->test == TEST_IRREFLEXIVE
                     ? make(n, NODE_PLUS, relation, NO_NODE)
                     : relation);
}

static node_id internal(struct nodes *n, enum cat_base b) {
  return make(n, NODE_INTERSECTION, relation(n, b), relation(n, CAT_int));
}

// -- cycles of po | rf, and of dependencies and rf

// po between accesses of one location, in one thread or beyond it.
static node_id po_loc(struct nodes *n, bool is_internal) {
  return make(n, NODE_INTERSECTION,
              is_internal ? internal(n, CAT_po) : relation(n, CAT_po),
              relation(n, CAT_loc));
}

// Does no read take what its own thread writes later?
static bool reads_nothing_later(struct nodes *n, const struct cat *c) {
  return IS_CYCLE_FORBIDDEN(n, c, events(n, set(n, CAT_R)),
                            po_loc(n, /*is_internal=*/true),
                            events(n, set(n, CAT_W)), relation(n, CAT_rf));
}

// Has po | rf no cycle? If no read takes what its own thread writes later, rf
// within a thread is part of po; what is left of a cycle is rf between threads,
// and from the read of one to the write of the next a step of po.
static bool porf_is_acyclic(struct nodes *n, const struct cat *c,
                            bool reads_nothing_later) {
  node_id po = relation(n, CAT_po), rf = relation(n, CAT_rf);
  node_id all = make(n, NODE_UNION, po, rf);
  node_id some =
      make(n, NODE_UNION, external(n, CAT_rf),
           PATH(n, events(n, set(n, CAT_R)), po, events(n, set(n, CAT_W))));
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (forbids_cycles(n, &c->axioms.at[i], all) ||
        (reads_nothing_later && forbids_cycles(n, &c->axioms.at[i], some)))
      return true;
  return false;
}

// Have dependencies and rf no cycle by this axiom, where all that follows a
// branch or an address depends on it (forbid_thin_air in model.c)? (What a
// compare-exchange expects is a branch, too: casdep adds nothing.)
static bool has_no_thin_air(struct nodes *n, const struct cat *c,
                            const struct cat_axiom *x, enum cat_base branch) {
  node_id po = relation(n, CAT_po), addr = relation(n, CAT_addr);
  node_id threads = thread_events(n, c);
  return x->test == TEST_ACYCLIC && forbids(n, x, relation(n, CAT_rf)) &&
         forbids(n, x, relation(n, CAT_data)) && forbids(n, x, addr) &&
         forbids(n, x, PATH(n, addr, po)) &&
         forbids(n, x, relation(n, branch)) &&
         forbids(n, x, PATH(n, relation(n, branch), threads, po));
}

// The same of processors, whose branches order all writes that follow, and
// nothing else. In a cycle, take what leads from a read of another thread to
// the next write that another thread reads. From the first branch, or the first
// address that is not of the next event, on it is one step: all that follows
// depends on that, and rf within a thread is part of po. What is before are
// addresses of reads, and addresses and data of writes with a read of these.
static bool orders_dependencies(struct nodes *n, const struct cat *c,
                                const struct cat_axiom *x) {
  node_id po = relation(n, CAT_po), addr = relation(n, CAT_addr);
  node_id data = relation(n, CAT_data), ctrl = relation(n, CAT_ctrl);
  node_id reads = events(n, set(n, CAT_R)), writes = events(n, set(n, CAT_W));
  node_id accesses = events(
      n, node_make(n, NODE_UNION, TYPE_SET, set(n, CAT_R), set(n, CAT_W)));
  node_id value = make(n, NODE_UNION, addr, data);
  node_id hop = make(n, NODE_UNION, PATH(n, addr, reads),
                     PATH(n, value, writes, internal(n, CAT_rf)));
  node_id hops =
      make(n, NODE_OPTIONAL, make(n, NODE_PLUS, hop, NO_NODE), NO_NODE);
  node_id threads = thread_events(n, c);
  return x->test == TEST_ACYCLIC && forbids(n, x, external(n, CAT_rf)) &&
         forbids(n, x, PATH(n, reads, hops, value, writes)) &&
         forbids(n, x, PATH(n, reads, hops, ctrl, writes)) &&
         forbids(n, x, PATH(n, reads, hops, addr, accesses, po, writes)) &&
         (forbids(n, x, PATH(n, reads, po, threads, po, writes)) ||
          forbids(n, x, PATH(n, reads, hops, ctrl, threads, po, writes)));
}

static bool thin_air_is_forbidden(struct nodes *n, const struct cat *c,
                                  bool reads_nothing_later) {
  for (uint32_t i = 0; i < c->axioms.len; i++) {
    const struct cat_axiom *x = &c->axioms.at[i];
    if (has_no_thin_air(n, c, x, cat_branches(c)) ||
        (!cat_has_guards(c) && reads_nothing_later &&
         orders_dependencies(n, c, x)))
      return true;
  }
  return false;
}

// -- coherence

// Is irreflexive((po & loc); eco) where one end of po at least is a write, for
// po within threads or all of it? eco is rf | co | fr | co; rf | fr; rf, and
// each of these may be a matter of another axiom.
static bool writes_are_coherent(struct nodes *n, const struct cat *c,
                                bool is_internal) {
  node_id po = po_loc(n, is_internal);
  node_id rf = relation(n, CAT_rf), co = relation(n, CAT_co);
  node_id fr = relation(n, CAT_fr);
  node_id r = events(n, set(n, CAT_R)), w = events(n, set(n, CAT_W));
  node_id not_own = make(n, NODE_DIFFERENCE, fr, relation(n, CAT_rmw));
  return IS_CYCLE_FORBIDDEN(n, c, r, po, w, rf) &&
         IS_CYCLE_FORBIDDEN(n, c, w, po, w, co) &&
         // (An update's read is not after its write.)
         (IS_CYCLE_FORBIDDEN(n, c, w, po, r, fr) ||
          IS_CYCLE_FORBIDDEN(n, c, w, po, r, not_own)) &&
         IS_CYCLE_FORBIDDEN(n, c, r, po, w, co, rf);
}

// The same of two reads.
static bool reads_are_coherent(struct nodes *n, const struct cat *c,
                               bool is_internal) {
  node_id r = events(n, set(n, CAT_R));
  return IS_CYCLE_FORBIDDEN(n, c, r, po_loc(n, is_internal), r,
                            relation(n, CAT_fr), relation(n, CAT_rf));
}

// Does the axiom order what happens-before orders between threads? Let X be its
// relation, and po coherent. What happens before another event, and not by po
// alone, leads to a write w that releases or has a release fence before it;
// from there on by co, through updates, to one that another thread reads (rf
// within a thread, and the write of an update, lead on in co); from that read
// by po to the next such write, or to the event itself. These steps are in X+
// if the ones below are. If the event led back by eco, X would have a cycle: if
// that ends with rf within a thread, what it begins with is as well before w.
static bool orders_hb(struct nodes *n, const struct cat_axiom *x) {
  node_id po = relation(n, CAT_po);
  node_id r = set(n, CAT_R), w = set(n, CAT_W), f = set(n, CAT_F);
  node_id reads = events(n, r), writes = events(n, w);
  node_id release = ORDERED(n, w, CAT_REL, CAT_SC);
  node_id fence = ORDERED(n, f, CAT_REL, CAT_ACQ_REL, CAT_SC);
  return x->test == TEST_ACYCLIC && forbids(n, x, external(n, CAT_rf)) &&
         forbids(n, x, relation(n, CAT_co)) &&
         forbids(n, x, relation(n, CAT_fr)) &&
         forbids(n, x, PATH(n, reads, po, reads)) &&
         forbids(n, x, PATH(n, reads, po, writes)) &&
         forbids(n, x, PATH(n, writes, po, release)) &&
         forbids(n, x, PATH(n, writes, po, fence, po, writes));
}

static bool hb_is_coherent(struct nodes *n, const struct cat *c,
                           bool po_is_coherent) {
  node_id hb = hb_of(n, NULL);
  for (uint32_t i = 0; po_is_coherent && i < c->axioms.len; i++)
    if (orders_hb(n, &c->axioms.at[i]))
      return true;
  return is_forbidden(n, c, hb) && is_forbidden(n, c, PATH(n, hb, eco_of(n)));
}

// -- single axioms

// Does it forbid cycles of co | po | rf? (If no read takes what its own thread
// writes later, what is left of po ends with a write.)
static bool keeps_porf(struct nodes *n, const struct cat_axiom *x,
                       bool reads_nothing_later) {
  node_id po = relation(n, CAT_po), writes = events(n, set(n, CAT_W));
  if (x->test != TEST_ACYCLIC || !forbids(n, x, relation(n, CAT_co)))
    return false;
  return (forbids(n, x, po) && forbids(n, x, relation(n, CAT_rf))) ||
         (reads_nothing_later && forbids(n, x, external(n, CAT_rf)) &&
          forbids(n, x, PATH(n, events(n, set(n, CAT_R)), po, writes)) &&
          forbids(n, x, PATH(n, writes, po, writes)));
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

static node_id local_order(struct nodes *n) {
  node_id com = make(n, NODE_UNION, relation(n, CAT_co), relation(n, CAT_fr));
  node_id all = make(n, NODE_UNION, po_loc(n, /*is_internal=*/false),
                     make(n, NODE_UNION, relation(n, CAT_rf), com));
  return make(n, NODE_PLUS, all, NO_NODE);
}

// Does it only say that accesses of one location have an order?
static bool is_local(struct nodes *n, const struct cat_axiom *x) {
  return x->mode == MODE_CHECK && x->test != TEST_EMPTY && !x->is_negated &&
         cat_proves(n, x->node, local_order(n));
}

// Does the search see to the axiom itself?
//   - What is part of (po | rf)+ has no cycle where every event comes at the
//   end
//     of its thread and reads what is there.
//   - If happens-before is coherent, sources and places are chosen accordingly
//     (graph_co_floor). Then accesses of one location have an order, too: one
//     by po would go against eco otherwise. (If only program order is, not all
//     of it counts there.)
static bool is_given(struct nodes *n, const struct cat_axiom *x,
                     const struct cat_proved *proved, bool hb_is_coherent,
                     const struct model *same) {
  if (is_atomicity(n, x))
    return true;
  if (x->mode != MODE_CHECK || x->is_negated || x->test == TEST_EMPTY)
    return false;
  node_id rf = relation(n, CAT_rf), po = relation(n, CAT_po);
  node_id porf = make(n, NODE_PLUS, make(n, NODE_UNION, po, rf), NO_NODE);
  if (proved->porf_is_acyclic && cat_proves(n, x->node, porf))
    return true;
  if (!hb_is_coherent)
    return false;
  if (is_local(n, x))
    return true;
  node_id eco = make(n, NODE_OPTIONAL, eco_of(n), NO_NODE);
  return x->test == TEST_IRREFLEXIVE &&
         cat_proves(n, x->node, PATH(n, hb_of(n, same), eco));
}

// Of what is asked the model itself shall know nothing. Axioms that forbid
// cycles are `acyclic` here, whatever they are called; those that forbid more
// than that are in `weaker` (bits of the first 64).
static struct cat view_of(const struct cat *c, uint64_t *weaker) {
  struct cat view = {.uses = c->uses, .same_as = c->same_as};
  struct nodes *n = &view.nodes;
  *n = (struct nodes){.table = table_copy(&c->nodes.table),
                      .groups.at = c->nodes.groups.at};
  n->groups.len = c->nodes.groups.len;
  memcpy(view.uses_fence, c->uses_fence, sizeof view.uses_fence);
  for (uint32_t i = 0; i < c->nodes.at.len; i++)
    array_push(&n->at, c->nodes.at.at[i]);
  for (uint32_t i = 0; i < c->axioms.len; i++) {
    struct cat_axiom x = c->axioms.at[i];
    bool is_all = true;
    node_id r = x.test == TEST_IRREFLEXIVE ? cat_closure_of(n, x.node, &is_all)
                                           : NO_NODE;
    if (r != NO_NODE && !is_all && i < 64)
      *weaker |= UINT64_C(1) << i;
    if (r != NO_NODE) {
      x.test = TEST_ACYCLIC;
      x.node = r;
    }
    array_push(&view.axioms, x);
  }
  return view;
}

static void view_done(struct cat *view) {
  array_done(&view->nodes.at);
  array_done(&view->axioms);
  table_done(&view->nodes.table);
}

void cat_prove_orders(struct cat_proved *found, const struct cat *of) {
  uint64_t weaker = 0;
  struct cat c = view_of(of, &weaker);
  struct nodes *n = &c.nodes;
  found->reads_nothing_later = reads_nothing_later(n, &c);
  found->porf_is_acyclic = porf_is_acyclic(n, &c, found->reads_nothing_later);
  found->has_no_thin_air =
      found->porf_is_acyclic ||
      thin_air_is_forbidden(n, &c, found->reads_nothing_later);
  view_done(&c);
}

// What single axioms say of loads.
static void prove_of_axioms(struct cat_proved *found,
                            const struct cat_analysis *a, struct cat *c) {
  // What follows a branch, whether that guards it or not.
  enum cat_base branch = cat_branches(c);
  struct nodes *n = &c->nodes;
  for (uint32_t i = 0; i < c->axioms.len && i < 64; i++) {
    const struct cat_axiom *x = &c->axioms.at[i];
    found->barriers_order =
        found->barriers_order || cat_barriers_order(n, c, x);
    uint8_t among = cat_cycle_orders(n, c, x);
    if (__builtin_popcount(among) > __builtin_popcount(found->cycle_orders))
      found->cycle_orders = among;
    if (!cat_prunes(a, i))
      continue;
    uint16_t orders = cat_load_orders(n, c, x, branch);
    // What thin air is made of, between a load and the next write.
    if (has_no_thin_air(n, c, x, branch) || orders_dependencies(n, c, x))
      orders |= ORDER_FORWARD;
    // Not of coherence, say: that promises only change values is a question of
    // the same order.
    if (!(orders & ORDER_DEPEND))
      orders = 0;
    if (__builtin_popcount(orders) > __builtin_popcount(found->load_orders))
      found->load_orders = orders;
    found->co_keeps_porf |= keeps_porf(n, x, found->reads_nothing_later);
  }
}

void cat_prove(struct cat_proved *found, const struct cat_analysis *a,
               const struct cat *of) {
  uint64_t weaker = 0;
  struct cat c = view_of(of, &weaker);
  struct nodes *n = &c.nodes;
  found->is_symmetric = cat_is_symmetric(n, of);
  prove_of_axioms(found, a, &c);
  found->po_is_coherent = writes_are_coherent(n, &c, /*is_internal=*/false) &&
                          reads_are_coherent(n, &c, /*is_internal=*/false);
  found->writes_are_coherent =
      found->po_is_coherent || writes_are_coherent(n, &c, /*is_internal=*/true);
  found->thread_is_coherent = found->po_is_coherent ||
                              (found->writes_are_coherent &&
                               reads_are_coherent(n, &c, /*is_internal=*/true));
  found->hb_is_coherent = hb_is_coherent(n, &c, found->po_is_coherent);
  if (found->hb_is_coherent)
    found->load_orders |= ORDER_HB;
  const struct model *same = c.same_as;
  bool is_coherent =
      same ? same->coherence == COHERENCE_HB : found->hb_is_coherent;
  // (What is said of all that an axiom forbids is asked of all of it.)
  for (uint32_t i = 0; i < c.axioms.len && i < 64; i++) {
    const struct cat_axiom *x = &c.axioms.at[i];
    if (weaker >> i & 1)
      continue;
    found->local |= (uint64_t)is_local(n, x) << i;
    found->given |= (uint64_t)is_given(n, x, found, is_coherent, same) << i;
  }
  view_done(&c);
}
