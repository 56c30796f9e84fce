// SPDX-License-Identifier: MIT
// What the explorers of one search must agree on: which number a thread has,
// because the schedule goes by it, and how many executions were counted when
// there is a limit. Both are rarely asked for.
#include "explore/internal.h"

#include <pthread.h>
#include <stdatomic.h>

struct explore_team {
  pthread_mutex_t lock;        // of `threads`
  ARRAY(struct child) threads; // each explorer knows a beginning of it
  atomic_uint_fast64_t executions;
};

struct explore_team *explore_team_new(void) {
  struct explore_team *team = xcalloc(1, sizeof *team);
  pthread_mutex_init(&team->lock, NULL);
  array_push(&team->threads, (struct child){0}); // main
  return team;
}

void explore_team_free(struct explore_team *team) {
  if (!team)
    return;
  pthread_mutex_destroy(&team->lock);
  array_done(&team->threads);
  free(team);
}

void team_learn_thread(struct explorer *x, struct child c) {
  struct explore_team *team = x->config.team;
  if (!team) {
    array_push(&x->threads, c);
    return;
  }
  bool is_known = false;
  pthread_mutex_lock(&team->lock);
  for (uint32_t i = x->threads.len; i < team->threads.len; i++) {
    const struct child *k = &team->threads.at[i];
    is_known |= k->parent == c.parent && k->nth == c.nth;
    array_push(&x->threads, *k);
  }
  if (!is_known) {
    array_push(&team->threads, c);
    array_push(&x->threads, c);
  }
  pthread_mutex_unlock(&team->lock);
}

uint64_t team_executions(const struct explorer *x) {
  return x->config.team ? atomic_load(&x->config.team->executions)
                        : x->result.executions + x->result.blocked;
}

bool team_may_count(struct explorer *x) {
  return !x->config.team || !x->config.max_executions ||
         atomic_fetch_add(&x->config.team->executions, 1) <
             x->config.max_executions;
}
