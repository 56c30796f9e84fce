// SPDX-License-Identifier: MIT
// The walk goes forwards from the newest event, which in most graphs leads to
// few others: it is the last of its thread, so it does by co and fr alone. Each
// event has the set of states in which it was reached; threads are swept in
// program order, so that po is a set of states that is carried along, and all
// that is after an event is reached with it.
#include "cat/judge/refute.h"

#include "base/bits.h"
#include "model/deps.h"

enum { MAX_LOOKS = 4096, NONE = UINT8_MAX };

static const enum cat_base dep_bases[4] = {CAT_addr, CAT_data, CAT_ctrl,
                                           CAT_ctrl_after};

void refuter_init(struct refuter *r, const struct cat *c, uint64_t axioms) {
  *r = (struct refuter){.cat = c, .axioms = axioms};
}

void refuter_done(struct refuter *r) {
  routes_done(&r->routes);
  array_done(&r->cells);
}

// -- routes

static void make_routes(struct refuter *r) {
  routes_done(&r->routes);
  routes_init(&r->routes, r->cat, r->axioms, r->classes, r->nclasses);
  r->is_made = true;
  for (unsigned d = 0; d < 4; d++) {
    r->has_dep[d] = false;
    for (uint32_t l = 0; l < r->routes.nlabels; l++)
      r->has_dep[d] |= r->routes.labels[l].base == dep_bases[d];
  }
}

// The class of the event; NONE: there are too many.
static uint8_t class_of(struct refuter *r, const struct event *e,
                        const struct model_options *options) {
  cat_sets sets = cat_sets_of(e, options);
  for (uint32_t i = 0; i < r->nclasses; i++)
    if (r->classes[i] == sets)
      return (uint8_t)i;
  if (r->nclasses == ROUTE_CLASSES)
    return NONE;
  r->classes[r->nclasses] = sets;
  r->is_made = false;
  return (uint8_t)r->nclasses++;
}

// -- the walk

static struct refute_cell *cell_at(struct refuter *r, event_id id) {
  struct refute_cell *c = &r->cells.at[id];
  if (c->epoch != r->epoch)
    *c = (struct refute_cell){.epoch = r->epoch, .class = NONE};
  return c;
}

static void touch(struct refuter *r, const struct event *e) {
  unsigned t = e->thread;
  if (!(r->dirty >> t & 1)) {
    r->from[t] = r->to[t] = e->index;
    r->dirty |= UINT64_C(1) << t;
    return;
  }
  if (e->index < r->from[t])
    r->from[t] = e->index;
  if (e->index > r->to[t])
    r->to[t] = e->index;
}

static void arrive(struct refuter *r, const struct graph *g, event_id id,
                   uint64_t states) {
  struct refute_cell *c = cell_at(r, id);
  if (!(states & ~c->in))
    return;
  c->in |= states;
  touch(r, &g->events[id]);
}

// By co or fr: to the writes behind a place.
static void arrive_behind(struct refuter *r, const struct graph *g,
                          const struct event *from, uint32_t place,
                          enum route_side side, uint64_t states) {
  const struct event_list *co = &g->locs.at[from->loc].co;
  for (uint32_t i = place + 1; i < co->len; i++) {
    bool is_int = g->events[co->at[i]].thread == from->thread;
    if (side == SIDE_ANY || is_int == (side == SIDE_INT))
      arrive(r, g, co->at[i], states);
  }
  r->work += co->len - place;
}

static void arrive_at_readers(struct refuter *r, const struct graph *g,
                              event_id write, enum route_side side,
                              uint64_t states) {
  const struct event *w = &g->events[write];
  const struct event_list *reads = &g->locs.at[w->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *x = &g->events[reads->at[i]];
    bool is_int = x->thread == w->thread;
    if (x->rf == write && (side == SIDE_ANY || is_int == (side == SIDE_INT)))
      arrive(r, g, reads->at[i], states);
  }
  r->work += reads->len;
}

static void arrive_in_po_at_loc(struct refuter *r, const struct graph *g,
                                const struct event *from, uint64_t states) {
  if (!is_access(from))
    return;
  const struct event_list *own = &g->locs.at[from->loc].by_thread[from->thread];
  for (uint32_t i = graph_count_below(g, own, from->index + 1); i < own->len;
       i++)
    arrive(r, g, own->at[i], states);
}

static void arrive_by_update(struct refuter *r, const struct graph *g,
                             event_id id, bool is_back, uint64_t states) {
  const struct event *e = &g->events[id];
  uint32_t next = e->index + 1;
  if (is_back) {
    event_id read = deps_update_read(g, id);
    if (read != NO_EVENT)
      arrive(r, g, read, states);
  } else if (e->kind == EV_READ && next < graph_thread_length(g, e->thread)) {
    event_id write = graph_at(g, e->thread, next);
    if (deps_update_read(g, write) == id)
      arrive(r, g, write, states);
  }
}

static void move(struct refuter *r, const struct graph *g, event_id id,
                 struct refute_cell *c, const struct route_move *m) {
  const struct event *e = &g->events[id];
  const struct route_label *l = &r->routes.labels[m->label];
  enum route_side side = (enum route_side)l->side;
  switch ((enum cat_base)l->base) {
  case CAT_po:
    if (l->same_loc && l->side != SIDE_EXT)
      arrive_in_po_at_loc(r, g, e, m->to);
    else if (!l->same_loc && l->side == SIDE_ANY)
      c->after |= m->to;
    else if (!l->same_loc && l->side == SIDE_INT)
      c->inside |= m->to;
    return;
  case CAT_rf:
    if (e->kind == EV_WRITE)
      arrive_at_readers(r, g, id, side, m->to);
    return;
  case CAT_co:
    if (e->kind == EV_WRITE)
      arrive_behind(r, g, e, e->co, side, m->to);
    return;
  case CAT_fr:
    if (e->kind == EV_READ && e->rf != NO_EVENT)
      arrive_behind(r, g, e, graph_co_place(g, id), side, m->to);
    return;
  case CAT_rmw:
    if (side != SIDE_EXT)
      arrive_by_update(r, g, id, l->is_back, m->to);
    return;
  case CAT_addr:
  case CAT_data:
  case CAT_ctrl:
  case CAT_ctrl_after:
    for (unsigned d = 0; d < 4; d++)
      if (dep_bases[d] == (enum cat_base)l->base && side != SIDE_EXT &&
          !l->same_loc) {
        c->dep[d] |= m->to;
        r->meets_deps = true;
      }
    return;
  default:
    return;
  }
}

// What the dependencies of the event bring.
static uint64_t from_deps(struct refuter *r, const struct graph *g,
                          event_id id) {
  const struct event *e = &g->events[id];
  const struct event_deps *d = &g->deps[id];
  set_id sets[4] = {is_access(e) ? d->addr : 0,
                    e->kind == EV_WRITE ? d->data : 0, d->ctrl, d->after};
  uint64_t states = 0;
  for (unsigned k = 0; k < 4; k++)
    for (uint32_t i = 0; r->has_dep[k] && i < set_len(g->sets, sets[k]); i++) {
      event_id source = deps_source(g, e->thread, set_at(g->sets, sets[k], i));
      if (source != NO_EVENT && r->cells.at[source].epoch == r->epoch)
        states |= r->cells.at[source].dep[k];
    }
  return states;
}

// Makes the moves from states that are new. True: it is the goal.
static bool process(struct refuter *r, const struct graph *g, event_id id,
                    struct refute_cell *c, uint64_t states,
                    const struct model_options *options) {
  const struct routes *routes = &r->routes;
  const struct event *e = &g->events[id];
  if (!cat_sees(e))
    return false;
  if (c->class == NONE)
    c->class = class_of(r, e, options);
  if (!r->is_made || c->class == NONE)
    return false;
  if (id == r->goal && c->done && (states & routes->ends[c->class]))
    return true;
  c->done |= states;
  for (; states; states &= states - 1) {
    uint32_t at =
        c->class * routes->nstates + (uint32_t)__builtin_ctzll(states);
    for (uint32_t i = routes->first.at[at]; i < routes->first.at[at + 1]; i++)
      move(r, g, id, c, &routes->moves.at[i]);
  }
  return false;
}

// Program order goes on in the thread that is created, and in who joins it.
static void cross(struct refuter *r, const struct graph *g,
                  const struct event *e, uint64_t states) {
  event_id to = NO_EVENT;
  if (e->kind == EV_SPAWN && graph_thread_length(g, e->loc))
    to = graph_at(g, e->loc, 0);
  if (e->kind == EV_END)
    to = g->threads[e->thread].join;
  if (to == NO_EVENT)
    return;
  struct refute_cell *c = cell_at(r, to);
  if (states & ~c->crossed)
    touch(r, &g->events[to]);
  c->crossed |= states;
}

// Goes along a thread from what was reached in it. Events are looked at in
// program order, so that most are looked at once. True: a cycle.
static bool sweep(struct refuter *r, const struct graph *g, unsigned t,
                  const struct model_options *options) {
  const struct event_list *own = &g->threads[t].events;
  uint32_t i = r->from[t], last = r->to[t];
  uint64_t after = 0, inside = 0, bit = UINT64_C(1) << t;
  r->dirty &= ~bit;
  if (i && r->cells.at[own->at[i - 1]].epoch == r->epoch) {
    after = r->cells.at[own->at[i - 1]].after;
    inside = r->cells.at[own->at[i - 1]].inside;
  }
  for (; i < own->len; i++) {
    event_id id = own->at[i];
    struct refute_cell *c = cell_at(r, id);
    uint64_t before = c->after | c->inside;
    after |= c->crossed;
    uint64_t states = c->in | after | inside;
    if (r->meets_deps)
      states |= from_deps(r, g, id);
    c->after |= after;
    c->inside |= inside;
    r->work++;
    if ((states & ~c->done) && process(r, g, id, c, states & ~c->done, options))
      return true;
    if (c->after & ~before)
      cross(r, g, &g->events[id], c->after);
    if ((r->dirty & bit) && r->from[t] > i) {
      last = r->to[t] > last ? r->to[t] : last;
      r->dirty &= ~bit;
    }
    after = c->after;
    inside = c->inside;
    if (i >= last && (after | inside) == before && !r->meets_deps)
      break;
  }
  return false;
}

static void begin(struct refuter *r, const struct graph *g, event_id e) {
  if (r->cells.len < g->nevents)
    (void)array_extend(&r->cells, g->nevents - r->cells.len);
  r->epoch++;
  r->work = 0;
  r->dirty = 0;
  r->meets_deps = false;
  r->goal = e;
  arrive(r, g, e, r->routes.begins);
}

// Walks until there is nothing new; true: a cycle.
static bool walk(struct refuter *r, const struct graph *g,
                 const struct model_options *options) {
  while (r->dirty && r->is_made && r->work < MAX_LOOKS)
    if (sweep(r, g, (unsigned)__builtin_ctzll(r->dirty), options))
      return true;
  return false;
}

bool refutes(struct refuter *r, struct graph *g, event_id e,
             const struct model_options *options) {
  // Events in other sets than those that were there before need other routes.
  do {
    if (class_of(r, &g->events[e], options) == NONE)
      return false;
    if (!r->is_made)
      make_routes(r);
    if (!r->routes.begins)
      return false;
    begin(r, g, e);
    if (walk(r, g, options))
      return true;
  } while (!r->is_made);
  return false;
}
