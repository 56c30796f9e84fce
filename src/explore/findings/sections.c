// SPDX-License-Identifier: MIT
// Sections of RCU in which a thread has stopped: it waits, an assumption does
// not hold, or an assertion has failed. No grace period may have ended that the
// rest of the section lies behind, but the axiom that says so is about where a
// section ends. So where a graph is judged, and asked for flags, for good, such
// sections end right behind the last event of their thread.
//
// Whatever the thread would do next, its section ends behind that, and what
// comes before such an end in po comes before this one too: what this one
// orders, or forbids, any other does. So a graph that is forbidden with it is
// the beginning of no execution, and what races beside it is ordered by the
// section in none. (A section of SRCU may be ended by another thread: what that
// orders is not known.)
#include "base/fence.h"
#include "explore/findings/findings.h"

static bool is_fence(const struct event *e, enum fence_kind k) {
  return e->kind == EV_FENCE && fence_kind_of(e->value) == k;
}

// The beginning of the outermost section that the thread is in, and how many it
// is in.
static event_id begin_of_open(const struct graph *g, thread_id t,
                              unsigned *open) {
  event_id begin = NO_EVENT;
  *open = 0;
  for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
    event_id id = graph_at(g, t, i);
    if (is_fence(&g->events[id], FENCE_RCU_LOCK)) {
      if (!(*open)++)
        begin = id;
    } else if (is_fence(&g->events[id], FENCE_RCU_UNLOCK) && *open) {
      (*open)--;
    }
  }
  return begin;
}

static void close_thread(struct explorer *x, thread_id t) {
  struct graph *g = &x->g;
  unsigned open;
  event_id begin = begin_of_open(g, t, &open);
  for (; open; open--) {
    struct event e = {.kind = EV_FENCE,
                      .order = g->events[begin].order,
                      .thread = (uint8_t)t,
                      .rf = NO_EVENT,
                      .value = FENCE_RCU_UNLOCK,
                      .pre = g->events[begin].pre,
                      .state = g->threads[t].state};
    graph_add(g, e);
    g->threads[t].known = graph_thread_length(g, t); // it depends on nothing
  }
}

struct closed sections_close(struct explorer *x) {
  struct graph *g = &x->g;
  struct closed ret = {.mark = graph_mark(g)};
  if (!x->config.model->text)
    return ret;
  if (x->tracks)
    deps_fill(x);
  for (thread_id t = 0; t < g->nthreads; t++) {
    ret.states[t] = g->threads[t].state;
    if (graph_thread_length(g, t) && g->events[graph_tail(g, t)].kind != EV_END)
      close_thread(x, t);
  }
  return ret;
}

void sections_open(struct explorer *x, const struct closed *c) {
  struct graph *g = &x->g;
  graph_undo_to(g, c->mark);
  for (thread_id t = 0; x->config.model->text && t < g->nthreads; t++)
    if (g->threads[t].state != c->states[t])
      graph_set_state(g, t, c->states[t]);
}
