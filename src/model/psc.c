// SPDX-License-Identifier: MIT
// The order of seq_cst events: that a relation psc has no cycle. There are two
// rules. RC11 [Lahav et al., PLDI'17, §3.4]:
//
//   scb   = po ∪ (po≠loc;hb;po≠loc) ∪ hb|loc ∪ co ∪ fr
//   psc   = ([Esc] ∪ [Fsc];hb?); scb; ([Esc] ∪ hb?;[Fsc])
//         ∪ [Fsc]; (hb ∪ hb;eco;hb); [Fsc]
//
// C++11, as one relation [Batty et al., POPL'16]:
//
//   psc   = [Esc]; (hb ∪ ([Fsc];sb)?;(co ∪ fr);(sb;[Fsc])?); [Esc]
//
// where sb is po within a thread, without creation and join.
// (Coherence and atomicity hold already when a model is asked.) A new event is
// the last of its thread; it adds a psc edge out of the past only if it comes
// before a write in co or fr, and then a cycle passes through it, if it is sc,
// or through an sc fence that happens before it (C++11: that is before it in
// its thread). Whichever it is, the cycle goes on with those later writes (in
// RC11 from a fence also with their readers); so one search forwards from them
// looks for a way back to any of these.
//
// What is reached is closed upwards in each thread (sc events in po are psc),
// so one number per thread says which sc events were reached, another one which
// events come after a reached fence, so that their co and fr edges count as the
// fence's own: by hb in RC11, in the fence's thread in C++11. Each event is
// walked at most once for each of the two, and a place in co as well.
//
// Accesses that are made in pieces (whole.c) are stretches of their threads: to
// reach a piece is to reach the first one, and each of them is walked. To
// happen after something is a matter of the access, so where that begins inside
// of one, it begins with its first piece.
#include "model/psc.h"

#include "model/whole.h"

#include <string.h>

enum { THREADS = 64 };

struct search {
  struct graph *g;
  bool is_rc11;                 // the rule
  bool in_pieces;               // accesses may be
  uint32_t goal[THREADS];       // sc events below this index
  uint32_t fence_goal[THREADS]; // the same, where only fences count
  uint32_t sc_from[THREADS], sc_done[THREADS]; // sc events that are reached
  uint32_t hb_from[THREADS], hb_done[THREADS]; // events after a reached fence
  bool from_fence; // a fence happens before a new event
  bool found;
};

static const struct event *event_of(const struct search *s, event_id e) {
  return &s->g->events[e];
}

static bool is_sc(const struct event *e) {
  return e->order == ORD_SC;
}

static bool is_sc_fence(const struct event *e) {
  return e->kind == EV_FENCE && e->order == ORD_SC;
}

// Where the access begins that the event at `i` of thread t belongs to.
static uint32_t begin_of(const struct search *s, unsigned t, uint32_t i) {
  return s->in_pieces ? whole_begin(s->g, t, i) : i;
}

// The first access, or other event, of thread u that happens after x.
static uint32_t first_after(const struct search *s, event_id x, unsigned u) {
  return begin_of(s, u, graph_first_after(s->g, x, u));
}

static void reach_sc(struct search *s, event_id x) {
  const struct event *e =
      event_of(s, s->in_pieces ? graph_first_piece(s->g, x) : x);
  s->found |= e->index < s->goal[e->thread];
  if (e->index < s->sc_from[e->thread])
    s->sc_from[e->thread] = e->index;
}

// The first sc fence of thread u with an index of at least i: reached.
static void reach_fence_from(struct search *s, unsigned u, uint32_t i) {
  uint32_t end = graph_thread_length(s->g, u);
  if (s->sc_from[u] < end)
    end = s->sc_from[u];
  for (; i < end; i++)
    if (is_sc_fence(event_of(s, graph_at(s->g, u, i)))) {
      reach_sc(s, graph_at(s->g, u, i));
      return;
    }
}

// The right-hand side hb;[Fsc], or po;[Fsc].
static void reach_fences_after(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  if (!s->g->sc_fences)
    return;
  if (!s->is_rc11) {
    reach_fence_from(s, e->thread, e->index + 1);
    return;
  }
  for (uint32_t u = 0; u < s->g->nthreads; u++)
    reach_fence_from(s, u, graph_first_after(s->g, x, u));
}

// Target x of an edge of co or fr: ([Esc] ∪ hb?;[Fsc]).
static void reach_end(struct search *s, event_id x) {
  if (is_sc(event_of(s, x)))
    reach_sc(s, x);
  reach_fences_after(s, x);
}

// Writes of a location from `place` on are targets of co or fr. From a fence,
// eco may go on by rf: readers of writes from `reader_place` on.
static void reach_co(struct search *s, uint32_t loc, uint32_t place,
                     bool from_fence, uint32_t reader_place) {
  struct graph_loc *l = &s->g->locs.at[loc];
  uint32_t end = graph_co_seen(s->g, loc, place);
  for (uint32_t i = place; i < end; i++)
    reach_end(s, l->co.at[i]);
  if (!from_fence || reader_place >= l->from_read)
    return;
  end = l->from_read;
  l->from_read = reader_place;
  for (uint32_t i = 0; i < l->reads.len; i++) {
    uint32_t from = graph_co_place(s->g, l->reads.at[i]);
    if (from >= reader_place && from < end)
      reach_fences_after(s, l->reads.at[i]);
  }
}

// co and fr out of access x.
static void walk_eco(struct search *s, event_id x, bool from_fence) {
  const struct event *e = event_of(s, x);
  uint32_t place = graph_co_place(s->g, x);
  reach_co(s, e->loc, place + 1, from_fence,
           e->kind == EV_WRITE ? place : place + 1);
}

static bool other_loc(const struct event *a, const struct event *b) {
  return !is_access(a) || !is_access(b) || a->loc != b->loc;
}

// hb|loc out of access x: the first access of its location in each thread that
// happens after x; later ones follow.
static void walk_hb_loc(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  const struct graph_loc *l = &s->g->locs.at[e->loc];
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    if (u == e->thread)
      continue;
    const struct event_list *list = &l->by_thread[u];
    uint32_t n = graph_count_below(s->g, list, first_after(s, x, u));
    if (n == list->len)
      continue;
    reach_fences_after(s, list->at[n]);
    for (; n < list->len; n++)
      if (is_sc(event_of(s, list->at[n]))) {
        reach_sc(s, list->at[n]);
        break;
      }
  }
}

// Do the accesses of events i and j of thread u have no location in common?
static bool are_apart(const struct search *s, unsigned u, uint32_t i,
                      uint32_t j) {
  const struct graph *g = s->g;
  for (uint32_t a = whole_begin(g, u, i); a < whole_end(g, u, i); a++)
    for (uint32_t b = whole_begin(g, u, j); b < whole_end(g, u, j); b++)
      if (!other_loc(event_of(s, graph_at(g, u, a)),
                     event_of(s, graph_at(g, u, b))))
        return false;
  return true;
}

// po≠loc;hb;po≠loc out of an access in pieces; it ends in a thread u at the
// first sc event that is apart from one between `first` and it.
static void walk_po_hb_po_whole(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  const struct graph *g = s->g;
  uint32_t n = graph_thread_length(g, e->thread);
  uint32_t i = whole_end(g, e->thread, e->index);
  while (i < n && !are_apart(s, e->thread, e->index, i))
    i++;
  for (uint32_t u = 0; i < n && u < g->nthreads; u++) {
    if (u == e->thread)
      continue;
    uint32_t first = first_after(s, graph_at(g, e->thread, i), u);
    uint32_t end = graph_thread_length(g, u);
    for (uint32_t j = first; j < end && j < s->sc_from[u]; j++)
      for (uint32_t k = first; is_sc(event_of(s, graph_at(g, u, j))) && k < j;
           k = whole_end(g, u, k))
        if (are_apart(s, u, k, j))
          reach_sc(s, graph_at(g, u, j));
  }
}

// po≠loc;hb;po≠loc out of access x. (po;hb;[Fsc] is in hb;[Fsc], which was
// followed when x, or what leads to it, was reached.)
static void walk_po_hb_po(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  const struct event_list *mine = &s->g->threads[e->thread].events;
  uint32_t i = e->index + 1;
  while (i < mine->len && !other_loc(e, event_of(s, mine->at[i])))
    i++;
  if (i == mine->len)
    return;
  for (uint32_t u = 0; u < s->g->nthreads; u++) {
    if (u == e->thread)
      continue;
    uint32_t first = graph_first_after(s->g, mine->at[i], u);
    uint32_t end = graph_thread_length(s->g, u);
    bool differ = false; // some event since `first` is of another location
    for (uint32_t j = first + 1; j < end && j < s->sc_from[u]; j++) {
      const struct event *y = event_of(s, graph_at(s->g, u, j));
      const struct event *z = event_of(s, graph_at(s->g, u, j - 1));
      // If all of first..j-1 are of one location, z stands for them.
      differ |=
          j - 1 > first && other_loc(z, event_of(s, graph_at(s->g, u, j - 2)));
      if (is_sc(y) && (differ || other_loc(y, z))) {
        reach_sc(s, graph_at(s->g, u, j));
        break;
      }
    }
  }
}

// C++11: every sc event that happens after x.
static void walk_hb(struct search *s, event_id x) {
  for (uint32_t u = 0; u < s->g->nthreads; u++) {
    bool is_own = s->in_pieces && u == event_of(s, x)->thread;
    uint32_t i = is_own ? whole_end(s->g, u, event_of(s, x)->index)
                        : graph_first_after(s->g, x, u);
    while (i < s->sc_from[u] && !is_sc(event_of(s, graph_at(s->g, u, i))))
      i++;
    if (i < s->sc_from[u])
      reach_sc(s, graph_at(s->g, u, i));
  }
}

static void walk_c11(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  walk_hb(s, x);
  if (e->kind != EV_FENCE)
    walk_eco(s, x, /*from_fence=*/false);
  else if (e->index + 1 < s->hb_from[e->thread])
    s->hb_from[e->thread] = e->index + 1;
}

// [Fsc];hb?;scb;... out of fence x: mark what happens after it.
static void walk_fence(struct search *s, event_id x) {
  for (uint32_t u = 0; u < s->g->nthreads; u++) {
    uint32_t first = first_after(s, x, u);
    uint32_t end = graph_thread_length(s->g, u);
    if (first >= end)
      continue;
    if (first < s->hb_from[u])
      s->hb_from[u] = first;
    // x hb z po y: everything sc after the first; the first itself if it is a
    // fence. (Or if x hb z hb y with z of the location of y; but what y leads
    // to by co and fr, z leads to as well, and z is after the fence.)
    if (u == event_of(s, x)->thread)
      continue; // po: reached already
    if (is_sc_fence(event_of(s, graph_at(s->g, u, first))))
      reach_sc(s, graph_at(s->g, u, first));
    uint32_t next = s->in_pieces ? whole_end(s->g, u, first) : first + 1;
    for (uint32_t j = next; j < end && j < s->sc_from[u]; j++)
      if (is_sc(event_of(s, graph_at(s->g, u, j)))) {
        reach_sc(s, graph_at(s->g, u, j));
        break;
      }
  }
}

static void walk_sc(struct search *s, event_id x) {
  const struct event *e = event_of(s, x);
  if (!is_sc(e))
    return;
  if (!s->is_rc11) {
    walk_c11(s, x);
    return;
  }
  if (e->kind == EV_FENCE) {
    walk_fence(s, x);
    return;
  }
  walk_eco(s, x, /*from_fence=*/false);
  walk_hb_loc(s, x);
  if (s->in_pieces)
    walk_po_hb_po_whole(s, x);
  else
    walk_po_hb_po(s, x);
}

// The newest sc fence of thread u with an index below `bound`; 1 + its index.
static uint32_t last_fence(const struct graph *g, unsigned u, uint32_t bound) {
  while (bound && !is_sc_fence(&g->events[graph_at(g, u, bound - 1)]))
    bound--;
  return bound;
}

// The search has come full circle when it reaches an sc fence that is before a
// new event as above (or, by po, something earlier) ...
static void add_fence_goals(struct search *s, event_id id) {
  const struct graph *g = s->g;
  const struct event *e = &g->events[id];
  for (uint32_t u = 0; g->sc_fences && u < g->nthreads; u++) {
    if (u != e->thread && !s->is_rc11)
      continue;
    uint32_t bound =
        u == e->thread ? e->index : clock_get(&g->clocks, e->hb, u);
    uint32_t fence = last_fence(g, u, bound);
    s->from_fence |= fence != 0;
    if (fence > s->fence_goal[u])
      s->goal[u] = s->fence_goal[u] = fence;
  }
}

// ... or the new event itself, if that is sc.
static void add_sc_goal(struct search *s, event_id id) {
  const struct event *e = event_of(s, id);
  if (is_sc(e) && e->index >= s->goal[e->thread])
    s->goal[e->thread] = e->index + 1;
}

// Follows psc edges from what was reached until nothing is left.
static bool comes_back(struct search *s) {
  const struct graph *g = s->g;
  for (bool more = true; more && !s->found;) {
    more = false;
    for (uint32_t t = 0; t < g->nthreads && !s->found; t++) {
      while (s->sc_done[t] > s->sc_from[t] && !s->found) {
        more = true;
        walk_sc(s, graph_at(g, t, --s->sc_done[t]));
      }
      while (s->hb_done[t] > s->hb_from[t] && !s->found) {
        more = true;
        event_id x = graph_at(g, t, --s->hb_done[t]);
        if (is_access(event_of(s, x)))
          walk_eco(s, x, /*from_fence=*/s->is_rc11);
      }
    }
  }
  return s->found;
}

// (Of the arrays, what concerns no thread is left alone: there may be 64, and
// mostly are three.)
static void search_begin(struct search *s, struct graph *g, enum sc_rule rule) {
  s->g = g;
  s->is_rc11 = rule == SC_RC11;
  s->in_pieces = false;
  s->from_fence = s->found = false;
  g->epoch++;
  for (uint32_t t = 0; t < g->nthreads; t++) {
    s->goal[t] = s->fence_goal[t] = 0;
    s->sc_from[t] = s->sc_done[t] = s->hb_from[t] = s->hb_done[t] =
        graph_thread_length(g, t);
  }
}

// Is the new access e, with that place in co, on no cycle? (Apart from
// psc_consistent, which is asked about each event and mostly need not search.)
__attribute__((noinline)) static bool is_on_no_cycle(struct graph *g,
                                                     event_id e, event_id other,
                                                     enum sc_rule rule,
                                                     uint32_t place) {
  const struct event *x = &g->events[e];
  struct search s;
  search_begin(&s, g, rule);
  bool from_sc = is_sc(x) || (other != NO_EVENT && is_sc(&g->events[other]));
  add_fence_goals(&s, e);
  if (other != NO_EVENT)
    add_fence_goals(&s, other);
  if (!s.from_fence && !from_sc)
    return true;
  // `other`, if any, reads e: what comes after both in co is the same. In RC11
  // a fence also has psc edges to what happens after *readers* of those writes.
  // The sc events have not, so a way back to them from there is no cycle: these
  // edges are left to a second round, in which only fences count.
  add_sc_goal(&s, e);
  if (other != NO_EVENT)
    add_sc_goal(&s, other);
  reach_co(&s, x->loc, place + 1, /*from_fence=*/false, 0);
  if (comes_back(&s))
    return false;
  if (!s.from_fence || !s.is_rc11)
    return true;
  memcpy(s.goal, s.fence_goal, g->nthreads * sizeof *s.goal);
  reach_co(&s, x->loc, place + 1, /*from_fence=*/true, place + 1);
  return !comes_back(&s);
}

bool psc_consistent(struct graph *g, event_id e, event_id other,
                    enum sc_rule rule) {
  const struct event *x = &g->events[e];
  if (g->sc_events < 2 || !is_access(x))
    return true;
  uint32_t place = graph_co_place(g, e);
  return place + 1 == g->locs.at[x->loc].co.len ||
         is_on_no_cycle(g, e, other, rule, place);
}

// Is the access whose newest piece is `e` on no cycle?
static bool whole_is_on_no_cycle(struct graph *g, event_id e,
                                 enum sc_rule rule) {
  const struct event *x = &g->events[e];
  struct search s;
  if (!whole_leads_on(g, e))
    return true;
  search_begin(&s, g, rule);
  s.in_pieces = true;
  add_fence_goals(&s, e);
  if (!s.from_fence && !is_sc(x))
    return true;
  add_sc_goal(&s, e);
  uint32_t first = whole_begin(g, x->thread, x->index);
  for (uint32_t i = first; i <= x->index; i++)
    if (is_sc(x))
      walk_sc(&s, graph_at(g, x->thread, i)); // its pieces may have readers
    else
      walk_eco(&s, graph_at(g, x->thread, i), /*from_fence=*/false);
  if (comes_back(&s))
    return false;
  if (!s.from_fence || !s.is_rc11)
    return true;
  memcpy(s.goal, s.fence_goal, g->nthreads * sizeof *s.goal);
  for (uint32_t i = first; i <= x->index; i++)
    walk_eco(&s, graph_at(g, x->thread, i), /*from_fence=*/true);
  return !comes_back(&s);
}

bool psc_whole(struct graph *g, event_id e, event_id other, enum sc_rule rule) {
  return g->sc_events < 2 || !is_access(&g->events[e]) ||
         (whole_is_on_no_cycle(g, e, rule) &&
          (other == NO_EVENT || whole_is_on_no_cycle(g, other, rule)));
}
