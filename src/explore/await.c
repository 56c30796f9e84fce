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

// The read half of an update.
static const struct event *read_of(const struct graph *g,
                                   const struct event *e) {
  return &g->events[graph_at(g, e->thread, e->index - 1)];
}

static bool is_lock(const struct graph *g, const struct event *e) {
  return e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE) &&
         (read_of(g, e)->flags & EVF_LOCK);
}

// Did this event of a round leave no trace? (A write that is half of an update
// leaves none if it wrote the value that its read found: whoever reads it could
// as well read the write before it. Locks are looked at later.)
static bool leaves_no_trace(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  switch (e->kind) {
  case EV_READ:
  case EV_FENCE:
  case EV_CHOICE:
    return true;
  case EV_WRITE:
    return (e->flags & EVF_UNLOCK) || is_lock(g, e) ||
           ((e->flags & EVF_EXCLUSIVE) && read_of(g, e)->value == e->value);
  default:
    return false;
  }
}

// A mutex that the round took, or gave back although it held it before.
struct passed {
  uint32_t loc;
  event_id unlock; // NO_EVENT: taken
  bool is_wait;    // given back by a timed wait
};
enum { MAX_PASSED = 8 };

// Notes a lock or unlock. False: this leaves a trace.
static bool pass_lock(const struct graph *g, event_id id, bool is_wait,
                      struct passed *passed, unsigned *n) {
  const struct event *e = &g->events[id];
  bool is_unlock = e->flags & EVF_UNLOCK;
  unsigned i = 0;
  while (i < *n && passed[i].loc != e->loc)
    i++;
  if (i < *n) {
    struct passed p = passed[i];
    passed[i] = passed[--*n];
    return is_unlock ? p.unlock == NO_EVENT
                     : p.is_wait || read_of(g, e)->rf == p.unlock;
  }
  if (*n == MAX_PASSED)
    return false;
  passed[(*n)++] =
      (struct passed){e->loc, is_unlock ? id : NO_EVENT, is_unlock && is_wait};
  return true;
}

// A critical section of a round that only reads leaves no trace. Neither does
// a mutex that the thread held, gave back and took again, if nobody had it in
// between. Nor does a timed wait that gave up, whoever had the mutex: if the
// thread comes back to the same wait, it could as well have waited on.
static bool locks_leave_no_trace(const struct explorer *x, unsigned t,
                                 uint32_t first) {
  const struct graph *g = &x->g;
  struct passed passed[MAX_PASSED];
  unsigned n = 0;
  for (uint32_t i = first; i < graph_reached(g, t); i++) {
    event_id id = graph_at(g, t, i);
    const struct event *e = &g->events[id];
    if (!(e->kind == EV_WRITE && (e->flags & EVF_UNLOCK)) && !is_lock(g, e))
      continue;
    bool is_wait =
        i == first + 1 &&
        (vm_access(x->vm, g->events[graph_at(g, t, first)].pre)->flags &
         ACCF_TIMED);
    if (!pass_lock(g, id, is_wait, passed, &n))
      return false;
  }
  return n == 0;
}

// Did thread t make a round from state s back to s, up to its newest event?
static bool made_round(const struct explorer *x, unsigned t, state_id s,
                       uint32_t *first) {
  const struct graph *g = &x->g;
  if (!graph_newest_with(g, t, s))
    return false;
  for (uint32_t i = graph_reached(g, t); i-- > 0;) {
    event_id e = graph_at(g, t, i);
    if (!leaves_no_trace(g, e))
      return false;
    if (g->events[e].pre == s) {
      *first = i;
      return locks_leave_no_trace(x, t, i);
    }
  }
  return false;
}

void await_look(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  uint32_t first;
  bool is_take = vm_access(x->vm, e->pre)->kind == ACC_TAKE;
  if (!e->state || x->g.threads[e->thread].kept ||
      (x->config.explore_retries && !is_take) ||
      !made_round(x, e->thread, e->state, &first))
    return;
  e->state = 0;
  e->flags |= EVF_AWAIT;
  graph_set_state(&x->g, e->thread, 0);
}

bool await_waits(const struct explorer *x, event_id id, uint32_t *first) {
  const struct event *e = &x->g.events[id];
  if (!(e->flags & EVF_AWAIT) || e->kind == EV_END)
    return false;
  bool has_value = e->kind == EV_READ || e->kind == EV_CHOICE;
  state_id back = e->kind == EV_READ && (e->flags & EVF_UNINIT)
                      ? vm_step_uninit(x->vm, e->pre)
                      : vm_step(x->vm, e->pre, has_value ? e->value : 0);
  check(made_round(x, e->thread, back, first));
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

// Does a thread wait for the mutex that `e` gave back? Then the round was not
// its last word.
static bool is_waited_for(const struct graph *g, const struct event *e) {
  if (e->kind != EV_WRITE || !(e->flags & EVF_UNLOCK))
    return false;
  for (unsigned t = 0; t < g->nthreads; t++) {
    if (!graph_thread_length(g, t))
      continue;
    const struct event *last = &g->events[graph_tail(g, t)];
    if (lock_waits(last) && last->loc == e->loc)
      return true;
  }
  return false;
}

bool await_is_stuck(const struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  uint32_t first;
  check(await_waits(x, id, &first));
  for (uint32_t i = first; i <= e->index; i++) {
    event_id r = graph_at(g, e->thread, i);
    if (g->events[r].kind == EV_CHOICE || is_waited_for(g, &g->events[r]))
      return false;
    if (g->events[r].kind != EV_READ)
      continue;
    const struct event_list *co = &g->locs.at[g->events[r].loc].co;
    for (uint32_t k = graph_co_place(g, r) + 1; k < co->len; k++)
      if (!is_futile(x, co->at[k]))
        return false;
  }
  return true;
}
