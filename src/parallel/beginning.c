// SPDX-License-Identifier: MIT
// The beginning of a search, for several processes: until there are branches
// enough for all of them.
#include "parallel/workers.h"

static uint64_t count_branches(const struct queue *q) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < q->ready.len; i++)
    n += explore_task_branches(q->ready.at[i]);
  return n;
}

// One branch of a task after the other, each to its end.
static void explore_beginning(struct parallel *p, uint64_t branches) {
  struct worker *w = &p->workers[0];
  struct explore_task *t = NULL;
  workers_put_cores(p);
  do {
    explorer_leave(w->explorer, true);
    explore_part(w->explorer, t);
    explore_task_free(t);
    workers_bring_back(w);
    w->known = *explorer_result(w->explorer);
  } while (!workers_end_early(p, w->explorer) && !p->has_error &&
           count_branches(&p->queue) < branches &&
           ((t = queue_take_largest(&p->queue)) != NULL ||
            (t = queue_take_last(&p->queue)) != NULL));
  workers_add_up(p);
}

const struct explore_result *parallel_split(struct parallel *p,
                                            uint64_t branches) {
  check(p->jobs == 1 && p->team);
  explore_beginning(p, branches);
  while (parallel_learn(p)) {
    parallel_begin_again(p);
    explore_beginning(p, branches);
  }
  p->result.verdict = explore_verdict(&p->result);
  if (p->queue.ready.len && !parallel_is_over(p))
    parallel_save(p, /*is_done=*/false);
  return &p->result;
}
