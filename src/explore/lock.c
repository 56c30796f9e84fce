// SPDX-License-Identifier: MIT
// Locks without futile waiting. Taking a lock is an update that must read 0;
// a thread that finds the lock held waits, its read being *parked*. A parked
// read stands for "not taken yet": its source is kept at the newest write of
// the lock, for reports and so that it adds no edge to the graph.
//
// Two things make N threads that take one lock once come out as N! executions
// with none blocked, instead of one blocked execution for every way to wait:
//
// - Handing over. When the lock is given back and reads are parked, one of
//   them takes it there and then; which one is a choice. In terms of revisits
//   [TruSt, POPL'22] the unlock revisits the parked read in place, and the
//   branch in which it goes on waiting is not explored: whatever the lock does
//   next, another taker can still displace this one.
// - Displacing. A new taker may read a free state that is taken already. Its
//   write then revisits the earlier taker, which is parked.
//
// For the maximality test (revisit.c) the canonical state of a lock read is
// what it would be if it were added to Prev(e) last: parked if the lock is
// held there, whatever happened since, provided that the longest waiting read
// always came first. So a read that jumped the queue is never maximal, one that
// was displaced counts as reading what displaced it, and a hand-over does not
// keep its unlock from being deleted: it is taken back then.
#include "explore/internal.h"

bool lock_waits(const struct event *e) {
  return e->kind == EV_READ && (e->flags & EVF_LOCK) &&
         !(e->flags & EVF_EXCLUSIVE);
}

static void set_source(struct explorer *x, event_id read, event_id write,
                       uint8_t flags, state_id state) {
  struct event *r = &x->g.events[read];
  graph_set_rf(&x->g, read, write, x->g.events[write].value, r->order, flags,
               state);
}

void lock_displace(struct explorer *x, event_id read, event_id write) {
  set_source(x, read, write, EVF_LOCK | EVF_DISPLACED, 0);
  x->g.events[read].co = write;
}

bool lock_hand_over(struct explorer *x, thread_id t, uint32_t loc) {
  const struct event_list *reads = &x->g.locs.at[loc].reads;
  uint32_t first = x->options.len;
  for (uint32_t i = 0; i < reads->len; i++) {
    if (!lock_waits(&x->g.events[reads->at[i]]))
      continue;
    // Options are taken from the end: keep the one that waits longest there.
    uint32_t k = x->options.len;
    array_push(&x->options, reads->at[i]);
    for (; k > first && x->options.at[k - 1] < reads->at[i]; k--) {
      x->options.at[k] = x->options.at[k - 1];
      x->options.at[k - 1] = reads->at[i];
    }
  }
  if (x->options.len == first)
    return false;
  choice_open(x, CHOICE_TAKER, t, NO_EVENT, first);
  return true;
}

bool lock_take(struct explorer *x, event_id read) {
  const struct graph *g = &x->g;
  const struct event_list *reads = &g->locs.at[g->events[read].loc].reads;
  uint8_t flags = EVF_LOCK | EVF_EXCLUSIVE;
  flags |= g->events[read].flags & EVF_DISPLACED;
  for (uint32_t i = 0; i < reads->len; i++)
    if (reads->at[i] < read && lock_waits(&g->events[reads->at[i]]))
      flags |= EVF_JUMPED;
  set_source(x, read, g->last, flags,
             vm_step(x->vm, g->events[read].pre, 0));
  return true;
}

void lock_take_back(struct explorer *x, event_id write) {
  const struct event_list *reads =
      &x->g.locs.at[x->g.events[write].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &x->g.events[reads->at[i]];
    if (r->rf == write && (r->flags & EVF_LOCK) && reads->at[i] < write &&
        !lock_waits(r))
      set_source(x, reads->at[i], write,
                 (uint8_t)(r->flags & ~(EVF_EXCLUSIVE | EVF_JUMPED)), 0);
  }
}

void lock_wait_again(struct explorer *x, uint32_t loc) {
  const struct graph_loc *l = &x->g.locs.at[loc];
  event_id newest = l->co.at[l->co.len - 1];
  for (uint32_t i = 0; i < l->reads.len; i++) {
    const struct event *r = &x->g.events[l->reads.at[i]];
    if (!lock_waits(r) || r->rf == newest)
      continue;
    check(x->g.events[newest].value); // nobody waits for a free lock
    set_source(x, l->reads.at[i], newest, r->flags, 0);
  }
}
