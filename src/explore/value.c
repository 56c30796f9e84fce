// SPDX-License-Identifier: MIT
// A step that chooses: nondeterministic values, and compare-exchanges that may
// fail although they find what they expect.
#include "explore/loops/loops.h"

// Does thread t, whose CAS `a` of state s fails and leads to `now`, only come
// back to s? On the way it may load the location again; if that gives something
// else, the CAS could have failed with that. (What it expects is in registers,
// unless others could know where it is: front/promote.c. From memory it might
// learn what another thread has written there.)
static bool only_tries_again(struct explorer *x, thread_id t, state_id s,
                             const struct access *a, state_id now) {
  enum { FAR = 8 };
  for (unsigned i = 0; i < FAR; i++) {
    if (now == s || await_is_back(x, t, now))
      return true;
    const struct access b = *vm_access(x->vm, now);
    bool is_same = b.kind == ACC_READ && b.loc == a->loc &&
                   (a->order_fail == ORD_RLX || a->order_fail == b.order);
    if (!is_same)
      return false;
    now = vm_step(x->vm, now, a->value);
  }
  return false;
}

// A weak compare-exchange may fail although it reads what it expects. If it is
// only tried again, the thread is back where it was, and the execution without
// that round stands for the one with it (await.c). Else there is a choice.
bool value_may_fail(struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct access a = *vm_access(x->vm, s);
  if (x->opens_picks && cas_may_choose(&a))
    return true; // picks.c
  if (!(a.flags & ACCF_WEAK))
    return false;
  x->vm->is_trying = true;
  state_id fails = vm_step(x->vm, vm_weak(x->vm, s), 1);
  state_id after = vm_step(x->vm, fails, a.value);
  bool matters = !only_tries_again(x, t, s, &a, after);
  x->vm->is_trying = false;
  return matters;
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
  await_look(x, x->g.last);
  return GO_ON;
}

enum outcome value_step(struct explorer *x, thread_id t) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  check((int64_t)a->value <= (int64_t)a->value2);
  open_values(x, t, a->value);
  return GO_BACK;
}

enum outcome value_step_weak(struct explorer *x, thread_id t) {
  graph_set_state(&x->g, t, vm_weak(x->vm, x->g.threads[t].state));
  return value_step(x, t);
}
