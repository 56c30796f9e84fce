// SPDX-License-Identifier: MIT
// Relations of a model in pictures of an execution. What follows from other
// pairs by transitivity would hide them, so it is left out where that can be
// said: in a relation without cycles.
#include "graph/rel.h"
#include "model/model.h"
#include "report/view.h"

#include <stdlib.h>

// An event of the graph in the view. Threads that are not shown have none.
uint32_t view_event_of(const struct view *v, const struct graph *g,
                       event_id id) {
  const struct event *e = graph_event(g, id);
  for (uint32_t t = 0; id != INIT_EVENT && t < v->threads.len; t++)
    if (v->threads.at[t].id == e->thread)
      return v->threads.at[t].first + e->index;
  return VIEW_NOTHING;
}

// The pairs that no path of two or more others leads along.
static void reduce(struct rels *rels, struct rel **r) {
  struct rel *all = rel_plus(rels, *r);
  if (rel_is_irreflexive(all))
    *r = rel_minus(rels, *r, rel_seq(rels, *r, all));
}

static void add_relation(struct view *v, const struct graph *g,
                         const struct model_pairs *pairs, uint32_t number,
                         const char *name) {
  struct rels rels;
  rels_init(&rels, v->events.len);
  struct rel *r = rel_new(&rels);
  for (uint32_t i = 0; i < pairs->len; i++) {
    uint32_t from = view_event_of(v, g, pairs->at[i].from);
    uint32_t to = view_event_of(v, g, pairs->at[i].to);
    if (from != VIEW_NOTHING && to != VIEW_NOTHING)
      rel_add(r, from, to);
  }
  reduce(&rels, &r);
  for (uint32_t i = 0; i < v->events.len; i++)
    for (uint32_t j = 0; j < v->events.len; j++)
      if (rel_has(r, i, j))
        array_push(&v->pairs, (struct view_pair){i, j, number, name});
  rels_done(&rels);
}

void view_add_relations(struct view *v, const struct graph *g,
                        const struct model *m, const char *const *names,
                        uint32_t n) {
  struct model_options own = model_own_options(m);
  for (uint32_t i = 0; i < n; i++) {
    struct model_pairs pairs = {0};
    struct diag unused;
    if (!model_names_relation(m, names[i], &unused))
      continue;
    uint32_t name = strings_add(&v->strings, names[i]);
    model_relation(m, g, &own, names[i], &pairs);
    add_relation(v, g, &pairs, i, strings_get(&v->strings, name));
    free(pairs.at);
  }
}
