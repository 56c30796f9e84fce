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

// The guesses that the execution has which is looked at.
typedef ARRAY(struct planned) plan;

static struct planned *find_planned(plan *p, uint32_t guess) {
  for (uint32_t i = 0; i < p->len; i++)
    if (p->at[i].guess == guess)
      return &p->at[i];
  array_push(p, (struct planned){.guess = guess});
  return array_last(p);
}

// Adds the edge to the guesses of the execution; true: that is new.
static bool add_edge(struct guesses *s, const struct event *w,
                     const struct event *r, plan *p) {
  struct guess like = {.reader = r->thread,
                       .order = (uint8_t)order_reading((enum order)r->order),
                       .loc = r->loc,
                       .value = r->value};
  struct guess *k = guesses_find(s, &like);
  struct planned *here = find_planned(p, (uint32_t)(k - s->at));
  here->count++;
  here->writers |= 1ull << w->thread;
  uint64_t *writers = &k->writers[order_writing((enum order)w->order)];
  bool is_new = !(*writers >> w->thread & 1);
  *writers |= 1ull << w->thread;
  if (here->count <= k->most)
    return is_new;
  k->most = here->count;
  return true;
}

static int compare(const void *a, const void *b) {
  const struct planned *p = a, *o = b;
  return p->guess < o->guess ? -1 : p->guess > o->guess;
}

bool guesses_learn(struct guesses *ret, const struct justifier *by,
                   const struct graph *g, const struct buffering *buffering,
                   bool *is_uninitialised) {
  plan p = {0};
  bool is_new = false;
  for (uint32_t i = 0; i < buffering->reads.len; i++) {
    const struct event *r = &g->events[buffering->reads.at[i]];
    if (g->events[r->rf].thread == r->thread ||
        !by->may_precede(&g->events[r->rf]))
      continue;
    if (r->flags & EVF_UNINIT)
      *is_uninitialised = true;
    else
      is_new |= add_edge(ret, &g->events[r->rf], r, &p);
  }
  qsort(p.at, p.len, sizeof *p.at, compare);
  is_new |= plans_add(ret, p.at, p.len);
  array_done(&p);
  return is_new;
}
