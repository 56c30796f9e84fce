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
// In most models the prefix is po ∪ rf, so what stays of a thread is a
// beginning of it. The start of a thread goes with the event that created it.
//
// Models that track dependencies have a smaller prefix (prefix.c), so that
// events may stay behind a hole. What is in front of the prefix in its threads,
// and will be a hole, is then looked at first and in its own way (hole.c); for
// the rest Prev(e) has it like the prefix itself, and nothing changes.
//
// Why each graph is still met once: from the graph after a revisit, the one
// before it is found again without any choice. Begin with what was added before
// r and the prefix of w; fill its holes maximally; then let the scheduler (a
// function of the graph) name one event after another, take those that are
// there already as they are and all others maximally, until w is next. And each
// graph G is met: follow the scheduler towards G; where it comes to a read
// whose source w is not there yet, the graph just described is met by
// induction, if it exists, and its w revisits the read. It exists if the holes
// can be filled, which we have not proved: the oracle tries to refute it
// (tests/prop).
//
// An update goes on at once even if there are holes, since others may need its
// write to fill them. Its own revisits wait until they are filled: they are
// *late*, and the graph before them has the write in it already.
#include "explore/internal.h"

static bool in_prefix(const struct explorer *x, thread_id t, event_id id) {
  return x->tracks ? prefix_has(x, id) : prefix_is_before(&x->g, t, id);
}

bool revisit_in_prefix(const struct explorer *x, thread_id t, event_id id) {
  return in_prefix(x, t, id);
}

// The co-last write of e's location in Prev(e).
static event_id newest_in_prev(const struct explorer *x, thread_id t,
                               event_id e) {
  const struct event_list *co = &x->g.locs.at[x->g.events[e].loc].co;
  uint32_t i = co->len - 1;
  while (i && !(co->at[i] <= e || (x->tracks ? prefix_fixes(x, co->at[i])
                                             : in_prefix(x, t, co->at[i]))))
    i--;
  return co->at[i];
}

static bool read_is_maximal(struct explorer *x, thread_id t, event_id id) {
  if (x->tracks && x->g.deps[id].is_filled)
    return hole_is_maximal(x, id);
  // A read that was handed a write may count as still waiting (wait.c).
  return wait_counts_with(&x->g, id, newest_in_prev(x, t, id));
}

// Does the read, which is older than `write`, keep it from being deleted?
static bool holds(const struct event *read, event_id write) {
  return read->flags & EVF_HANDED ? read->co == write : read->rf == write;
}

// The oldest read that is older than the write and holds it, or NO_EVENT.
static event_id oldest_holder(const struct graph *g, event_id id) {
  const struct event_list *reads = &g->locs.at[g->events[id].loc].reads;
  event_id oldest = NO_EVENT;
  for (uint32_t i = 0; i < reads->len; i++)
    if (reads->at[i] < id && reads->at[i] < oldest &&
        holds(&g->events[reads->at[i]], id))
      oldest = reads->at[i];
  return oldest;
}

static bool write_is_maximal(struct explorer *x, thread_id t, event_id id) {
  if (oldest_holder(&x->g, id) != NO_EVENT)
    return false;
  // The place of an update's write is given by its read, which may be older.
  if (x->tracks && (x->g.events[id].flags & EVF_EXCLUSIVE))
    return true;
  if (x->tracks && x->g.deps[id].is_filled)
    return hole_is_maximal(x, id);
  return newest_in_prev(x, t, id) == id;
}

// Was e, which is not in the prefix of t's next event, added maximally?
static bool is_maximal(struct explorer *x, thread_id t, event_id id) {
  const struct event *e = &x->g.events[id];
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return read_is_maximal(x, t, id);
  case EV_WRITE:
    return write_is_maximal(x, t, id);
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

// How many reads of `loc` by other threads are not before t's next event by
// po ∪ rf? Unless that is the prefix: how many are there at all? And which is
// the oldest? (What happens before that event says nothing then, it may hang on
// what is deleted.)
static uint32_t count_candidates(const struct explorer *x, thread_id t,
                                 uint32_t loc, bool is_porf, event_id *oldest) {
  const struct graph *g = &x->g;
  const struct graph_loc *l = &g->locs.at[loc];
  clock_id porf = g->events[graph_tail(g, t)].porf;
  uint32_t n = 0;
  *oldest = NO_EVENT;
  for (uint64_t rest = l->threads & ~(1ull << t); rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    const struct event_list *list = &l->by_thread[u];
    uint32_t known = is_porf ? clock_get(&g->clocks, porf, u) : 0;
    for (uint32_t i = list->len; i-- > 0;) {
      const struct event *e = &g->events[list->at[i]];
      if (e->index < known)
        break;
      n += e->kind == EV_READ;
      if (e->kind == EV_READ && list->at[i] < *oldest)
        *oldest = list->at[i];
    }
  }
  return n;
}

static bool is_candidate(const struct explorer *x, thread_id t, uint32_t loc,
                         event_id id) {
  const struct event *e = &x->g.events[id];
  return e->kind == EV_READ && e->loc == loc && e->thread != t;
}

// Appends the reads of `loc` that a write of thread t may revisit, whose prefix
// is marked; `left` are to be looked at. The write is `me` if it is there.
static void find_reads(struct explorer *x, thread_id t, uint32_t loc,
                       uint32_t left, event_id me) {
  const struct graph *g = &x->g;
  bool is_porf = !x->tracks || x->prefix.is_porf;
  event_id bound = NO_EVENT; // a newer read would lose its source
  bool leaves_hole = false;
  for (event_id e = g->last; left && e != INIT_EVENT; e = g->events[e].prev) {
    bool is_in = in_prefix(x, t, e) || e == me;
    if (is_in && is_porf)
      continue;
    bool may_be = is_candidate(x, t, loc, e);
    left -= may_be;
    if (is_in)
      continue;
    if (!is_porf && prefix_fixes(x, e) && g->events[e].kind != EV_CHOICE) {
      event_id holder =
          g->events[e].kind == EV_WRITE ? oldest_holder(g, e) : NO_EVENT;
      bound = holder < bound ? holder : bound;
      leaves_hole |= !prefix_promises(x, e);
    } else if (!is_maximal(x, t, e)) {
      return;
    }
    // What was added after the write could have had it as its source.
    if (may_be && e < me && e <= bound &&
        (!leaves_hole || hole_all_maximal(x, e)))
      array_push(&x->options, e);
  }
}

// Is e, which is not before w by po ∪ rf, not maximal whatever the prefix of w
// is: was there something newer when it was added?
static bool is_never_maximal(const struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  bool is_given = x->g.deps[id].is_filled || (e->flags & EVF_HANDED) ||
                  (e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE));
  if (!is_access(e) || is_given)
    return false;
  const struct event_list *co = &x->g.locs.at[e->loc].co;
  for (uint32_t i = graph_co_place(&x->g, id) + 1; i < co->len; i++)
    if (co->at[i] < id)
      return true;
  return false;
}

// Can no read be revisited, since a newer event would have to be deleted that
// is not maximal? Spares finding the prefix.
static bool is_hopeless(const struct explorer *x, thread_id t, uint32_t loc) {
  for (event_id e = x->g.last; e != INIT_EVENT; e = x->g.events[e].prev) {
    if (is_candidate(x, t, loc, e))
      return false;
    if (!prefix_is_before(&x->g, t, e) && is_never_maximal(x, e))
      return true;
  }
  return false;
}

void revisit_find(struct explorer *x, thread_id t, uint32_t loc) {
  event_id oldest;
  bool is_porf = !x->tracks || prefix_is_simple(x, t);
  uint32_t left = count_candidates(x, t, loc, is_porf, &oldest);
  if (left && !is_porf) {
    if (is_hopeless(x, t, loc))
      return;
    prefix_mark(x, t, oldest);
  }
  find_reads(x, t, loc, left, NO_EVENT);
}

void revisit_find_late(struct explorer *x, event_id write) {
  const struct event w = x->g.events[write];
  event_id oldest;
  uint32_t left = count_candidates(x, w.thread, w.loc, false, &oldest);
  if (!left)
    return;
  prefix_mark_of(x, write);
  find_reads(x, w.thread, w.loc, left, write);
}

static void delete_rest(struct explorer *x, thread_id t, event_id read) {
  struct graph *g = &x->g;
  for (event_id e = g->last, prev; e > read; e = prev) {
    prev = g->events[e].prev;
    if (in_prefix(x, t, e))
      continue;
    if (g->events[e].kind == EV_WRITE && (g->events[e].flags & EVF_HANDED))
      wait_take_back(x, e);
    // The first half of an update may stay.
    x->has_update |= g->events[e].flags & EVF_EXCLUSIVE;
    graph_delete(g, e);
  }
}

// The same where holes may be left: what was handed over goes back when
// whatever came of it is gone.
static void cut_holes(struct explorer *x, event_id read) {
  struct graph *g = &x->g;
  uint32_t handed = x->options.len;
  for (event_id e = g->last; e > read; e = g->events[e].prev)
    if (g->events[e].kind == EV_WRITE && (g->events[e].flags & EVF_HANDED) &&
        !prefix_has(x, e))
      array_push(&x->options, e);
  hole_cut(x, read, /*with_fixed=*/false);
  hole_behind(x, read);
  x->has_update = true;
  for (uint32_t i = handed; i < x->options.len; i++)
    wait_take_back(x, x->options.at[i]);
  x->options.len = handed;
  if (g->holed)
    graph_renew_clocks(g);
}

void revisit_cut_late(struct explorer *x, event_id write, event_id read) {
  prefix_mark_of(x, write);
  x->prefix.mark.at[write] = x->prefix.epoch;
  cut_holes(x, read);
}

void revisit_cut(struct explorer *x, thread_id t, event_id read) {
  if (x->tracks && !x->prefix.is_porf)
    cut_holes(x, read);
  else
    delete_rest(x, t, read);
}
