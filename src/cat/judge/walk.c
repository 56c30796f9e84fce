// SPDX-License-Identifier: MIT
// The walk goes forwards from an event, which in most graphs leads to few
// others: it is the last of its thread, so it does by co and fr alone. Each
// event has the set of states in which it was reached; threads are swept in
// program order, so that po is a set of states that is carried along, and all
// that is after an event is reached with it.
#include "base/bits.h"
#include "cat/judge/refute.h"
#include "model/deps.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT8_MAX };

static const enum cat_base dep_bases[4] = {CAT_addr, CAT_data, CAT_ctrl,
                                           CAT_ctrl_after};

static struct refute_cell *cell_at(struct refute_walk *w, event_id id) {
  struct refute_cell *c = &w->cells.at[id];
  if (c->epoch != w->epoch)
    *c = (struct refute_cell){.epoch = w->epoch,
                              .graph = c->graph,
                              .class = c->graph == w->graph ? c->class : NONE,
                              .ext = NONE};
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
  if (g->events[id].index >= w->limit[g->events[id].thread])
    return;
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

// -- program order

// By thread, the index from which all is after the event in po: its own thread,
// those that are created behind it, and who joins them. Yields these threads.
static uint64_t find_after(const struct graph *g, const struct event *e,
                           uint32_t *first) {
  uint64_t found = UINT64_C(1) << e->thread, todo = found;
  first[e->thread] = e->index;
  while (todo) {
    unsigned t = (unsigned)__builtin_ctzll(todo);
    todo &= todo - 1;
    for (unsigned u = 0; u < g->nthreads; u++) {
      event_id by = graph_thread_length(g, u) && !(found >> u & 1)
                        ? g->events[graph_at(g, u, 0)].rf
                        : NO_EVENT;
      if (by == NO_EVENT || g->events[by].thread != t ||
          g->events[by].index < first[t])
        continue;
      first[u] = 0;
      found |= UINT64_C(1) << u;
      todo |= UINT64_C(1) << u;
    }
    event_id join = g->threads[t].join;
    if (join == NO_EVENT)
      continue;
    unsigned u = g->events[join].thread;
    uint64_t bit = UINT64_C(1) << u;
    if ((found & bit) && first[u] <= g->events[join].index)
      continue;
    first[u] = g->events[join].index;
    found |= bit;
    todo |= bit;
  }
  first[e->thread] = e->index + 1; // without itself
  return found;
}

static uint32_t arrive_at_loc(struct refute_walk *w, const struct graph *g,
                              const struct event_list *list, uint32_t index,
                              route_set states) {
  uint32_t first = graph_count_below(g, list, index), i = first;
  for (; i < list->len; i++) {
    struct refute_cell *c = cell_at(w, list->at[i]);
    if (!(states & ~c->by_loc))
      break;
    c->by_loc |= states;
    arrive(w, g, list->at[i], states);
  }
  return i - first;
}

static uint32_t arrive_in_po_at_loc(struct refute_walk *w,
                                    const struct graph *g,
                                    const struct event *from, bool is_int,
                                    route_set states) {
  uint32_t first[64], n = 0;
  if (!is_access(from))
    return 0;
  const struct graph_loc *l = &g->locs.at[from->loc];
  uint64_t own = UINT64_C(1) << from->thread;
  uint64_t threads =
      is_int || l->threads == own ? own : find_after(g, from, first);
  first[from->thread] = from->index + 1;
  for (uint64_t left = threads & l->threads; left; left &= left - 1) {
    unsigned t = (unsigned)__builtin_ctzll(left);
    n += arrive_at_loc(w, g, &l->by_thread[t], first[t], states);
  }
  return n;
}

static bool is_in_po(const struct graph *g, const struct event *x,
                     const struct event *y) {
  uint32_t first[64];
  if (x->thread == y->thread)
    return x->index < y->index;
  return (find_after(g, x, first) >> y->thread & 1) &&
         first[y->thread] <= y->index;
}

// -- updates

// Forwards they are found if the write is next.
static void arrive_by_update(struct refuter *r, struct refute_walk *w,
                             const struct graph *g, event_id id, bool is_back,
                             route_set states) {
  const struct event *e = &g->events[id];
  uint32_t next = e->index + 1;
  r->is_unsure |= !is_back && (e->flags & (EVF_LINKED | EVF_UPDATE));
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

// -- paths as steps

static bool is_let_through(const struct graph *g, struct route_filter f,
                           event_id a, event_id b) {
  const struct event *x = &g->events[a], *y = &g->events[b];
  return is_on_side(x, y, (enum route_side)f.side) &&
         !(f.same_loc && !(is_access(x) && is_access(y) && x->loc == y->loc)) &&
         !(f.not_id && a == b) && !(f.in_po && !is_in_po(g, x, y));
}

// Is there an event at all that it lets through, if it asks for program order?
static bool lets_some_through(const struct graph *g, struct route_filter f,
                              const struct event *from) {
  uint32_t first[64];
  if (!f.in_po)
    return true;
  if (f.same_loc && !is_access(from))
    return false;
  uint64_t after = find_after(g, from, first);
  for (; after; after &= after - 1) {
    unsigned t = (unsigned)__builtin_ctzll(after);
    const struct event_list *own = f.same_loc
                                       ? &g->locs.at[from->loc].by_thread[t]
                                       : &g->threads[t].events;
    bool has = !f.same_loc || (g->locs.at[from->loc].threads >> t & 1);
    if (has && own->len && g->events[own->at[own->len - 1]].index >= first[t])
      return true;
  }
  return false;
}

// Is there a path at all that begins at an event of the class?
static bool may_lead(const struct routes *sub, uint8_t class) {
  return sub->begins & (sub->live[class] | sub->ends[class]);
}

// Did a path lead to the event that walks are about, and on from there? (If it
// begins or ends there, that is known as a step.)
static bool has_in_middle(const struct refuter *r,
                          const struct refute_walk *inner,
                          const struct routes *sub) {
  if (r->about >= inner->cells.len ||
      inner->cells.at[r->about].epoch != inner->epoch)
    return false;
  const struct refute_cell *c = &inner->cells.at[r->about];
  return c->done && (c->done & sub->live[c->class] & sub->inner);
}

// By a path whose ends the label lets through.
static void arrive_by_path(struct refuter *r, struct graph *g, unsigned depth,
                           event_id id, const struct routes *sub,
                           const struct route_label *l, route_set states) {
  struct refute_walk *inner = &r->walks[depth + 1];
  walk_begin(r, g, depth + 1, id, sub->begins);
  (void)walk_on(r, g, sub, depth + 1);
  if (r->about != NO_EVENT && r->about != id)
    r->passes |= has_in_middle(r, inner, sub);
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
      r->work += arrive_in_po_at_loc(w, g, e, side == SIDE_INT, m->to);
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
      arrive_by_update(r, w, g, id, l->is_back, m->to);
    return;
  case ROUTE_MACRO:
    if (may_lead(routes->subs[m->label], c->class) &&
        lets_some_through(g, l->filter, e))
      arrive_by_path(r, g, depth, id, routes->subs[m->label], l, m->to);
    return;
  default: // a dependency
    for (unsigned d = 0; d < 4; d++)
      if (dep_bases[d] == (enum cat_base)l->base && side != SIDE_EXT) {
        c->dep[d] |= m->to;
        w->dep[d] = w->meets_deps = true;
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
    for (uint32_t i = 0; w->dep[k] && sets[k] && i < set_len(g->sets, sets[k]);
         i++) {
      event_id source = deps_source(g, e->thread, set_at(g->sets, sets[k], i));
      if (source != NO_EVENT && w->cells.at[source].epoch == w->epoch)
        states |= w->cells.at[source].dep[k];
    }
  return states;
}

void walk_forget_moves(struct refuter *r) {
  if (r->used)
    memset(r->kept, 0, r->room * sizeof *r->kept);
  r->used = 0;
  r->moves.len = 0;
}

// Small graphs ask for few, so there is not much to make room for. (The moves
// stay where they are: walks from which a path began go on with theirs.)
static void need_room(struct refuter *r) {
  enum { FIRST_ROOM = 64 };
  if (r->room == REFUTE_KEPT || r->used < r->room)
    return;
  free(r->kept);
  r->room = r->room ? r->room * 4 : FIRST_ROOM;
  r->kept = xcalloc(r->room, sizeof *r->kept);
  r->used = 0;
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
  need_room(r);
  uint64_t key = ((uint64_t)states ^ (uint64_t)(states >> 64) * 31) +
                 (uintptr_t)routes / 64 + class * UINT64_C(0x51ed27);
  struct refute_moves *k =
      &r->kept[key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (r->room - 1)];
  if (k->routes == routes && k->class == class && k->states == states)
    return k;
  *k =
      (struct refute_moves){.routes = routes, .states = states, .class = class};
  r->used++;
  find_moves(r, k);
  return k;
}

// The class of the event, if it is one that the routes are made for.
static bool has_class(struct refuter *r, const struct event *e,
                      struct refute_cell *c) {
  if (c->class == NONE) {
    c->class = refuter_class_of(r, e);
    c->graph = r->graph;
    r->is_unsure |= c->class == NONE; // there are too many
  }
  return r->is_made && c->class != NONE;
}

static void move_all(struct refuter *r, struct graph *g,
                     const struct routes *routes, unsigned depth, event_id id,
                     struct refute_cell *c, route_set states) {
  const struct refute_moves k = *moves_of(r, routes, c->class, states);
  for (uint32_t i = 0; i < k.n; i++) {
    // (Paths may bring others, elsewhere.)
    check(k.first + i < r->moves.len);
    const struct route_move m = r->moves.at[k.first + i];
    move(r, g, routes, depth, id, c, &m);
  }
}

// The walk begins here. A path may end here, too.
static void leave(struct refuter *r, struct graph *g,
                  const struct routes *routes, unsigned depth,
                  struct refute_cell *c) {
  struct refute_walk *w = &r->walks[depth];
  route_set states = w->start;
  w->start = 0;
  if (!has_class(r, &g->events[w->origin], c))
    return;
  if (depth && !w->goes_on && (states & routes->ends[c->class]))
    array_push(&w->found, w->origin);
  move_all(r, g, routes, depth, w->origin, c, states);
}

// Makes the moves from states that are new. True: the walk came back, and that
// is all that is asked.
static bool process(struct refuter *r, struct graph *g,
                    const struct routes *routes, unsigned depth, event_id id,
                    struct refute_cell *c, route_set states) {
  struct refute_walk *w = &r->walks[depth];
  const struct event *e = &g->events[id];
  if (!cat_sees(e) || !has_class(r, e, c))
    return false;
  bool is_end = (states & routes->ends[c->class]) != 0;
  c->done |= states;
  if (is_end && depth && !(w->goes_on && id == w->origin))
    array_push(&w->found, id);
  if (id == w->origin && !depth) {
    w->back |= states;
    if (r->about != NO_EVENT)
      return false;
    if (is_end)
      return true;
  }
  move_all(r, g, routes, depth, id, c, states);
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
  if (to == NO_EVENT || g->events[to].index >= w->limit[g->events[to].thread])
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
  for (; i < w->limit[t]; i++) {
    event_id id = own->at[i];
    struct refute_cell *c = cell_at(w, id);
    route_set before = c->after, inside_before = c->inside;
    if (w->start && id == w->origin)
      leave(r, g, routes, depth, c);
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

void walk_begin(struct refuter *r, const struct graph *g, unsigned depth,
                event_id from, route_set states) {
  struct refute_walk *w = &r->walks[depth];
  if (w->cells.len < g->nevents)
    (void)array_extend(&w->cells, g->nevents - w->cells.len);
  w->epoch++;
  w->dirty = 0;
  w->meets_deps = w->goes_on = false;
  w->origin = from;
  w->limit = r->limit;
  w->graph = r->graph;
  w->start = states;
  w->back = 0;
  w->found.len = 0;
  for (unsigned d = 0; d < 4; d++)
    w->dep[d] = false;
  (void)cell_at(w, from);
  touch(w, &g->events[from]);
}

bool walk_on(struct refuter *r, struct graph *g, const struct routes *routes,
             unsigned depth) {
  struct refute_walk *w = &r->walks[depth];
  unsigned own = g->events[w->origin].thread; // there it may come back
  while (w->dirty && r->is_made && r->work < r->most) {
    unsigned t =
        w->dirty >> own & 1 ? own : (unsigned)__builtin_ctzll(w->dirty);
    if (sweep(r, g, routes, depth, t))
      return true;
  }
  return false;
}

void walk_arrive(struct refute_walk *w, const struct graph *g, event_id id,
                 route_set states) {
  arrive(w, g, id, states);
}
