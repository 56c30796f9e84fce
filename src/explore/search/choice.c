// SPDX-License-Identifier: MIT
// What is still to be tried. Choices form a stack, and so do their options;
// leaving a branch undoes what it did to the graph.
#include "explore/search/search.h"

void choice_open(struct explorer *x, enum choice_kind kind, thread_id t,
                 event_id revisit, uint32_t first) {
  if (x->options.len <= first) {
    check(x->options.len == first);
    return;
  }
  uint32_t siblings = x->options.len - first, rank = 0;
  struct choice *below = x->choices.len ? array_last(&x->choices) : NULL;
  if (below && below->path == x->path.len) {
    rank = below->rank + (first - below->first);
    siblings = below->siblings += siblings;
  }
  array_push(&x->choices, (struct choice){.kind = (uint8_t)kind,
                                          .thread = (uint8_t)t,
                                          .revisit = revisit,
                                          .hands_over = NO_EVENT,
                                          .first = first,
                                          .path = x->path.len,
                                          .siblings = siblings,
                                          .rank = rank,
                                          .state = x->g.threads[t].state,
                                          .core = x->core,
                                          .pauses = x->cycles.pauses.len,
                                          .graph = graph_mark(&x->g),
                                          .vm = vm_mark(x->vm)});
#if HEDDLE_SLOW_CHECKS
  array_last(&x->choices)->hash = verify_hash(x, t);
#endif
}

// Takes the newest option of the newest choice.
static uint32_t take_option(struct explorer *x, const struct choice *c) {
  uint32_t option = array_pop(&x->options);
  array_push(&x->path,
             (struct path_step){.kind = c->kind,
                                .option = option,
                                .siblings = c->siblings,
                                .rank = c->rank + (x->options.len - c->first)});
  if (x->options.len == c->first)
    x->choices.len--;
  return option;
}

bool choice_begin(struct explorer *x, enum choice_kind kind, thread_id t,
                  event_id revisit, uint32_t first, uint32_t *option) {
  const struct choice *below = x->choices.len ? array_last(&x->choices) : NULL;
  bool is_alone = !below || below->path != x->path.len;
  bool has_other = x->options.len != first + 1 || !is_alone;
  if (revisit == NO_EVENT && (x->g.active & ~x->at.end) == UINT64_C(1) << t)
    hooks_at_last(x, t, first);
  if (x->options.len > first && !has_other) {
    *option = array_pop(&x->options);
    return true;
  }
  choice_open(x, kind, t, revisit, first);
  if (x->options.len == first || x->follows.mode == FOLLOW)
    return false;
  if (x->sweep)
    sweep_count(x);
  *option = take_option(x, array_last(&x->choices));
  return !x->sweep || sweep_survives(x);
}

void choice_narrow(struct explorer *x, uint32_t nth, const uint32_t *options,
                   uint32_t n, uint32_t rank) {
  check(nth < x->choices.len && n);
  x->choices.at[0] = x->choices.at[nth];
  x->choices.at[0].first = 0;
  x->choices.at[0].rank = rank;
  x->choices.len = 1;
  x->options.len = 0;
  for (uint32_t i = 0; i < n; i++)
    array_push(&x->options, options[i]);
}

void choice_undo_pauses(struct explorer *x, uint32_t n) {
  while (x->cycles.pauses.len > n) {
    const struct pause_before b = array_pop(&x->cycles.pauses);
    x->cycles.paused[b.thread] = b.pause;
  }
}

bool choice_pop(struct explorer *x, struct choice *c, uint32_t *option) {
  if (x->sweep)
    sweep_count(x);
  if (!x->choices.len)
    return false;
  *c = *array_last(&x->choices);
  check(x->options.len > c->first && c->path <= x->path.len);
  graph_undo_to(&x->g, c->graph);
  x->core = c->core;
  choice_undo_pauses(x, c->pauses);
#if HEDDLE_SLOW_CHECKS
  check(verify_hash(x, c->thread) == c->hash);
#endif
  vm_release(x->vm, c->vm);
  deps_trim(x);
  x->path.len = c->path;
  *option = take_option(x, c);
  return true;
}
