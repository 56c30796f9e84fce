// SPDX-License-Identifier: MIT
// What the explorers of one search must agree on: which number a thread has,
// because the schedule goes by it, and how many executions were counted when
// there is a limit. Both are rarely asked for.
#include "explore/search/search.h"

#include <pthread.h>
#include <stdatomic.h>

struct explore_team {
  pthread_mutex_t lock; // of `threads`
  thread_list threads;  // each explorer knows a beginning of it
  atomic_uint_fast64_t executions;
};

struct explore_team *explore_team_new(const thread_list *known,
                                      uint64_t executions) {
  struct explore_team *team = xcalloc(1, sizeof *team);
  pthread_mutex_init(&team->lock, NULL);
  atomic_init(&team->executions, executions);
  array_push(&team->threads, (struct child){0}); // main
  for (uint32_t i = 1; i < known->len; i++)
    array_push(&team->threads, known->at[i]);
  return team;
}

void explore_team_threads(struct explore_team *team, thread_list *ret) {
  pthread_mutex_lock(&team->lock);
  for (uint32_t i = 0; i < team->threads.len; i++)
    array_push(ret, team->threads.at[i]);
  pthread_mutex_unlock(&team->lock);
}

void explore_team_free(struct explore_team *team) {
  if (!team)
    return;
  pthread_mutex_destroy(&team->lock);
  array_done(&team->threads);
  free(team);
}

void team_learn_thread(struct explorer *x, struct child c) {
  struct explore_team *team = x->team;
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
  return x->team ? atomic_load(&x->team->executions)
                 : x->result.executions + x->result.blocked;
}

bool team_may_count(struct explorer *x) {
  return !x->team || !x->limits.max_executions ||
         atomic_fetch_add(&x->team->executions, 1) < x->limits.max_executions;
}
