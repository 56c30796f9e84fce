// SPDX-License-Identifier: MIT
// A search in parts for several processes, and the parts as one search again.
// How large a branch is, is guessed as for progress: the options of a step
// share what came to the step [Knuth, Math. Comp. 29, 1975].
#include "parallel/frontier.h"

#include <stdlib.h>
#include <string.h>

// UINT64_MAX: that many or more.
static void add_to(uint64_t *sum, uint64_t more) {
  if (__builtin_add_overflow(*sum, more, sum))
    *sum = UINT64_MAX;
}

void result_add(struct explore_result *sum, const struct explore_result *r) {
#define COUNT(field, ...) sum->field += r->field;
#include "explore/counts.def"
#undef COUNT
  add_to(&sum->stands_for, r->stands_for);
  add_to(&sum->witnesses, r->witnesses);
  if (r->asymmetry)
    sum->asymmetry = r->asymmetry;
  if (!explore_is_cut(sum))
    memcpy(sum->cut, r->cut, sizeof sum->cut);
  if (!sum->bound[0])
    memcpy(sum->bound, r->bound, sizeof sum->bound);
  if (!sum->sampled[0])
    memcpy(sum->sampled, r->sampled, sizeof sum->sampled);
  sum->leaves_buffering |= r->leaves_buffering;
  sum->leaves_rounds |= r->leaves_rounds;
  sum->leaves_flags |= r->leaves_flags;
  sum->meets_freed |= r->meets_freed;
  sum->asks_clocks |= r->asks_clocks;
  for (uint32_t k = 0; k < r->nkept_loops; k++)
    explore_keep_loop(sum, r->kept_loops[k]);
  for (uint32_t k = 0; k < r->nleft_at; k++)
    explore_leave_waiting(sum, r->left_waiting, r->left_at[k]);
  if (r->failures)
    sum->exit_status = r->exit_status;
  if (r->detail[0])
    memcpy(sum->detail, r->detail, sizeof sum->detail);
  if (r->free_orders > sum->free_orders)
    sum->free_orders = r->free_orders;
  if (r->max_graph > sum->max_graph)
    sum->max_graph = r->max_graph;
  if (r->limit)
    sum->limit = r->limit;
}

bool frontier_is_disjoint(const struct frontier *f) {
  for (uint32_t i = 0; i < f->tasks.len; i++)
    for (uint32_t k = 0; k < i; k++)
      if (explore_tasks_overlap(f->tasks.at[i], f->tasks.at[k]))
        return false;
  return true;
}

// ---- apart

struct branch {
  struct explore_task *task;
  double share;
};
typedef ARRAY(struct branch) branches;

static struct explore_task *one_branch(const struct explore_task *t,
                                       uint32_t nth) {
  struct explore_task *one = explore_task_copy(t);
  if (!t->options.len)
    return one;
  one->rank += nth;
  one->options.at[0] = one->options.at[nth];
  one->options.len = 1;
  return one;
}

// The share of the whole search that one option of the task is.
static double share_of(const struct explore_task *t) {
  double share = 1;
  for (uint32_t i = 0; i < t->path.len; i++)
    share /= t->path.at[i].siblings;
  return share / (t->rank + explore_task_branches(t));
}

static int larger_first(const void *x, const void *y) {
  const struct branch *a = x, *b = y;
  return (a->share < b->share) - (a->share > b->share);
}

// The part that has the least to do so far.
static uint32_t least(const double *shares, uint32_t n) {
  uint32_t ret = 0;
  for (uint32_t i = 1; i < n; i++)
    if (shares[i] < shares[ret])
      ret = i;
  return ret;
}

static void begin_part(struct frontier *part, const struct frontier *f,
                       uint32_t nth, uint32_t n) {
  *part = (struct frontier){
      .about = f->about, .family = f->family, .part = nth + 1, .parts = n};
  assume_join(&part->assumed, &f->assumed);
  for (uint32_t i = 0; i < f->learned.len; i++)
    assume_join(&part->assumed, &f->learned.at[i]);
  for (uint32_t i = 0; i < f->threads.len; i++)
    array_push(&part->threads, f->threads.at[i]);
  for (uint32_t i = 0; i < f->cores.len; i++)
    cores_know(&part->cores, f->cores.at[i]);
  if (nth)
    return;
  part->done = f->done;
  for (uint32_t i = 0; i < f->learned.len; i++)
    assume_join(array_extend(&part->learned, 1), &f->learned.at[i]);
  for (uint32_t i = 0; i < f->found.len; i++)
    frontier_add_finding(part, &f->found.at[i].finding, &f->found.at[i].place);
}

void frontier_split(struct frontier *f, uint32_t n, struct frontier *parts) {
  check(frontier_is_disjoint(f));
  branches all = {0};
  double *shares = xcalloc(n, sizeof *shares);
  for (uint32_t i = 0; i < n; i++)
    begin_part(&parts[i], f, i, n);
  for (uint32_t i = 0; i < f->tasks.len; i++)
    for (uint32_t k = 0; k < explore_task_branches(f->tasks.at[i]); k++)
      array_push(&all, (struct branch){one_branch(f->tasks.at[i], k),
                                       share_of(f->tasks.at[i])});
  if (all.len)
    qsort(all.at, all.len, sizeof *all.at, larger_first);
  for (uint32_t i = 0; i < all.len; i++) {
    uint32_t to = least(shares, n);
    shares[to] += all.at[i].share;
    array_push(&parts[to].tasks, all.at[i].task);
  }
  for (uint32_t i = 0; i < n; i++)
    parts[i].is_done = !parts[i].tasks.len;
  array_done(&all);
  free(shares);
}

// ---- together

static bool join_threads(thread_list *into, const thread_list *part) {
  for (uint32_t i = 0; i < part->len; i++) {
    if (i == into->len)
      array_push(into, part->at[i]);
    if (into->at[i].parent != part->at[i].parent ||
        into->at[i].nth != part->at[i].nth)
      return false;
  }
  return true;
}

bool frontier_join(struct frontier *f, const struct frontier *part) {
  if (!join_threads(&f->threads, &part->threads))
    return false;
  if (!f->parts)
    assume_join(&f->assumed, &part->assumed);
  f->about = part->about;
  f->family = part->family;
  f->part = f->parts = 1;
  result_add(&f->done, &part->done);
  for (uint32_t i = 0; i < part->cores.len; i++)
    cores_know(&f->cores, part->cores.at[i]);
  for (uint32_t i = 0; i < part->learned.len; i++)
    assume_join(array_extend(&f->learned, 1), &part->learned.at[i]);
  for (uint32_t i = 0; i < part->found.len; i++)
    frontier_add_finding(f, &part->found.at[i].finding,
                         &part->found.at[i].place);
  return true;
}

void frontier_keep_first_error(struct frontier *f, bool all_errors) {
  struct frontier_finding *first = NULL;
  for (uint32_t i = 0; i < f->found.len; i++) {
    struct frontier_finding *k = &f->found.at[i];
    if (!k->finding.is_warning &&
        (!first || explore_place_compare(&k->place, &first->place) < 0))
      first = k;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->found.len; i++) {
    struct frontier_finding *k = &f->found.at[i];
    bool stays = k->finding.is_warning || all_errors || k == first;
    for (uint32_t j = 0; j < kept && stays; j++)
      stays = !finding_is_same(&f->found.at[j].finding, &k->finding);
    if (stays)
      f->found.at[kept++] = *k;
    else
      array_done(&k->place.path);
  }
  f->found.len = kept;
}
