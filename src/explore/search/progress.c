// SPDX-License-Identifier: MIT
// How much of the search is left. The whole is 1; the options of a step share
// what came to the step, so an option weighs the product of the shares along
// its path [the on-line form of Knuth's estimate, Math. Comp. 29, 1975]. What
// is left are the options that were not taken yet.
//
// Options are taken to be alike, with one exception: when an update reads
// another write than the newest, that write is taken by another update most of
// the time, and only the revisits that put this one in its place remain.
#include "explore/search/search.h"

static const double RARE = 0.2; // against 1; from runs of fetch_add programs

// The part of its step that one option is.
static double share(uint32_t siblings, bool is_update, bool is_rare) {
  if (!is_update)
    return 1.0 / siblings;
  return (is_rare ? RARE : 1.0) / (1.0 + RARE * (siblings - 1));
}

double progress_left(const struct explorer *x) {
  double left = 0, here = 1;
  uint32_t at = 0;
  for (uint32_t i = 0; i < x->choices.len; i++) {
    const struct choice *c = &x->choices.at[i];
    for (; at < c->path; at++) {
      const struct path_step *s = &x->path.at[at];
      here *= share(s->siblings, s->is_update, s->is_rare);
    }
    uint32_t end =
        i + 1 < x->choices.len ? x->choices.at[i + 1].first : x->options.len;
    left += here * (end - c->first) *
            share(c->siblings, c->is_update, /*is_rare=*/c->is_update);
  }
  return left;
}
