// SPDX-License-Identifier: MIT
// See bound.h.
#include "explore/justify/bound.h"

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

void bound_fill_porf(struct bound *b) {
  const struct graph *g = b->g;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    uint32_t to = b->number[id];
    if (e->index)
      rel_add(b->porf, b->number[graph_at(g, e->thread, e->index - 1)], to);
    event_id from = e->kind == EV_START || e->kind == EV_JOIN ? e->rf
                    : reads_memory(e)                         ? source_of(b, id)
                                                              : NO_EVENT;
    if (from != NO_EVENT && from != INIT_EVENT)
      rel_add(b->porf, b->number[from], to);
  }
}

// Marks what comes before a cycle. False: a guess is on no cycle, so that there
// is a graph without it that has the same core.
bool bound_find_core(struct bound *b) {
  const struct graph *g = b->g;
  for (uint32_t i = 0; i < b->reads.len; i++)
    if (!rel_has(b->porf, b->number[b->reads.at[i]],
                 b->number[b->writes.at[i]]))
      return false;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    uint32_t to = b->number[id];
    b->in_core[id] = false;
    for (uint32_t i = 0; i < b->reads.len; i++)
      b->in_core[id] |= rel_has(b->porf, to, b->number[b->reads.at[i]]);
  }
  // The start of a thread goes with the event that creates it.
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next)
    if (g->events[id].kind == EV_START)
      b->in_core[id] =
          g->events[id].rf == NO_EVENT || b->in_core[g->events[id].rf];
  return true;
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
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      event_id id = graph_at(g, t, i);
      const struct event *e = &g->events[id];
      if (!b->in_core[id])
        break;
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
      if (b->in_core[co->at[i]] && n++ == 0)
        array_push(key, l);
    for (uint32_t i = 1; i < co->len && n > 1; i++)
      if (b->in_core[co->at[i]])
        array_push(key, name_of(g, co->at[i]));
  }
}

// The place of a write in co among those of the core that are older.
static uint32_t place_of(const struct bound *b, event_id write) {
  const struct event *w = &b->g->events[write];
  const struct event_list *co = &b->g->locs.at[w->loc].co;
  uint32_t place = 1;
  for (uint32_t i = 1; i < w->co; i++)
    place += b->in_core[co->at[i]] && co->at[i] < write;
  return place;
}

struct core *bound_script(const struct bound *b) {
  const struct graph *g = b->g;
  struct core *c = core_new();
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    if (!b->in_core[id] || e->kind == EV_START)
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
    e.rf = source == INIT_EVENT || copy[source] == NO_EVENT ? INIT_EVENT
                                                            : copy[source];
  } else if (e.kind == EV_WRITE) {
    e.co = place_of(b, id);
    if (a->kind == ACC_RMW_WRITE)
      e.flags |= EVF_EXCLUSIVE;
  } else if (e.rf != NO_EVENT) {
    e.rf = copy[e.rf];
  }
  return e;
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
    if (b->in_core[id])
      copy[id] = graph_add(ret, event_in_core(vm, b, id, copy));
  // A read that was revisited is older than its source.
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    event_id source = reads_memory(&g->events[id]) && b->in_core[id]
                          ? source_of(b, id)
                          : INIT_EVENT;
    if (source != INIT_EVENT && ret->events[copy[id]].rf != copy[source])
      graph_point(ret, copy[id], copy[source]);
  }
  free(copy);
  graph_renew_clocks(ret);
}
