// SPDX-License-Identifier: MIT
// JAM21, Java's access modes, by its definition [Liu, Bender, Palsberg:
// Compiling Volatile Correctly in Java, ECOOP'22] as models/jam21.cat has it:
// with co given, and one test for cycles in place of the total order of what
// pushes. A graph that still grows is judged by the part of that order which a
// maximal event never breaks (jam21.c has the proof).
#include "model/axioms_rel.h"

static bool is_release_write(const struct event *e) {
  return e->kind == EV_WRITE && order_releases(e->order);
}

static bool is_acquire_read(const struct event *e) {
  return e->kind == EV_READ && order_acquires(e->order);
}

static bool is_release_fence(const struct event *e) {
  return e->kind == EV_FENCE && order_releases(e->order);
}

static bool is_acquire_fence(const struct event *e) {
  return e->kind == EV_FENCE && order_acquires(e->order);
}

static bool is_volatile(const struct event *e) {
  return e->order == ORD_SC;
}

static bool is_action(const struct event *e) {
  return is_access(e) || (e->kind == EV_FENCE && e->order != ORD_NA);
}

// An update is one event: whatever holds of one half does of the other.
static struct rel *of_whole(struct axioms *a, const struct rel *r) {
  struct rel *inverse = rel_inverse(&a->rels, a->rmw);
  struct rel *halves = either(a, a->rmw, inverse);
  struct rel *same = rel_optional(&a->rels, halves);
  return seq(a, seq(a, same, minus(a, r, same)), same);
}

struct visibility {
  struct rel *push;    // spush ∪ volint
  struct rel *visible; // (into ∪ rf)+
  struct rel *late;    // who must not see a write: see jam21.cat
};

static struct visibility visibility(struct axioms *a) {
  struct rel *po = a->po;
  struct rel *to_release = set_of(a, is_release_fence);
  struct rel *svo =
      seq(a, seq(a, seq(a, po, to_release), po), set_of(a, is_write));
  svo = either(a, svo, seq(a, between(a, is_read, po, is_acquire_fence), po));
  struct rel *ra = either(a, seq(a, po, set_of(a, is_release_write)),
                          seq(a, set_of(a, is_acquire_read), po));
  struct rel *spush = seq(a, between(a, is_action, po, is_sc_fence),
                          seq(a, po, set_of(a, is_action)));
  struct rel *push = either(a, spush, between(a, is_volatile, po, is_volatile));
  struct rel *into = either(a, either(a, svo, ra), push);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      if (rel_has(po, i, j) && event_at(a, i)->thread != event_at(a, j)->thread)
        rel_add(into, i, j);
  struct rel *late = either(a, a->co, minus(a, a->fr, a->rmw));
  late = either(a, late, seq(a, seq(a, po, set_of(a, is_write)), a->co));
  return (struct visibility){
      of_whole(a, push),
      rel_plus(&a->rels, of_whole(a, either(a, into, a->rf))), late};
}

static bool is_coherent(struct axioms *a, const struct visibility *v) {
  struct rel *seen = either(a, v->visible, both(a, a->po, a->loc));
  const struct named_rel *by = PARTS({"visible", v->visible}, {"po", a->po});
  const struct named_rel *back = PARTS({"late", v->late});
  struct rel *again =
      seq(a, seq(a, a->rf, a->po), rel_inverse(&a->rels, a->rf));
  if (!rel_is_irreflexive(seq(a, seen, v->late))) {
    axioms_refuse_pair(a, "coherence: no write is visible to what misses it",
                       seen, by, v->late, back);
    return false;
  }
  if (!rel_is_irreflexive(seq(a, again, a->co))) {
    axioms_refuse_pair(a, "a thread sees the writes of a location in one order",
                       again, PARTS({"read again", again}), a->co,
                       PARTS({"co", a->co}));
    return false;
  }
  return true;
}

// Every write but the last of its location comes before that one.
static struct rel *to_final_writes(struct axioms *a) {
  struct rel *r = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *e = event_at(a, i);
    if (e->kind != EV_WRITE)
      continue;
    const struct event_list *co = &a->g->locs.at[e->loc].co;
    event_id last = co->at[co->len - 1];
    if (last != a->events[i])
      rel_add(r, i, a->number[last]);
  }
  return r;
}

static struct rel *order_of_pushes(struct axioms *a,
                                   const struct visibility *v) {
  if (!a->is_complete)
    return v->visible;
  struct rel *porf = either(a, a->po, a->rf);
  if (a->options->final_writes)
    porf = either(a, porf, to_final_writes(a));
  return rel_plus(&a->rels, of_whole(a, porf));
}

static struct rel *dom(struct axioms *a, const struct rel *r) {
  struct rel *s = new_rel(a);
  s->is_set = true;
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      if (rel_has(r, i, j))
        rel_add(s, i, i);
  return s;
}

bool axioms_jam21(struct axioms *a) {
  if (!axioms_atomicity(a) ||
      !axioms_acyclic(a, "no load buffering: po and rf have no cycle",
                      either(a, a->po, a->rf),
                      PARTS({"po", a->po}, {"rf", a->rf})))
    return false;
  struct visibility v = visibility(a);
  if (!is_coherent(a, &v))
    return false;
  struct rels *r = &a->rels;
  struct rel *seen = rel_optional(r, v.visible);
  struct rel *reversed = seq(a, seq(a, v.push, seen), seq(a, v.late, seen));
  struct rel *first = seq(a, dom(a, v.push), order_of_pushes(a, &v));
  return axioms_acyclic(
      a, "one order of what pushes", either(a, first, reversed),
      PARTS({"po", a->po}, {"rf", a->rf}, {"late", v.late}, {"before", first}));
}
