// SPDX-License-Identifier: MIT
// What the base names of cat are in an execution graph (base.def).
#include "cat/eval.h"
#include "cat/sets.h"
#include "model/deps.h"

#include <stdlib.h>

static const struct event *event_at(const struct cat_world *w, uint32_t i) {
  return &w->g->events[w->events[i]];
}

static bool is_initial(const struct cat_world *w, uint32_t i) {
  return w->events[i] == INIT_EVENT;
}

// The initial writes first, then the events by stamp.
static uint32_t number_events(struct cat_world *w, uint32_t *number) {
  const struct graph *g = w->g;
  uint32_t n = 0;
  for (uint32_t l = 0; l < g->locs.len; l++)
    if (g->locs.at[l].threads) {
      w->events[n] = INIT_EVENT;
      w->locs[n++] = l;
    }
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (cat_sees(&g->events[e])) {
      w->locs[n] = g->events[e].loc;
      w->events[n] = e;
      number[e] = n++;
    }
  return n;
}

static bool has_loc(const struct cat_world *w, uint32_t i) {
  return is_initial(w, i) || is_access(event_at(w, i));
}

static uint32_t co_place(const struct cat_world *w, uint32_t i) {
  return is_initial(w, i) ? 0 : graph_co_place(w->g, w->events[i]);
}

static bool is_write(const struct cat_world *w, uint32_t i) {
  return is_initial(w, i) || event_at(w, i)->kind == EV_WRITE;
}

static void add(struct cat_world *w, enum cat_base b, uint32_t x, uint32_t y) {
  if (w->base[b])
    rel_add(w->base[b], x, y);
}

// Pairs of accesses of one location.
static void add_accesses(struct cat_world *w, uint32_t i, uint32_t j) {
  add(w, CAT_loc, i, j);
  if (is_write(w, j) && i != j && co_place(w, i) < co_place(w, j))
    add(w, is_write(w, i) ? CAT_co : CAT_fr, i, j);
  if (is_write(w, i) && !is_write(w, j) && event_at(w, j)->rf == w->events[i])
    add(w, CAT_rf, i, j);
}

static void add_pairs(struct cat_world *w) {
  for (uint32_t i = 0; i < w->n; i++)
    for (uint32_t j = 0; j < w->n; j++) {
      bool inits = is_initial(w, i) || is_initial(w, j);
      bool is_int = i == j || (!inits && event_at(w, i)->thread ==
                                             event_at(w, j)->thread);
      add(w, is_int ? CAT_int : CAT_ext, i, j);
      if (i == j)
        add(w, CAT_id, i, j);
      if (is_initial(w, i) && !is_initial(w, j))
        add(w, CAT_po, i, j);
      if (has_loc(w, i) && has_loc(w, j) && w->locs[i] == w->locs[j])
        add_accesses(w, i, j);
    }
}

// Program order from each event to the next of its thread that counts, and
// between threads; closed at the end.
static void add_program_order(struct cat_world *w, const uint32_t *number) {
  const struct graph *g = w->g;
  if (!w->base[CAT_po])
    return;
  for (unsigned t = 0; t < g->nthreads; t++) {
    uint32_t before = UINT32_MAX;
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      event_id id = graph_at(g, t, i);
      const struct event *e = &g->events[id];
      if (!cat_sees(e))
        continue;
      if (before != UINT32_MAX)
        add(w, CAT_po, before, number[id]);
      if ((e->kind == EV_START || e->kind == EV_JOIN) && e->rf != NO_EVENT)
        add(w, CAT_po, number[e->rf], number[id]);
      before = number[id];
    }
  }
  w->base[CAT_po] = rel_plus(&w->rels, w->base[CAT_po]);
}

static void add_sources(struct cat_world *w, const uint32_t *number,
                        enum cat_base to, uint32_t i, set_id set) {
  const struct graph *g = w->g;
  for (uint32_t k = 0; w->base[to] && k < set_len(g->sets, set); k++) {
    event_id source =
        deps_source(g, event_at(w, i)->thread, set_at(g->sets, set, k));
    if (source != NO_EVENT)
      add(w, to, number[source], i);
  }
}

static void add_dependencies(struct cat_world *w, const uint32_t *number,
                             const struct model_options *options) {
  const struct graph *g = w->g;
  bool is_asked = w->base[CAT_addr] || w->base[CAT_data] || w->base[CAT_ctrl] ||
                  w->base[CAT_casdep];
  for (uint32_t i = 0; i < w->n; i++) {
    if (is_initial(w, i))
      continue;
    event_id id = w->events[i], read = deps_update_read(g, id);
    const struct event *e = event_at(w, i);
    if (read != NO_EVENT) {
      add(w, CAT_rmw, number[read], i);
      if (!options->arm_llsc)
        add(w, CAT_amo, number[read], i);
    }
    if (!is_asked)
      continue;
    check(g->deps);
    if (is_access(e))
      add_sources(w, number, CAT_addr, i, g->deps[id].addr);
    if (e->kind == EV_WRITE)
      add_sources(w, number, CAT_data, i, g->deps[id].data);
    else if (e->kind == EV_READ && (e->flags & EVF_CAS))
      add_sources(w, number, CAT_casdep, i, g->deps[id].data);
    add_sources(w, number, CAT_ctrl, i, g->deps[id].ctrl);
  }
}

static void add_sets(struct cat_world *w, const struct model_options *options) {
  for (uint32_t i = 0; i < w->n; i++) {
    uint32_t in = is_initial(w, i) ? cat_initial_sets()
                                   : cat_sets_of(event_at(w, i), options);
    for (; in; in &= in - 1)
      add(w, (enum cat_base)__builtin_ctz(in), i, i);
  }
}

void cat_world_init(struct cat_world *w, const struct cat *c,
                    const struct graph *g,
                    const struct model_options *options) {
  *w = (struct cat_world){.g = g};
  w->events = xcalloc(g->live + g->locs.len, sizeof *w->events);
  w->locs = xcalloc(g->live + g->locs.len, sizeof *w->locs);
  uint32_t *number = xcalloc(g->nevents, sizeof *number);
  w->n = number_events(w, number);
  rels_init(&w->rels, w->n);
  for (unsigned b = 0; b < CAT_BASE; b++)
    if (c->uses >> b & 1) {
      w->base[b] = rel_new(&w->rels);
      w->base[b]->is_set = cat_base_names[b].is_set;
    }
  add_sets(w, options);
  add_pairs(w);
  add_program_order(w, number);
  add_dependencies(w, number, options);
  free(number);
}

void cat_world_done(struct cat_world *w) {
  rels_done(&w->rels);
  free(w->events);
  free(w->locs);
}
