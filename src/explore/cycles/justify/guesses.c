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

enum { MOST_EDGES = 512 };

// The guesses that the execution has which is looked at.
struct plan {
  ARRAY(struct planned) all;
  ARRAY(uint32_t) sources; // guesses, each with a write that is read as it
};

static struct planned *find_planned(struct plan *p, uint32_t guess) {
  for (uint32_t i = 0; i < p->all.len; i++)
    if (p->all.at[i].guess == guess)
      return &p->all.at[i];
  array_push(&p->all, (struct planned){.guess = guess});
  return array_last(&p->all);
}

static void add_source(struct plan *p, struct planned *here, event_id write) {
  for (uint32_t i = 0; i < p->sources.len; i += 2)
    if (p->sources.at[i] == here->guess && p->sources.at[i + 1] == write)
      return;
  here->sources++;
  array_push(&p->sources, here->guess);
  array_push(&p->sources, write);
}

static struct guess guess_like(const struct event *r) {
  return (struct guess){.reader = r->thread,
                        .order = (uint8_t)order_reading((enum order)r->order),
                        .loc = r->loc,
                        .value = r->value};
}

// Adds the edge to the guesses of the execution; true: that is new.
static bool add_edge(struct guesses *s, const struct event *w,
                     const struct event *r, struct plan *p) {
  struct guess like = guess_like(r);
  struct guess *k = guesses_find(s, &like);
  struct planned *here = find_planned(p, (uint32_t)(k - s->at));
  here->count++;
  here->writers |= 1ull << w->thread;
  add_source(p, here, r->rf);
  uint64_t *writers = &k->writers[order_writing((enum order)w->order)];
  bool is_new = !(*writers >> w->thread & 1);
  *writers |= 1ull << w->thread;
  if (here->count <= k->most)
    return is_new;
  k->most = here->count;
  return true;
}

bool guesses_learn_edges(struct guesses *ret, const struct graph *g) {
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *r = &g->events[id];
    if (r->kind != EV_READ || r->rf == INIT_EVENT ||
        g->events[r->rf].thread == r->thread)
      continue;
    if ((r->flags & EVF_UNINIT) || ret->len > MOST_EDGES)
      return false;
    const struct event *w = &g->events[r->rf];
    struct guess like = guess_like(r);
    guesses_find(ret, &like)->writers[order_writing((enum order)w->order)] |=
        1ull << w->thread;
  }
  return true;
}

// Reads of rounds that are not there may read every write of their values, as
// often as there are rounds. True: that is new.
static bool learn_detours(struct guesses *s, const struct justifier *by,
                          const struct graph *g, const struct buffering *b) {
  const struct detours *d = b->detours;
  bool is_new = false;
  for (uint32_t i = 0; i < d->events.len; i++) {
    const struct event *r = &d->events.at[i];
    if (r->kind != EV_READ || r->loc >= g->locs.len)
      continue;
    const struct event_list *co = &g->locs.at[r->loc].co;
    for (uint32_t k = 1; k < co->len; k++) {
      const struct event *w = &g->events[co->at[k]];
      if (!by->may_precede(w) ||
          !buffering_leads_from_detour(g, b, r, co->at[k]))
        continue;
      struct plan any = {0};
      is_new |= add_edge(s, w, r, &any);
      struct guess *now = &s->at[any.all.at[0].guess];
      is_new |= now->most != ANY_NUMBER;
      now->most = ANY_NUMBER;
      array_done(&any.all);
      array_done(&any.sources);
      is_new |= plans_allow_all(s);
    }
  }
  return is_new;
}

static int compare(const void *a, const void *b) {
  const struct planned *p = a, *o = b;
  return p->guess < o->guess ? -1 : p->guess > o->guess;
}

bool guesses_learn(struct guesses *ret, const struct justifier *by,
                   const struct graph *g, const struct buffering *buffering,
                   bool *is_uninitialised) {
  struct plan p = {0};
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
  if (buffering->detours)
    is_new |= learn_detours(ret, by, g, buffering);
  if (p.all.len)
    qsort(p.all.at, p.all.len, sizeof *p.all.at, compare);
  is_new |= plans_add(ret, p.all.at, p.all.len);
  array_done(&p.all);
  array_done(&p.sources);
  return is_new;
}
