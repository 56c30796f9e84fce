// SPDX-License-Identifier: MIT
// Guesses that belong together. All that is committed in a core is in one
// execution, the one that justifies it (model/justify.h), with the same labels,
// and each event once. So the guesses of a core are all in one execution, at
// least as often as in the core, with as many different sources, and what
// closes each of them is of the thread that wrote it there. What each execution
// has is a *plan*, and a graph with guesses is left when there is no plan for
// it (feasible.c). Guesses that stand in for others need not be committed, and
// are in no plan.
//
// The graphs for a plan are all found by the first exploration with guesses
// that knows it; after that it is forgotten, and only remembered for not being
// new.
#include "explore/cycles/justify/justify.h"

#include "base/hash.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLANS = 2048 }; // if there are more, everything is planned

struct plan {
  uint64_t guesses; // bit n % 64 for the nth
  uint32_t first, n;
};

struct plans {
  ARRAY(struct plan) all;
  struct table table; // of their indices
  ARRAY(struct planned) planned;
  uint32_t explored; // so many
  uint32_t last;     // of the others, the one that was asked for last
  bool is_anything;
};

static bool is_same(const struct plans *s, const struct plan *p,
                    const struct planned *all, uint32_t n) {
  for (uint32_t i = 0; i < n && p->n == n; i++) {
    const struct planned *o = &s->planned.at[p->first + i];
    if (o->guess != all[i].guess || o->count != all[i].count ||
        o->sources != all[i].sources || o->writers != all[i].writers)
      return false;
  }
  return p->n == n;
}

static uint32_t hash_of(const struct planned *all, uint32_t n) {
  uint64_t h = n;
  for (uint32_t i = 0; i < n; i++)
    h = hash_mix(hash_mix(hash_mix(h, all[i].guess), all[i].sources),
                 hash_mix(all[i].count, all[i].writers));
  return (uint32_t)h;
}

static bool is_known(const struct plans *s, const struct planned *all,
                     uint32_t n, uint32_t hash) {
  for (uint32_t at = hash, i;
       (i = table_next(&s->table, hash, &at)) != TABLE_NONE;)
    if (is_same(s, &s->all.at[i], all, n))
      return true;
  return false;
}

bool plans_add(struct guesses *g, const struct planned *all, uint32_t n) {
  if (!g->plans)
    g->plans = xcalloc(1, sizeof *g->plans);
  struct plans *s = g->plans;
  uint32_t hash = hash_of(all, n);
  if (!n || s->is_anything || is_known(s, all, n, hash))
    return false;
  s->is_anything = s->all.len == MOST_PLANS;
  struct plan p = {.first = s->planned.len, .n = n};
  for (uint32_t i = 0; i < n; i++) {
    array_push(&s->planned, all[i]);
    p.guesses |= 1ull << all[i].guess % 64;
  }
  table_add(&s->table, hash, s->all.len);
  array_push(&s->all, p);
  return true;
}

bool plans_allow_all(struct guesses *g) {
  if (!g->plans)
    g->plans = xcalloc(1, sizeof *g->plans);
  bool is_new = !g->plans->is_anything;
  g->plans->is_anything = true;
  return is_new;
}

void plans_forget(struct guesses *g) {
  if (g->plans)
    g->plans->explored = g->plans->all.len;
}

void plans_free(struct guesses *g) {
  if (!g->plans)
    return;
  array_done(&g->plans->all);
  table_done(&g->plans->table);
  array_done(&g->plans->planned);
  free(g->plans);
  g->plans = NULL;
}

static bool has(const struct plans *s, const struct plan *p,
                const struct wanted *w, uint32_t count) {
  for (uint32_t i = p->first; i < p->first + p->n; i++)
    if (s->planned.at[i].guess == w->guess)
      return s->planned.at[i].count >= count &&
             s->planned.at[i].sources >= w->sources &&
             (s->planned.at[i].writers & w->closers);
  return false;
}

static bool is_plan_of(const struct plans *s, const struct plan *p,
                       const struct wanted *all, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
      count += all[k].guess == all[i].guess;
    if (!has(s, p, &all[i], count))
      return false;
  }
  return true;
}

bool plans_allow(const struct guesses *g, const struct wanted *all, uint32_t n,
                 uint32_t *looked_at) {
  struct plans *s = g->plans;
  uint64_t guesses = 0;
  *looked_at = 0;
  if (!s || s->is_anything)
    return true;
  for (uint32_t i = 0; i < n; i++)
    guesses |= 1ull << all[i].guess % 64;
  // What was the right one last time comes first.
  uint32_t len = s->all.len - s->explored;
  for (uint32_t i = 0; i < len; i++) {
    uint32_t nth = s->explored + (s->last + i) % len;
    ++*looked_at;
    const struct plan *p = &s->all.at[nth];
    if (!(guesses & ~p->guesses) && is_plan_of(s, p, all, n)) {
      s->last = nth - s->explored;
      return true;
    }
  }
  return false;
}
