// SPDX-License-Identifier: MIT
// What was decided about threads while graphs with guesses are found
// (forward.c): they stop for good, go on, or wait for a write.
#include "explore/cycles/justify/justify.h"

const struct pause *pause_of(const struct explorer *x, thread_id t) {
  const struct pause *p = &x->cycles.paused[t];
  return p->length && p->length == graph_thread_length(&x->g, t) ? p : NULL;
}

void pause_set(struct explorer *x, thread_id t, uint32_t since) {
  array_push(&x->cycles.pauses, (struct pause_before){t, x->cycles.paused[t]});
  x->cycles.paused[t] = (struct pause){graph_thread_length(&x->g, t), since};
}

bool pause_may_stop(const struct explorer *x, thread_id t) {
  enum event_kind kind =
      (enum event_kind)x->g.events[graph_tail(&x->g, t)].kind;
  return kind == EV_START || kind == EV_WRITE || kind == EV_SPAWN;
}

bool pause_has_stopped(const struct explorer *x, thread_id t) {
  const struct pause *p = pause_of(x, t);
  return p && p->since == PAUSE_STOPS;
}

event_id pause_waits_since(const struct explorer *x, thread_id t) {
  const struct pause *p = pause_of(x, t);
  return p && p->since != PAUSE_STOPS && p->since != PAUSE_GOES ? p->since
                                                                : INIT_EVENT;
}

bool pause_may_run(const struct explorer *x, thread_id t) {
  event_id since = pause_waits_since(x, t);
  if (pause_has_stopped(x, t))
    return false;
  if (since == INIT_EVENT)
    return true;
  const struct event_list *co =
      &x->g.locs.at[vm_access(x->vm, x->g.threads[t].state)->loc].co;
  for (uint32_t i = 1; i < co->len; i++)
    if (co->at[i] > since)
      return true;
  return false;
}

bool pause_passes(const struct explorer *x, state_id s) {
  return x->cycles.guesses && model_guesses(x->config.model) &&
         event_is_failed_assertion(x, s);
}
