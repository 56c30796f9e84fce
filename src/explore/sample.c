// SPDX-License-Identifier: MIT
// How large the search is, by random descents [Knuth, Estimating the
// efficiency of backtrack programs, Math. Comp. 29, 1975]: go from the root to
// an end and take at each step one of the n open options by chance. An end
// that is reached with probability p stands for 1/p ends; the mean over many
// descents is the size of the tree, however uneven the tree is.
#include "base/hash.h"
#include "explore/internal.h"

static uint32_t random_below(uint64_t *random, uint32_t n) {
  *random += 0x9e3779b97f4a7c15u;
  return (uint32_t)(((hash_u64(*random) >> 32) * n) >> 32);
}

void sample_narrow(struct explorer *x) {
  if (!x->choices.len)
    return;
  x->weight *= x->options.len;
  uint32_t chosen = random_below(x->random, x->options.len);
  uint32_t option = x->options.at[chosen], nth = x->choices.len - 1;
  while (x->choices.at[nth].first > chosen)
    nth--;
  choice_narrow(x, nth, &option, 1);
}

struct descent explorer_descend(struct explorer *x, uint64_t *random) {
  const uint64_t complete = x->result.executions, blocked = x->result.blocked;
  x->mode = SAMPLE;
  x->weight = 1;
  x->random = random;
  explore_from_root(x);
  return (struct descent){
      .complete = x->result.executions > complete ? x->weight : 0,
      .blocked = x->result.blocked > blocked ? x->weight : 0};
}
