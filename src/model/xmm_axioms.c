// SPDX-License-Identifier: MIT
// Is a whole graph with cycles of po ∪ rf consistent, but for these? The axioms
// of models/rc11.cat, on relations that are there already; happens-before comes
// from the clocks of the graph. Cores are judged by this, and there are many of
// them; slow-check builds compare with the text.
#include "model/deps.h"
#include "model/psc.h"
#include "model/xmm_graph.h"

static bool is_sc(const struct event *e) {
  return e->order == ORD_SC;
}

static void find_hb(struct axioms *a) {
  a->hb = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      if (i != j && graph_hb(a->g, a->events[i], a->events[j]))
        rel_add(a->hb, i, j);
}

// An access is not in the middle of an update.
static bool is_atomic(struct axioms *a) {
  for (uint32_t i = 0; i < a->n; i++) {
    event_id read = deps_update_read(a->g, a->events[i]);
    if (read != NO_EVENT &&
        graph_co_place(a->g, read) + 1 != event_at(a, i)->co)
      return false;
  }
  return true;
}

// irreflexive hb; eco?
static bool is_coherent(struct axioms *a) {
  struct rel *after = either(a, a->co, a->fr);
  a->eco = either(a, a->rf, either(a, after, seq(a, after, a->rf)));
  struct rel *back = either(a, a->hb, a->eco);
  return rel_is_empty(both(a, a->hb, rel_inverse(&a->rels, back)));
}

static struct rel *find_psc(struct axioms *a) {
  struct rels *r = &a->rels;
  struct rel *sc = set_of(a, is_sc), *fence = set_of(a, is_sc_fence);
  struct rel *other = minus(a, a->po, a->loc), *hb = rel_optional(r, a->hb);
  struct rel *scb = seq(a, seq(a, other, a->hb), other);
  scb = either(a, scb, either(a, a->po, both(a, a->hb, a->loc)));
  scb = either(a, scb, either(a, a->co, a->fr));
  struct rel *from = either(a, sc, seq(a, fence, hb));
  struct rel *to = either(a, sc, seq(a, hb, fence));
  struct rel *between = seq(a, seq(a, fence, a->hb), rel_optional(r, a->eco));
  between = seq(a, seq(a, between, hb), fence);
  return either(a, seq(a, seq(a, from, scb), to), between);
}

static bool holds(struct axioms *a) {
  find_hb(a);
  return is_atomic(a) && is_coherent(a) &&
         (a->g->sc_events < 2 || rel_is_acyclic(&a->rels, find_psc(a)));
}

bool xmm_is_allowed(const struct model *m, struct axioms *a) {
  struct model_options of_events = *a->options;
  of_events.in_pieces = false;
  if (m->text || a->g->has_linked || of_events.c11_release_sequences ||
      sc_rule_or(&of_events, SC_RC11) != SC_RC11)
    return model_allows_complete(m, a->g, &of_events);
  bool ok = holds(a);
#if HEDDLE_SLOW_CHECKS
  check(ok == model_allows_complete(m, a->g, &of_events));
#endif
  return ok;
}
