// SPDX-License-Identifier: MIT
// Where co does not count (rf_equivalence.c): which reads were added maximally,
// so that a revisit may delete them (revisit.c).
#include "explore/reduce/classes.h"

// Is the next event of thread t the write of an update whose read was added
// without asking for a witness, since its source is taken (read.c), and is the
// co that the graph has none for it?
static bool has_no_witness(struct explorer *x, thread_id t) {
  event_id tail = graph_tail(&x->g, t);
  const struct event *e = &x->g.events[tail];
  return event_is_update(x, t) &&
         event_is_taken(&x->g, e->loc, e->rf, tail, NO_EVENT) &&
         !rf_has_co(x, tail, NO_EVENT);
}

static event_id twin_of(const struct explorer *x, event_id read) {
  const struct event *e = &x->g.events[read];
  return symmetry_twin(x, e->thread, e->index, e->loc);
}

// Does no other update have the source of this read, but for that of thread t,
// which takes it away from another?
static bool may_have_source(const struct explorer *x, event_id read,
                            thread_id t) {
  const struct event *e = &x->g.events[read];
  return !(e->flags & EVF_EXCLUSIVE) ||
         !event_is_taken(&x->g, e->loc, e->rf, read, graph_tail(&x->g, t));
}

// Where co does not count: does the read have its canonical source
// (rf_equivalence.c)? Of those that are not old, each with a greater name is
// tried. With an equal thread before it, it is what that one reads, or the last
// one (symmetry.c).
bool rf_is_maximal(struct explorer *x, thread_id t, clock_id prefix,
                   event_id id) {
  const struct event *e = &x->g.events[id];
  uint32_t first = x->options.len, i = first;
  event_id twin = twin_of(x, id);
  if (twin != NO_EVENT && !(x->g.events[twin].flags & EVF_EXCLUSIVE))
    return e->rf == x->g.events[twin].rf;
  bool counts = false, has_none = has_no_witness(x, t);
  event_id rf = e->rf;
  struct rf_view view = {id, t, prefix};
  if (twin == NO_EVENT)
    rf_find_newest(x, &view, id);
  else
    rf_find_last(x, &view, id);
  for (uint32_t k = first; !counts && k < x->options.len; k++)
    counts = x->options.at[k] == rf;
  if (!counts || (x->options.at[first] == rf && !has_none)) {
    x->options.len = first;
    return counts;
  }
  struct graph_mark mark = graph_mark(&x->g);
  revisit_cut(x, t, id);
  struct graph_mark cut = graph_mark(&x->g);
  // If nothing is allowed, neither is the graph after the revisit.
  bool found = false;
  for (; !found && i < x->options.len; i++) {
    event_set_source(x, id, x->options.at[i], false);
    if (may_have_source(x, id, t))
      found =
          has_none ? rf_finds_co(x, UINT32_MAX) : rf_allows(x, id, NO_EVENT);
    graph_undo_to(&x->g, cut);
  }
  graph_undo_to(&x->g, mark);
  counts = found && x->options.at[i - 1] == rf;
  x->options.len = first;
  return counts;
}

bool rf_may_begin_with(struct explorer *x, event_id read) {
  return twin_of(x, read) != NO_EVENT &&
         rf_is_maximal(x, x->g.events[read].thread, x->g.events[read].porf,
                       read);
}
