// SPDX-License-Identifier: MIT
// Where threads get to know of each other. The clock of an event says how many
// events of each thread happen before it; where it says more than that of the
// event before it in the thread, something came in. What another of those
// newcomers knew already needs no arrow of its own.
#include "report/view.h"

// How many events of thread u happen before event i of thread t.
static uint32_t known(const struct graph *g, unsigned t, uint32_t i,
                      unsigned u) {
  const struct event *e = graph_event(g, graph_at(g, t, i));
  return u == t ? i : clock_get(&g->clocks, e->hb, u);
}

static bool is_news(const struct graph *g, unsigned t, uint32_t i, unsigned u) {
  uint32_t before = i ? known(g, t, i - 1, u) : 0;
  return u != t && known(g, t, i, u) > before;
}

// Does another newcomer of that event know the newest of thread u already?
static bool is_told_by_another(const struct graph *g, unsigned t, uint32_t i,
                               unsigned u) {
  uint32_t count = known(g, t, i, u);
  for (unsigned w = 0; w < g->nthreads; w++)
    if (w != u && is_news(g, t, i, w) &&
        known(g, w, known(g, t, i, w) - 1, u) >= count)
      return true;
  return false;
}

static void add_sync_of(struct view *v, const struct graph *g,
                        const struct view_thread *th,
                        const uint32_t *first_of) {
  for (uint32_t i = 0; i < th->count; i++)
    for (unsigned u = 0; u < g->nthreads; u++)
      if (first_of[u] != VIEW_NOTHING && is_news(g, th->id, i, u) &&
          !is_told_by_another(g, th->id, i, u)) {
        uint32_t from = first_of[u] + known(g, th->id, i, u) - 1;
        array_push(&v->sync, (struct view_edge){from, th->first + i});
      }
}

void view_add_sync(struct view *v, const struct graph *g) {
  uint32_t *first_of = xcalloc(g->nthreads, sizeof *first_of);
  for (unsigned t = 0; t < g->nthreads; t++)
    first_of[t] = VIEW_NOTHING;
  for (uint32_t t = 0; t < v->threads.len; t++)
    first_of[v->threads.at[t].id] = v->threads.at[t].first;
  for (uint32_t t = 0; t < v->threads.len; t++)
    add_sync_of(v, g, &v->threads.at[t], first_of);
  free(first_of);
}
