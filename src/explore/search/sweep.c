// SPDX-License-Identifier: MIT
// A sweep: a random part of the search that stands for all of it. The search is
// made as ever, but an option that is taken survives with some probability p
// only, and then weighs 1/p times as much as the step that it belongs to. What
// is counted below it, times that weight, is an unbiased estimate of what there
// is [Knuth, Math. Comp. 29, 1975], whatever p is.
//
// A single random path is a poor estimate where most options lead nowhere: in
// loops that try again, or where updates follow each other. So p is such that
// on each level of the tree (the number of steps to there) about `width`
// options survive, all of about the same weight: `least`, which is the number
// of options on that level, as earlier sweeps have it, by the width. Where a
// level has fewer, all of them survive; a tree that is small is swept whole.
//
// Options survive evenly spaced in the order of the search: each adds its p to
// a sum that begins anywhere between 0 and 1, and survives when that comes to
// the next whole number. Neighbours are alike, so that this is better than to
// ask chance each time, and each still survives with probability p. A level
// with too many survivors gets a larger `least`, and a new beginning of its
// sum: what comes then is not biased by what has come.
//
// What begins with a core (part.c) is left out: there is no tree of cores.
#include "base/hash.h"
#include "explore/search/search.h"

#include <math.h>

enum { FIRST_WIDTH = 32, AS_WIDE = 8 }; // so many sweeps; then twice as wide

// No step weighs more: so no sum of weights, and no product of one with widths
// and counts, is beyond what a double holds (it would be infinite, and the
// difference of two of them no number). Where it is reached, the estimate is of
// more than EXPLORE_MANY.
static const double HEAVIEST = 1e250;

static double random_share(struct explore_sweep *s) {
  s->random += 0x9e3779b97f4a7c15u;
  return (double)(hash_u64(s->random) >> 11) * 0x1p-53;
}

static void begin_level(struct explore_sweep *s, struct sweep_level *l) {
  l->sum = random_share(s);
  l->options = 0;
  l->survivors = 0;
  l->least = s->sweeps ? l->all / s->widths / (double)s->width : 0;
}

static struct sweep_level *level_at(struct explore_sweep *s, uint32_t depth) {
  while (s->levels.len <= depth) {
    array_push(&s->weights, 0);
    begin_level(s, array_extend(&s->levels, 1));
  }
  return &s->levels.at[depth];
}

static double weight_at(const struct explore_sweep *s, uint32_t length) {
  return length ? s->weights.at[length - 1] : 1;
}

static uint64_t hash_of_path(const struct explorer *x) {
  uint64_t h = 0;
  for (uint32_t i = 0; i < x->path.len; i++)
    h = hash_mix(h, x->path.at[i].rank);
  return h;
}

void sweep_count(struct explorer *x) {
  struct explore_sweep *s = x->sweep;
  const struct explore_result *r = &x->result;
  uint64_t executions = r->executions - s->counted_executions;
  uint64_t blocked = r->blocked - s->counted_blocked;
  if (!executions && !blocked)
    return;
  double weight = weight_at(s, x->path.len);
  if (s->on_met && executions)
    s->on_met(s->arg, hash_of_path(x), executions);
  s->size.executions += weight * (double)executions;
  s->size.blocked += weight * (double)blocked;
  s->counted_executions = r->executions;
  s->counted_blocked = r->blocked;
}

bool sweep_survives(struct explorer *x) {
  struct explore_sweep *s = x->sweep;
  uint32_t depth = x->path.len - 1;
  struct sweep_level *l = level_at(s, depth);
  double weight = weight_at(s, depth);
  l->options += weight;
  // Nothing is known of a level that is new: one option of each step survives.
  double least = l->least > 0 ? l->least : weight * x->path.at[depth].siblings;
  double p = weight < least ? weight / least : 1;
  l->sum += p;
  if (l->sum < 1)
    return s->is_whole = false;
  l->sum -= 1;
  s->weights.at[depth] = fmin(weight / p, HEAVIEST);
  if (++l->survivors > 2 * s->width) {
    l->survivors = 0;
    l->least = 2 * least;
    l->sum = random_share(s);
  }
  return true;
}

void sweep_begin(struct explorer *x, struct explore_sweep *s) {
  uint64_t doubled = s->sweeps / AS_WIDE;
  s->width = (uint64_t)FIRST_WIDTH << (doubled < 32 ? doubled : 32);
  s->is_whole = true;
  s->size = (struct explore_size){0};
  for (uint32_t i = 0; i < s->levels.len; i++)
    begin_level(s, &s->levels.at[i]);
  s->counted_executions = x->result.executions;
  s->counted_blocked = x->result.blocked;
  x->sweep = s;
}

// Wide sweeps know more than narrow ones, so they count for more. The first
// ones know little of how many options a level has: they often lead nowhere,
// and now and then to something that weighs far too much.
static double share_of(const struct explore_sweep *s) {
  double known = fmin((double)s->sweeps, AS_WIDE) / (double)AS_WIDE;
  return (double)s->width * known * known;
}

void sweep_add_up(struct explore_sweep *s) {
  s->sweeps++;
  double n = share_of(s), mean = s->mean.executions;
  for (uint32_t i = 0; i < s->levels.len; i++)
    s->levels.at[i].all += n * s->levels.at[i].options;
  s->widths += n;
  s->mean.executions += (s->size.executions - mean) * n / s->widths;
  s->mean.blocked += (s->size.blocked - s->mean.blocked) * n / s->widths;
  s->spread =
      hypot(s->spread, n * sqrt(fabs(s->size.executions - mean)) *
                           sqrt(fabs(s->size.executions - s->mean.executions)));
}

double explore_sweep_error(const struct explore_sweep *s) {
  return s->sweeps < 2 || s->is_whole ? 0 : s->spread / s->widths;
}

void explore_sweep_done(struct explore_sweep *s) {
  array_done(&s->levels);
  array_done(&s->weights);
}
