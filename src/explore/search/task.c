// SPDX-License-Identifier: MIT
// Parts of the search that move from one explorer to another. A part is a
// path: the options taken from the root to a choice, and those that are left
// to try there. The explorer that takes over follows the path in its own graph
// with its own vm: each choice on the way is opened as ever, and then narrowed
// to the option of the path.
//
// The way may be as long as an execution, and the part a single one: who gives
// away one choice after the other of a long path gives paths that have nearly
// all in common. So the choices on the way are kept, and the next part begins
// where its path branches off. That is going back, as ever: graph and states
// have their marks in a choice.
#include "explore/search/search.h"

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

// The explorer that gave the task away has counted what led to it.
static void forget_counts(struct explorer *x) {
#define COUNT(field, is_of_steps, ...)                                         \
  if (is_of_steps)                                                             \
    x->result.field = x->follows.before.field;
#include "explore/counts.def"
#undef COUNT
}

static bool is_same_step(const struct path_step *a, const struct path_step *b) {
  return a->kind == b->kind && a->option == b->option;
}

// How many steps of the task are those of the way that is kept.
static uint32_t steps_in_common(const struct follows *f) {
  const path_steps *a = &f->way, *b = &f->task->path;
  uint32_t n = 0;
  while (n < a->len && n < b->len && is_same_step(&a->at[n], &b->at[n]))
    n++;
  return n;
}

void task_forget_way(struct explorer *x) {
  x->follows.way.len = x->follows.kept.len = 0;
  core_drop(x->follows.core);
  x->follows.core = NULL;
}

static void keep_way(struct explorer *x) {
  const path_steps *path = &x->follows.task->path;
  struct follows *f = &x->follows;
  f->way.len = 0;
  if (path->len)
    memcpy(array_extend(&f->way, path->len), path->at,
           path->len * sizeof *path->at);
  core_drop(f->core);
  f->core = core_share(f->task->core);
}

bool task_branches_off(struct explorer *x) {
  struct follows *f = &x->follows;
  uint32_t n = steps_in_common(f);
  if (f->core != f->task->core)
    f->kept.len = 0;
  while (f->kept.len && array_last(&f->kept)->path > n)
    f->kept.len--;
  keep_way(x);
  if (!f->kept.len)
    return false;
  check(array_last(&f->kept)->path == n);
  x->path.len = n;
  x->choices.len = x->options.len = 0;
  while (f->kept.len && array_last(&f->kept)->path == n)
    array_push(&x->choices, array_pop(&f->kept));
  return true;
}

void task_follow(struct explorer *x) {
  const struct explore_task *t = x->follows.task;
  uint32_t done = x->path.len;
  check(done <= t->path.len);
  for (uint32_t i = 0; i < x->choices.len; i++)
    array_push(&x->follows.kept, x->choices.at[i]);
  if (done < t->path.len) {
    const struct path_step *s = &t->path.at[done];
    choice_narrow(x, choice_of_kind(x, s->kind), &s->option, 1, s->rank);
    return;
  }
  choice_narrow(x, choice_of_kind(x, t->kind), t->options.at, t->options.len,
                t->rank);
  forget_counts(x);
  x->follows.mode = SEARCH;
}

struct explore_task *explorer_give(struct explorer *x) {
  if (x->follows.mode != SEARCH || !x->choices.len || x->cycles.is_scout)
    return NULL;
  const struct choice *c = &x->choices.at[0];
  uint32_t n = x->choices.len > 1 ? c[1].first : x->options.len;
  check(n && n <= x->options.len);
  struct explore_task *t = xcalloc(1, sizeof *t);
  t->kind = c->kind;
  t->rank = c->rank;
  t->core = core_share(x->cycles.start);
  if (c->path)
    memcpy(array_extend(&t->path, c->path), x->path.at,
           c->path * sizeof *x->path.at);
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

static uint32_t core_number(const struct core *c) {
  return c ? c->number : 0;
}

bool explore_tasks_overlap(const struct explore_task *a,
                           const struct explore_task *b) {
  if (a->path.len > b->path.len || (!b->options.len && a->options.len))
    return explore_tasks_overlap(b, a);
  if (explore_task_finds_cores(a))
    return b->core || explore_task_finds_cores(b);
  if (core_number(a->core) != core_number(b->core))
    return false;
  if (!a->options.len)
    return true;
  for (uint32_t i = 0; i < a->path.len; i++)
    if (!is_same_step(&a->path.at[i], &b->path.at[i]))
      return false;
  // b is all of one option of a choice here, or some of the options.
  bool is_below = b->path.len > a->path.len;
  const struct path_step *next = is_below ? &b->path.at[a->path.len] : NULL;
  if (a->kind != (next ? next->kind : b->kind))
    return false;
  for (uint32_t i = 0; i < a->options.len; i++)
    for (uint32_t k = 0; k < (next ? 1 : b->options.len); k++)
      if (a->options.at[i] == (next ? next->option : b->options.at[k]))
        return true;
  return false;
}

struct explore_task *explore_task_of_core(struct core *c) {
  struct explore_task *t = xcalloc(1, sizeof *t);
  t->core = core_share(c);
  return t;
}

struct explore_task *explore_task_copy(const struct explore_task *t) {
  struct explore_task *copy = explore_task_of_core(t->core);
  copy->kind = t->kind;
  copy->rank = t->rank;
  for (uint32_t i = 0; i < t->path.len; i++)
    array_push(&copy->path, t->path.at[i]);
  for (uint32_t i = 0; i < t->options.len; i++)
    array_push(&copy->options, t->options.at[i]);
  return copy;
}

struct explore_task *explorer_give_core(struct explorer *x) {
  if (!x->cycles.found.len)
    return NULL;
  struct core *c = array_pop(&x->cycles.found);
  struct explore_task *t = explore_task_of_core(c);
  core_drop(c);
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

// ---- the order of the search

// What has the higher rank is taken first. A path leads to what is found on it
// before it leads to anything that is longer.
static int compare_paths(const path_steps *a, const path_steps *b) {
  uint32_t n = a->len < b->len ? a->len : b->len;
  for (uint32_t i = 0; i < n; i++)
    if (a->at[i].rank != b->at[i].rank)
      return a->at[i].rank > b->at[i].rank ? -1 : 1;
  return a->len < b->len ? -1 : a->len > b->len;
}

void explorer_place(const struct explorer *x, struct explore_place *ret) {
  *ret = (struct explore_place){.core = core_number(x->cycles.start)};
  for (uint32_t i = 0; i < x->path.len; i++)
    array_push(&ret->path, x->path.at[i]);
}

int explore_place_compare(const struct explore_place *a,
                          const struct explore_place *b) {
  if (a->core != b->core)
    return a->core < b->core ? -1 : 1;
  return compare_paths(&a->path, &b->path);
}

bool explore_task_is_after(const struct explore_task *t,
                           const struct explore_place *p) {
  if (explore_task_finds_cores(t))
    return !p->core;
  struct explore_place first = {.core = core_number(t->core)};
  for (uint32_t i = 0; i < t->path.len; i++)
    array_push(&first.path, t->path.at[i]);
  if (t->options.len)
    array_push(&first.path,
               (struct path_step){.rank = t->rank + t->options.len - 1});
  bool ret = explore_place_compare(&first, p) > 0;
  array_done(&first.path);
  return ret;
}

// An explorer goes from one place only to later ones, but for the way to where
// it takes over a part.
bool explorer_is_after(const struct explorer *x,
                       const struct explore_place *p) {
  uint32_t core = core_number(x->cycles.start);
  if (x->follows.mode != SEARCH || core < p->core)
    return false;
  return core > p->core || compare_paths(&x->path, &p->path) > 0;
}
