// SPDX-License-Identifier: MIT
// Threads that wait or stop with an old value.
#include "explore/reduce/classes.h"

// Nothing comes of what the newest event of its thread read that does not come
// of something newer: a thread that stops with an old value will never get
// anywhere, since no revisit may take this read away, which is not maximal.
// What the others do then, they do as well when it reads the newest value. (Has
// the read raced, that was found, unless that waits for complete graphs.)
static bool is_dominated(struct explorer *x, event_id id,
                         enum leave_when when) {
  const struct event *e = &x->g.events[id];
  if (when != LEAVE_STOPPED || explore_has_put_off(x))
    return false;
  if (explore_ignores_co(x))
    return rf_is_old(x, e->loc, e->rf) && !rf_may_begin_with(x, id);
  return graph_co_place(&x->g, id) + 1 < x->g.locs.at[e->loc].co.len;
}

// A lock that is held lets its taker wait; only the newest state counts for
// that, since a thread that waits with an older one never gets anywhere else.
static bool skips_source(const struct explorer *x, const struct access *a,
                         uint32_t place) {
  const struct event_list *co = &x->g.locs.at[a->loc].co;
  bool is_uninit;
  return a->kind == ACC_LOCK_READ && place != co->len - 1 &&
         event_value_of(x, a->loc, co->at[place], &is_uninit) != 0;
}

// They may be about what was old: a plain write that happens before the newest
// one races with those who have read what was there before.
static const char *why_not(const struct explorer *x) {
  return x->config.model->raises ? "the model raises flags on complete graphs"
                                 : NULL;
}

const struct mechanism dominated_hooks = {
    .why_not = why_not,
    .leaves = is_dominated,
    .skips_source = skips_source,
};
