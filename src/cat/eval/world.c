// SPDX-License-Identifier: MIT
// What the base names of cat are in an execution graph (base.def).
#include "cat/eval/eval.h"
#include "cat/eval/sets.h"
#include "graph/rcu.h"
#include "model/deps.h"

#include <stdlib.h>

static void add(struct cat_world *w, enum cat_base b, uint32_t x, uint32_t y) {
  cat_world_add(w, b, x, y);
}

static bool is_in(const struct cat_event *e, enum cat_base set) {
  return e->sets >> set & 1;
}

static bool is_access_of(const struct cat_event *e) {
  return is_in(e, CAT_R) || is_in(e, CAT_W);
}

// Pairs of events at one location.
static void add_accesses(struct cat_world *w, uint32_t i, uint32_t j) {
  const struct cat_event *x = &w->events[i], *y = &w->events[j];
  add(w, CAT_loc, i, j);
  if (!is_access_of(x) || !is_access_of(y))
    return;
  if (is_in(y, CAT_W) && i != j && x->co < y->co)
    add(w, is_in(x, CAT_W) ? CAT_co : CAT_fr, i, j);
  if (y->rf == i)
    add(w, CAT_rf, i, j);
}

// Events of one thread, and all other pairs.
static void add_threads(struct cat_world *w) {
  struct rel *in = w->base[CAT_int], *out = w->base[CAT_ext];
  if (!in)
    in = rel_new(&w->rels);
  for (uint32_t i = 0; i < w->n; i++)
    for (uint32_t j = 0; j <= i; j++)
      if (w->events[i].thread == w->events[j].thread) {
        rel_add(in, i, j);
        rel_add(in, j, i);
      }
  for (uint32_t x = 0; out && x < out->n * out->words; x++) {
    uint32_t left = out->n - x % out->words * 64; // of the row, from this word
    out->bits[x] =
        ~in->bits[x] & (left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0));
  }
}

static void add_pairs(struct cat_world *w) {
  if (w->base[CAT_int] || w->base[CAT_ext])
    add_threads(w);
  for (uint32_t i = 0; i < w->n; i++) {
    const struct cat_event *x = &w->events[i];
    add(w, CAT_id, i, i);
    for (uint32_t j = 0; j < w->n && is_in(x, CAT_IW); j++)
      if (!is_in(&w->events[j], CAT_IW))
        add(w, CAT_po, i, j);
    for (uint32_t j = 0; j < w->n && x->loc != NO_NUMBER; j++)
      if (x->loc == w->events[j].loc)
        add_accesses(w, i, j);
  }
}

static void add_sets(struct cat_world *w) {
  for (uint32_t i = 0; i < w->n; i++)
    for (unsigned b = 0; b < CAT_BASE && cat_base_names[b].is_set; b++)
      if (is_in(&w->events[i], (enum cat_base)b))
        add(w, (enum cat_base)b, i, i);
}

void cat_world_of_events(struct cat_world *w, uint64_t uses,
                         struct cat_event *events, uint32_t n) {
  *w = (struct cat_world){.n = n, .events = events};
  rels_init(&w->rels, n);
  for (unsigned b = 0; b < CAT_BASE; b++)
    if (uses >> b & 1) {
      w->base[b] = rel_new(&w->rels);
      w->base[b]->is_set = cat_base_names[b].is_set;
    }
  add_sets(w);
  add_pairs(w);
}

void cat_world_close_po(struct cat_world *w) {
  if (w->base[CAT_po])
    w->base[CAT_po] = rel_plus(&w->rels, w->base[CAT_po]);
}

void cat_world_done(struct cat_world *w) {
  rels_done(&w->rels);
  free(w->events);
}

// -- of a graph

static bool sees(const struct event *e, bool has_lives) {
  return cat_sees(e) || (has_lives && cat_is_life(e));
}

// The initial writes first, then the events by stamp.
static uint32_t number_events(const struct graph *g,
                              const struct model_options *options,
                              bool has_lives, struct cat_event *events,
                              uint32_t *number) {
  uint32_t n = 0;
  uint32_t *initial = xcalloc(g->locs.len + 1, sizeof *initial);
  for (uint32_t l = 0; l < g->locs.len; l++) {
    if (!g->locs.at[l].threads)
      continue;
    initial[l] = n;
    events[n] = (struct cat_event){.sets = cat_initial_sets(),
                                   .thread = g->nthreads + n,
                                   .loc = l,
                                   .rf = NO_NUMBER,
                                   .id = INIT_EVENT};
    n++;
  }
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next)
    if (sees(&g->events[id], has_lives))
      number[id] = n++;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    if (!sees(e, has_lives))
      continue;
    struct cat_event *x = &events[number[id]];
    *x = (struct cat_event){.sets = cat_sets_of(e, options),
                            .thread = e->thread,
                            .loc = cat_has_location(e) ? e->loc : NO_NUMBER,
                            .co = is_access(e) ? graph_co_place(g, id) : 0,
                            .rf = NO_NUMBER,
                            .id = id};
    if (e->kind == EV_READ)
      x->rf = e->rf == INIT_EVENT ? initial[e->loc] : number[e->rf];
  }
  free(initial);
  return n;
}

// From each event to the next of its thread that counts, and between threads.
static void add_program_order(struct cat_world *w, const struct graph *g,
                              bool has_lives, const uint32_t *number) {
  for (unsigned t = 0; t < g->nthreads; t++) {
    uint32_t before = NO_NUMBER;
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      event_id id = graph_at(g, t, i);
      const struct event *e = &g->events[id];
      if (!sees(e, has_lives))
        continue;
      if (before != NO_NUMBER)
        add(w, CAT_po, before, number[id]);
      if ((e->kind == EV_START || e->kind == EV_JOIN) && e->rf != NO_EVENT)
        add(w, CAT_po, number[e->rf], number[id]);
      before = number[id];
    }
  }
  cat_world_close_po(w);
}

static void add_sources(struct cat_world *w, const struct graph *g,
                        const uint32_t *number, enum cat_base to, uint32_t i,
                        set_id set) {
  bool is_basic = to == CAT_basic_addr || to == CAT_basic_data;
  for (uint32_t k = 0; w->base[to] && k < set_len(g->sets, set); k++) {
    if (is_basic && set_is_pick(g->sets, set, k))
      continue;
    event_id source =
        deps_source(g, w->events[i].thread, set_at(g->sets, set, k));
    if (source != NO_EVENT)
      add(w, to, number[source], i);
  }
}

static void add_dependencies(struct cat_world *w, const struct graph *g,
                             const uint32_t *number) {
  check(g->deps);
  for (uint32_t i = 0; i < w->n; i++) {
    event_id id = w->events[i].id;
    const struct event *e = &g->events[id];
    if (id == INIT_EVENT)
      continue;
    if (is_access(e)) {
      add_sources(w, g, number, CAT_addr, i, g->deps[id].addr);
      add_sources(w, g, number, CAT_basic_addr, i, g->deps[id].addr);
    }
    if (e->kind == EV_WRITE) {
      add_sources(w, g, number, CAT_data, i, g->deps[id].data);
      add_sources(w, g, number, CAT_basic_data, i, g->deps[id].data);
    } else if (e->kind == EV_READ && (e->flags & EVF_CAS))
      add_sources(w, g, number, CAT_casdep, i, g->deps[id].data);
    add_sources(w, g, number, CAT_ctrl, i, g->deps[id].ctrl);
    add_sources(w, g, number, CAT_ctrl_after, i, g->deps[id].after);
  }
}

// Sections of RCU, by their ends.
static void add_sections(struct cat_world *w, const struct graph *g,
                         const uint32_t *number) {
  for (uint32_t i = 0; i < w->n; i++) {
    event_id begin = rcu_begin(g, w->events[i].id);
    if (begin != NO_EVENT)
      add(w, CAT_rcu_rscs, number[begin], i);
  }
}

static void add_updates(struct cat_world *w, const struct graph *g,
                        const uint32_t *number,
                        const struct model_options *options) {
  for (uint32_t i = 0; i < w->n; i++) {
    if (w->events[i].id == INIT_EVENT)
      continue;
    event_id read = deps_update_read(g, w->events[i].id);
    if (read == NO_EVENT)
      continue;
    add(w, CAT_rmw, number[read], i);
    if (!options->arm_llsc && deps_is_single(&g->events[w->events[i].id]))
      add(w, CAT_amo, number[read], i);
  }
}

static void add_pieces(struct cat_world *w, const struct graph *g) {
  for (uint32_t i = 0; i < w->n; i++) {
    event_id x = w->events[i].id;
    event_id first = x == INIT_EVENT ? x : graph_first_piece(g, x);
    add(w, CAT_same, i, i);
    for (uint32_t j = 0; j < i && x != INIT_EVENT; j++)
      if (w->events[j].id != INIT_EVENT &&
          graph_first_piece(g, w->events[j].id) == first) {
        add(w, CAT_same, i, j);
        add(w, CAT_same, j, i);
      }
  }
}

static void add_lives(struct cat_world *w, const struct graph *g,
                      const uint32_t *number) {
  for (uint32_t i = 0; i < w->n; i++) {
    const struct cat_event *e = &w->events[i];
    uint32_t o = e->id != INIT_EVENT && is_access(&g->events[e->id])
                     ? g->locs.at[e->loc].object
                     : UINT32_MAX;
    if (o >= g->objects.len)
      continue;
    if (g->objects.at[o].alloc != NO_EVENT)
      add(w, CAT_born, number[g->objects.at[o].alloc], i);
    if (g->objects.at[o].free != NO_EVENT)
      add(w, CAT_freed, i, number[g->objects.at[o].free]);
  }
}

void cat_world_init(struct cat_world *w, const struct cat *c,
                    const struct graph *g, const struct model_options *options,
                    bool has_lives) {
  struct cat_event *events = xcalloc(g->live + g->locs.len, sizeof *events);
  uint32_t *number = xcalloc(g->nevents, sizeof *number);
  uint32_t n = number_events(g, options, has_lives, events, number);
  cat_world_of_events(w, c->uses, events, n);
  add_program_order(w, g, has_lives, number);
  if (has_lives)
    add_lives(w, g, number);
  add_updates(w, g, number, options);
  if (w->base[CAT_same])
    add_pieces(w, g);
  if (w->base[CAT_rcu_rscs])
    add_sections(w, g, number);
  if (w->base[CAT_addr] || w->base[CAT_data] || w->base[CAT_ctrl] ||
      w->base[CAT_basic_addr] || w->base[CAT_basic_data] ||
      w->base[CAT_casdep] || w->base[CAT_ctrl_after])
    add_dependencies(w, g, number);
  free(number);
}
