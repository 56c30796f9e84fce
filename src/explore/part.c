// SPDX-License-Identifier: MIT
// All of the search, or a part of it: what begins with an empty graph, and, if
// the model needs that, what begins with each core that another execution
// justifies.
#include "explore/fewer/fewer.h"
#include "explore/justify/justify.h"

// What begins with a core that another execution justifies. Of a search that
// is shared, others may have seen the races that lead to such.
static void explore_cores(struct explorer *x) {
  struct cores cores = {0};
  if (!x->has_race && !x->config.team)
    return;
  x->is_complete = justify_find(x, &cores);
  x->result.cores += cores.len;
  for (uint32_t i = 0; i < cores.len; i++) {
    if (x->is_complete) {
      x->start = cores.at[i];
      explore_from_root(x);
    }
    core_drop(cores.at[i]);
  }
  array_done(&cores);
}

bool explore_part(struct explorer *x, const struct explore_task *task) {
  x->task = task;
  x->mode = task ? FOLLOW : SEARCH;
  x->before = x->result;
  for (;;) {
    x->start = task ? task->core : NULL;
    explore_from_root(x);
    if (!task && x->is_complete && x->config.model->justifier)
      explore_cores(x);
    if (!x->again || x->config.team || x->result.limit)
      break;
    explore_begin_again(x);
  }
  x->start = NULL;
  return x->is_complete && !x->result.limit;
}

const struct explore_result *explore(struct explorer *x) {
  explore_part(x, NULL);
  x->result.verdict = explore_verdict(&x->result);
  return &x->result;
}
