// SPDX-License-Identifier: MIT
// A step that chooses: nondeterministic values, and compare-exchanges that may
// fail although they find what they expect.
#include "explore/findings/findings.h"

// A weak compare-exchange may fail although it reads what it expects. That is a
// choice, unless nothing comes of it.
bool value_may_fail(struct explorer *x, thread_id t) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  if (x->chooses_outcomes && cas_may_choose(a))
    return true;
  return (a->flags & ACCF_WEAK) && !hooks_fails_in_vain(x, t);
}

// So many values are options at a time; one more option stands for the rest.
enum { MANY_VALUES = 1 << 12 };

static void open_values(struct explorer *x, thread_id t, uint64_t lowest) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  uint64_t above = a->value2 - lowest; // how many are left besides the lowest
  uint32_t first = x->options.len;
  if (above >= MANY_VALUES)
    array_push(&x->options, MANY_VALUES);
  for (uint32_t n = above < MANY_VALUES ? (uint32_t)above + 1 : MANY_VALUES;
       n-- > 0;)
    array_push(&x->options, n);
  choice_open(x, CHOICE_VALUE, t, NO_EVENT, first);
  array_last(&x->choices)->lowest = lowest;
}

enum outcome value_take(struct explorer *x, const struct choice *c,
                        uint32_t above) {
  thread_id t = c->thread;
  state_id pre = c->state; // undoing may have led to the state before vm_weak
  uint64_t value = c->lowest + above;
  graph_set_state(&x->g, t, pre);
  if (above == MANY_VALUES) {
    open_values(x, t, value);
    return GO_BACK;
  }
  event_add_value(x, t, EV_CHOICE, value);
  advance_tell(x, x->g.last);
  return GO_ON;
}

enum outcome value_step(struct explorer *x, thread_id t) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  check((int64_t)a->value <= (int64_t)a->value2);
  if (a->flags & ACCF_SAMPLE)
    error_note_sample(x, vm_text(x->vm, a->argument));
  open_values(x, t, a->value);
  return GO_BACK;
}

enum outcome value_step_weak(struct explorer *x, thread_id t) {
  graph_set_state(&x->g, t, vm_weak(x->vm, x->g.threads[t].state));
  return value_step(x, t);
}
