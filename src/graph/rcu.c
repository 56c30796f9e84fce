// SPDX-License-Identifier: MIT
// The beginning of a section is looked for backwards from its end, past
// sections that lie inside.
#include "graph/rcu.h"

#include "base/fence.h"

static bool is_fence(const struct event *e, enum fence_kind k) {
  return e->kind == EV_FENCE && fence_kind_of(e->value) == k;
}

static event_id begin_of_rcu(const struct graph *g, const struct event *end) {
  unsigned open = 0;
  for (uint32_t i = end->index; i-- > 0;) {
    event_id id = graph_at(g, end->thread, i);
    const struct event *e = &g->events[id];
    if (is_fence(e, FENCE_RCU_UNLOCK))
      open++;
    else if (is_fence(e, FENCE_RCU_LOCK) && !open--)
      return id;
  }
  return NO_EVENT;
}

event_id rcu_begin(const struct graph *g, event_id id) {
  if (id == INIT_EVENT)
    return NO_EVENT;
  const struct event *e = &g->events[id];
  return is_fence(e, FENCE_RCU_UNLOCK) ? begin_of_rcu(g, e) : NO_EVENT;
}
