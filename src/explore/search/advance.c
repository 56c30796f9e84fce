// SPDX-License-Identifier: MIT
// A thread goes on after its newest event, once the model has accepted it.
#include "explore/search/search.h"

bool advance_is_allowed(struct explorer *x, event_id e, event_id other) {
  if (explore_ignores_co(x))
    return x->hooks.allows(x, e, other);
  const struct model_options *options = &x->config.model_options;
  if (x->tracks &&
      (options->in_pieces || x->config.model->needs_deps(&x->g, e)))
    deps_fill(x);
  bool keeps = graph_keeps_reservations(&x->g);
  bool ok = keeps &&
            (options->in_pieces
                 ? model_consistent_in_pieces(x->config.model, &x->g, e, other,
                                              options)
                 : model_consistent(x->config.model, &x->g, e, other, options));
#if HEDDLE_SLOW_CHECKS
  verify_deps(x);
  graph_verify(&x->g);
  // (No text knows that a store-conditional without a load fails.)
  if (keeps)
    model_verify(x->config.model, &x->g, &x->config.model_options, ok);
#endif
  return ok;
}

// Lets the thread of its newest event go on: only now is it sure that the event
// can happen, and that what the thread does then may be reported.
void advance_thread(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  state_id next = e->kind == EV_READ ? event_state_after_read(x, e)
                                     : vm_step(x->vm, e->pre, event_yield(e));
  e->state = next;
  graph_set_state(&x->g, e->thread, next);
  advance_tell(x, id);
  if (e->kind != EV_READ)
    return;
  hooks_went_on(x, id);
  x->met.stop |= advance_stops(x, id);
}

bool explore_leaves(struct explorer *x, event_id id, enum leave_when when) {
  bool is_left = hooks_leaves(x, id, when);
  if (is_left)
    hooks_was_left(x);
  return is_left;
}
