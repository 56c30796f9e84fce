// SPDX-License-Identifier: MIT
// See guesses.h.
#include "explore/cycles/justify/guesses.h"

#include <stdlib.h>

struct guess *guesses_find(struct guesses *s, const struct guess *like) {
  for (uint32_t i = 0; i < s->len; i++)
    if (s->at[i].reader == like->reader && s->at[i].loc == like->loc &&
        s->at[i].value == like->value && s->at[i].order == like->order)
      return &s->at[i];
  array_push(s, *like);
  return array_last(s);
}

// How often the execution that is looked at has each guess.
typedef ARRAY(uint32_t) counts;

// Adds the edge to the guesses of the execution; true: that is new.
static bool add_edge(struct guesses *s, const struct event *w,
                     const struct event *r, counts *n) {
  struct guess like = {.reader = r->thread,
                       .order = (uint8_t)order_reading((enum order)r->order),
                       .loc = r->loc,
                       .value = r->value};
  struct guess *k = guesses_find(s, &like);
  uint32_t nth = (uint32_t)(k - s->at);
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

bool guesses_learn(struct guesses *ret, const struct justifier *by,
                   const struct graph *g, const struct buffering *buffering,
                   bool *is_uninitialised) {
  counts n = {0};
  bool is_new = false;
  for (uint32_t i = 0; i < buffering->reads.len; i++) {
    const struct event *r = &g->events[buffering->reads.at[i]];
    if (g->events[r->rf].thread == r->thread ||
        !by->may_precede(&g->events[r->rf]))
      continue;
    if (r->flags & EVF_UNINIT)
      *is_uninitialised = true;
    else
      is_new |= add_edge(ret, &g->events[r->rf], r, &n);
  }
  array_done(&n);
  return is_new;
}
