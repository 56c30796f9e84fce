// SPDX-License-Identifier: MIT
// Where parties of threads have mutexes of their own (sections.c), the graph is
// not one of the program. What is shown is the execution of the program that it
// stands for: the parties run one after the other, the one in which something
// was found as the last. If another one is in the middle of a critical section,
// it goes no further than to where that begins.
#include "explore/fewer/fewer.h"

#include <stdlib.h>
#include <string.h>

struct merge {
  const struct explorer *x;
  const struct graph *from;
  struct graph *to;
  event_id *now;              // by event of `from`; NO_EVENT: not there yet
  uint32_t most[MAX_THREADS]; // events of each thread that are to be there
};

static loc_id mutex_of(const struct merge *m, const struct event *e) {
  return is_access(e) ? vm_location(m->x->vm, e->loc)->copied : NO_LOC;
}

static bool has_copies(const struct merge *m, loc_id l) {
  return l < m->x->mutexes.len && m->x->mutexes.at[l];
}

// How many of its events come before the section that the thread is in?
static uint32_t length_outside(const struct merge *m, thread_id t) {
  uint32_t n = graph_thread_length(m->from, t);
  for (uint32_t i = n; i-- > 0;) {
    const struct event *e = &m->from->events[graph_at(m->from, t, i)];
    if (mutex_of(m, e) != NO_LOC && e->kind == EV_WRITE)
      return sections_are_left(m->x, e) ? n : i - 1; // the read is there too
  }
  return n;
}

// Is what the event needs there?
static bool is_ready(const struct merge *m, const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_READ: {
    loc_id mutex = mutex_of(m, e);
    if (m->now[e->rf] == NO_EVENT)
      return false;
    if (mutex == NO_LOC || !(e->flags & EVF_EXCLUSIVE))
      return true;
    event_id last = *array_last(&m->to->locs.at[mutex].co);
    return last == INIT_EVENT || m->to->events[last].value == e->value;
  }
  case EV_START:
  case EV_JOIN:
    return e->rf == NO_EVENT || m->now[e->rf] != NO_EVENT;
  default:
    return true;
  }
}

// The place that the write has among those that are there.
static uint32_t place_of(const struct merge *m, const struct event *e) {
  const struct event_list *co = &m->from->locs.at[e->loc].co;
  uint32_t place = 1;
  for (uint32_t i = 1; i < e->co; i++)
    place += m->now[co->at[i]] != NO_EVENT;
  return place;
}

static void add(struct merge *m, event_id id) {
  struct event e = m->from->events[id];
  loc_id mutex = mutex_of(m, &e);
  bool is_lock = mutex != NO_LOC && (e.flags & EVF_EXCLUSIVE);
  if (mutex != NO_LOC)
    e.loc = mutex;
  const struct event_list *co =
      is_access(&e) ? &m->to->locs.at[e.loc].co : NULL;
  bool is_mutex = is_access(&e) && has_copies(m, e.loc);
  if (e.kind == EV_WRITE)
    e.co = is_mutex ? co->len : place_of(m, &e);
  if (e.kind == EV_READ && is_mutex && (is_lock || mutex == NO_LOC))
    e.rf = *array_last(co); // it comes after what is there
  else if ((e.kind == EV_READ || e.kind == EV_START || e.kind == EV_JOIN) &&
           e.rf != NO_EVENT)
    e.rf = m->now[e.rf];
  if (is_access(&e))
    e.flags &= ~(uint32_t)EVF_HANDED;
  m->now[id] = graph_add(m->to, e);
}

// Adds the next event of a thread, the first that can go on; threads of `last`
// come after the others.
static bool add_next(struct merge *m, thread_id last) {
  for (thread_id k = 0; k < 2 * m->from->nthreads; k++) {
    thread_id t = k % m->from->nthreads;
    bool is_last = sections_party(m->x, t) == last;
    uint32_t n = graph_thread_length(m->to, t);
    if (n >= m->most[t] || is_last != (k >= m->from->nthreads))
      continue;
    event_id id = graph_at(m->from, t, n);
    if (!is_ready(m, &m->from->events[id]))
      continue;
    add(m, id);
    return true;
  }
  return false;
}

static void begin(struct merge *m) {
  const struct graph *g = m->from;
  graph_init(m->to);
  m->to->transient_states = g->transient_states;
  m->to->coherence = g->coherence;
  m->to->ignores_co = g->ignores_co;
  m->to->plain_syncs = g->plain_syncs;
  m->to->skips_noret = g->skips_noret;
  graph_need_threads(m->to, g->nthreads);
  for (loc_id l = 0; l < vm_location_count(m->x->vm); l++)
    graph_need_loc(m->to, l);
  for (object_no o = 0; o < g->objects.len; o++)
    graph_need_object(m->to, o);
  m->now = xcalloc(g->nevents, sizeof *m->now);
  for (event_id e = 1; e < g->nevents; e++)
    m->now[e] = NO_EVENT;
}

// Where threads are that are there as a whole, and those that go no further.
static void set_states(const struct merge *m) {
  const struct graph *g = m->from;
  for (thread_id t = 0; t < g->nthreads; t++) {
    uint32_t n = graph_thread_length(m->to, t);
    if (n && n == graph_thread_length(g, t))
      graph_set_state(m->to, t, g->threads[t].state);
    else if (n)
      graph_set_state(m->to, t, g->events[graph_at(g, t, n)].pre);
  }
}

static event_id now_of(const struct merge *m, event_id id) {
  check(id == NO_EVENT || m->now[id] != NO_EVENT);
  return id == NO_EVENT ? NO_EVENT : m->now[id];
}

const struct graph *merge_show(const struct explorer *x, struct graph *merged,
                               struct finding *f) {
  if (!x->is_split || !x->has_sections)
    return &x->g;
  struct merge m = {.x = x, .from = &x->g, .to = merged};
  thread_id last = sections_party(x, f ? f->thread : 0);
  begin(&m);
  for (thread_id t = 0; t < x->g.nthreads; t++)
    m.most[t] = sections_party(x, t) == last ? graph_thread_length(&x->g, t)
                                             : length_outside(&m, t);
  while (add_next(&m, last))
    ;
  set_states(&m);
  if (f) {
    f->event = now_of(&m, f->event);
    f->other = now_of(&m, f->other);
  }
  free(m.now);
  return merged;
}

void merge_hide(const struct explorer *x, struct graph *merged) {
  if (x->is_split && x->has_sections)
    graph_done(merged);
}
