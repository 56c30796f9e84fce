// SPDX-License-Identifier: MIT
// Revisits: a new write w may become the source of a read r that is in the
// graph already, if r is not in w's prefix. Everything that was added after r
// and is not in w's prefix is deleted, and will be added again with w in view.
//
// To meet each graph once, a revisit is taken from one graph only, the one
// whose deleted events (and r) were all added *maximally* [TruSt, POPL'22,
// §3.3]: with Prev(e) = what was added up to e, and the prefix of w,
//   - a read reads the co-last write of its location in Prev(e),
//   - a write is co-last in Prev(e) and nothing in Prev(e) reads it,
//   - a nondeterministic value is the first one.
// Whether e is maximal depends on e and w, not on r. So one walk from the
// newest event backwards finds all revisits: it stops at the first event
// outside of the prefix that is not maximal, since every older read would have
// to delete that one.
//
// The prefix is po ∪ rf here (all models so far forbid its cycles), so what is
// kept of a thread is a beginning of it. The start of a thread goes with the
// event that created it.
#include "explore/internal.h"

// Is `e` in the prefix of the next event of thread t?
static bool in_prefix(const struct graph *g, thread_id t, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind == EV_START && e->rf != NO_EVENT)
    e = &g->events[e->rf];
  if (e->thread == t || id == INIT_EVENT)
    return true;
  return clock_knows(&g->clocks, g->events[graph_tail(g, t)].porf, e->thread,
                     e->index);
}

// The co-last write of `loc` in Prev(e).
static event_id newest_in_prev(const struct graph *g, thread_id t, event_id e,
                               uint32_t loc) {
  const struct event_list *co = &g->locs.at[loc].co;
  uint32_t i = co->len - 1;
  while (i && !(co->at[i] <= e || in_prefix(g, t, co->at[i])))
    i--;
  return co->at[i];
}

// A lock read (lock.c) that found the lock free is like any read. One that had
// to wait is judged as if it still did, whoever got the lock since: its thread
// was stopped by the newest write of the lock in Prev(e), or by the taker that
// displaced it. But it must not have jumped the queue.
static bool lock_is_maximal(const struct explorer *x, thread_id t,
                            event_id id) {
  const struct event *e = &x->g.events[id];
  event_id newest = newest_in_prev(&x->g, t, id, e->loc);
  if (e->flags & EVF_JUMPED)
    return false;
  if (e->flags & EVF_DISPLACED)
    return newest == e->co || newest == e->rf;
  bool is_uninit;
  return newest == e->rf ||
         step_value_of(x, e->loc, newest, &is_uninit) != 0;
}

static bool read_is_maximal(const struct explorer *x, thread_id t,
                            event_id id) {
  const struct event *e = &x->g.events[id];
  return e->flags & EVF_LOCK
             ? lock_is_maximal(x, t, id)
             : newest_in_prev(&x->g, t, id, e->loc) == e->rf;
}

// Does the read, which is older than `write`, keep it from being deleted?
static bool holds(const struct event *read, event_id write) {
  if ((read->flags & EVF_DISPLACED) && read->co == write)
    return true;
  if (read->rf != write || lock_waits(read))
    return false;
  // A lock that was handed over can be taken back (revisit_cut).
  return !(read->flags & EVF_LOCK) || (read->flags & EVF_JUMPED);
}

static bool write_is_maximal(const struct graph *g, thread_id t, event_id id) {
  const struct event *e = &g->events[id];
  if (newest_in_prev(g, t, id, e->loc) != id)
    return false;
  const struct event_list *reads = &g->locs.at[e->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (reads->at[i] < id && holds(&g->events[reads->at[i]], id))
      return false;
  return true;
}

// Was e, which is not in the prefix of t's next event, added maximally?
static bool is_maximal(const struct explorer *x, thread_id t, event_id id) {
  const struct event *e = &x->g.events[id];
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return read_is_maximal(x, t, id);
  case EV_WRITE:
    return write_is_maximal(&x->g, t, id);
  case EV_CHOICE:
    return e->value == vm_access(x->vm, e->pre)->value;
  case EV_INIT:
  case EV_FENCE:
  case EV_START:
  case EV_SPAWN:
  case EV_END:
  case EV_JOIN:
  case EV_DETACH:
  case EV_ALLOC:
  case EV_FREE:
  case EV_OUTPUT:
    return true;
  }
  return true;
}

// A read that waits for a lock is never revisited: the lock is handed over.
static bool is_candidate(const struct graph *g, event_id id, uint32_t loc) {
  const struct event *e = &g->events[id];
  return e->kind == EV_READ && e->loc == loc && !lock_waits(e);
}

void revisit_find(struct explorer *x, thread_id t, uint32_t loc) {
  const struct graph *g = &x->g;
  const struct event_list *reads = &g->locs.at[loc].reads;
  uint32_t left = 0;
  for (uint32_t i = 0; i < reads->len; i++)
    left += is_candidate(g, reads->at[i], loc) &&
            !in_prefix(g, t, reads->at[i]);
  for (event_id e = g->last; left && e != INIT_EVENT; e = g->events[e].prev) {
    if (in_prefix(g, t, e))
      continue;
    if (!is_maximal(x, t, e))
      return;
    if (is_candidate(g, e, loc)) {
      array_push(&x->options, e);
      left--;
    }
  }
}

void revisit_cut(struct explorer *x, thread_id t, event_id read) {
  struct graph *g = &x->g;
  for (event_id e = g->last, prev; e > read; e = prev) {
    prev = g->events[e].prev;
    if (in_prefix(g, t, e))
      continue;
    if (g->events[e].kind == EV_WRITE && g->locs.at[g->events[e].loc].is_lock)
      lock_take_back(x, e);
    graph_delete(g, e);
  }
}
