// SPDX-License-Identifier: MIT
// Waiting reads, and how to do without futile waiting.
//
// A thread may wait with a read: one that found a lock held, or one that ended
// a failed round of an await (await.c). A new write revisits that read like any
// other [TruSt, POPL'22]. If the write is the newest, the branch in which the
// thread goes on waiting with an older one ends blocked, however it goes on; N
// threads that take one lock would come out as N! executions and many more
// blocked ones.
//
// That branch is needed for one thing only: as the graph from which other
// revisits delete the write again. So we leave it out when the revisit deletes
// nothing (everything newer than the read is in the prefix of the write), and
// let the graph in which the write was *handed over* stand for it: for the
// maximality test the read may count as still waiting, and when the write is
// deleted the read gets back what it had before. The thread of the read may
// have gone on in the meantime; that its events must be maximal too keeps the
// stand-in unique.
//
// A read may be handed several writes in turn and still wait. Each such write
// keeps in `before` what the read had until then; the read, what it began with.
#include "explore/loops/loops.h"

bool wait_is_alone(const struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  uint32_t first;
  if (e->kind != EV_READ || (e->flags & EVF_EXCLUSIVE))
    return false;
  return (e->flags & EVF_LOCK) ||
         ((e->flags & EVF_AWAIT) && await_waits(x, id, &first) &&
          first == e->index);
}

// The waiting read to which the next write of thread t, the newest of `loc`, is
// handed over; NO_EVENT if there is none.
static event_id taker(struct explorer *x, thread_id t, uint32_t loc) {
  const struct graph *g = &x->g;
  clock_id prefix = prefix_of(x, t);
  event_id e = g->last;
  while (e != INIT_EVENT && prefix_has(x, t, prefix, e))
    e = g->events[e].prev;
  if (g->events[e].loc != loc || !wait_is_alone(x, e))
    return NO_EVENT;
  // A race may be one with what was read before alone, and show at the end.
  if (g->events[e].order == ORD_NA ||
      vm_access(x->vm, g->threads[t].state)->order == ORD_NA)
    return NO_EVENT;
  // What it stands for may be allowed when it is not.
  if (x->config.model_options.in_pieces && !(g->events[e].flags & EVF_LOCK))
    return NO_EVENT;
  // Others that wait here must not be passed by for good.
  const struct event_list *reads = &g->locs.at[loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (reads->at[i] != e && wait_is_alone(x, reads->at[i]))
      return NO_EVENT;
  return e;
}

// Marks that `read`, which had `before`, got `write` that way.
static void hand_over(struct explorer *x, event_id read, event_id write,
                      event_id before, bool was_handed) {
  struct event *r = &x->g.events[read], *w = &x->g.events[write];
  if (!was_handed)
    r->before = before;
  r->flags |= EVF_HANDED;
  w->flags |= EVF_HANDED;
  w->before = before;
}

// Does the read have `write`, or had it before writes were handed over?
static bool counts_with(const struct graph *g, event_id read, event_id write) {
  const struct event *r = &g->events[read];
  for (event_id w = r->rf;; w = g->events[w].before) {
    if (w == write)
      return true;
    if (!(r->flags & EVF_HANDED) || w == r->before)
      return false;
  }
}

// `write` is about to be deleted: the read that was handed it waits again.
static void take_back(struct explorer *x, event_id write) {
  struct graph *g = &x->g;
  const struct event *w = &g->events[write];
  const struct event_list *reads = &g->locs.at[w->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (r->rf == write && (r->flags & EVF_HANDED)) {
      event_set_source(x, reads->at[i], w->before, w->before != r->before);
      advance_thread(x, reads->at[i]);
      return;
    }
  }
}

static const char *why_not(const struct explorer *x) {
  if (x->config.model->raises) // as in dominated.c
    return "the model raises flags on complete graphs";
  return explore_is_bounded(&x->config) ? "--bound" : NULL;
}

const struct mechanism hand_over_hooks = {
    .why_not = why_not,
    .taker = taker,
    .hands_over = hand_over,
    .counts_with = counts_with,
    .takes_back = take_back,
};
