// SPDX-License-Identifier: MIT
// A stored execution under other orders. What threads did follows from the
// values that they read, so an execution with stronger orders has the same
// events with the same values, if the model still allows it.
#include "optimise/optimise.h"

bool model_is_monotone(const struct model *m, const struct model_options *o) {
  return (m->declared & MODEL_MONOTONE) && !m->filters &&
         !o->c11_release_sequences;
}

// Findings that follow from the values alone stay when the graph stays; a race
// is looked for again. The others depend on what happens before what in ways
// that only the search itself decides.
bool judge_can(const struct finding *f, bool races_by_model) {
  return !finding_is_by_search(f->kind) &&
         !(f->kind == FIND_RACE && races_by_model);
}

// The order of an event under assignment x; its own if it is at no site.
static uint8_t order_under(const struct sites *s, const struct client *c,
                           const struct vm *vm, const struct event *e,
                           const mode *x) {
  if (!is_access(e) && e->kind != EV_FENCE)
    return e->order;
  site_id pc = e->pre ? vm_access_site(vm, e->pre) : NO_SITE;
  if (pc == NO_SITE || !c->of_pc[pc])
    return e->order;
  uint32_t i = c->of_pc[pc] - 1;
  enum site_kind k = s->at.at[i].kind;
  check((k == SITE_FENCE) == (e->kind == EV_FENCE));
  if (k == SITE_CAS && e->kind == EV_READ && !(e->flags & EVF_EXCLUSIVE))
    k = s->at.at[++i].kind;
  return (uint8_t)mode_order(k, x[i]);
}

bool judge_is_bad(const struct sites *s, const struct client *c,
                  const struct vm *vm, const struct graph *g,
                  const struct finding *f, const struct model *m,
                  const struct model_options *o, const mode *x) {
  uint8_t *kept = xmalloc(g->nevents);
  event_id one, other;
  for (event_id e = 0; e < g->nevents; e++)
    kept[e] = g->events[e].order;
  for (event_id e = g->last; e != NO_EVENT && e != INIT_EVENT;
       e = g->events[e].prev)
    g->events[e].order = order_under(s, c, vm, &g->events[e], x);
  bool is_bad = model_allows(m, g, o) &&
                (f->kind != FIND_RACE || model_race(g, o, &one, &other));
  for (event_id e = 0; e < g->nevents; e++)
    g->events[e].order = kept[e];
  free(kept);
  return is_bad;
}
