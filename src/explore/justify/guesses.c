// SPDX-License-Identifier: MIT
// See guesses.h.
#include "explore/justify/guesses.h"

#include "graph/buffering.h"

#include <stdlib.h>
#include <string.h>

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

static bool learn_edges(struct guesses *ret, const struct justifier *by,
                        const struct graph *g, struct buffering *buffering,
                        bool *is_uninitialised) {
  struct guess_set set = {0};
  bool is_new = false;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    const struct event *r = &g->events[e];
    if (r->kind != EV_READ || r->rf == INIT_EVENT ||
        g->events[r->rf].thread == r->thread ||
        !by->may_precede(&g->events[r->rf]) ||
        !buffering_leads(g, buffering, e, r->rf))
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

bool guesses_learn(struct guesses *ret, const struct justifier *by,
                   const struct graph *g, bool is_cyclic,
                   bool *is_uninitialised) {
  struct buffering buffering = {0};
  buffering_find(g, &buffering);
  bool is_new = (buffering.races.len || is_cyclic) &&
                learn_edges(ret, by, g, &buffering, is_uninitialised);
  buffering_done(&buffering);
  return is_new;
}

void guesses_done(struct guesses *g) {
  for (uint32_t i = 0; i < g->together.len; i++)
    array_done(&g->together.at[i]);
  array_done(&g->together);
  array_done(g);
}
