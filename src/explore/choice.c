// SPDX-License-Identifier: MIT
// What is still to be tried. Choices form a stack, and so do their options;
// leaving a branch undoes what it did to the graph.
#include "explore/internal.h"

void choice_open(struct explorer *x, enum choice_kind kind, thread_id t,
                 event_id revisit, uint32_t first) {
  if (x->options.len == first)
    return;
  uint32_t siblings = x->options.len - first;
  struct choice *below = x->choices.len ? array_last(&x->choices) : NULL;
  if (below && below->path == x->path.len)
    siblings = below->siblings += siblings;
  bool is_update = kind == CHOICE_SOURCE &&
                   vm_access(x->vm, x->g.threads[t].state)->kind != ACC_READ;
  array_push(&x->choices, (struct choice){.kind = (uint8_t)kind,
                                          .thread = (uint8_t)t,
                                          .revisit = revisit,
                                          .hands_over = NO_EVENT,
                                          .first = first,
                                          .path = x->path.len,
                                          .siblings = siblings,
                                          .newest = *array_last(&x->options),
                                          .is_update = is_update,
                                          .state = x->g.threads[t].state,
                                          .core = x->core,
                                          .graph = graph_mark(&x->g),
                                          .vm = vm_mark(x->vm)});
#if HEDDLE_SLOW_CHECKS
  array_last(&x->choices)->hash = verify_hash(x, t);
#endif
}

void choice_narrow(struct explorer *x, uint32_t nth, const uint32_t *options,
                   uint32_t n) {
  x->choices.at[0] = x->choices.at[nth];
  x->choices.at[0].first = 0;
  x->choices.len = 1;
  x->options.len = 0;
  for (uint32_t i = 0; i < n; i++)
    array_push(&x->options, options[i]);
}

// Answers about the graph (step.c) make no event, so undoing does not take them
// back. Whoever asked asks again, but for the thread of the choice.
static void forget_answers(struct explorer *x, const struct choice *c) {
  for (thread_id t = 0; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t))
      graph_set_state(&x->g, t, x->g.events[graph_tail(&x->g, t)].state);
  graph_set_state(&x->g, c->thread, c->state);
  x->has_update = true;
}

bool choice_pop(struct explorer *x, struct choice *c, uint32_t *option) {
  if (!x->choices.len)
    return false;
  *c = *array_last(&x->choices);
  check(x->options.len > c->first);
  graph_undo_to(&x->g, c->graph);
  x->core = c->core;
  if (x->has_asked)
    forget_answers(x, c);
#if HEDDLE_SLOW_CHECKS
  check(x->has_asked || verify_hash(x, c->thread) == c->hash);
#endif
  vm_release(x->vm, c->vm);
  *option = array_pop(&x->options);
  if (x->options.len == c->first)
    x->choices.len--;
  x->path.len = c->path;
  array_push(&x->path,
             (struct path_step){c->kind, *option, c->siblings, c->is_update,
                                c->is_update && *option != c->newest});
  return true;
}
