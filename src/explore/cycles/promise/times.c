// SPDX-License-Identifier: MIT
// Time in cycles of po ∪ rf. What a look at a clock says is no less than what
// was said before it in po and rf (search/event.c). On a cycle that is no
// order: of two looks on it either may come first, and whichever does, the
// other one may say more.
//
// A promise keeps what looks have said (promise/replay.c), so it is that of the
// order in which the graph was found without the cycle: the other order is
// lost. And a guess has no source yet, so that with guesses only what happens
// before a look counts, or the same core would be built with several times.
// Both say all there is unless there are two looks, of different threads, that
// happens-before leaves unordered, one of which comes before a write that is
// promised, and the other behind a read that it is promised to; or which are in
// one graph with guesses. (Looks that happens-before orders are in that order
// on the cycle, too: promised reads order nothing by it, see promise.c. Those
// of one thread are in its own.) If there are, the search is incomplete by
// name.
//
// That is asked when a promise is tried, whatever comes of it: which of the
// ways to a core is the right one (is_by_parent) is asked with times that are
// kept.
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"

static const char why[] =
    "clocks are asked on a cycle of loads and stores, in an order of their own";

// Does nothing order the two looks?
static bool are_free(const struct graph *g, event_id a, event_id b) {
  return g->events[a].thread != g->events[b].thread && !graph_hb(g, a, b) &&
         !graph_hb(g, b, a);
}

// Does the event come behind one of the reads?
static bool is_behind(const struct graph *g, event_id id, const event_id *reads,
                      uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (graph_porf(g, reads[i], id))
      return true;
  return false;
}

void times_note_promise(struct explorer *x, thread_id t, const event_id *reads,
                        uint32_t n) {
  const struct graph *g = &x->g;
  if (!x->prog->has_clocks)
    return;
  event_id tail = graph_tail(g, t);
  for (event_id a = g->last; a != INIT_EVENT; a = g->events[a].prev)
    if (event_is_look(x, a) && (a == tail || graph_porf(g, a, tail)))
      for (event_id b = g->last; b != INIT_EVENT; b = g->events[b].prev)
        if (event_is_look(x, b) && are_free(g, a, b) &&
            is_behind(g, b, reads, n)) {
          error_note_left_out(x, why);
          return;
        }
}

void times_note_guessed(struct explorer *x, event_id look) {
  const struct graph *g = &x->g;
  for (event_id a = g->events[look].prev; a != INIT_EVENT;
       a = g->events[a].prev)
    if (event_is_look(x, a) && are_free(g, a, look)) {
      error_note_left_out(x, why);
      return;
    }
}
