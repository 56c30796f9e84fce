// SPDX-License-Identifier: MIT
// What threads leave behind in a round of a loop.
#include "base/fence.h"
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

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

// Does the event begin (1) or end (-1) a section of RCU, or of SRCU?
static int section_step(const struct event *e) {
  enum fence_kind k = e->kind == EV_FENCE ? fence_kind_of(e->value) : FENCE_C11;
  if (e->flags & EVF_SRCU)
    return e->kind == EV_READ ? 1 : -1;
  return k == FENCE_RCU_LOCK ? 1 : k == FENCE_RCU_UNLOCK ? -1 : 0;
}

static bool is_same_section(const struct event *a, const struct event *b) {
  return a->kind == EV_FENCE || b->kind == EV_FENCE ? a->kind == b->kind
                                                    : a->loc == b->loc;
}

bool trace_keeps_sections(const struct explorer *x, thread_id t, uint32_t first,
                          uint32_t end) {
  for (uint32_t i = first; x->config.model->text && i < end; i++) {
    const struct event *e = event_of(&x->g, t, i);
    int depth = section_step(e);
    // Is what it begins ended, or what it ends begun, in between?
    for (uint32_t k = i; depth > 0 && ++k < end;)
      if (is_same_section(e, event_of(&x->g, t, k)))
        depth += section_step(event_of(&x->g, t, k));
    for (uint32_t k = i; depth < 0 && k-- > first;)
      if (is_same_section(e, event_of(&x->g, t, k)))
        depth += section_step(event_of(&x->g, t, k));
    if (depth)
      return false;
  }
  return true;
}
