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
//   - a nondeterministic value is the first one;
//   - of an atomic access in pieces (mixed.c), those after the first read the
//     newest write, or have the last place in co, that the model allows beside
//     the first one.
// Whether e is maximal depends on e and w, not on r. So one walk from the
// newest event backwards finds all revisits: it stops at the first event
// outside of the prefix that is not maximal, since every older read would have
// to delete that one.
//
// The prefix is po ∪ rf in every model, so what stays of a thread is a
// beginning of it. The start of a thread goes with the event that created it.
// Of the core (promise.c), which may have cycles of po ∪ rf, nothing is ever
// deleted or revisited: it counts as added before everything else.
//
// Why each graph is met once: from the graph after a revisit, the one before it
// is found again without any choice. Begin with what was added before r and the
// prefix of w; then let the scheduler (a function of the graph) name one event
// after another, take those that are there already as they are and all others
// maximally, until w is next. And each graph G is met: follow the scheduler
// towards G; where it comes to a read whose source w is not there yet, the
// graph just described is met by induction, and its w revisits the read. It
// exists since an event that nothing comes after may always be added maximally:
// no edge of any model leaves it.
#include "explore/memory/memory.h"

// The co-last write of e's location in Prev(e).
static event_id newest_in_prev(const struct explorer *x, thread_id t,
                               clock_id prefix, event_id e) {
  const struct event_list *co = &x->g.locs.at[x->g.events[e].loc].co;
  uint32_t i = co->len - 1;
  while (i && !(co->at[i] <= e || prefix_has(x, t, prefix, co->at[i])))
    i--;
  return co->at[i];
}

// Does the read, which is older than `write`, keep it from being deleted?
static bool holds(const struct event *read, event_id write) {
  return (read->flags & EVF_HANDED ? read->before : read->rf) == write;
}

static bool is_held(const struct graph *g, event_id write) {
  const struct event_list *reads = &g->locs.at[g->events[write].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (reads->at[i] < write && holds(&g->events[reads->at[i]], write))
      return true;
  return false;
}

// Does the model allow the graph in which piece `id`, the newest event of its
// thread, reads the write at `place`, or has that place itself?
static bool is_allowed_at(struct explorer *x, event_id id, uint32_t place) {
  const struct event *e = &x->g.events[id];
  struct graph_mark mark = graph_mark(&x->g);
  if (e->kind == EV_READ)
    event_set_source(x, id, x->g.locs.at[e->loc].co.at[place], false);
  else
    graph_move_in_co(&x->g, id, place);
  bool ok = advance_is_allowed(x, id, NO_EVENT);
  graph_undo_to(&x->g, mark);
  return ok;
}

// A piece of an atomic access that is not the first: is nothing newer than what
// it has allowed in Prev(e)?
static bool is_newest_allowed(struct explorer *x, thread_id t, event_id id) {
  struct graph_mark mark = graph_mark(&x->g);
  bool found = false;
  revisit_cut(x, t, id);
  const struct event *e = &x->g.events[id];
  uint32_t last = x->g.locs.at[e->loc].co.len - 1;
  for (uint32_t at = last; !found && at > graph_co_place(&x->g, id); at--)
    found = is_allowed_at(x, id, at);
  graph_undo_to(&x->g, mark);
  return !found;
}

static bool is_later_piece(const struct explorer *x, const struct event *e) {
  return x->config.model_options.in_pieces && is_access(e) &&
         (e->flags & EVF_PIECE) && (e->flags & EVF_NEXT);
}

static bool access_is_maximal(struct explorer *x, thread_id t, clock_id prefix,
                              event_id id) {
  const struct event *e = &x->g.events[id];
  if (is_later_piece(x, e))
    return !(e->kind == EV_WRITE && is_held(&x->g, id)) &&
           (torn_is_newest(x, t, prefix, id) || is_newest_allowed(x, t, id));
  if (e->kind == EV_READ) {
    if (explore_ignores_co(x))
      return x->hooks.is_maximal(x, t, prefix, id);
    event_id newest = newest_in_prev(x, t, prefix, id);
    // One that was handed a write may count as still waiting for it.
    return e->rf == newest ||
           ((e->flags & EVF_HANDED) && x->hooks.counts_with(&x->g, id, newest));
  }
  if (is_held(&x->g, id))
    return false;
  return explore_ignores_co(x) || newest_in_prev(x, t, prefix, id) == id;
}

// Was e, which is not in the prefix of t's next event, added maximally?
static inline bool is_maximal(struct explorer *x, thread_id t, clock_id prefix,
                              event_id id) {
  const struct event *e = &x->g.events[id];
  if (is_access(e))
    return access_is_maximal(x, t, prefix, id);
  return e->kind != EV_CHOICE || e->value == vm_access(x->vm, e->pre)->value;
}

bool revisit_all_maximal(struct explorer *x, thread_id t) {
  clock_id prefix = prefix_of(x, t);
  for (event_id e = x->g.last; e > x->core; e = x->g.events[e].prev)
    if (!prefix_has(x, t, prefix, e) && !is_maximal(x, t, prefix, e))
      return false;
  return true;
}

// How many reads of `loc` by other threads are not in the prefix of t's next
// event?
static uint32_t count_candidates(const struct explorer *x, thread_id t,
                                 clock_id prefix, uint32_t loc) {
  const struct graph *g = &x->g;
  const struct graph_loc *l = &g->locs.at[loc];
  uint32_t n = 0;
  if (!l->reads.len)
    return 0;
  for (uint64_t rest = l->threads & ~(1ull << t); rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    const struct event_list *list = &l->by_thread[u];
    uint32_t known = clock_get(&g->clocks, prefix, u);
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
  clock_id prefix = prefix_of(x, t);
  uint32_t left = count_candidates(x, t, prefix, loc);
  for (event_id e = g->last; left && e > x->core; e = g->events[e].prev) {
    if (prefix_has(x, t, prefix, e))
      continue;
    if (!is_maximal(x, t, prefix, e))
      return;
    if (g->events[e].kind == EV_READ && g->events[e].loc == loc) {
      array_push(&x->options, e);
      left--;
    }
  }
}

bool revisit_makes_room(struct explorer *x, thread_id t, clock_id prefix,
                        event_id source) {
  const struct graph *g = &x->g;
  const struct event *w = &g->events[source];
  const struct event_list *co =
      &g->locs.at[vm_access(x->vm, g->threads[t].state)->loc].co;
  const struct event *next =
      w->co + 1 < co->len ? &g->events[co->at[w->co + 1]] : NULL;
  if (!next || !(next->flags & EVF_EXCLUSIVE))
    return true;
  event_id taker = graph_at(g, next->thread, next->index - 1);
  bool goes = taker > x->core && !prefix_has(x, t, prefix, taker) &&
              is_maximal(x, t, prefix, taker);
  for (event_id e = g->last; goes && e > taker; e = g->events[e].prev)
    goes = prefix_has(x, t, prefix, e) || is_maximal(x, t, prefix, e);
  return goes;
}

void revisit_cut(struct explorer *x, thread_id t, event_id last) {
  struct graph *g = &x->g;
  clock_id prefix = prefix_of(x, t);
  for (event_id e = g->last, prev; e > last; e = prev) {
    prev = g->events[e].prev;
    if (prefix_has(x, t, prefix, e))
      continue;
    if (g->events[e].kind == EV_WRITE && (g->events[e].flags & EVF_HANDED))
      x->hooks.takes_back(x, e);
    graph_delete(g, e);
  }
}
