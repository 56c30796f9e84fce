// SPDX-License-Identifier: MIT
// See buffering.h.
#include "graph/buffering.h"

#include "base/bits.h"

#include <stdlib.h>

// What is found grows with the third power of the graph, and more with rounds:
// that is for graphs of some hundred events, or with few races. About two
// seconds.
#define MOST_STEPS UINT64_C(300000000)
enum { PER_FOUND = 64 }; // what is remembered also takes memory

// False: there were too many steps.
static bool spend(struct buffering *b, uint64_t steps) {
  b->steps -= steps < b->steps ? steps : b->steps;
  return b->steps;
}

// Is `a` before `b` by po ∪ rf, or the same?
static bool is_before(const struct graph *g, event_id a, event_id b) {
  return a == b || graph_porf(g, a, b);
}

static bool covers(const struct graph *g, struct buffering_race a,
                   struct buffering_race b) {
  return a.synchronises == b.synchronises && is_before(g, a.read, b.read) &&
         is_before(g, b.write, a.write);
}

// Only races that no other one covers are kept. A way through a race b goes to
// its write and on from its read. If a covers b, the way may go on from b.write
// to a.write, from there to a.read, and on to b.read: the same leads to the
// same. Covering is transitive, so of those that are dropped each is covered by
// one that stays (two that cover each other: by the one that came first).
static void add_race(const struct graph *g, struct buffering *b,
                     struct buffering_race race) {
  uint32_t n = 0;
  if (!spend(b, 2 * b->races.len + 1))
    return;
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
    for (uint32_t i = l->by_thread[t].len;
         i-- > 0 && before > known && spend(b, 1);) {
      event_id id = l->by_thread[t].at[i];
      const struct event *r = &g->events[id];
      if (r->index < known)
        break;
      if (r->kind == EV_READ && r->index < before && r->rf != write &&
          !graph_hb(g, write, id))
        add_race(g, b, (struct buffering_race){.read = id, .write = write});
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

// A way by po ∪ rf ∪ race⁻¹ is made of ways by po ∪ rf, from race to race: from
// the read of one to the write of the next. graph_porf is the closure of
// po ∪ rf, also in graphs with cycles, so this is all of it.
static void follow_races(const struct graph *g, struct buffering *b) {
  uint32_t n = b->races.len, words = words_of(b);
  b->after.len = 0;
  if (!spend(b, (uint64_t)n * n * (words + 1)))
    return;
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

// ---- rounds that are not there
//
// A read of such a round may read any write of its value: that leads from the
// write to what follows the round. What the round writes leads from what is
// before it, and from what leads into it, to all reads of that location, or
// races. With these edges more comes after a read by po ∪ rf, and races with
// it, also with reads of the rounds; happens-before only grows.

static bool is_in_round(const struct graph *g, const struct event *e,
                        unsigned t, enum event_kind kind) {
  return e->thread == t && e->kind == kind && e->loc < g->locs.len;
}

static void lead_out(const struct graph *g, const struct detours *d, unsigned t,
                     event_id from, struct buffering *b) {
  for (uint32_t i = 0; i < d->events.len && spend(b, 1); i++) {
    if (!is_in_round(g, &d->events.at[i], t, EV_WRITE))
      continue;
    const struct event_list *reads = &g->locs.at[d->events.at[i].loc].reads;
    for (uint32_t k = 0; k < reads->len && spend(b, 1); k++)
      if (g->events[reads->at[k]].thread != t)
        add_race(g, b,
                 (struct buffering_race){.read = reads->at[k], .write = from});
  }
}

static bool happens_before(const struct graph *g, event_id a, event_id b) {
  return a == b || graph_hb(g, a, b);
}

// Is there a way from `from` to `to` by po ∪ rf and the edges that `b` has, not
// all of which happens before?
static bool leads_unordered(const struct graph *g, struct buffering *b,
                            event_id from, event_id to) {
  ARRAY(uint32_t) todo = {0}; // twice the number of an edge, + 1: unordered
  uint64_t *seen = xcalloc(2 * b->races.len / 64 + 1, sizeof *seen);
  bool found = graph_porf(g, from, to) && !graph_hb(g, from, to);
  event_id at = from;
  for (bool is_unordered = false; !found && spend(b, b->races.len + 1);) {
    for (uint32_t i = 0; i < b->races.len; i++) {
      const struct buffering_race *e = &b->races.at[i];
      uint32_t next = 2 * i + (is_unordered || !e->synchronises ||
                               !happens_before(g, at, e->write));
      if (!is_before(g, at, e->write) || bit_has(seen, next))
        continue;
      bit_add(seen, next);
      array_push(&todo, next);
    }
    if (!todo.len)
      break;
    is_unordered = todo.at[--todo.len] % 2;
    at = b->races.at[todo.at[todo.len] / 2].read;
    found =
        is_before(g, at, to) && (is_unordered || !happens_before(g, at, to));
  }
  free(seen);
  array_done(&todo);
  return found;
}

// May a round right before `place` read the write? Or race with it?
static bool leads_in(const struct graph *g, struct buffering *b,
                     const struct event *read, event_id place, event_id write,
                     bool races) {
  const struct event *w = &g->events[write];
  if (w->thread == read->thread)
    return false;
  return races
             ? !graph_hb(g, place, write) && leads_unordered(g, b, place, write)
             : w->value == read->value;
}

static void add_detours(const struct graph *g, struct buffering *b,
                        bool races) {
  const struct detours *d = b->detours;
  ARRAY(struct buffering_race) found = {0};
  for (uint32_t p = 0; p < d->places.len; p++)
    for (uint32_t i = 0; i < d->events.len && spend(b, 1); i++) {
      event_id place = d->places.at[p];
      const struct event *e = &d->events.at[i];
      if (!is_in_round(g, e, g->events[place].thread, EV_READ))
        continue;
      const struct event_list *co = &g->locs.at[e->loc].co;
      for (uint32_t k = 1; k < co->len && spend(b, 1); k++)
        if (leads_in(g, b, e, place, co->at[k], races) && spend(b, PER_FOUND))
          array_push(&found,
                     (struct buffering_race){
                         place, co->at[k],
                         !races && order_acquires(e->order) &&
                             order_releases(g->events[co->at[k]].order)});
    }
  for (uint32_t i = 0; i < found.len; i++) {
    add_race(g, b, found.at[i]);
    lead_out(g, d, g->events[found.at[i].read].thread, found.at[i].write, b);
  }
  array_done(&found);
}

static void lead_out_of_places(const struct graph *g, struct buffering *b) {
  for (uint32_t p = 0; p < b->detours->places.len; p++) {
    const struct event *e = &g->events[b->detours->places.at[p]];
    lead_out(g, b->detours, e->thread, graph_at(g, e->thread, e->index - 1), b);
  }
}

// Finds the races between threads, where `b` has the edges of detours so far.
static void add_detoured_races(const struct graph *g, struct buffering *b) {
  ARRAY(struct buffering_race) found = {0};
  for (uint32_t l = 0; l < g->locs.len; l++)
    for (uint32_t i = 1; i < g->locs.at[l].co.len; i++)
      for (uint32_t k = 0; k < g->locs.at[l].reads.len && spend(b, 1); k++) {
        struct buffering_race race = {.read = g->locs.at[l].reads.at[k],
                                      .write = g->locs.at[l].co.at[i]};
        const struct event *r = &g->events[race.read];
        if (r->thread != g->events[race.write].thread && r->rf != race.write &&
            !graph_hb(g, race.read, race.write) &&
            !graph_hb(g, race.write, race.read) &&
            leads_unordered(g, b, race.read, race.write) && spend(b, PER_FOUND))
          array_push(&found, race);
      }
  for (uint32_t i = 0; i < found.len; i++)
    add_race(g, b, found.at[i]);
  array_done(&found);
}

// First what rounds read, then what comes after what by that and races.
static void find_detoured_races(const struct graph *g, struct buffering *b) {
  add_detours(g, b, /*races=*/false);
  lead_out_of_places(g, b);
  add_detoured_races(g, b);
  add_detours(g, b, /*races=*/true);
}

static void find_races(const struct graph *g, const struct detours *detours,
                       struct buffering *ret) {
  if (detours) {
    find_detoured_races(g, ret);
    return;
  }
  for (uint32_t l = 0; l < g->locs.len; l++)
    for (uint32_t i = 1; g->locs.at[l].reads.len && i < g->locs.at[l].co.len;
         i++)
      find_races_of(g, g->locs.at[l].co.at[i], ret);
}

bool buffering_find(const struct graph *g, bool is_cyclic,
                    const struct detours *detours, struct buffering *ret) {
  ret->races.len = ret->reads.len = 0;
  ret->detours = detours;
  ret->steps = MOST_STEPS;
  find_races(g, detours, ret);
  if (!ret->races.len && !is_cyclic)
    return ret->steps;
  follow_races(g, ret);
  uint64_t steps = (uint64_t)ret->races.len * ret->races.len + 1;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (g->events[e].kind == EV_READ && g->events[e].rf != INIT_EVENT &&
        spend(ret, steps) && leads(g, ret, e, g->events[e].rf))
      array_push(&ret->reads, e);
  return ret->steps;
}

bool buffering_leads_from_detour(const struct graph *g,
                                 const struct buffering *b,
                                 const struct event *read, event_id write) {
  const struct event *w = &g->events[write];
  bool found = false;
  if (w->thread == read->thread || w->value != read->value)
    return false;
  for (uint32_t i = 0; i < b->detours->places.len && !found; i++)
    found = g->events[b->detours->places.at[i]].thread == read->thread &&
            leads(g, b, b->detours->places.at[i], write);
  return found;
}

void buffering_done(struct buffering *b) {
  array_done(&b->races);
  array_done(&b->after);
  array_done(&b->reads);
}
