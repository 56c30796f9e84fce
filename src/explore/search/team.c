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
  void (*agree)(void *arg, struct child c); // NULL: this team decides
  void *arg;
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

void explore_team_agree(struct explore_team *team,
                        void (*agree)(void *arg, struct child c), void *arg) {
  team->agree = agree;
  team->arg = arg;
}

static bool is_same_child(const struct child *a, const struct child *b) {
  return a->parent == b->parent && a->nth == b->nth;
}

static bool knows(const thread_list *threads, const struct child *c) {
  for (uint32_t i = 1; i < threads->len; i++)
    if (is_same_child(&threads->at[i], c))
      return true;
  return false;
}

bool explore_team_knows(struct explore_team *team, struct child c) {
  pthread_mutex_lock(&team->lock);
  bool ret = knows(&team->threads, &c);
  pthread_mutex_unlock(&team->lock);
  return ret;
}

void explore_team_learn(struct explore_team *team, const thread_list *all) {
  pthread_mutex_lock(&team->lock);
  for (uint32_t i = 1; i < all->len; i++)
    if (i >= team->threads.len)
      array_push(&team->threads, all->at[i]);
    else
      check(is_same_child(&team->threads.at[i], &all->at[i]));
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
  check(c.parent < x->threads.len);
  if (!team) {
    array_push(&x->threads, c);
    return;
  }
  if (team->agree && !explore_team_knows(team, c))
    team->agree(team->arg, c);
  bool is_known = false;
  pthread_mutex_lock(&team->lock);
  for (uint32_t i = x->threads.len; i < team->threads.len; i++) {
    is_known |= is_same_child(&team->threads.at[i], &c);
    array_push(&x->threads, team->threads.at[i]);
  }
  check(is_known || !team->agree);
  if (!is_known) {
    array_push(&team->threads, c);
    array_push(&x->threads, c);
  }
  pthread_mutex_unlock(&team->lock);
}

void team_learn_all(struct explorer *x) {
  struct explore_team *team = x->team;
  pthread_mutex_lock(&team->lock);
  for (uint32_t i = x->threads.len; i < team->threads.len; i++)
    array_push(&x->threads, team->threads.at[i]);
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
