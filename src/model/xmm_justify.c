// SPDX-License-Identifier: MIT
// Does an execution justify a graph with cycles (xmm.c)? Looks for an image of
// what is committed: an injective f that keeps threads and labels, carries rf,
// co, rpo and rmw over, and leaves edges that close cycles to races.
#include "model/xmm_graph.h"

#include <stdlib.h>

struct witness {
  const struct graph *g;
  struct axioms a;
  struct rel *rpo, *reach; // reach: (po ∪ rf ∪ race⁻¹)+
};

static bool has_same_label(const struct event *e, const struct event *f) {
  struct label a = xmm_label(e), b = xmm_label(f);
  return a.kind == b.kind && a.thread == b.thread && a.order == b.order &&
         a.loc == b.loc && a.value == b.value;
}

// The place in its thread, from `from` on, of an event of g with the label of
// e; the length of the thread if there is none.
static uint32_t find_label(const struct graph *g, const struct event *e,
                           uint32_t from) {
  uint32_t n = e->thread < g->nthreads ? graph_thread_length(g, e->thread) : 0;
  while (from < n &&
         !has_same_label(e, &g->events[graph_at(g, e->thread, from)]))
    from++;
  return from < n ? from : UINT32_MAX;
}

static bool has_labels(const struct graph *g, const struct cyclic *c,
                       const struct commitment *w) {
  for (uint32_t i = 0; i < w->n; i++)
    if (find_label(g, event_at(&c->a, w->events[i]), 0) == UINT32_MAX)
      return false;
  return true;
}

static bool is_race(const struct witness *w, const struct rel *porf, uint32_t i,
                    uint32_t j) {
  const struct axioms *a = &w->a;
  const struct event *r = event_at(a, i), *e = event_at(a, j);
  return r->kind == EV_READ && e->kind == EV_WRITE && r->loc == e->loc &&
         r->rf != a->events[j] && rel_has(porf, i, j) &&
         !rel_has(a->hb, i, j) && !rel_has(a->hb, j, i);
}

struct witness *xmm_witness_new(const struct graph *g,
                                const struct model_options *options) {
  struct witness *w = xcalloc(1, sizeof *w);
  struct axioms *a = &w->a;
  w->g = g;
  axioms_init(a, g, options);
  w->rpo = xmm_rpo(a);
  struct rel *porf = rel_plus(&a->rels, either(a, a->po, a->rf));
  struct rel *steps = either(a, a->po, a->rf);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      if (is_race(w, porf, i, j))
        rel_add(steps, j, i);
  w->reach = rel_plus(&a->rels, steps);
  return w;
}

void xmm_witness_free(struct witness *w) {
  axioms_done(&w->a);
  free(w);
}

// ---- f

struct embedding {
  const struct witness *w;
  const struct cyclic *c;
  const struct commitment *way;
  uint32_t *f; // of the events of `way`, by their place there
};

// Does the nth event fit to those before it? `from`: the first of its pairs.
static bool fits(const struct embedding *m, uint32_t nth, uint32_t from) {
  const struct event *e = event_at(&m->c->a, m->way->events[nth]);
  if (e->kind == EV_READ && e->rf == INIT_EVENT &&
      event_at(&m->w->a, m->f[nth])->rf != INIT_EVENT)
    return false;
  for (uint32_t i = 0; i < nth; i++)
    if (m->f[i] == m->f[nth])
      return false;
  for (uint32_t i = from; i < m->way->pairs.len; i++) {
    const struct carried_pair *p = &m->way->pairs.at[i];
    if (p->a > nth || p->b > nth)
      break;
    if (!rel_has(xmm_carried(&m->w->a, m->w->rpo, p->by), m->f[p->a],
                 m->f[p->b]))
      return false;
  }
  return true;
}

static uint32_t place_of(const struct commitment *w, uint32_t event) {
  uint32_t i = 0;
  while (w->events[i] != event)
    i++;
  return i;
}

static bool is_causal(const struct embedding *m) {
  const struct axioms *k = &m->c->a;
  for (uint32_t i = 0; i < m->way->n; i++) {
    uint32_t read = m->way->events[i];
    const struct event *e = event_at(k, read);
    if (e->kind != EV_READ || e->rf == INIT_EVENT)
      continue;
    uint32_t write = k->number[e->rf];
    if (rel_has(m->c->porf, read, write) &&
        !rel_has(m->w->reach, m->f[i], m->f[place_of(m->way, write)]))
      return false;
  }
  return true;
}

// If the nth event is read by one before it, what that one reads there;
// NO_EVENT otherwise.
static event_id source_of_reader(const struct embedding *m, uint32_t nth) {
  for (uint32_t i = 0; i < nth; i++) {
    const struct event *r = event_at(&m->c->a, m->way->events[i]);
    if (r->kind == EV_READ && r->rf != INIT_EVENT &&
        m->c->a.number[r->rf] == m->way->events[nth])
      return event_at(&m->w->a, m->f[i])->rf;
  }
  return NO_EVENT;
}

// The first pair of the nth event, which is not among those before `from`.
static uint32_t skip_pairs(const struct embedding *m, uint32_t nth,
                           uint32_t from) {
  while (from < m->way->pairs.len && m->way->pairs.at[from].a < nth &&
         m->way->pairs.at[from].b < nth)
    from++;
  return from;
}

static bool embed(const struct embedding *m, uint32_t nth, uint32_t from) {
  if (nth == m->way->n)
    return is_causal(m);
  const struct graph *g = m->w->g;
  const struct event *e = event_at(&m->c->a, m->way->events[nth]);
  event_id source = source_of_reader(m, nth);
  from = skip_pairs(m, nth, from);
  if (source != NO_EVENT) {
    m->f[nth] = m->w->a.number[source];
    return has_same_label(e, &g->events[source]) && fits(m, nth, from) &&
           embed(m, nth + 1, from);
  }
  for (uint32_t i = find_label(g, e, 0); i != UINT32_MAX;
       i = find_label(g, e, i + 1)) {
    m->f[nth] = m->w->a.number[graph_at(g, e->thread, i)];
    if (fits(m, nth, from) && embed(m, nth + 1, from))
      return true;
  }
  return false;
}

// The read at the same place of its thread in the other execution, if there is
// one.
static const struct event *same_place(const struct graph *g,
                                      const struct event *r) {
  if (r->thread >= g->nthreads || r->index >= graph_thread_length(g, r->thread))
    return NULL;
  const struct event *e = &g->events[graph_at(g, r->thread, r->index)];
  return e->kind == EV_READ && e->loc == r->loc ? e : NULL;
}

static void tell_edges(const struct embedding *m, struct justification *how) {
  for (uint32_t i = 0; i < m->way->n; i++) {
    const struct event *r = event_at(&m->c->a, m->way->events[i]);
    if (r->kind != EV_READ || r->rf == INIT_EVENT ||
        m->c->g->events[r->rf].thread == r->thread)
      continue;
    const struct event *w = &m->c->g->events[r->rf];
    array_push(&how->edges, (struct justified_edge){w->thread, w->index,
                                                    r->thread, r->index});
  }
}

static void tell_changes(const struct embedding *m, struct justification *how) {
  const struct axioms *k = &m->c->a;
  for (uint32_t i = 0; i < k->n; i++) {
    const struct event *r = event_at(k, i);
    if (r->kind != EV_READ || r->rf == INIT_EVENT ||
        m->c->g->events[r->rf].thread == r->thread ||
        !rel_has(m->c->porf, i, k->number[r->rf]))
      continue;
    const struct event *e = same_place(m->w->g, r);
    if (e && e->value != r->value)
      array_push(&how->changed,
                 (struct changed_read){r->thread, r->index, e->value});
  }
}

static void tell(const struct embedding *m, struct justification *how) {
  tell_edges(m, how);
  tell_changes(m, how);
  for (uint32_t i = 0; i < m->way->nthreads; i++)
    array_push(&how->threads, m->way->order[i]);
}

bool xmm_justifies(const struct witness *w, const struct cyclic *c,
                   struct justification *how) {
  struct embedding m = {.w = w, .c = c};
  m.f = xcalloc(c->a.n + 1, sizeof *m.f);
  bool found = false;
  for (uint32_t i = 0; i < c->ways.len && !found; i++) {
    m.way = &c->ways.at[i];
    found = has_labels(w->g, c, m.way) && embed(&m, 0, 0);
  }
  if (found)
    tell(&m, how);
  free(m.f);
  return found;
}
