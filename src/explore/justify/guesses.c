// SPDX-License-Identifier: MIT
// See guesses.h. A race is a read and a write of its location that comes after
// it by po ∪ rf, not ordered by happens-before, which it does not read.
#include "explore/justify/guesses.h"

#include <stdlib.h>
#include <string.h>

// ---- races

enum { MOST_RACES = 64 };

struct lb_race {
  event_id read, write;
};

// The races of an execution. Of two races the one whose read comes first and
// whose write comes last is enough: whatever leads to and from the other one
// leads to and from it.
struct races {
  struct lb_race at[MOST_RACES];
  uint32_t len;
  bool is_full;               // there are more
  uint64_t leads[MOST_RACES]; // from the read of one to the writes of others,
                              // along any number of them
};

// Is `a` before `b` by po ∪ rf, or the same?
static bool is_before(const struct graph *g, event_id a, event_id b) {
  return a == b || graph_porf(g, a, b);
}

static bool covers(const struct graph *g, struct lb_race a, struct lb_race b) {
  return is_before(g, a.read, b.read) && is_before(g, b.write, a.write);
}

static void add_race(const struct graph *g, struct races *ret,
                     struct lb_race race) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < ret->len; i++)
    if (covers(g, ret->at[i], race))
      return;
  for (uint32_t i = 0; i < ret->len; i++)
    if (!covers(g, race, ret->at[i]))
      ret->at[n++] = ret->at[i];
  ret->len = n;
  if (n < MOST_RACES)
    ret->at[ret->len++] = race;
  else
    ret->is_full = true;
}

static void find_races_of(const struct graph *g, event_id w,
                          struct races *ret) {
  const struct event *e = &g->events[w];
  const struct event_list *reads = &g->locs.at[e->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    event_id r = reads->at[i];
    if (g->events[r].thread == e->thread || g->events[r].rf == w ||
        !graph_porf(g, r, w) || graph_hb(g, r, w) || graph_hb(g, w, r))
      continue;
    add_race(g, ret, (struct lb_race){r, w});
  }
}

static void find_races(const struct graph *g, struct races *ret) {
  ret->len = 0;
  ret->is_full = false;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (g->events[e].kind == EV_WRITE)
      find_races_of(g, e, ret);
  for (uint32_t i = 0; i < ret->len; i++) {
    ret->leads[i] = 1ull << i;
    for (uint32_t j = 0; j < ret->len; j++)
      if (is_before(g, ret->at[i].read, ret->at[j].write))
        ret->leads[i] |= 1ull << j;
  }
  for (uint32_t k = 0; k < ret->len; k++)
    for (uint32_t i = 0; i < ret->len; i++)
      if (ret->leads[i] >> k & 1)
        ret->leads[i] |= ret->leads[k];
}

// Is the edge from w to its reader r on a cycle of po ∪ rf ∪ race⁻¹?
static bool is_on_cycle(const struct graph *g, const struct races *races,
                        event_id w, event_id r) {
  uint64_t to = 0, from = 0;
  if (graph_porf(g, r, w) || races->is_full)
    return true;
  for (uint32_t i = 0; i < races->len; i++) {
    if (is_before(g, r, races->at[i].write))
      to |= races->leads[i];
    if (is_before(g, races->at[i].read, w))
      from |= 1ull << i;
  }
  return to & from;
}

// ---- guesses

static uint32_t find_guess(struct guesses *s, const struct event *r) {
  uint32_t i = 0;
  while (i < s->len &&
         (s->at[i].reader != r->thread || s->at[i].loc != r->loc ||
          s->at[i].value != r->value || s->at[i].order != r->order))
    i++;
  if (i == s->len)
    array_push(s, (struct guess){.reader = r->thread,
                                 .order = r->order,
                                 .loc = r->loc,
                                 .value = r->value});
  return i;
}

static bool has_all(const struct guess_set *s, const struct guess_set *other) {
  for (uint32_t i = 0; i < other->len; i++)
    if (other->at[i] > (i < s->len ? s->at[i] : 0))
      return false;
  return true;
}

// Keeps the sets that no other one has all of.
static bool add_set(struct guesses *s, struct guess_set set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->together.len; i++)
    if (has_all(&s->together.at[i], &set))
      return false;
  for (uint32_t i = 0; i < s->together.len; i++)
    if (has_all(&set, &s->together.at[i]))
      array_done(&s->together.at[i]);
    else
      s->together.at[n++] = s->together.at[i];
  s->together.len = n;
  array_push(&s->together, set);
  return true;
}

static void count(struct guess_set *set, uint32_t nth) {
  while (set->len <= nth)
    array_push(set, 0);
  set->at[nth]++;
}

// Adds the edge to the guesses of the execution; true: its writer is new.
static bool add_edge(struct guesses *s, const struct event *w,
                     const struct event *r, struct guess_set *set) {
  uint32_t nth = find_guess(s, r);
  struct guess *k = &s->at[nth];
  bool is_new = !(k->writers[w->order] >> w->thread & 1);
  k->writers[w->order] |= 1ull << w->thread;
  count(set, nth);
  if (set->at[nth] > k->most)
    k->most = set->at[nth];
  return is_new;
}

bool guesses_learn(struct guesses *ret, const struct justifier *by,
                   const struct graph *g, bool is_cyclic,
                   bool *is_uninitialised) {
  struct races races;
  struct guess_set set = {0};
  bool is_new = false;
  find_races(g, &races);
  if (!races.len && !is_cyclic)
    return false;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    const struct event *r = &g->events[e];
    if (r->kind != EV_READ || r->rf == INIT_EVENT ||
        g->events[r->rf].thread == r->thread ||
        !by->may_precede(&g->events[r->rf]) ||
        !is_on_cycle(g, &races, r->rf, e))
      continue;
    if (r->flags & EVF_UNINIT)
      *is_uninitialised = true;
    else
      is_new |= add_edge(ret, &g->events[r->rf], r, &set);
  }
  if (set.len && add_set(ret, set))
    return true;
  array_done(&set);
  return is_new;
}

void guesses_done(struct guesses *g) {
  for (uint32_t i = 0; i < g->together.len; i++)
    array_done(&g->together.at[i]);
  array_done(&g->together);
  array_done(g);
}
