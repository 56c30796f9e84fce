// SPDX-License-Identifier: MIT
// Axioms and flags that are about nothing: of sections in a program without
// any, of plain accesses where all are marked. Which ones is a question of the
// combinations of sets that events are in, and these are few in a program; the
// more there are, the less is empty (rows.c). So all that were ever seen are
// kept. The judge has seen each new event, and knows in which sets it is; only
// a graph that it was not asked about costs a look at each event.
#include "cat/judge/judge.h"

#include "cat/judge/rows.h"

enum { MOST = 64 };

static bool is_there(const struct judge_idle *k, cat_sets sets) {
  for (uint32_t i = k->n; i-- > 0;)
    if (k->sets[i] == sets)
      return true;
  return false;
}

// False: there are too many.
static bool learn(struct judge_idle *k, cat_sets sets, bool *is_more) {
  if (is_there(k, sets))
    return true;
  if (k->n == MOST)
    return false;
  k->sets[k->n++] = sets;
  *is_more = true;
  return true;
}

// What the judge was asked about: all that it ever saw, and more objects than
// there may be now.
static bool learn_judged(struct judge *j, const struct graph *g,
                         bool *is_more) {
  struct judge_idle *k = &j->idle;
  const struct judge_bound *b = &j->bound;
  if (b->n > MOST || g->undone_to != UINT32_MAX || j->seen != g->undo.len)
    return false;
  for (; k->learned < b->n; k->learned++)
    if (!learn(k, b->sets[k->learned], is_more))
      return false;
  *is_more |= g->objects.len && !k->has_lives;
  k->has_lives |= g->objects.len;
  return true;
}

static bool learn_all(struct judge_idle *k, const struct graph *g,
                      const struct model_options *options, bool *is_more) {
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    bool is_life = cat_is_life(e);
    if (!cat_sees(e) && !is_life)
      continue;
    *is_more |= is_life && !k->has_lives;
    k->has_lives |= is_life;
    if (!learn(k, cat_sets_of(e, options), is_more))
      return false;
  }
  return true;
}

uint64_t judge_idle(struct judge *j, const struct rows_plan *rows,
                    const struct graph *g,
                    const struct model_options *options) {
  struct judge_idle *k = &j->idle;
  bool is_more = false;
  // (Threads may be about to end.)
  if (!rows->is_possible || !learn(k, cat_initial_sets(), &is_more) ||
      !learn(k, CAT_IN(THREAD), &is_more) ||
      (!learn_judged(j, g, &is_more) && !learn_all(k, g, options, &is_more))) {
    k->is_known = false;
    return 0;
  }
  if (is_more || !k->is_known)
    k->axioms = rows_find_idle(rows, k->sets, k->n, k->has_lives);
  k->is_known = true;
  return k->axioms;
}
