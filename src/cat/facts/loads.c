// SPDX-License-Identifier: MIT
// How a model orders loads with the writes that follow them in their threads:
// what is ordered certainly, no write that comes later need be promised to.
#include "cat/facts/terms.h"

#include "model/model.h"

// A read that is promised something synchronises with nothing
// (explore/cycles/promise/promise.c): is it ordered before later writes if it
// acquires, or if a fence that acquires is between? (Updates have a write of
// their own in between, and no program in C has instructions of litmus tests.)
bool cat_barriers_order(struct nodes *n, const struct cat *c,
                        const struct cat_axiom *x) {
  static const struct {
    enum cat_base load, fence;
    cat_sets made;
  } orders[] = {{CAT_ACQ, CAT_ACQ_REL, CAT_IN(F) | CAT_IN(ACQ_REL)},
                {CAT_SC, CAT_SC, CAT_IN(F) | CAT_IN(SC)}};
  node_id po = relation(n, CAT_po), writes = events(n, set(n, CAT_W));
  node_id others = node_make(n, NODE_UNION, TYPE_SET, set(n, CAT_EXCLUSIVE),
                             set(n, CAT_ISA));
  node_id loads =
      node_make(n, NODE_DIFFERENCE, TYPE_SET, set(n, CAT_R), others);
  bool ok = x->test == TEST_ACYCLIC && forbids(n, x, external(n, CAT_rf));
  for (unsigned i = 0; ok && i < 2; i++) {
    node_id some = node_make(n, NODE_INTERSECTION, TYPE_SET, loads,
                             set(n, orders[i].load));
    node_id failed =
        node_make(n, NODE_INTERSECTION, TYPE_SET, some, set(n, CAT_LOCKED));
    node_id plain =
        node_make(n, NODE_DIFFERENCE, TYPE_SET, some, set(n, CAT_LOCKED));
    node_id fence = node_make(n, NODE_INTERSECTION, TYPE_SET, set(n, CAT_F),
                              set(n, orders[i].fence));
    fence = events(n, made_of(n, c, fence, orders[i].made));
    ok = forbids(n, x, PATH(n, events(n, failed), po, writes)) &&
         forbids(n, x, PATH(n, events(n, plain), po, writes)) &&
         forbids(
             n, x,
             PATH(n, events(n, reads_of_registers(n)), po, fence, po, writes));
  }
  return ok;
}

// [S], without instructions of litmus tests.
static node_id compiled(struct nodes *n, node_id s, enum cat_base order) {
  node_id some = node_make(n, NODE_INTERSECTION, TYPE_SET, s, set(n, order));
  return node_make(n, NODE_DIFFERENCE, TYPE_SET, some, set(n, CAT_ISA));
}

static node_id half_of_update(struct nodes *n, node_id s) {
  node_id update = node_make(n, NODE_INTERSECTION, TYPE_SET, set(n, CAT_LOCKED),
                             set(n, CAT_EXCLUSIVE));
  return events(n, node_make(n, NODE_INTERSECTION, TYPE_SET, s, update));
}

// Are loads of that order ordered before the writes that follow them? How texts
// put it depends on what the load belongs to: nothing, a compare-exchange that
// failed, or an update. (Its own write is another question: ORDER_UPDATE.)
static bool acquires_order(struct nodes *n, const struct cat_axiom *x,
                           enum cat_base order) {
  node_id po = relation(n, CAT_po), writes = events(n, set(n, CAT_W));
  node_id some = compiled(n, set(n, CAT_R), order);
  node_id other =
      node_make(n, NODE_DIFFERENCE, TYPE_SET, some, set(n, CAT_EXCLUSIVE));
  node_id load =
      node_make(n, NODE_DIFFERENCE, TYPE_SET, other, set(n, CAT_LOCKED));
  node_id failed =
      node_make(n, NODE_INTERSECTION, TYPE_SET, other, set(n, CAT_LOCKED));
  return forbids(n, x, PATH(n, events(n, load), po, writes)) &&
         forbids(n, x, PATH(n, events(n, failed), po, writes)) &&
         forbids(n, x,
                 PATH(n, half_of_update(n, some), relation(n, CAT_rmw), po,
                      writes));
}

// The same of writes of that order and the loads before them. The write w of an
// update is reached from what its read r follows; r rmw w rmw^-1 r rmw w, for
// texts that say what they put before r by what w is. (The halves of an sc
// update are both sc.)
static bool releases_order(struct nodes *n, const struct cat_axiom *x,
                           enum cat_base order) {
  node_id po = relation(n, CAT_po), rmw = relation(n, CAT_rmw);
  node_id reads = events(n, set(n, CAT_R));
  node_id some = compiled(n, set(n, CAT_W), order);
  node_id store =
      node_make(n, NODE_DIFFERENCE, TYPE_SET, some, set(n, CAT_EXCLUSIVE));
  node_id write = half_of_update(n, some);
  node_id read = half_of_update(
      n, order == CAT_SC ? compiled(n, set(n, CAT_R), CAT_SC) : set(n, CAT_R));
  return forbids(n, x, PATH(n, reads, po, events(n, store))) &&
         (forbids(n, x, PATH(n, reads, po, write)) ||
          forbids(n, x, PATH(n, reads, po, read, rmw, write)) ||
          forbids(n, x,
                  PATH(n, reads, po, rmw, write,
                       make(n, NODE_INVERSE, rmw, NO_NODE), rmw)));
}

// What is known of loads that acquire and writes that release.
static uint8_t access_orders(struct nodes *n, const struct cat_axiom *x) {
  node_id po = relation(n, CAT_po);
  node_id reads = events(n, set(n, CAT_R)), writes = events(n, set(n, CAT_W));
  uint8_t any = 0, compiled = 0;
  if (forbids(n, x,
              PATH(n, ORDERED(n, set(n, CAT_R), CAT_ACQ, CAT_SC), po, writes)))
    any |= ORDER_ACQUIRE;
  else if (acquires_order(n, x, CAT_ACQ) && acquires_order(n, x, CAT_SC))
    compiled |= ORDER_ACQUIRE;
  if (forbids(n, x,
              PATH(n, reads, po, ORDERED(n, set(n, CAT_W), CAT_REL, CAT_SC))))
    any |= ORDER_RELEASE;
  else if (releases_order(n, x, CAT_REL) && releases_order(n, x, CAT_SC))
    compiled |= ORDER_RELEASE;
  return compiled ? any | compiled : any ? any | ORDER_ANY : 0;
}

// Which orders of loads are in the axiom's relation? (Reading from another
// thread has to be, too: then what loads lead to is.)
//
// Why the search loses no core by them (explore/cycles/promise/promise.c has
// the words): let S be the last cycles of a core, and A+ the closure of the
// axiom's relation, which is a partial order in every graph that the model
// allows. Take a write w that is maximal in A+ among the last events of S in
// their threads. If r reads w from another thread, w comes before r in A+. The
// last event u of r's thread in the core leads to a cycle, which is in S, so u
// is one of those last events. Were r ordered before u by one of these rules, w
// would come before u. So r is free, and w can be taken back from it; the rules
// are all of one axiom, since the argument is about one order.
uint8_t cat_load_orders(struct nodes *n, const struct cat *c,
                        const struct cat_axiom *x, enum cat_base branch) {
  node_id po = relation(n, CAT_po), f = set(n, CAT_F);
  node_id reads = events(n, set(n, CAT_R)), writes = events(n, set(n, CAT_W));
  if (x->test != TEST_ACYCLIC || !forbids(n, x, external(n, CAT_rf)))
    return 0;
  uint8_t found = access_orders(n, x);
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
  node_id threads = thread_events(n, c);
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

// -- cycles of atomic accesses

static node_id atomic(struct nodes *n, node_id s) {
  return node_make(n, NODE_DIFFERENCE, TYPE_SET, s, set(n, CAT_NA));
}

static node_id within_threads(struct nodes *n) {
  return make(n, NODE_INTERSECTION, relation(n, CAT_po), relation(n, CAT_int));
}

// Does the axiom order what is before a full barrier with what is after it?
// (smp_mb() is one by its name; C11's fences are in its set, too.)
static bool barriers_order(struct nodes *n, const struct cat_axiom *x,
                           node_id reads, node_id writes, enum cat_base order) {
  node_id po = within_threads(n);
  node_id some =
      node_make(n, NODE_INTERSECTION, TYPE_SET, set(n, CAT_F), set(n, order));
  node_id mb =
      node_make(n, NODE_BASE, TYPE_SET, (uint32_t)CAT_BASE + FENCE_MB, NO_NODE);
  node_id fence =
      events(n, node_make(n, NODE_INTERSECTION, TYPE_SET, some, mb));
  return forbids(n, x, PATH(n, reads, po, fence, po, writes));
}

// Each access that acquires or releases is in the set of that order, whatever
// instruction it is, so nothing is asked of what it belongs to.
uint8_t cat_cycle_orders(struct nodes *n, const struct cat *c,
                         const struct cat_axiom *x) {
  node_id po = within_threads(n), all = relation(n, CAT_po);
  node_id r = atomic(n, set(n, CAT_R)), w = atomic(n, set(n, CAT_W));
  node_id reads = events(n, r), writes = events(n, w);
  uint8_t found = 0;
  if (x->test != TEST_ACYCLIC ||
      !forbids(n, x, PATH(n, writes, external(n, CAT_rf), reads)))
    return 0;
  if (forbids(n, x, PATH(n, ORDERED(n, r, CAT_ACQ, CAT_SC), po, writes)))
    found |= ORDER_ACQUIRE;
  if (forbids(n, x, PATH(n, reads, po, ORDERED(n, w, CAT_REL, CAT_SC))))
    found |= ORDER_RELEASE;
  if (barriers_order(n, x, reads, writes, CAT_SC) &&
      barriers_order(n, x, reads, writes, CAT_ACQ_REL))
    found |= ORDER_FENCE;
  if (forbids(n, x, PATH(n, reads, all, thread_events(n, c), all, writes)))
    found |= ORDER_THREAD;
  return found;
}
