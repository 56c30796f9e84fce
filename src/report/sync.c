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

// -- by orders

static bool is_fence(const struct view_event *e, bool (*has)(enum order)) {
  return e->kind == EV_FENCE && has(e->order);
}

// The release, or the fence before, that a write is, or continues as an update
// of what such a write has left; VIEW_NOTHING: none.
static uint32_t release_of(const struct view *v, uint32_t write) {
  while (write < v->events.len) {
    const struct view_event *w = &v->events.at[write];
    if (order_releases(w->order))
      return write;
    for (uint32_t e = write; e-- > 0 && v->events.at[e].thread == w->thread;)
      if (is_fence(&v->events.at[e], order_releases))
        return e;
    bool is_update = write && (w->flags & EVF_EXCLUSIVE) &&
                     v->events.at[write - 1].kind == EV_READ;
    write = is_update ? v->events.at[write - 1].rf : VIEW_NOTHING;
  }
  return VIEW_NOTHING;
}

// The acquire that a read is, or the fence behind it.
static uint32_t acquire_of(const struct view *v, uint32_t read) {
  const struct view_event *r = &v->events.at[read];
  if (order_acquires(r->order))
    return read;
  for (uint32_t e = read + 1;
       e < v->events.len && v->events.at[e].thread == r->thread; e++)
    if (is_fence(&v->events.at[e], order_acquires))
      return e;
  return VIEW_NOTHING;
}

void view_add_sync_by_orders(struct view *v) {
  v->sync.len = 0;
  for (uint32_t e = 0; e < v->events.len; e++) {
    if (v->events.at[e].kind != EV_READ || v->events.at[e].rf >= v->events.len)
      continue;
    uint32_t from = release_of(v, v->events.at[e].rf), to = acquire_of(v, e);
    if (from != VIEW_NOTHING && to != VIEW_NOTHING &&
        v->events.at[from].thread != v->events.at[to].thread)
      array_push(&v->sync, (struct view_edge){from, to});
  }
}
