// SPDX-License-Identifier: MIT
// Parts of the search that move from one explorer to another. A part is a
// path: the options taken from the root to a choice, and those that are left
// to try there. The explorer that takes over follows the path in its own graph
// with its own vm: each choice on the way is opened as ever, and then narrowed
// to the option of the path.
#include "explore/internal.h"

#include <string.h>

// The place among the open choices of the one of that kind. On a path only
// those of one step are open, and they differ in their kinds.
static uint32_t choice_of_kind(const struct explorer *x, uint32_t kind) {
  uint32_t i = 0;
  while (i < x->choices.len && x->choices.at[i].kind != kind)
    i++;
  check(i < x->choices.len);
  return i;
}

// Whoever gave the task away has counted what led to it.
static void forget_counts(struct explorer *x) {
#define COUNT(field, is_of_steps, ...)                                         \
  if (is_of_steps)                                                             \
    x->result.field = x->before.field;
#include "explore/counts.def"
#undef COUNT
}

void task_follow(struct explorer *x) {
  const struct explore_task *t = x->task;
  uint32_t done = x->path.len;
  if (done < t->path.len) {
    const struct path_step *s = &t->path.at[done];
    choice_narrow(x, choice_of_kind(x, s->kind), &s->option, 1);
    return;
  }
  choice_narrow(x, choice_of_kind(x, t->kind), t->options.at, t->options.len);
  forget_counts(x);
  x->mode = SEARCH;
}

struct explore_task *explorer_give(struct explorer *x) {
  if (x->mode != SEARCH || !x->choices.len || x->is_scout)
    return NULL;
  const struct choice *c = &x->choices.at[0];
  uint32_t n = x->choices.len > 1 ? c[1].first : x->options.len;
  struct explore_task *t = xcalloc(1, sizeof *t);
  t->kind = c->kind;
  t->core = core_share(x->start);
  for (uint32_t i = 0; i < c->path; i++)
    array_push(&t->path, x->path.at[i]);
  for (uint32_t i = 0; i < n; i++)
    array_push(&t->options, x->options.at[i]);
  x->options.len -= n;
  memmove(x->options.at, x->options.at + n,
          x->options.len * sizeof *x->options.at);
  x->choices.len--;
  memmove(x->choices.at, x->choices.at + 1,
          x->choices.len * sizeof *x->choices.at);
  for (uint32_t i = 0; i < x->choices.len; i++)
    x->choices.at[i].first -= n;
  return t;
}

void explore_task_free(struct explore_task *t) {
  if (!t)
    return;
  core_drop(t->core);
  array_done(&t->path);
  array_done(&t->options);
  free(t);
}
