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

static bool in_prefix(const struct graph *g, thread_id t, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind == EV_START && e->rf != NO_EVENT)
    e = &g->events[e->rf];
  if (e->thread == t || id == INIT_EVENT)
    return true;
  return clock_knows(&g->clocks, g->events[graph_tail(g, t)].porf, e->thread,
                     e->index);
}

bool revisit_in_prefix(const struct graph *g, thread_id t, event_id id) {
  return in_prefix(g, t, id);
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

static bool read_is_maximal(const struct graph *g, thread_id t, event_id id) {
  const struct event *e = &g->events[id];
  // A read that was handed a write may count as still waiting (wait.c).
  return wait_counts_with(g, id, newest_in_prev(g, t, id, e->loc));
}

// Does the read, which is older than `write`, keep it from being deleted?
static bool holds(const struct event *read, event_id write) {
  return read->flags & EVF_HANDED ? read->co == write : read->rf == write;
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
    return read_is_maximal(&x->g, t, id);
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

// How many reads of `loc` are not in the prefix of t's next event?
static uint32_t count_candidates(const struct graph *g, thread_id t,
                                 uint32_t loc) {
  const struct graph_loc *l = &g->locs.at[loc];
  clock_id porf = g->events[graph_tail(g, t)].porf;
  uint32_t n = 0;
  for (uint64_t rest = l->threads & ~(1ull << t); rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    const struct event_list *list = &l->by_thread[u];
    uint32_t known = clock_get(&g->clocks, porf, u);
    for (uint32_t i = list->len; i-- > 0;) {
      const struct event *e = &g->events[list->at[i]];
      if (e->index < known)
        break;
      n += e->kind == EV_READ;
    }
  }
  return n;
}

void revisit_find(struct explorer *x, thread_id t, uint32_t loc) {
  const struct graph *g = &x->g;
  uint32_t left = count_candidates(g, t, loc);
  for (event_id e = g->last; left && e != INIT_EVENT; e = g->events[e].prev) {
    if (in_prefix(g, t, e))
      continue;
    if (!is_maximal(x, t, e))
      return;
    if (g->events[e].kind == EV_READ && g->events[e].loc == loc) {
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
    if (g->events[e].kind == EV_WRITE && (g->events[e].flags & EVF_HANDED))
      wait_take_back(x, e);
    // The first half of an update may stay.
    x->has_update |= g->events[e].flags & EVF_EXCLUSIVE;
    graph_delete(g, e);
  }
}
