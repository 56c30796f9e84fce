// SPDX-License-Identifier: MIT
// Awaits: loops that only wait for somebody's write [VSync, ASPLOS'21, §1-2].
//
// A thread that comes back to a state in which it was before, without having
// done anything in between that anybody could notice, has made a failed round
// of an await, whatever the source looks like: its registers and private
// memory are the same (they are the state), and it only read, or wrote what
// was there already. The execution without that round is an execution too, so
// nothing is lost if the thread waits now. A later write may revisit what the
// round has read, as always; that is how the wait ends. So no two failed rounds
// are ever in one graph.
//
// If nothing can run any more, and what the round has read is still the newest,
// then no fair schedule ever ends the wait: the program hangs.
#include "explore/internal.h"

// Did this event of a round leave no trace? (A write that is half of an update
// leaves none if it wrote the value that its read found: whoever reads it could
// as well read the write before it.)
static bool leaves_no_trace(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  switch (e->kind) {
  case EV_READ:
  case EV_FENCE:
    return true;
  case EV_WRITE:
    return (e->flags & EVF_EXCLUSIVE) &&
           g->events[graph_at(g, e->thread, e->index - 1)].value == e->value;
  default:
    return false;
  }
}

// Did thread t make a round from state s back to s, up to its newest event?
static bool made_round(const struct graph *g, unsigned t, state_id s,
                       uint32_t *first) {
  if (s < INDEXED_STATES && !graph_newest_with(g, t, s))
    return false;
  for (uint32_t i = graph_thread_length(g, t); i-- > 0;) {
    event_id e = graph_at(g, t, i);
    if (!leaves_no_trace(g, e))
      return false;
    if (g->events[e].pre == s) {
      *first = i;
      return true;
    }
  }
  return false;
}

void await_look(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  uint32_t first;
  if (!e->state || x->config.explore_retries ||
      !made_round(&x->g, e->thread, e->state, &first))
    return;
  e->state = 0;
  e->flags |= EVF_AWAIT;
  x->g.threads[e->thread].state = 0;
}

bool await_waits(const struct explorer *x, event_id id, uint32_t *first) {
  const struct event *e = &x->g.events[id];
  if (!(e->flags & EVF_AWAIT) || e->kind == EV_END)
    return false;
  state_id back = e->kind != EV_READ         ? vm_step(x->vm, e->pre, 0)
                  : (e->flags & EVF_UNINIT) ? vm_step_uninit(x->vm, e->pre)
                                            : vm_step(x->vm, e->pre, e->value);
  check(made_round(&x->g, e->thread, back, first));
  return true;
}

// Is the write part of a failed round?
static bool is_futile(const struct explorer *x, event_id w) {
  const struct event *e = &x->g.events[w];
  uint32_t first;
  return w != INIT_EVENT &&
         await_waits(x, graph_tail(&x->g, e->thread), &first) &&
         e->index >= first;
}

bool await_is_stuck(const struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  uint32_t first;
  check(await_waits(x, id, &first));
  for (uint32_t i = first; i <= e->index; i++) {
    event_id r = graph_at(g, e->thread, i);
    if (g->events[r].kind != EV_READ)
      continue;
    const struct event_list *co = &g->locs.at[g->events[r].loc].co;
    for (uint32_t k = graph_co_place(g, r) + 1; k < co->len; k++)
      if (!is_futile(x, co->at[k]))
        return false;
  }
  return true;
}
