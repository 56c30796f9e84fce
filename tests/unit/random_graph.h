// SPDX-License-Identifier: MIT
// Graphs that grow at random, one event at a time, within coherence and
// atomicity, as the search lets them grow.
#pragma once

#include "graph/graph.h"

static uint64_t seed_of(unsigned n) {
  return n * 0x9e3779b97f4a7c15u + 1;
}

static uint32_t below(uint64_t *s, uint32_t n) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (uint32_t)(*s % n);
}

struct shape {
  uint32_t threads, locs;
  unsigned sc_share, fence_share; // percent
};

static uint8_t order_for(uint64_t *s, const struct shape *h, uint8_t strong) {
  if (below(s, 100) < h->sc_share)
    return ORD_SC;
  return below(s, 2) ? strong : ORD_RLX;
}

// The last event of thread t, and the first place coherence leaves it.
static uint32_t floor_of(const struct graph *g, unsigned t, uint32_t loc) {
  const struct event *tail = &g->events[graph_tail(g, t)];
  return graph_co_floor(g, loc, t, tail->index + 1, tail->hb);
}

static bool is_taken(const struct graph *g, uint32_t loc, uint32_t place) {
  const struct event_list *co = &g->locs.at[loc].co;
  return place + 1 < co->len &&
         (g->events[co->at[place + 1]].flags & EVF_EXCLUSIVE);
}

// Adds an event; an update adds two. Yields the one to judge, or NO_EVENT.
static event_id grow(struct graph *g, uint64_t *s, const struct shape *h) {
  struct event e = {.thread = (uint8_t)below(s, h->threads),
                    .loc = below(s, h->locs),
                    .rf = NO_EVENT,
                    .state = 1};
  const struct event_list *co = &g->locs.at[e.loc].co;
  uint32_t floor = floor_of(g, e.thread, e.loc);
  if (below(s, 100) < h->fence_share) {
    e.kind = EV_FENCE;
    e.order = (uint8_t)(below(s, 3) ? ORD_SC : ORD_ACQ + below(s, 3));
    return graph_add(g, e);
  }
  uint32_t place = floor + below(s, co->len - floor);
  switch (below(s, 3)) {
  case 0:
    e.kind = EV_READ;
    e.order = order_for(s, h, ORD_ACQ);
    e.rf = co->at[place];
    return graph_add(g, e);
  case 1:
    if (is_taken(g, e.loc, place))
      return NO_EVENT;
    e.kind = EV_WRITE;
    e.order = order_for(s, h, ORD_REL);
    e.co = place + 1;
    return graph_add(g, e);
  default:
    if (is_taken(g, e.loc, place))
      return NO_EVENT;
    e.kind = EV_READ;
    e.order = order_for(s, h, ORD_ACQREL);
    e.flags = EVF_EXCLUSIVE;
    e.rf = co->at[place];
    graph_add(g, e);
    e.kind = EV_WRITE;
    e.rf = NO_EVENT;
    e.co = place + 1;
    return graph_add(g, e);
  }
}

// The beginning: a shape for this seed, and threads that have started.
static const struct shape *start_random(struct graph *g, unsigned seed) {
  static const struct shape shapes[] = {
      {2, 2, 40, 20}, {3, 2, 60, 0}, {3, 3, 20, 40},
      {4, 2, 50, 10}, {3, 2, 0, 50}, {4, 4, 90, 10},
  };
  const struct shape *h = &shapes[seed % (sizeof shapes / sizeof *shapes)];
  graph_init(g);
  graph_need_threads(g, h->threads);
  graph_need_loc(g, h->locs - 1);
  for (uint8_t t = 0; t < h->threads; t++)
    graph_add(g,
              (struct event){
                  .kind = EV_START, .thread = t, .rf = NO_EVENT, .state = 1});
  return h;
}
