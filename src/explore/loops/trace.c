// SPDX-License-Identifier: MIT
// What threads leave behind in a round of a loop.
#include "explore/loops/loops.h"

const struct event *trace_read_of(const struct graph *g,
                                  const struct event *e) {
  return &g->events[graph_at(g, e->thread, e->index - 1)];
}

// Did this event of a round leave no trace? (A write that is half of an update
// leaves none if it wrote the value that its read found: what reads it could
// as well read the write before it. Locks are looked at later.)
bool trace_is_none(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  switch (e->kind) {
  case EV_READ:
  case EV_FENCE:
  case EV_CHOICE:
  case EV_ANSWER:
    return true;
  case EV_WRITE:
    return (e->flags & EVF_UNLOCK) ||
           ((e->flags & EVF_EXCLUSIVE) &&
            ((trace_read_of(g, e)->flags & EVF_LOCK) ||
             trace_read_of(g, e)->value == e->value));
  default:
    return false;
  }
}

bool trace_decides(const struct explorer *x, const struct event *e) {
  return e->kind == EV_READ || e->kind == EV_CHOICE ||
         (e->kind == EV_ANSWER && vm_access(x->vm, e->pre)->kind == ACC_CLOCK);
}

bool trace_races_are_errors(const struct explorer *x) {
  return !x->config.disabled[FIND_RACE] && !x->config.race_order &&
         !x->config.warning[FIND_RACE] && !x->config.model->has_races;
}
