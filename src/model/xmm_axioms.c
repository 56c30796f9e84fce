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

// Rows of what happens before each event. The clock of one says how much that
// is of each thread.
static struct rel *find_known(struct axioms *a) {
  const struct graph *g = a->g;
  struct rel *upto = new_rel(a), *known = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *e = event_at(a, i);
    if (e->index)
      rel_add_row(upto, i, upto,
                  a->number[graph_at(g, e->thread, e->index - 1)]);
    rel_add(upto, i, i);
  }
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *e = event_at(a, i);
    for (uint32_t t = 0; t < g->nthreads; t++) {
      uint32_t n = t == e->thread ? e->index : clock_get(&g->clocks, e->hb, t);
      if (n)
        rel_add_row(known, i, upto, a->number[graph_at(g, t, n - 1)]);
    }
  }
  return known;
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

// irreflexive hb; eco? (A cycle of hb enters some thread by rf, behind which it
// goes on to the write that was read, or to one that updates lead from to that:
// so hb; eco has a cycle too.)
static bool is_coherent(struct axioms *a, const struct rel *known) {
  struct rel *after = either(a, a->co, a->fr);
  a->eco = either(a, a->rf, either(a, after, seq(a, after, a->rf)));
  return rel_is_empty(both(a, known, a->eco));
}

// psc, from the left: it begins with few events.
static struct rel *find_psc(struct axioms *a) {
  struct rels *r = &a->rels;
  struct rel *sc = set_of(a, is_sc), *fence = set_of(a, is_sc_fence);
  struct rel *other = minus(a, a->po, a->loc), *hb = rel_optional(r, a->hb);
  struct rel *from = either(a, sc, seq(a, fence, hb));
  struct rel *scb = seq(a, seq(a, seq(a, from, other), a->hb), other);
  struct rel *step = either(a, a->po, both(a, a->hb, a->loc));
  step = either(a, step, either(a, a->co, a->fr));
  scb = either(a, scb, seq(a, from, step));
  struct rel *to = either(a, sc, seq(a, hb, fence));
  struct rel *between = seq(a, seq(a, fence, a->hb), rel_optional(r, a->eco));
  between = seq(a, seq(a, between, hb), fence);
  return either(a, seq(a, scb, to), between);
}

static bool holds(struct axioms *a) {
  const struct rel *known = find_known(a);
  if (!is_atomic(a) || !is_coherent(a, known))
    return false;
  if (a->g->sc_events < 2)
    return true;
  a->hb = rel_inverse(&a->rels, known);
  return rel_is_acyclic(&a->rels, find_psc(a));
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
