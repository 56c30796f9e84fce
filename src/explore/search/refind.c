// SPDX-License-Identifier: MIT
// Slow-check builds only. A revisit is taken from one graph alone, since that
// graph can be found again from the one after it (revisit.c has the argument).
// Here it is found: all that was added since the read is taken out; then the
// scheduler names one event after another, what is in the prefix of the write
// comes back as it was, and everything else is added maximally. It must be the
// same graph in the end.
//
// Not looked at are graphs in which a read that is left has its source from
// what was taken out, by an earlier revisit or a hand-over: finding those again
// takes the search itself. Nor where something else than the graph decides what
// happens: options that cut loops; nor where co does not count, so that it is
// not the newest write that is read; nor where accesses are in pieces, which
// are maximal in a way of their own (revisit.c).
#include "explore/search/search.h"

#include <stdlib.h>
#include <string.h>

// A graph as it was.
struct memory {
  struct event *events;            // by event_id
  event_id *threads[MAX_THREADS];  // in po
  uint32_t len[MAX_THREADS], live; // of them
  bool *stays;                     // by event_id: in the prefix of the write
};

static struct memory remember(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  struct memory m = {.live = g->live};
  m.events = xcalloc(g->nevents, sizeof *m.events);
  memcpy(m.events, g->events, g->nevents * sizeof *m.events);
  m.stays = xcalloc(g->nevents, sizeof *m.stays);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    m.stays[e] = prefix_has(x, t, prefix_of(x, t), e);
  for (thread_id u = 0; u < g->nthreads; u++) {
    const struct event_list *l = &g->threads[u].events;
    m.len[u] = l->len;
    m.threads[u] = xcalloc(l->len + 1, sizeof *m.threads[u]);
    for (uint32_t i = 0; i < l->len; i++)
      m.threads[u][i] = l->at[i];
  }
  return m;
}

static void forget(struct memory *m) {
  for (thread_id t = 0; t < MAX_THREADS; t++)
    free(m->threads[t]);
  free(m->events);
  free(m->stays);
}

static bool can_be_found_again(const struct explorer *x, event_id read) {
  const struct graph *g = &x->g;
  if (hooks_hide_graphs(x) || x->config.repeats ||
      x->config.model_options.in_pieces)
    return false;
  for (event_id id = g->last; id != INIT_EVENT; id = g->events[id].prev) {
    const struct event *e = &g->events[id];
    if (is_access(e) && (e->flags & EVF_HANDED))
      return false;
    if (e->kind == EV_READ && e->rf > id && e->rf >= read)
      return false;
  }
  return true;
}

// What an event of then is now; they have the same position.
static event_id now(const struct graph *g, const struct memory *m,
                    event_id then) {
  const struct event *e = &m->events[then];
  if (then == INIT_EVENT || then == NO_EVENT)
    return then;
  check(e->index < graph_thread_length(g, e->thread));
  return graph_at(g, e->thread, e->index);
}

static void add_read(struct explorer *x, const struct memory *m,
                     event_id then) {
  const struct event *e = &m->events[then];
  graph_need_loc(&x->g, e->loc);
  const struct event_list *co = &x->g.locs.at[e->loc].co;
  event_id source = m->stays[then] ? now(&x->g, m, e->rf) : *array_last(co);
  event_id id = read_add(x, e->thread, source);
  if (event_stops(&x->g.events[id]))
    graph_set_state(&x->g, e->thread, 0);
  else
    advance_thread(x, id);
}

// A write that was there stands behind those that it stood behind.
static void add_write(struct explorer *x, const struct memory *m,
                      event_id then) {
  const struct event *e = &m->events[then];
  graph_need_loc(&x->g, e->loc);
  const struct event_list *co = &x->g.locs.at[e->loc].co;
  uint32_t place = co->len;
  while (m->stays[then] && place > 1) {
    const struct event *w = &x->g.events[co->at[place - 1]];
    if (m->events[m->threads[w->thread][w->index]].co < e->co)
      break;
    place--;
  }
  advance_thread(x, event_add_write(x, e->thread, place));
}

static void add_choice(struct explorer *x, const struct memory *m,
                       event_id then) {
  const struct event *e = &m->events[then];
  uint64_t value = m->stays[then] ? e->value : vm_access(x->vm, e->pre)->value;
  struct choice c = {.thread = e->thread, .state = e->pre, .lowest = value};
  value_take(x, &c, 0);
}

static void compare_event(const struct graph *g, const struct memory *m,
                          event_id then) {
  const struct event *a = &m->events[then], *b = &g->events[now(g, m, then)];
  check(a->kind == b->kind && a->order == b->order && a->loc == b->loc);
  check(a->value == b->value && a->flags == b->flags && a->pre == b->pre);
  check(a->state == b->state);
  if (a->kind != EV_WRITE)
    check(now(g, m, a->rf) == b->rf);
}

static void compare_co(const struct graph *g, const struct memory *m) {
  for (uint32_t l = 0; l < g->locs.len; l++)
    for (uint32_t i = 1; i < g->locs.at[l].co.len; i++) {
      const struct event *w = &g->events[g->locs.at[l].co.at[i]];
      check(m->events[m->threads[w->thread][w->index]].co == i);
    }
}

static void find_again(struct explorer *x, const struct memory *m) {
  const struct graph *g = &x->g;
  while (g->live < m->live) {
    thread_id u = schedule_next(x);
    check(u != NO_THREAD && graph_thread_length(g, u) < m->len[u]);
    event_id then = m->threads[u][graph_thread_length(g, u)];
    switch ((enum event_kind)m->events[then].kind) {
    case EV_READ:
      add_read(x, m, then);
      break;
    case EV_WRITE:
      add_write(x, m, then);
      break;
    case EV_CHOICE:
      add_choice(x, m, then);
      break;
    default:
      step_thread(x, u);
    }
    compare_event(g, m, then);
  }
  compare_co(g, m);
}

void refind_before_revisit(struct explorer *x, thread_id t, event_id read) {
  struct graph *g = &x->g;
  if (!can_be_found_again(x, read))
    return;
  uint64_t before = verify_hash(x, NO_THREAD), added = x->result.events_added;
  struct graph_mark mark = graph_mark(g); // the prefix may make a clock
  struct memory m = remember(x, t);
  struct vm_mark states = vm_mark(x->vm);
  while (g->last >= read)
    graph_delete(g, g->last);
  find_again(x, &m);
  check(schedule_next(x) == t);
  graph_undo_to(g, mark);
  vm_release(x->vm, states);
  x->result.events_added = added;
  forget(&m);
  check(verify_hash(x, NO_THREAD) == before);
}
