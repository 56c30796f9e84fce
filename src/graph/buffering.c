// SPDX-License-Identifier: MIT
// See buffering.h.
#include "graph/buffering.h"

#include "base/bits.h"

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

// Of each other thread, those reads come into question that the write knows by
// po ∪ rf and not by happens-before.
static void find_races_of(const struct graph *g, event_id write,
                          struct buffering *b) {
  const struct event *w = &g->events[write];
  const struct graph_loc *l = &g->locs.at[w->loc];
  for (uint64_t rest = l->threads & ~(1ull << w->thread); rest;
       rest &= rest - 1) {
    unsigned t = (unsigned)__builtin_ctzll(rest);
    uint32_t before = clock_get(&g->clocks, w->porf, t);
    uint32_t known = clock_get(&g->clocks, w->hb, t);
    for (uint32_t i = l->by_thread[t].len; i-- > 0 && before > known;) {
      event_id id = l->by_thread[t].at[i];
      const struct event *r = &g->events[id];
      if (r->index < known)
        break;
      if (r->kind == EV_READ && r->index < before && r->rf != write &&
          !graph_hb(g, write, id))
        add_race(g, b, (struct buffering_race){id, write});
    }
  }
}

// ---- what leads from race to race

static uint32_t words_of(const struct buffering *b) {
  return (b->races.len + 63) / 64;
}

static uint64_t *row_of(const struct buffering *b, uint32_t race) {
  return b->after.at + (size_t)race * words_of(b);
}

static void follow_races(const struct graph *g, struct buffering *b) {
  uint32_t n = b->races.len, words = words_of(b);
  b->after.len = 0;
  while (b->after.len < n * words)
    array_push(&b->after, 0);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      if (i == k || is_before(g, b->races.at[i].read, b->races.at[k].write))
        bit_add(row_of(b, i), k);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t w = 0; w < words && bit_has(row_of(b, i), k); w++)
        row_of(b, i)[w] |= row_of(b, k)[w];
}

// Is there a way from `from` to `to`?
static bool leads(const struct graph *g, const struct buffering *b,
                  event_id from, event_id to) {
  if (graph_porf(g, from, to))
    return true;
  for (uint32_t i = 0; i < b->races.len; i++) {
    if (!is_before(g, from, b->races.at[i].write))
      continue;
    for (uint32_t k = 0; k < b->races.len; k++)
      if (bit_has(row_of(b, i), k) && is_before(g, b->races.at[k].read, to))
        return true;
  }
  return false;
}

void buffering_find(const struct graph *g, bool is_cyclic,
                    struct buffering *ret) {
  ret->races.len = ret->reads.len = 0;
  for (uint32_t l = 0; l < g->locs.len; l++)
    for (uint32_t i = 1; g->locs.at[l].reads.len && i < g->locs.at[l].co.len;
         i++)
      find_races_of(g, g->locs.at[l].co.at[i], ret);
  if (!ret->races.len && !is_cyclic)
    return;
  follow_races(g, ret);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (g->events[e].kind == EV_READ && g->events[e].rf != INIT_EVENT &&
        leads(g, ret, e, g->events[e].rf))
      array_push(&ret->reads, e);
}

void buffering_done(struct buffering *b) {
  array_done(&b->races);
  array_done(&b->after);
  array_done(&b->reads);
}
