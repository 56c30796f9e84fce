// SPDX-License-Identifier: MIT
// See buffering.h.
#include "graph/buffering.h"

// Is `a` before `b` by po ∪ rf, or the same?
static bool is_before(const struct graph *g, event_id a, event_id b) {
  return a == b || graph_porf(g, a, b);
}

static bool covers(const struct graph *g, struct buffering_race a,
                   struct buffering_race b) {
  return is_before(g, a.read, b.read) && is_before(g, b.write, a.write);
}

static void add_race(const struct graph *g, struct buffering *b,
                     struct buffering_race race) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->races.len; i++)
    if (covers(g, b->races.at[i], race))
      return;
  for (uint32_t i = 0; i < b->races.len; i++)
    if (!covers(g, race, b->races.at[i]))
      b->races.at[n++] = b->races.at[i];
  b->races.len = n;
  array_push(&b->races, race);
}

static void find_races_of(const struct graph *g, event_id w,
                          struct buffering *b) {
  const struct event *e = &g->events[w];
  const struct event_list *reads = &g->locs.at[e->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    event_id r = reads->at[i];
    if (g->events[r].thread == e->thread || g->events[r].rf == w ||
        !graph_porf(g, r, w) || graph_hb(g, r, w) || graph_hb(g, w, r))
      continue;
    add_race(g, b, (struct buffering_race){r, w});
  }
}

void buffering_find(const struct graph *g, struct buffering *ret) {
  ret->races.len = 0;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (g->events[e].kind == EV_WRITE)
      find_races_of(g, e, ret);
}

bool buffering_leads(const struct graph *g, struct buffering *b, event_id from,
                     event_id to) {
  if (graph_porf(g, from, to))
    return true;
  b->reached.len = 0;
  for (uint32_t i = 0; i < b->races.len; i++)
    array_push(&b->reached, is_before(g, from, b->races.at[i].write));
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < b->races.len; i++)
      for (uint32_t k = 0; k < b->races.len && b->reached.at[i]; k++)
        if (!b->reached.at[k] &&
            is_before(g, b->races.at[i].read, b->races.at[k].write))
          b->reached.at[k] = more = true;
  }
  for (uint32_t i = 0; i < b->races.len; i++)
    if (b->reached.at[i] && is_before(g, b->races.at[i].read, to))
      return true;
  return false;
}

void buffering_done(struct buffering *b) {
  array_done(&b->races);
  array_done(&b->reached);
}
