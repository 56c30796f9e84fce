// SPDX-License-Identifier: MIT
// Why an axiom refuses a graph. An axiom says that some relation has no cycle;
// the shortest one is the best explanation. Its steps may be compound
// (happens-before, say), so each is told as a way along relations that have
// names, again the shortest.
#include "model/axioms_rel.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

struct way {
  uint32_t *from;     // by event: where the search came from, NONE: not yet
  const char **named; // by event: the relation of that step
  uint32_t *queue;
};

static struct way way_new(uint32_t n) {
  return (struct way){xcalloc(n + 1, sizeof(uint32_t)),
                      xcalloc(n + 1, sizeof(const char *)),
                      xcalloc(n + 1, sizeof(uint32_t))};
}

static void way_done(struct way *w) {
  free(w->from);
  free(w->named);
  free(w->queue);
}

// The shortest way of at least one step from x to y. Yields its length, 0 if
// there is none.
static uint32_t find_way(const struct axioms *a, struct way *w, uint32_t x,
                         uint32_t y, const struct named_rel *parts) {
  uint32_t first = 0, last = 0, length = 0;
  for (uint32_t i = 0; i < a->n; i++)
    w->from[i] = NONE;
  w->queue[last++] = x;
  while (first < last && w->from[y] == NONE) {
    uint32_t at = w->queue[first++];
    for (uint32_t to = 0; to < a->n; to++)
      for (const struct named_rel *p = parts; p->name; p++)
        if (w->from[to] == NONE && rel_has(p->rel, at, to)) {
          w->from[to] = at;
          w->named[to] = p->name;
          w->queue[last++] = to;
        }
  }
  if (w->from[y] == NONE)
    return 0;
  uint32_t at = y;
  do {
    at = w->from[at];
    length++;
  } while (at != x);
  return length;
}

// Adds the way that was found from x to y.
static void add_way(struct axioms *a, const struct way *w, uint32_t x,
                    uint32_t y) {
  uint32_t first = a->refusal->len, at = y;
  do {
    struct refusal_step s = {a->events[w->from[at]], a->events[at],
                             w->named[at], ""};
    array_push(a->refusal, s);
    at = w->from[at];
  } while (at != x);
  for (uint32_t i = first, j = a->refusal->len - 1; i < j; i++, j--) {
    struct refusal_step s = a->refusal->at[i];
    a->refusal->at[i] = a->refusal->at[j];
    a->refusal->at[j] = s;
  }
}

// The shortest cycle: the event it begins at, NONE if there is none.
static uint32_t shortest_cycle(const struct axioms *a, struct way *w,
                               const struct named_rel *parts) {
  uint32_t best = NONE, least = NONE;
  for (uint32_t i = 0; i < a->n; i++) {
    uint32_t length = find_way(a, w, i, i, parts);
    if (length && length < least) {
      least = length;
      best = i;
    }
  }
  return best;
}

bool axioms_acyclic(struct axioms *a, const char *axiom, const struct rel *r,
                    const struct named_rel *parts) {
  if (rel_is_acyclic(&a->rels, r))
    return true;
  if (!a->refusal)
    return false;
  a->refusal->axiom = axiom;
  struct way w = way_new(a->n), inside = way_new(a->n);
  const struct named_rel whole[] = {{"", r}, {NULL, NULL}};
  uint32_t start = shortest_cycle(a, &w, whole);
  check(start != NONE);
  find_way(a, &w, start, start, whole);
  // The events of the cycle, from the end; each step in its own words.
  uint32_t *at = xcalloc(a->n + 1, sizeof *at), n = 0, e = start;
  do {
    at[n++] = e;
    e = w.from[e];
  } while (e != start);
  for (uint32_t i = n; i-- > 0;) {
    uint32_t x = i + 1 < n ? at[i + 1] : start, y = at[i];
    if (find_way(a, &inside, x, y, parts))
      add_way(a, &inside, x, y);
  }
  free(at);
  way_done(&w);
  way_done(&inside);
  return false;
}

void axioms_refuse_pair(struct axioms *a, const char *axiom,
                        const struct rel *there, const struct named_rel *by,
                        const struct rel *back,
                        const struct named_rel *back_by) {
  if (!a->refusal)
    return;
  a->refusal->axiom = axiom;
  struct way w = way_new(a->n);
  uint32_t x = NONE, y = NONE, least = NONE;
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++) {
      if (!rel_has(there, i, j) || !rel_has(back, j, i))
        continue;
      uint32_t length =
          find_way(a, &w, i, j, by) + find_way(a, &w, j, i, back_by);
      if (length < least) {
        least = length;
        x = i;
        y = j;
      }
    }
  check(x != NONE);
  if (find_way(a, &w, x, y, by))
    add_way(a, &w, x, y);
  if (find_way(a, &w, y, x, back_by))
    add_way(a, &w, y, x);
  way_done(&w);
}
