// SPDX-License-Identifier: MIT
// Which walks are made: see refute.h.
#include "cat/judge/refute.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_LOOKS = 4096,
  MAX_MOVES = 1 << 16,
  MAX_ROUNDS = 4,
  NONE = UINT8_MAX
};

void refuter_init(struct refuter *r, const struct cat *c, uint64_t axioms,
                  struct text_store *store) {
  static const struct model_options none = {0};
  *r = (struct refuter){
      .cat = c, .axioms = axioms, .store = store, .options = &none};
}

void refuter_done(struct refuter *r) {
  store_give_back(r->routes);
  for (unsigned i = 0; i < ROUTE_DEPTH; i++) {
    array_done(&r->walks[i].cells);
    array_done(&r->walks[i].found);
  }
  free(r->kept);
  array_done(&r->moves);
  array_done(&r->exits);
  array_done(&r->seen);
}

// -- routes

static uint8_t find_class(struct refuter *r, const struct event *e) {
  cat_sets sets = cat_sets_of(e, r->options);
  for (uint32_t i = 0; i < r->nclasses; i++)
    if (r->classes[i] == sets)
      return (uint8_t)i;
  if (r->nclasses == ROUTE_CLASSES)
    return NONE;
  r->classes[r->nclasses] = sets;
  r->is_made = false;
  return (uint8_t)r->nclasses++;
}

uint8_t refuter_class_of(struct refuter *r, const struct event *e) {
  uint64_t key = cat_sets_key(e, r->options);
  struct refute_like *like =
      &r->like[(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % LENGTH(r->like)];
  if (!key || like->key != key)
    *like = (struct refute_like){key, find_class(r, e)};
  return like->class;
}

static int compare_sets(const void *a, const void *b) {
  const cat_sets *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// Those of all events, so that the routes are made but a few times.
static void learn_classes(struct refuter *r, const struct graph *g) {
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next)
    if (cat_sees(&g->events[id]))
      (void)refuter_class_of(r, &g->events[id]);
}

// (In an order that is the same in other graphs: then others share them. So
// events have other classes now.)
static void make_routes(struct refuter *r, const struct graph *g) {
  learn_classes(r, g);
  qsort(r->classes, r->nclasses, sizeof *r->classes, compare_sets);
  memset(r->like, 0, sizeof r->like);
  refuter_begin(r);
  walk_forget_moves(r);
  store_give_back(r->routes);
  r->routes =
      store_routes(r->store, r->cat, r->axioms, r->classes, r->nclasses);
  r->is_made = true;
}

// Events in other sets than those that were there before need other routes.
static bool begin(struct refuter *r, const struct graph *g, event_id e,
                  event_id about, const struct model_options *options) {
  r->options = options;
  r->about = about;
  r->most = MAX_LOOKS;
  if (r->moves.len > MAX_MOVES)
    walk_forget_moves(r);
  if (refuter_class_of(r, &g->events[e]) == NONE)
    return false;
  if (!r->is_made)
    make_routes(r, g);
  if (r->limit_of != e)
    walk_limit(r, g, e);
  r->limit_of = e;
  return true;
}

void refuter_begin(struct refuter *r) {
  r->graph++;
  r->limit_of = NO_EVENT;
}

bool refutes(struct refuter *r, struct graph *g, event_id e,
             const struct model_options *options) {
  do {
    if (!begin(r, g, e, NO_EVENT, options))
      return false;
    // What refused the last graph is likely to refuse this one.
    for (uint32_t i = 0; i < r->routes->certain.n && r->is_made; i++) {
      uint32_t nth = (r->refused_by + i) % r->routes->certain.n;
      const struct routes *routes = &r->routes->certain.at[nth];
      r->work = 0;
      walk_begin(r, g, 0, e, routes->begins);
      if (!routes->begins || !walk_on(r, g, routes, 0))
        continue;
      r->refused_by = nth;
      return true;
    }
  } while (!r->is_made);
  return false;
}

// -- all possible routes

// Begins in some states at the event, and behind the paths that have it.
static void begin_about(struct refuter *r, struct graph *g,
                        const struct routes *routes, unsigned depth,
                        route_set states, uint32_t first_exit) {
  struct refute_walk *w = &r->walks[depth];
  walk_begin(r, g, depth, r->about, states);
  w->goes_on = depth > 0;
  for (uint32_t x = first_exit; x < r->exits.len; x++)
    for (uint32_t i = 0; i < routes->moves.len; i++)
      if (routes->moves.at[i].label == r->exits.at[x].label)
        walk_arrive(w, g, r->exits.at[x].id, routes->moves.at[i].to);
}

// Where paths end that are steps of these and have the event in their middle.
static void find_exits(struct refuter *r, struct graph *g,
                       const struct routes *routes, unsigned depth,
                       uint8_t class) {
  if (depth + 1 == ROUTE_DEPTH)
    return;
  for (uint32_t l = 0; l < routes->nlabels; l++) {
    const struct routes *sub = routes->subs[l];
    uint32_t first = r->exits.len;
    if (!sub || !sub->begins)
      continue;
    find_exits(r, g, sub, depth + 1, class);
    begin_about(r, g, sub, depth + 1, sub->live[class] & sub->inner, first);
    (void)walk_on(r, g, sub, depth + 1);
    r->exits.len = first;
    const struct refute_walk *w = &r->walks[depth + 1];
    for (uint32_t i = 0; i < w->found.len; i++)
      array_push(&r->exits, (struct refute_exit){l, w->found.at[i]});
  }
}

// Were all steps made on these walks?
static bool is_whole(const struct refuter *r) {
  return r->work < r->most && r->is_made && !r->is_unsure;
}

// Is there no cycle in these routes that leads through the event?
static bool is_clear(struct refuter *r, struct graph *g,
                     const struct routes *routes, uint8_t class) {
  route_set states = routes->live[class] & routes->inner;
  if (!routes->begins)
    return true;
  if (routes->begins & routes->ends[class])
    return false; // it is related to itself
  r->work = 0;
  r->is_unsure = false;
  r->exits.len = 0;
  find_exits(r, g, routes, 0, class);
  if (!is_whole(r))
    return false; // some exits were not found
  for (unsigned round = 0; states || r->exits.len; round++) {
    r->passes = false;
    begin_about(r, g, routes, 0, states, 0);
    (void)walk_on(r, g, routes, 0);
    route_set back = r->walks[0].back & states;
    if ((r->exits.len && r->passes) || !is_whole(r) || round == MAX_ROUNDS ||
        (back && back == states))
      return false;
    if (!back)
      return true;
    states = back;
  }
  return true;
}

bool clears(struct refuter *r, struct graph *g, event_id e,
            const struct model_options *options) {
  bool is = false;
  do {
    if (!begin(r, g, e, e, options) || r->routes->lacks)
      return false;
    uint8_t class = refuter_class_of(r, &g->events[e]);
    is = true;
    for (uint32_t i = 0; i < r->routes->possible.n && is; i++)
      is = is_clear(r, g, &r->routes->possible.at[i], class);
  } while (!r->is_made);
  return is;
}
