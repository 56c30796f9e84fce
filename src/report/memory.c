// SPDX-License-Identifier: MIT
// What the threads can see of memory, for reports that step through an
// execution. A thread never reads anything older than what happened before: its
// own accesses and what it got to know from others. Everything newer is left to
// it by coherence, though the model may leave it less.
#include "report/name.h"
#include "report/sentence.h"
#include "report/view.h"

enum { MOST_SHARED = 64 };

static bool is_lock(const struct graph *g, const struct graph_loc *l) {
  for (uint32_t i = 0; i < l->reads.len; i++)
    if (graph_event(g, l->reads.at[i])->flags & EVF_LOCK)
      return true;
  return false;
}

static bool is_shared(const struct graph *g, const struct graph_loc *l) {
  bool has_several = (l->threads & (l->threads - 1)) != 0;
  return has_several && l->co.len > 1 && !is_lock(g, l);
}

// Is each write of the location an event that reports show? What the library
// keeps for itself would never change from step to step.
static bool is_told(const struct view *v, const struct graph *g,
                    const uint32_t *first_of, const struct graph_loc *l) {
  for (uint32_t i = 1; i < l->co.len; i++) {
    const struct event *e = graph_event(g, l->co.at[i]);
    uint32_t at = first_of[e->thread] + e->index;
    if (!event_is_shown(v, at) || event_is_of_library(v, at) ||
        event_is_of_cxx(v, at))
      return false;
  }
  return true;
}

static const char *keep(struct view *v, struct str *text) {
  const char *kept =
      strings_get(&v->strings, strings_add(&v->strings, str_text(text)));
  str_done(text);
  return kept;
}

static void add_shared(struct view *v, const struct names *names,
                       const uint32_t *first_of, loc_id l) {
  const struct event_list *co = &names->graph->locs.at[l].co;
  struct str name = {0}, initial = {0};
  name_location(names, l, &name);
  name_initial(names, l, &initial);
  struct view_co c = {.location = keep(v, &name),
                      .initial = keep(v, &initial),
                      .first = v->co_events.len,
                      .count = co->len - 1};
  for (uint32_t i = 1; i < co->len; i++) {
    const struct event *e = graph_event(names->graph, co->at[i]);
    array_push(&v->co_events, first_of[e->thread] + e->index);
  }
  array_push(&v->shared, c);
}

static void add_floors(struct view *v, const struct graph *g,
                       const struct view_thread *th, const loc_id *locs) {
  uint32_t last[MOST_SHARED] = {0};
  for (uint32_t i = 0; i < th->count; i++) {
    struct view_event *e = &v->events.at[th->first + i];
    clock_id hb = graph_event(g, graph_at(g, th->id, i))->hb;
    e->floors.first = v->floors.len;
    for (uint32_t s = 0; s < v->shared.len; s++) {
      uint32_t place = graph_co_floor(g, locs[s], th->id, i + 1, hb);
      if (place == last[s])
        continue;
      last[s] = place;
      array_push(&v->floors, (struct view_floor){s, place});
      e->floors.count++;
    }
  }
}

void view_add_memory(struct view *v, const struct prog *p, struct vm *vm,
                     const struct graph *g) {
  struct names names;
  loc_id locs[MOST_SHARED];
  uint32_t *first_of = xcalloc(g->nthreads, sizeof *first_of);
  names_init(&names, p, vm, g);
  for (uint32_t t = 0; t < v->threads.len; t++)
    first_of[v->threads.at[t].id] = v->threads.at[t].first;
  for (loc_id l = 0; l < g->locs.len && v->shared.len < MOST_SHARED; l++)
    if (is_shared(g, &g->locs.at[l]) &&
        is_told(v, g, first_of, &g->locs.at[l])) {
      locs[v->shared.len] = l;
      add_shared(v, &names, first_of, l);
    }
  for (uint32_t t = 0; t < v->threads.len; t++)
    add_floors(v, g, &v->threads.at[t], locs);
  names_done(&names);
  free(first_of);
}
