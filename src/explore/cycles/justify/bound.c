// SPDX-License-Identifier: MIT
// See bound.h.
#include "explore/cycles/justify/bound.h"

#include <stdlib.h>

static event_id source_of(const struct bound *b, event_id read) {
  for (uint32_t i = 0; i < b->reads.len; i++)
    if (b->reads.at[i] == read)
      return b->writes.at[i];
  return b->g->events[read].rf;
}

static bool reads_memory(const struct event *e) {
  return e->kind == EV_READ || event_is_guess(e);
}

static bool in_core(const struct bound *b, event_id id) {
  const struct event *e = &b->g->events[id];
  return e->index < b->length[e->thread];
}

static void lengthen(struct bound *b, thread_id t, uint32_t length) {
  if (b->length[t] < length)
    b->length[t] = length;
}

// Each write comes after its guess as the graph is, without any edge to a guess
// (guess_may_read). So each guess is on a cycle, and what comes before one of
// the cycles comes before one of the writes: the clocks of these are the core.
void bound_find_core(struct bound *b) {
  const struct graph *g = b->g;
  for (thread_id t = 0; t < g->nthreads; t++)
    b->length[t] = 0;
  for (uint32_t i = 0; i < b->writes.len; i++) {
    const struct event *w = &g->events[b->writes.at[i]];
    for (thread_id t = 0; t < g->nthreads; t++)
      lengthen(b, t, clock_get(&g->clocks, w->porf, t));
    lengthen(b, w->thread, w->index + 1);
  }
  // The start of a thread goes with the event that creates it.
  for (thread_id t = 0; t < g->nthreads; t++) {
    event_id creator = graph_thread_length(g, t)
                           ? g->events[graph_at(g, t, 0)].rf
                           : INIT_EVENT;
    if (creator == NO_EVENT || (creator != INIT_EVENT && in_core(b, creator)))
      lengthen(b, t, 1);
  }
}

static uint64_t name_of(const struct graph *g, event_id id) {
  if (id == INIT_EVENT)
    return UINT64_MAX;
  return (uint64_t)g->events[id].thread << 32 | g->events[id].index;
}

// Two cores are the same iff their keys are.
void bound_write_key(const struct bound *b, words *key) {
  const struct graph *g = b->g;
  for (thread_id t = 0; t < g->nthreads; t++) {
    array_push(key, UINT64_MAX - 1);
    for (uint32_t i = 0; i < b->length[t]; i++) {
      event_id id = graph_at(g, t, i);
      const struct event *e = &g->events[id];
      array_push(key, reads_memory(e) ? EV_READ : e->kind);
      if (reads_memory(e))
        array_push(key, name_of(g, source_of(b, id)));
      if (reads_memory(e) || e->kind == EV_CHOICE || e->kind == EV_ANSWER)
        array_push(key, e->value);
    }
  }
  for (uint32_t l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    uint32_t n = 0;
    for (uint32_t i = 1; i < co->len; i++)
      if (in_core(b, co->at[i]) && n++ == 0)
        array_push(key, l);
    for (uint32_t i = 1; i < co->len && n > 1; i++)
      if (in_core(b, co->at[i]))
        array_push(key, name_of(g, co->at[i]));
  }
}

// The place of a write in co among those of the core that are older.
static uint32_t place_of(const struct bound *b, event_id write) {
  const struct event *w = &b->g->events[write];
  const struct event_list *co = &b->g->locs.at[w->loc].co;
  uint32_t place = 1;
  for (uint32_t i = 1; i < w->co; i++)
    place += in_core(b, co->at[i]) && co->at[i] < write;
  return place;
}

struct core *bound_script(const struct bound *b) {
  const struct graph *g = b->g;
  struct core *c = core_new();
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    if (!in_core(b, id) || e->kind == EV_START)
      continue;
    struct core_step s = {.kind = e->kind,
                          .thread = e->thread,
                          .rf_index = CORE_INIT,
                          .value = e->value};
    if (e->kind == EV_WRITE)
      s.place = place_of(b, id);
    if (reads_memory(e)) {
      event_id source = source_of(b, id);
      s.kind = EV_READ;
      s.rf_thread = g->events[source].thread;
      s.rf_index = source == INIT_EVENT ? CORE_INIT : g->events[source].index;
    }
    array_push(&c->steps, s);
  }
  return c;
}

static struct event event_in_core(struct vm *vm, const struct bound *b,
                                  event_id id, const event_id *copy) {
  struct event e = b->g->events[id];
  const struct access *a = vm_access(vm, e.pre);
  if (event_is_guess(&e)) {
    e.kind = EV_READ;
    e.loc = a->loc;
    e.flags = event_read_flags(a, e.value, /*is_uninit=*/false, &e.order);
  }
  if (e.kind == EV_READ) {
    event_id source = source_of(b, id);
    e.rf = source == INIT_EVENT || source > id ? INIT_EVENT : copy[source];
  } else if (e.kind == EV_WRITE) {
    e.co = place_of(b, id);
    if (a->kind == ACC_RMW_WRITE)
      e.flags |= EVF_EXCLUSIVE;
  } else if (e.rf != NO_EVENT) {
    e.rf = copy[e.rf];
  }
  return e;
}

// A guess is older than its source: it gets that, and so do those that learn
// from it.
static void give_sources(const struct bound *b, const event_id *copy,
                         struct graph *ret) {
  uint8_t *marks = xcalloc(ret->nevents, 1);
  event_id first = NO_EVENT;
  for (uint32_t i = b->reads.len; i-- > 0;) {
    if (!in_core(b, b->reads.at[i]))
      continue;
    event_id read = copy[b->reads.at[i]];
    graph_point(ret, read, copy[b->writes.at[i]]);
    marks[read] = CLOCK_MAY_GROW;
    first = read < first ? read : first;
  }
  graph_grow_clocks(ret, first, marks);
  free(marks);
}

void bound_copy(struct vm *vm, const struct bound *b, struct graph *ret) {
  const struct graph *g = b->g;
  graph_init(ret);
  ret->transient_states = g->transient_states;
  ret->coherence = g->coherence;
  ret->plain_syncs = g->plain_syncs;
  graph_need_threads(ret, g->nthreads);
  if (g->locs.len)
    graph_need_loc(ret, g->locs.len - 1);
  if (g->objects.len)
    graph_need_object(ret, g->objects.len - 1);
  event_id *copy = xcalloc(g->nevents, sizeof *copy);
  for (uint32_t i = 0; i < g->nevents; i++)
    copy[i] = NO_EVENT;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next)
    if (in_core(b, id))
      copy[id] = graph_add(ret, event_in_core(vm, b, id, copy));
  give_sources(b, copy, ret);
  free(copy);
}
