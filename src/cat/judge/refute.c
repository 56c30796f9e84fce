// SPDX-License-Identifier: MIT
// The walk goes forwards from the newest event, which in most graphs leads to
// few others: it is the last of its thread, so it does by co and fr alone. Each
// event has the set of states in which it was reached; threads are swept in
// program order, so that po is a set of states that is carried along, and all
// that is after an event is reached with it.
#include "cat/judge/refute.h"

#include "base/bits.h"
#include "model/deps.h"

#include <string.h>

enum { MAX_LOOKS = 4096, MAX_MOVES = 1 << 14, NONE = UINT8_MAX };

static const enum cat_base dep_bases[4] = {CAT_addr, CAT_data, CAT_ctrl,
                                           CAT_ctrl_after};

void refuter_init(struct refuter *r, const struct cat *c, uint64_t axioms) {
  *r = (struct refuter){.cat = c, .axioms = axioms};
}

void refuter_done(struct refuter *r) {
  for (uint32_t i = 0; i < r->nroutes; i++)
    routes_done(&r->routes[i]);
  for (unsigned i = 0; i < ROUTE_DEPTH; i++) {
    array_done(&r->walks[i].cells);
    array_done(&r->walks[i].found);
  }
  array_done(&r->moves);
}

// -- routes

// The class of the event; NONE: there are too many.
static uint8_t class_of(struct refuter *r, const struct event *e) {
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

// Those of all events, so that the routes are made but a few times.
static void learn_classes(struct refuter *r, const struct graph *g) {
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next)
    if (cat_sees(&g->events[id]))
      (void)class_of(r, &g->events[id]);
}

// -- the walk

static struct refute_cell *cell_at(struct refute_walk *w, event_id id) {
  struct refute_cell *c = &w->cells.at[id];
  if (c->epoch != w->epoch)
    *c = (struct refute_cell){.epoch = w->epoch, .class = NONE, .ext = NONE};
  return c;
}

static void touch(struct refute_walk *w, const struct event *e) {
  unsigned t = e->thread;
  if (!(w->dirty >> t & 1)) {
    w->from[t] = w->to[t] = e->index;
    w->dirty |= UINT64_C(1) << t;
    return;
  }
  if (e->index < w->from[t])
    w->from[t] = e->index;
  if (e->index > w->to[t])
    w->to[t] = e->index;
}

static void arrive(struct refute_walk *w, const struct graph *g, event_id id,
                   route_set states) {
  struct refute_cell *c = cell_at(w, id);
  if (!(states & ~c->in))
    return;
  c->in |= states;
  touch(w, &g->events[id]);
}

static bool is_on_side(const struct event *a, const struct event *b,
                       enum route_side side) {
  return side == SIDE_ANY || (a->thread == b->thread) == (side == SIDE_INT);
}

// Was all that is behind this write in co reached like this before?
static bool was_reached_by_co(struct refute_cell *c, unsigned thread,
                              enum route_side side, route_set states) {
  if (!(states & ~c->by_co))
    return true;
  if (side == SIDE_ANY) {
    c->by_co |= states;
  } else if (side == SIDE_EXT && (c->ext == NONE || c->ext == thread)) {
    if (!(states & ~c->by_co_ext))
      return true;
    c->ext = (uint8_t)thread;
    c->by_co_ext |= states;
  }
  return false;
}

// By co or fr: to the writes behind a place.
static uint32_t arrive_behind(struct refute_walk *w, const struct graph *g,
                              const struct event *from, uint32_t place,
                              enum route_side side, route_set states) {
  const struct event_list *co = &g->locs.at[from->loc].co;
  uint32_t i = place + 1;
  for (; i < co->len; i++) {
    if (was_reached_by_co(cell_at(w, co->at[i]), from->thread, side, states))
      break;
    if (is_on_side(&g->events[co->at[i]], from, side))
      arrive(w, g, co->at[i], states);
  }
  return i - place;
}

static uint32_t arrive_at_readers(struct refute_walk *w, const struct graph *g,
                                  event_id write, enum route_side side,
                                  route_set states) {
  const struct event *e = &g->events[write];
  const struct event_list *reads = &g->locs.at[e->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *x = &g->events[reads->at[i]];
    if (x->rf == write && is_on_side(x, e, side))
      arrive(w, g, reads->at[i], states);
  }
  return reads->len;
}

static uint32_t arrive_in_po_at_loc(struct refute_walk *w,
                                    const struct graph *g,
                                    const struct event *from,
                                    route_set states) {
  if (!is_access(from))
    return 0;
  const struct event_list *own = &g->locs.at[from->loc].by_thread[from->thread];
  uint32_t first = graph_count_below(g, own, from->index + 1), i = first;
  for (; i < own->len; i++) {
    struct refute_cell *c = cell_at(w, own->at[i]);
    if (!(states & ~c->by_loc))
      break;
    c->by_loc |= states;
    arrive(w, g, own->at[i], states);
  }
  return i - first;
}

static void arrive_by_update(struct refute_walk *w, const struct graph *g,
                             event_id id, bool is_back, route_set states) {
  const struct event *e = &g->events[id];
  uint32_t next = e->index + 1;
  if (is_back) {
    event_id read = deps_update_read(g, id);
    if (read != NO_EVENT)
      arrive(w, g, read, states);
  } else if (e->kind == EV_READ && next < graph_thread_length(g, e->thread)) {
    event_id write = graph_at(g, e->thread, next);
    if (deps_update_read(g, write) == id)
      arrive(w, g, write, states);
  }
}

static bool walk_path(struct refuter *r, struct graph *g,
                      const struct routes *routes, unsigned depth,
                      event_id from);

static bool is_let_through(const struct graph *g, struct route_filter f,
                           event_id a, event_id b) {
  const struct event *x = &g->events[a], *y = &g->events[b];
  return is_on_side(x, y, (enum route_side)f.side) &&
         !(f.same_loc && !(is_access(x) && is_access(y) && x->loc == y->loc)) &&
         !(f.in_po && !(x->thread == y->thread && x->index < y->index)) &&
         !(f.not_id && a == b);
}

// Is there an event at all that it lets through, if it asks for program order?
static bool lets_some_through(const struct graph *g, struct route_filter f,
                              const struct event *from) {
  if (!f.in_po)
    return true;
  if (!f.same_loc)
    return from->index + 1 < graph_thread_length(g, from->thread);
  if (!is_access(from))
    return false;
  const struct event_list *own = &g->locs.at[from->loc].by_thread[from->thread];
  return g->events[own->at[own->len - 1]].index > from->index;
}

// By a path whose ends the label lets through.
static void arrive_by_path(struct refuter *r, struct graph *g, unsigned depth,
                           event_id id, const struct routes *sub,
                           const struct route_label *l, route_set states) {
  struct refute_walk *inner = &r->walks[depth + 1];
  (void)walk_path(r, g, sub, depth + 1, id);
  for (uint32_t i = 0; i < inner->found.len; i++)
    if (is_let_through(g, l->filter, id, inner->found.at[i]))
      arrive(&r->walks[depth], g, inner->found.at[i], states);
}

static void move(struct refuter *r, struct graph *g,
                 const struct routes *routes, unsigned depth, event_id id,
                 struct refute_cell *c, const struct route_move *m) {
  struct refute_walk *w = &r->walks[depth];
  const struct event *e = &g->events[id];
  const struct route_label *l = &routes->labels[m->label];
  enum route_side side = (enum route_side)l->filter.side;
  switch (l->base) {
  case CAT_po:
    if (l->filter.same_loc && side != SIDE_EXT)
      r->work += arrive_in_po_at_loc(w, g, e, m->to);
    else if (!l->filter.same_loc && side == SIDE_ANY)
      c->after |= m->to;
    else if (!l->filter.same_loc && side == SIDE_INT)
      c->inside |= m->to;
    return;
  case CAT_rf:
    if (e->kind == EV_WRITE)
      r->work += arrive_at_readers(w, g, id, side, m->to);
    return;
  case CAT_co:
    if (e->kind == EV_WRITE)
      r->work += arrive_behind(w, g, e, e->co, side, m->to);
    return;
  case CAT_fr:
    if (e->kind == EV_READ && e->rf != NO_EVENT)
      r->work += arrive_behind(w, g, e, graph_co_place(g, id), side, m->to);
    return;
  case CAT_rmw:
    if (side != SIDE_EXT)
      arrive_by_update(w, g, id, l->is_back, m->to);
    return;
  case ROUTE_MACRO:
    if (routes->subs[m->label]->begins && lets_some_through(g, l->filter, e))
      arrive_by_path(r, g, depth, id, routes->subs[m->label], l, m->to);
    return;
  default: // a dependency
    for (unsigned d = 0; d < 4; d++)
      if (dep_bases[d] == (enum cat_base)l->base && side != SIDE_EXT) {
        c->dep[d] |= m->to;
        w->meets_deps = true;
      }
    return;
  }
}

// What the dependencies of the event bring.
static route_set from_deps(const struct refute_walk *w, const struct graph *g,
                           event_id id) {
  const struct event *e = &g->events[id];
  const struct event_deps *d = &g->deps[id];
  set_id sets[4] = {is_access(e) ? d->addr : 0,
                    e->kind == EV_WRITE ? d->data : 0, d->ctrl, d->after};
  route_set states = 0;
  for (unsigned k = 0; k < 4; k++)
    for (uint32_t i = 0; sets[k] && i < set_len(g->sets, sets[k]); i++) {
      event_id source = deps_source(g, e->thread, set_at(g->sets, sets[k], i));
      if (source != NO_EVENT && w->cells.at[source].epoch == w->epoch)
        states |= w->cells.at[source].dep[k];
    }
  return states;
}

static void forget_moves(struct refuter *r) {
  memset(r->kept, 0, sizeof r->kept);
  r->moves.len = 0;
}

static void find_moves(struct refuter *r, struct refute_moves *k) {
  const struct routes *routes = k->routes;
  route_set to[ROUTE_LABELS] = {0};
  for (route_set left = k->states; left; left &= left - 1) {
    uint32_t at = k->class * routes->nstates + route_first(left);
    for (uint32_t i = routes->first.at[at]; i < routes->first.at[at + 1]; i++)
      to[routes->moves.at[i].label] |= routes->moves.at[i].to;
  }
  k->first = r->moves.len;
  for (uint32_t l = 0; l < routes->nlabels; l++)
    if (to[l])
      array_push(&r->moves, (struct route_move){l, to[l]});
  k->n = r->moves.len - k->first;
}

static const struct refute_moves *moves_of(struct refuter *r,
                                           const struct routes *routes,
                                           uint8_t class, route_set states) {
  uint64_t key = ((uint64_t)states ^ (uint64_t)(states >> 64) * 31) +
                 (uintptr_t)routes / 64 + class * UINT64_C(0x51ed27);
  struct refute_moves *k =
      &r->kept[key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (REFUTE_KEPT - 1)];
  if (k->routes == routes && k->class == class && k->states == states)
    return k;
  *k =
      (struct refute_moves){.routes = routes, .states = states, .class = class};
  find_moves(r, k);
  return k;
}

// Makes the moves from states that are new. True: the walk is at its goal.
static bool process(struct refuter *r, struct graph *g,
                    const struct routes *routes, unsigned depth, event_id id,
                    struct refute_cell *c, route_set states) {
  struct refute_walk *w = &r->walks[depth];
  const struct event *e = &g->events[id];
  if (!cat_sees(e))
    return false;
  if (c->class == NONE)
    c->class = class_of(r, e);
  if (!r->is_made || c->class == NONE)
    return false;
  bool is_end = (states & routes->ends[c->class]) != 0;
  if (is_end && depth)
    array_push(&w->found, id);
  if (is_end && !depth && id == w->origin && c->done)
    return true;
  c->done |= states;
  const struct refute_moves k = *moves_of(r, routes, c->class, states);
  for (uint32_t i = 0; i < k.n; i++) {
    // (Paths may bring others, elsewhere.)
    const struct route_move m = r->moves.at[k.first + i];
    move(r, g, routes, depth, id, c, &m);
  }
  return false;
}

// Program order goes on in the thread that is created, and in who joins it.
static void cross(struct refute_walk *w, const struct graph *g,
                  const struct event *e, route_set states) {
  event_id to = NO_EVENT;
  if (e->kind == EV_SPAWN && graph_thread_length(g, e->loc))
    to = graph_at(g, e->loc, 0);
  if (e->kind == EV_END)
    to = g->threads[e->thread].join;
  if (to == NO_EVENT)
    return;
  struct refute_cell *c = cell_at(w, to);
  if (states & ~c->crossed)
    touch(w, &g->events[to]);
  c->crossed |= states;
}

// Goes along a thread from what was reached in it. Events are looked at in
// program order, so that most are looked at once. True: a cycle.
static bool sweep(struct refuter *r, struct graph *g,
                  const struct routes *routes, unsigned depth, unsigned t) {
  struct refute_walk *w = &r->walks[depth];
  const struct event_list *own = &g->threads[t].events;
  uint32_t i = w->from[t], last = w->to[t];
  route_set after = 0, inside = 0;
  uint64_t bit = UINT64_C(1) << t;
  w->dirty &= ~bit;
  if (i && w->cells.at[own->at[i - 1]].epoch == w->epoch) {
    after = w->cells.at[own->at[i - 1]].after;
    inside = w->cells.at[own->at[i - 1]].inside;
  }
  for (; i < own->len; i++) {
    event_id id = own->at[i];
    struct refute_cell *c = cell_at(w, id);
    route_set before = c->after, inside_before = c->inside;
    after |= c->crossed;
    route_set states = c->in | after | inside;
    if (w->meets_deps)
      states |= from_deps(w, g, id);
    c->after |= after;
    c->inside |= inside;
    r->work++;
    if ((states & ~c->done) &&
        process(r, g, routes, depth, id, c, states & ~c->done))
      return true;
    after = c->after;
    inside = c->inside;
    if (after & ~before)
      cross(w, g, &g->events[id], after);
    if ((w->dirty & bit) && w->from[t] > i) {
      last = w->to[t] > last ? w->to[t] : last;
      w->dirty &= ~bit;
    }
    if (i >= last && after == before && inside == inside_before &&
        !w->meets_deps)
      break;
  }
  return false;
}

// Walks until there is nothing new. True: it came back, if it is no path.
static bool walk_path(struct refuter *r, struct graph *g,
                      const struct routes *routes, unsigned depth,
                      event_id from) {
  struct refute_walk *w = &r->walks[depth];
  if (w->cells.len < g->nevents)
    (void)array_extend(&w->cells, g->nevents - w->cells.len);
  w->epoch++;
  w->dirty = 0;
  w->meets_deps = false;
  w->origin = from;
  w->found.len = 0;
  arrive(w, g, from, routes->begins);
  while (w->dirty && r->is_made && r->work < MAX_LOOKS)
    if (sweep(r, g, routes, depth, (unsigned)__builtin_ctzll(w->dirty)))
      return true;
  return false;
}

static void make_routes(struct refuter *r, const struct graph *g) {
  learn_classes(r, g);
  while (r->nroutes)
    routes_done(&r->routes[--r->nroutes]);
  forget_moves(r);
  for (uint64_t left = r->axioms; left && r->nroutes < REFUTE_ROUTES;)
    left = routes_init(&r->routes[r->nroutes++], r->cat, left, r->classes,
                       r->nclasses);
  r->is_made = true;
}

bool refutes(struct refuter *r, struct graph *g, event_id e,
             const struct model_options *options) {
  r->options = options;
  if (r->moves.len > MAX_MOVES)
    forget_moves(r);
  // Events in other sets than those that were there before need other routes.
  do {
    if (class_of(r, &g->events[e]) == NONE)
      return false;
    if (!r->is_made)
      make_routes(r, g);
    for (uint32_t i = 0; i < r->nroutes && r->is_made; i++) {
      r->work = 0;
      if (r->routes[i].begins && walk_path(r, g, &r->routes[i], 0, e))
        return true;
    }
  } while (!r->is_made);
  return false;
}
