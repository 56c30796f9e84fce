// SPDX-License-Identifier: MIT
#include "model/axioms_rel.h"
#include "model/buffers.h"
#include "model/deps.h"

#include <stdlib.h>

static bool is_release(const struct event *e) {
  return (e->kind == EV_WRITE || e->kind == EV_FENCE) &&
         order_releases(e->order);
}

static bool is_acquire(const struct event *e) {
  return (e->kind == EV_READ || e->kind == EV_FENCE) &&
         order_acquires(e->order);
}

static bool is_fence(const struct event *e) {
  return e->kind == EV_FENCE;
}

static bool is_atomic_read(const struct event *e) {
  return e->kind == EV_READ && e->order != ORD_NA;
}

static bool is_atomic_write(const struct event *e) {
  return e->kind == EV_WRITE && e->order != ORD_NA;
}

static bool is_sc(const struct event *e) {
  return e->order == ORD_SC;
}

static void base_relations(struct axioms *a) {
  const struct graph *g = a->g;
  a->po = new_rel(a);
  a->rf = new_rel(a);
  a->co = new_rel(a);
  a->fr = new_rel(a);
  a->rmw = new_rel(a);
  a->loc = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *e = event_at(a, i);
    if (e->index)
      rel_add(a->po, a->number[graph_at(g, e->thread, e->index - 1)], i);
    if ((e->kind == EV_START || e->kind == EV_JOIN) && e->rf != NO_EVENT)
      rel_add(a->po, a->number[e->rf], i);
    if (e->kind == EV_READ && e->rf != INIT_EVENT)
      rel_add(a->rf, a->number[e->rf], i);
    event_id update_read = deps_update_read(g, a->events[i]);
    if (update_read != NO_EVENT)
      rel_add(a->rmw, a->number[update_read], i);
    for (uint32_t j = 0; j < a->n && is_access(e); j++) {
      const struct event *f = event_at(a, j);
      if (!is_access(f) || f->loc != e->loc)
        continue;
      rel_add(a->loc, i, j);
      if (f->kind == EV_WRITE && i != j &&
          graph_co_place(g, a->events[i]) < f->co)
        rel_add(e->kind == EV_WRITE ? a->co : a->fr, i, j);
    }
  }
  a->po = rel_plus(&a->rels, a->po);
}

// C++11: the writes directly after the head in co, as long as they are by the
// same thread or part of an update.
static struct rel *c11_release_sequence(struct axioms *a) {
  struct rel *rs = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *head = event_at(a, i);
    if (!is_atomic_write(head))
      continue;
    const struct event_list *co = &a->g->locs.at[head->loc].co;
    for (uint32_t k = head->co; k < co->len; k++) {
      const struct event *w = &a->g->events[co->at[k]];
      if (w->thread != head->thread && !(w->flags & EVF_EXCLUSIVE))
        break;
      rel_add(rs, i, a->number[co->at[k]]);
    }
  }
  return rs;
}

// C++20: rs = [W⊒rlx];(rf;rmw)*
static struct rel *release_sequence(struct axioms *a) {
  struct rel *chain = rel_plus(&a->rels, seq(a, a->rf, a->rmw));
  return seq(a, set_of(a, a->g->plain_syncs ? is_write : is_atomic_write),
             rel_optional(&a->rels, chain));
}

// sw = [⊒rel];([F];po)?;rs;rf;[R⊒rlx];(po;[F])?;[⊒acq],  hb = (po ∪ sw)+
void axioms_add_hb(struct axioms *a) {
  a->eco = rel_plus(&a->rels, either(a, a->rf, either(a, a->co, a->fr)));
  struct rels *r = &a->rels;
  struct rel *fence = set_of(a, is_fence);
  struct rel *rs = a->options->c11_release_sequences ? c11_release_sequence(a)
                                                     : release_sequence(a);
  struct rel *before = rel_optional(r, seq(a, fence, a->po));
  struct rel *after = rel_optional(r, seq(a, a->po, fence));
  struct rel *sw = seq(a, set_of(a, is_release), before);
  sw = seq(a, seq(a, sw, rs), a->rf);
  sw = seq(a, sw, set_of(a, a->g->plain_syncs ? is_read : is_atomic_read));
  sw = seq(a, sw, after);
  sw = seq(a, sw, set_of(a, is_acquire));
  a->sw = sw;
  a->hb = rel_plus(r, either(a, a->po, sw));
}

void axioms_init_base(struct axioms *a, const struct graph *g,
                      const struct model_options *options) {
  *a = (struct axioms){.g = g, .options = options};
  a->events = xcalloc(g->live, sizeof *a->events);
  a->number = xcalloc(g->nevents, sizeof *a->number);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    a->number[e] = a->n;
    a->events[a->n++] = e;
  }
  rels_init(&a->rels, a->n);
  base_relations(a);
}

void axioms_init(struct axioms *a, const struct graph *g,
                 const struct model_options *options) {
  axioms_init_base(a, g, options);
  axioms_add_hb(a);
}

void axioms_done(struct axioms *a) {
  rels_done(&a->rels);
  free(a->events);
  free(a->number);
}

// rmw ∩ (fre;coe) = ∅
bool axioms_atomicity(struct axioms *a) {
  struct rel *fre = minus(a, a->fr, a->po), *coe = minus(a, a->co, a->po);
  struct rel *between_halves = seq(a, fre, coe);
  if (rel_is_empty(rel_and(&a->rels, a->rmw, between_halves)))
    return graph_keeps_reservations(a->g);
  axioms_refuse_pair(a,
                     "atomicity: nothing comes between the two halves of a "
                     "read-modify-write",
                     between_halves, PARTS({"fr", fre}, {"co", coe}),
                     rel_inverse(&a->rels, a->rmw),
                     PARTS({"rmw", rel_inverse(&a->rels, a->rmw)}));
  return false;
}

bool axioms_coherence(struct axioms *a) {
  if (rel_is_irreflexive(seq(a, a->hb, rel_optional(&a->rels, a->eco))))
    return true;
  const struct named_rel *hb = PARTS({"po", a->po}, {"sync", a->sw});
  if (!rel_is_irreflexive(a->hb))
    axioms_acyclic(a, "happens-before has no cycle", a->hb, hb);
  else
    axioms_refuse_pair(
        a,
        "coherence: what happens before is not overwritten by something "
        "older, and not missed",
        a->hb, hb, a->eco, PARTS({"rf", a->rf}, {"co", a->co}, {"fr", a->fr}));
  return false;
}

bool axioms_coherent(struct axioms *a) {
  return axioms_atomicity(a) && axioms_coherence(a);
}

bool axioms_sc(struct axioms *a) {
  return axioms_atomicity(a) &&
         axioms_acyclic(
             a, "sequential consistency: one order of all accesses",
             either(a, either(a, a->po, a->rf), either(a, a->co, a->fr)),
             PARTS({"po", a->po}, {"rf", a->rf}, {"co", a->co}, {"fr", a->fr}));
}

static bool is_plain_read(const struct event *e) {
  return e->kind == EV_READ && !buffers_is_fence(e);
}

static bool is_buffered(const struct event *e) {
  return e->kind == EV_WRITE && !buffers_is_fence(e);
}

static bool is_barrier(const struct event *e) {
  return buffers_is_store_barrier(e);
}

// An event that the buffers know: other fences are nothing.
static bool is_seen(const struct event *e) {
  return is_access(e) || buffers_is_fence(e);
}

static struct rel *tso_ppo(struct axioms *a) {
  return rel_minus(&a->rels, between(a, is_seen, a->po, is_seen),
                   between(a, is_buffered, a->po, is_plain_read));
}

// Without W;po;W to another location, but with W;po;[barrier];po?;W.
static struct rel *pso_ppo(struct axioms *a) {
  struct rel *overtaken =
      rel_minus(&a->rels, between(a, is_buffered, a->po, is_buffered), a->loc);
  struct rel *to_barrier = between(a, is_write, a->po, is_barrier);
  struct rel *kept = seq(a, seq(a, to_barrier, rel_optional(&a->rels, a->po)),
                         set_of(a, is_write));
  return either(a, rel_minus(&a->rels, tso_ppo(a), overtaken), kept);
}

static bool ghb_is_acyclic(struct axioms *a, const struct rel *ppo) {
  struct rel *rfe = rel_minus(&a->rels, a->rf, a->po);
  struct rel *po_loc = rel_and(&a->rels, a->po, a->loc);
  struct rel *com = either(a, a->co, a->fr);
  // Of a whole access the pieces are coherent each, which the search sees to.
  return axioms_atomicity(a) &&
         (a->is_together ||
          axioms_acyclic(a,
                         "coherence: one order of the accesses of a location",
                         either(a, po_loc, either(a, a->rf, com)),
                         PARTS({"po", po_loc}, {"rf", a->rf}, {"co", a->co},
                               {"fr", a->fr}))) &&
         axioms_acyclic(
             a, "one order in which accesses reach memory",
             either(a, either(a, ppo, rfe), com),
             PARTS({"po", ppo}, {"rf", rfe}, {"co", a->co}, {"fr", a->fr}));
}

static struct rel *external_rf(struct axioms *a) {
  return rel_minus(&a->rels, a->rf, a->po);
}

struct rel *axioms_sc_base(struct axioms *a) {
  return either(a, a->po, a->rf);
}

struct rel *axioms_tso_base(struct axioms *a) {
  return either(a, tso_ppo(a), external_rf(a));
}

struct rel *axioms_pso_base(struct axioms *a) {
  return either(a, pso_ppo(a), external_rf(a));
}

bool axioms_tso(struct axioms *a) {
  return ghb_is_acyclic(a, tso_ppo(a));
}

bool axioms_pso(struct axioms *a) {
  return ghb_is_acyclic(a, pso_ppo(a));
}

bool axioms_ra(struct axioms *a) {
  return axioms_atomicity(a) && axioms_coherence(a) &&
         axioms_acyclic(a, "no load buffering: po and rf have no cycle",
                        either(a, a->po, a->rf),
                        PARTS({"po", a->po}, {"rf", a->rf}));
}

static struct rel *psc_of(struct axioms *a) {
  struct rels *r = &a->rels;
  struct rel *sc = set_of(a, is_sc), *fsc = set_of(a, is_sc_fence);
  struct rel *hb_opt = rel_optional(r, a->hb);
  struct rel *po_other = rel_minus(r, a->po, a->loc);
  struct rel *scb = either(a, a->po, seq(a, seq(a, po_other, a->hb), po_other));
  scb = either(a, scb, rel_and(r, a->hb, a->loc));
  scb = either(a, scb, either(a, a->co, a->fr));
  struct rel *left = either(a, sc, seq(a, fsc, hb_opt));
  struct rel *right = either(a, sc, seq(a, hb_opt, fsc));
  struct rel *base = seq(a, seq(a, left, scb), right);
  struct rel *through = either(a, a->hb, seq(a, seq(a, a->hb, a->eco), a->hb));
  struct rel *fences = seq(a, seq(a, fsc, through), fsc);
  return either(a, base, fences);
}

struct rel *axioms_psc_base(struct axioms *a) {
  a->co = new_rel(a);
  a->fr = new_rel(a);
  axioms_add_hb(a);
  return psc_of(a);
}

bool axioms_psc(struct axioms *a) {
  return axioms_acyclic(a, "one order of the seq_cst accesses and fences (psc)",
                        psc_of(a),
                        PARTS({"po", a->po}, {"sync", a->sw}, {"rf", a->rf},
                              {"co", a->co}, {"fr", a->fr}));
}

// "Sequenced before" of C++11: po without creation and join of threads.
static struct rel *within_threads(struct axioms *a) {
  struct rel *sb = rel_new(&a->rels);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t k = 0; k < a->n; k++)
      if (rel_has(a->po, i, k) && a->g->events[a->events[i]].thread ==
                                      a->g->events[a->events[k]].thread)
        rel_add(sb, i, k);
  return sb;
}

// psc11 = [Esc];(hb ∪ ([Fsc];sb)?;(co ∪ fr);(sb;[Fsc])?);[Esc]
static bool axioms_psc11(struct axioms *a) {
  struct rels *r = &a->rels;
  struct rel *fence = set_of(a, is_sc_fence), *sb = within_threads(a);
  struct rel *left = rel_optional(r, seq(a, fence, sb));
  struct rel *right = rel_optional(r, seq(a, sb, fence));
  struct rel *com = seq(a, seq(a, left, either(a, a->co, a->fr)), right);
  struct rel *psc = between(a, is_sc, either(a, a->hb, com), is_sc);
  return axioms_acyclic(
      a, "one order of the seq_cst accesses and fences", psc,
      PARTS({"po", a->po}, {"sync", a->sw}, {"co", a->co}, {"fr", a->fr}));
}

bool axioms_sc_order(struct axioms *a, enum sc_rule own) {
  enum sc_rule rule = a->options->sc_rule ? a->options->sc_rule : own;
  return rule == SC_C11 ? axioms_psc11(a) : axioms_psc(a);
}

bool axioms_rc11(struct axioms *a) {
  return axioms_ra(a) && axioms_sc_order(a, SC_RC11);
}

bool axioms_race(struct axioms *a, event_id *one, event_id *other) {
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < i; j++) {
      const struct event *e = event_at(a, i), *f = event_at(a, j);
      if (rel_has(a->loc, i, j) &&
          (e->kind == EV_WRITE || f->kind == EV_WRITE) &&
          (e->order == ORD_NA || f->order == ORD_NA) &&
          e->thread != f->thread && !rel_has(a->hb, i, j) &&
          !rel_has(a->hb, j, i)) {
        *one = a->events[i];
        *other = a->events[j];
        return true;
      }
    }
  return false;
}
