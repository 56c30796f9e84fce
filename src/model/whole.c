// SPDX-License-Identifier: MIT
// IMM, ARMv8 and C11 on whole accesses, where atomic ones are made in pieces
// (together.c). Otherwise these models are defined by their texts (models/);
// but a text is about events, and here an access is several: what holds of a
// piece holds of all of them, dependencies included, and what a thread forwards
// to itself is no reason to see all of an access.
//
//   IMM    [Podkopaev, Lahav, Vafeiadis: Bridging the Gap between Programming
//          Languages and Hardware Weak Memory Models, POPL'19, §3], with RC11's
//          psc for sc accesses;
//   ARMv8  [Pulte et al.: Simplifying ARM Concurrency, POPL'18, §3; Alglave et
//          al.: Armed Cats, TOPLAS'21, §4], other-multi-copy-atomic;
//   C11    models/c11.cat. What an event needs to happen is no question here:
//          promises are not explored (explore/promise/pieces.c), so po and rf
//          have no cycle.
#include "model/armv8.h"
#include "model/axioms_rel.h"

struct dependencies {
  struct rel *addr, *data, *ctrl;
  struct rel *casdep; // from what a compare-exchange expects to its read
};

static void add_sources(struct axioms *a, struct rel *to, uint32_t i,
                        set_id set) {
  const struct graph *g = a->g;
  for (uint32_t k = 0; k < set_len(g->sets, set); k++) {
    event_id source =
        deps_source(g, event_at(a, i)->thread, set_at(g->sets, set, k));
    if (source != NO_EVENT)
      rel_add(to, a->number[source], i);
  }
}

// What a piece of an access depends on, all of it does.
static void put_together(struct axioms *a, struct rel **r) {
  *r = minus(a, seq(a, seq(a, a->same, *r), a->same), a->same);
}

static struct dependencies dependencies(struct axioms *a) {
  check(a->g->deps);
  struct dependencies d = {new_rel(a), new_rel(a), new_rel(a), new_rel(a)};
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *e = event_at(a, i);
    const struct event_deps *deps = &a->g->deps[a->events[i]];
    if (is_access(e))
      add_sources(a, d.addr, i, deps->addr);
    if (is_write(e))
      add_sources(a, d.data, i, deps->data);
    else if (is_read(e) && (e->flags & EVF_CAS))
      add_sources(a, d.casdep, i, deps->data);
    add_sources(a, d.ctrl, i, deps->ctrl);
  }
  put_together(a, &d.addr);
  put_together(a, &d.data);
  put_together(a, &d.ctrl);
  put_together(a, &d.casdep);
  return d;
}

static struct rel *po_loc(struct axioms *a) {
  return both(a, a->po, a->loc);
}

// -- IMM

static bool is_release_write(const struct event *e) {
  return e->kind == EV_WRITE && order_releases(e->order);
}

static bool is_acquire_read(const struct event *e) {
  return e->kind == EV_READ && order_acquires(e->order);
}

static bool imm_is_fence(const struct event *e) {
  return (e->kind == EV_FENCE && e->order != ORD_NA) || deps_is_thread_event(e);
}

// Rex: an update's read, also if the update fails.
static bool imm_is_update_read(const struct event *e) {
  return e->kind == EV_READ &&
         (e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK | EVF_UPDATE));
}

// bob = po;[Wrel] ∪ [Racq];po ∪ po;[F] ∪ [F];po ∪ [Wrel];po|loc;[W]
static struct rel *imm_bob(struct axioms *a) {
  struct rel *fence = set_of(a, imm_is_fence);
  struct rel *release = set_of(a, is_release_write);
  struct rel *bob = either(a, seq(a, a->po, release),
                           seq(a, set_of(a, is_acquire_read), a->po));
  bob = either(a, bob, either(a, seq(a, a->po, fence), seq(a, fence, a->po)));
  return either(a, bob, between(a, is_release_write, po_loc(a), is_write));
}

// deps = data ∪ ctrl ∪ addr;po? ∪ casdep ∪ [Rex];po
// ppo = [R];(deps ∪ rfi)+;[W]
static struct rel *imm_ppo(struct axioms *a) {
  struct dependencies d = dependencies(a);
  struct rel *deps = either(a, either(a, d.data, d.ctrl), d.casdep);
  deps = either(a, deps, seq(a, d.addr, rel_optional(&a->rels, a->po)));
  deps = either(a, deps, seq(a, set_of(a, imm_is_update_read), a->po));
  deps = either(a, deps, both(a, a->rf, a->po));
  return between(a, is_read, rel_plus(&a->rels, deps), is_write);
}

// ar = rfe ∪ bob ∪ ppo ∪ detour ∪ pscf, with detour = (coe;rfe) ∩ po and
// pscf = [Fsc];hb;eco;hb;[Fsc]. (No update is strong.)
static bool imm_ar_is_acyclic(struct axioms *a) {
  struct rel *rfe = minus(a, a->rf, a->po), *coe = minus(a, a->co, a->po);
  struct rel *detour = both(a, seq(a, coe, rfe), a->po);
  struct rel *pscf = between(a, is_sc_fence,
                             seq(a, seq(a, a->hb, a->eco), a->hb), is_sc_fence);
  struct rel *bob = imm_bob(a), *ppo = imm_ppo(a);
  struct rel *ar =
      either(a, either(a, rfe, bob), either(a, ppo, either(a, detour, pscf)));
  return axioms_acyclic(a, "no cycle of what must come before (ar)", ar,
                        PARTS({"rf", rfe}, {"bob", bob}, {"ppo", ppo},
                              {"detour", detour}, {"sc fences", pscf}));
}

bool axioms_whole_imm(struct axioms *a) {
  return axioms_atomicity(a) && axioms_coherence(a) && axioms_psc(a) &&
         imm_ar_is_acyclic(a);
}

// -- ARMv8

// dob = addr ∪ data ∪ ctrl;[W] ∪ (ctrl ∪ addr;po);[ISB];po;[R] ∪ addr;po;[W]
//     ∪ (addr ∪ data);rfi
static struct rel *armv8_dob(struct axioms *a) {
  struct dependencies d = dependencies(a);
  struct rel *write = set_of(a, is_write), *addr_po = seq(a, d.addr, a->po);
  struct rel *isb = set_of(a, armv8_is_isb);
  struct rel *value = either(a, d.addr, d.data);
  struct rel *dob = either(a, value, seq(a, value, both(a, a->rf, a->po)));
  dob = either(a, dob, seq(a, either(a, d.ctrl, addr_po), write));
  struct rel *to_isb = seq(a, either(a, d.ctrl, addr_po), isb);
  return either(a, dob, seq(a, seq(a, to_isb, a->po), set_of(a, is_read)));
}

// aob = rmw ∪ rmw;rfi;[A ∪ Q]
static struct rel *armv8_aob(struct axioms *a) {
  struct rel *forwarded = seq(a, a->rmw, both(a, a->rf, a->po));
  return either(a, a->rmw, seq(a, forwarded, set_of(a, armv8_is_acquire)));
}

static struct rel *armv8_ldar(struct axioms *a) {
  struct rel *s = new_rel(a);
  s->is_set = true;
  for (uint32_t i = 0; i < a->n; i++)
    if (armv8_is_ldar(event_at(a, i), a->options))
      rel_add(s, i, i);
  return s;
}

// Is ordered by a DMB LD: all reads, but for those that no register gets.
static bool armv8_is_returning_read(const struct event *e) {
  return e->kind == EV_READ && !(e->flags & EVF_NORET);
}

// bob = po;[dmb.full];po ∪ [range([A];amo;[L])];po ∪ [L];po;[A]
//     ∪ [R];po;[dmb.ld];po ∪ [A ∪ Q];po ∪ [W];po;[dmb.st];po;[W] ∪ po;[L]
static struct rel *armv8_bob(struct axioms *a) {
  struct rel *ldar = armv8_ldar(a), *stlr = set_of(a, armv8_is_release);
  struct rel *bob =
      seq(a, seq(a, a->po, set_of(a, armv8_is_full_barrier)), a->po);
  bob = either(
      a, bob,
      seq(a, between(a, armv8_is_returning_read, a->po, armv8_is_load_barrier),
          a->po));
  struct rel *to_store_barrier =
      between(a, is_write, a->po, armv8_is_store_barrier);
  bob = either(a, bob,
               seq(a, seq(a, to_store_barrier, a->po), set_of(a, is_write)));
  bob = either(a, bob, seq(a, set_of(a, armv8_is_acquire), a->po));
  bob = either(a, bob, seq(a, a->po, stlr));
  bob = either(a, bob, seq(a, seq(a, stlr, a->po), ldar));
  if (a->options->arm_llsc)
    return bob; // a loop of LDXR and STXR: nothing is in amo
  struct rel *single = set_of(a, deps_is_single);
  struct rel *amo = seq(a, seq(a, seq(a, ldar, a->rmw), single), stlr);
  struct rel *range = seq(a, rel_inverse(&a->rels, amo), amo);
  return either(a, bob, seq(a, range, a->po));
}

// external: acyclic(obs ∪ lob), obs = rfe ∪ fre ∪ coe,
//           lob = (po|loc;[W] ∪ dob ∪ aob ∪ bob)+
// (internal: the pieces are coherent each, which the search sees to.)
bool axioms_whole_armv8(struct axioms *a) {
  struct rel *com = either(a, a->rf, either(a, a->co, a->fr));
  struct rel *obs = minus(a, com, a->po);
  struct rel *overwrites = seq(a, po_loc(a), set_of(a, is_write));
  struct rel *dob = armv8_dob(a), *aob = armv8_aob(a), *bob = armv8_bob(a);
  struct rel *lob = either(a, either(a, overwrites, dob), either(a, aob, bob));
  return axioms_atomicity(a) &&
         axioms_acyclic(a,
                        "external: no cycle of what is observed and what is "
                        "kept in order",
                        either(a, obs, lob),
                        PARTS({"rf", minus(a, a->rf, a->po)},
                              {"co", minus(a, a->co, a->po)},
                              {"fr", minus(a, a->fr, a->po)},
                              {"po", overwrites}, {"dob", dob}, {"rmw", aob},
                              {"bob", bob}));
}

// -- C11

bool axioms_whole_c11(struct axioms *a) {
  return axioms_ra(a) && axioms_sc_order(a, SC_C11);
}
