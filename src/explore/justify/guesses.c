// SPDX-License-Identifier: MIT
// See guesses.h.
#include "explore/justify/guesses.h"

#include "graph/buffering.h"

#include <stdlib.h>

static uint32_t find_guess(struct guesses *s, const struct event *r) {
  uint8_t order = (uint8_t)order_reading((enum order)r->order);
  uint32_t i = 0;
  while (i < s->len &&
         (s->at[i].reader != r->thread || s->at[i].loc != r->loc ||
          s->at[i].value != r->value || s->at[i].order != order))
    i++;
  if (i == s->len)
    array_push(s, (struct guess){.reader = r->thread,
                                 .order = order,
                                 .loc = r->loc,
                                 .value = r->value});
  return i;
}

// How often the execution that is looked at has each guess.
typedef ARRAY(uint32_t) counts;

// Adds the edge to the guesses of the execution; true: that is new.
static bool add_edge(struct guesses *s, const struct event *w,
                     const struct event *r, counts *n) {
  uint32_t nth = find_guess(s, r);
  struct guess *k = &s->at[nth];
  while (n->len <= nth)
    array_push(n, 0);
  uint64_t *writers = &k->writers[order_writing((enum order)w->order)];
  bool is_new = !(*writers >> w->thread & 1);
  *writers |= 1ull << w->thread;
  if (++n->at[nth] <= k->most)
    return is_new;
  k->most = n->at[nth];
  return true;
}

static bool learn_edges(struct guesses *ret, const struct justifier *by,
                        const struct graph *g, struct buffering *buffering,
                        bool *is_uninitialised) {
  counts n = {0};
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
      is_new |= add_edge(ret, &g->events[r->rf], r, &n);
  }
  array_done(&n);
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
