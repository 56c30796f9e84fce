// SPDX-License-Identifier: MIT
// Updates of a value that another update has taken: two of one write never stay
// in one graph, so the second is only of use if its write revisits the first.
// (Of updates in pieces, memory/late.c says when they are of no use.)
#include "explore/cycles/promise/promise.h"
#include "explore/memory/memory.h"

// The source of an update is taken. Is it known already that nothing comes of
// that, as its write can neither revisit who took it nor be promised to
// anybody? (Where the write has other ways to matter, that is not asked.)
static bool is_too_late(struct explorer *x, thread_id t, event_id write) {
  struct graph *g = &x->g;
  const struct event *w = &g->events[write];
  if (x->grouped || x->config.model_options.in_pieces)
    return false;
  uint32_t clocks = g->clocks.len;
  clock_id prefix = g->events[graph_tail(g, t)].porf;
  if (write != INIT_EVENT)
    prefix = clock_join(&g->clocks, prefix, w->porf, w->thread, w->index + 1);
  bool helps = revisit_makes_room(x, t, prefix, write) ||
               (x->promises && promise_has_reads(x, t, prefix));
  g->clocks.len = clocks;
  return !helps;
}

const struct mechanism too_late_hooks = {
    .is_too_late = is_too_late,
    .stays_late = late_stays,
};
