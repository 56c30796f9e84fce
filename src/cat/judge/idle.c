// SPDX-License-Identifier: MIT
// Axioms and flags that are about nothing: of sections in a program without
// any, of plain accesses where all are marked. Which ones is a question of the
// combinations of sets that events are in, and these are few in a program; the
// more there are, the less is empty (rows.c). So all that were ever seen are
// kept, and a graph that brings no other one costs a look at each event.
#include "cat/judge/judge.h"

#include "cat/judge/rows.h"

enum { MOST = 64 };

static bool is_known(const struct judge_idle *k, cat_sets sets) {
  for (uint32_t i = k->n; i-- > 0;)
    if (k->sets[i] == sets)
      return true;
  return false;
}

// False: there are too many.
static bool learn(struct judge_idle *k, cat_sets sets, bool *is_more) {
  if (is_known(k, sets))
    return true;
  if (k->n == MOST)
    return false;
  k->sets[k->n++] = sets;
  *is_more = true;
  return true;
}

uint64_t judge_idle(struct judge *j, const struct rows_plan *rows,
                    const struct graph *g,
                    const struct model_options *options) {
  struct judge_idle *k = &j->idle;
  bool is_more = false;
  if (!rows->is_possible || !learn(k, cat_initial_sets(), &is_more))
    return 0;
  cat_sets last = cat_initial_sets();
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    bool is_life = cat_is_life(e);
    if (!cat_sees(e) && !is_life)
      continue;
    is_more |= is_life && !k->has_lives;
    k->has_lives |= is_life;
    cat_sets sets = cat_sets_of(e, options);
    if (sets != last && !learn(k, sets, &is_more))
      return 0;
    last = sets;
  }
  if (is_more)
    k->axioms = rows_find_idle(rows, k->sets, k->n, k->has_lives);
  return k->axioms;
}
