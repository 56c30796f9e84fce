// SPDX-License-Identifier: MIT
// An atomic access that is made in pieces is seen as a whole, or not at all: no
// two accesses are each before the other, at different locations, by
// rfe ∪ co ∪ fr (model/whole.c). Every model that judges wholes has that; so
// sources and places with which an access would be torn need not be tried. What
// the earlier pieces of an access tell of the next one:
//
//  - They come after some writes: the next piece does not come before a piece
//    of the same accesses. So it reads from the nearest such write, at its own
//    location, or from a later one; or has a later place.
//  - They come before some writes: so it reads from something earlier than the
//    first of these, or from its own thread; or has an earlier place.
//
// That is no more than a filter, and looks no further than at some neighbours
// in co. The model judges what is left.
#include "explore/memory/memory.h"

enum { NEAR = 8 };

struct bounds {
  uint32_t low;  // the least place of a source, or of what a write is behind
  uint32_t high; // sources in other threads, and writes, are before it
};

// The place at `loc` of the access that has the write at `place` of `l`; 0: it
// has none.
static uint32_t place_there(const struct graph *g, const struct graph_loc *l,
                            uint32_t place, uint32_t loc) {
  event_id piece = graph_piece_at(g, l->co.at[place], loc);
  return piece == NO_EVENT ? 0 : g->events[piece].co;
}

// What the piece `id` tells of the next one, of `loc`.
static void narrow(const struct graph *g, event_id id, uint32_t loc,
                   struct bounds *b) {
  const struct event *e = &g->events[id];
  const struct graph_loc *l = &g->locs.at[e->loc];
  uint32_t place = graph_co_place(g, id), there = 0;
  bool is_read = e->kind == EV_READ;
  if (!is_read || e->rf == INIT_EVENT || g->events[e->rf].thread != e->thread)
    for (uint32_t i = place + is_read; i-- > 1 && !there && i + NEAR > place;)
      there = place_there(g, l, i, loc);
  if (there > b->low)
    b->low = there;
  there = 0;
  for (uint32_t i = place + 1; i < l->co.len && !there && i <= place + NEAR;
       i++)
    there = place_there(g, l, i, loc);
  if (there && there < b->high)
    b->high = there;
}

static struct bounds bounds_of(const struct graph *g, event_id tail,
                               uint32_t loc) {
  struct bounds b = {0, g->locs.at[loc].co.len};
  const struct event *e = &g->events[tail];
  uint32_t first = g->events[graph_first_piece(g, tail)].index;
  for (uint32_t i = first; i <= e->index; i++)
    narrow(g, graph_at(g, e->thread, i), loc, &b);
  return b;
}

static bool is_torn(const struct graph *g, const struct bounds *b, thread_id t,
                    event_id source) {
  const struct event *w = &g->events[source];
  return w->co < b->low ||
         (w->co >= b->high && (source == INIT_EVENT || w->thread != t));
}

void torn_leave_out(struct explorer *x, thread_id t, uint32_t first) {
  const struct graph *g = &x->g;
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  event_id tail = graph_tail(g, t);
  bool is_read = access_reads(a);
  bool goes_on = (a->flags & ACCF_PIECE) && (a->flags & ACCF_NEXT) &&
                 (a->kind == ACC_READ || a->kind == ACC_WRITE) &&
                 g->events[tail].kind == (is_read ? EV_READ : EV_WRITE);
  if (!goes_on || x->options.len < first + 2 || x->config.model->text)
    return;
  struct bounds b = bounds_of(g, tail, a->loc);
  uint32_t n = first;
  for (uint32_t i = first; i < x->options.len; i++) {
    uint32_t option = x->options.at[i];
    if (is_read ? is_torn(g, &b, t, option)
                : option <= b.low || option > b.high)
      continue;
    x->options.at[n++] = option;
  }
  x->options.len = n;
}

// Is the event in the graph in which `last` was added, or in the prefix of the
// next event of thread t?
static bool is_in_prev(const struct explorer *x, thread_id t, clock_id prefix,
                       event_id last, event_id id) {
  return id <= last || prefix_has(x, t, prefix, id);
}

// The place at its location that piece `id` may not come behind, since piece p
// of its access comes before what has it; 0: none.
static uint32_t last_there(const struct explorer *x, thread_id t,
                           clock_id prefix, event_id id, event_id p) {
  const struct graph *g = &x->g;
  const struct event_list *co = &g->locs.at[g->events[p].loc].co;
  uint32_t place = graph_co_place(g, p);
  for (uint32_t i = place + 1; i < co->len && i <= place + NEAR; i++) {
    event_id piece = graph_piece_at(g, co->at[i], g->events[id].loc);
    if (piece != NO_EVENT && is_in_prev(x, t, prefix, id, co->at[i]) &&
        is_in_prev(x, t, prefix, id, piece))
      return g->events[piece].co;
  }
  return 0;
}

bool torn_is_newest(const struct explorer *x, thread_id t, clock_id prefix,
                    event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  const struct event_list *co = &g->locs.at[e->loc].co;
  uint32_t end = co->len, place = graph_co_place(g, id);
  for (uint32_t i = g->events[graph_first_piece(g, id)].index; i < e->index;
       i++) {
    uint32_t there = last_there(x, t, prefix, id, graph_at(g, e->thread, i));
    end = there && there < end ? there : end;
  }
  for (uint32_t i = end; i-- > place + 1;)
    if (is_in_prev(x, t, prefix, id, co->at[i]))
      return false;
  return true;
}
