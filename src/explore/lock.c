// SPDX-License-Identifier: MIT
// Locks without futile waiting. Taking a lock is an update that must read 0; a
// thread that finds the lock held waits with that read. When the lock is given
// back, the unlock revisits the read, like any write may revisit a read
// [TruSt, POPL'22]; the branch in which the thread goes on waiting with an old
// state ends blocked, however it goes on. N threads that take one lock would
// come out as N! executions and many more blocked ones.
//
// That branch is needed for one thing only: as the graph from which other
// revisits delete the unlock again. So we leave it out when the revisit deletes
// nothing (everything newer than the read is in the prefix of the unlock), and
// let the graph in which the lock was *handed over* stand for it: for the
// maximality test the read may count as still waiting, and when the unlock is
// deleted the lock is taken back. The thread of the read has gone on in the
// meantime; that its events must be maximal too keeps the stand-in unique.
#include "explore/internal.h"

event_id lock_taker(const struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  if (a->kind != ACC_UNLOCK)
    return NO_EVENT;
  event_id e = g->last;
  while (e != INIT_EVENT && revisit_in_prefix(g, t, e))
    e = g->events[e].prev;
  if (!lock_waits(&g->events[e]) || g->events[e].loc != a->loc)
    return NO_EVENT;
  // Others that wait must not be passed by for good.
  const struct event_list *reads = &g->locs.at[a->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (reads->at[i] != e && lock_waits(&g->events[reads->at[i]]))
      return NO_EVENT;
  return e;
}

void lock_hand_over(struct explorer *x, event_id read, event_id held) {
  struct event *r = &x->g.events[read];
  r->flags |= EVF_HANDED;
  r->co = held;
}

void lock_take_back(struct explorer *x, event_id write) {
  struct graph *g = &x->g;
  const struct event_list *reads = &g->locs.at[g->events[write].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (r->rf == write && (r->flags & EVF_HANDED))
      graph_set_rf(g, reads->at[i], r->co, g->events[r->co].value, r->order,
                   EVF_LOCK, 0);
  }
}
