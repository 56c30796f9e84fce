// SPDX-License-Identifier: MIT
// What threads leave behind in a round of a loop, and where a round ends.
#include "explore/loops/loops.h"

enum { MAX_FRAMES = 32 };

const struct event *trace_read_of(const struct graph *g,
                                  const struct event *e) {
  return &g->events[graph_at(g, e->thread, e->index - 1)];
}

// Did this event of a round leave no trace? (A write that is half of an update
// leaves none if it wrote the value that its read found: whoever reads it could
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

// Is `to` further up in the program than `from`? Only there a round is
// complete; in the middle of one, the thread has not yet given back.
bool trace_goes_back(const struct explorer *x, state_id before,
                     state_id after) {
  site_id from[MAX_FRAMES], to[MAX_FRAMES];
  unsigned n = vm_backtrace(x->vm, before, from, MAX_FRAMES);
  unsigned m = vm_backtrace(x->vm, after, to, MAX_FRAMES);
  while (n && m && from[n - 1] == to[m - 1])
    n--, m--;
  return n && m ? to[m - 1] < from[n - 1] : n == m;
}
