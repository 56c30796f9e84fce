// SPDX-License-Identifier: MIT
// IMM's axioms beyond coherence: RC11's acyclic(psc), and acyclic(ar) with
//
//   ar = rfe ∪ bob ∪ ppo ∪ detour ∪ pscf      (models/imm.cat has it in full)
//
// A new event is the last of its thread. Nothing is after it in po, so no edge
// of bob, ppo or detour leaves it; it has no reader but `other`, which is the
// last of its thread too; and none of these relations goes through it from one
// old event to another. What it can add among old events is an edge of
// pscf = [Fsc];hb;eco;hb;[Fsc]: from an sc fence that happens before a new
// event to an sc fence that happens after a write later in co (or after a
// reader of one). So if there are two sc fences and such a write, one search
// goes forwards along ar from the latter fences, and looks for the former.
//
// As in armv8.c a thread is read forwards from the first event that was
// reached. Two things are noted of an event: that it is reached, and that it
// is on a path of ppo from a reached read, which matters to it only if it is a
// write, but also to what depends on it.
#include "model/imm.h"

#include "model/deps.h"
#include "model/psc.h"
#include "model/reading.h"

#include <stdlib.h>

struct search {
  struct reading r;
  uint64_t *is_on_path;                  // a bit for each event
  uint32_t goal[READING_THREADS];        // events below this index
  uint32_t after_fence[READING_THREADS]; // events after a reached sc fence
  bool found;
};

// What was reached in the part of a thread that was read so far.
struct flow {
  bool any, write;
  bool all;  // all later events are reached
  bool path; // all later events are on a path of ppo
};

static const struct event *event_of(const struct search *s, event_id id) {
  return &s->r.g->events[id];
}

static bool is_sc_fence(const struct event *e) {
  return e->kind == EV_FENCE && e->order == ORD_SC;
}

static bool is_fence(const struct event *e) {
  return (e->kind == EV_FENCE && e->order != ORD_NA) ||
         model_is_thread_event(e);
}

static bool is_release(const struct event *e) {
  return e->kind == EV_WRITE && order_releases(e->order);
}

// (Everything is ar-before a later fence of its thread: po;[F].)
static void reach(struct search *s, event_id id) {
  const struct event *e = event_of(s, id);
  if (reading_reach(&s->r, id))
    s->found |= e->index < s->goal[e->thread];
}

// Every event of thread t from index i on.
static void reach_all(struct search *s, unsigned t, uint32_t i) {
  if (reading_reach_all(&s->r, t, i))
    s->found |= i < s->goal[t];
}

// -- pscf

// hb;[Fsc] out of x: the first in each thread; later ones follow by bob.
static void reach_fences_after(struct search *s, event_id x) {
  for (uint32_t u = 0; u < s->r.g->nthreads; u++) {
    uint32_t end = s->r.all[u];
    for (uint32_t i = graph_first_after(s->r.g, x, u); i < end; i++)
      if (is_sc_fence(event_of(s, graph_at(s->r.g, u, i)))) {
        reach_all(s, u, i);
        break;
      }
  }
}

// eco;hb;[Fsc] where eco leads to the writes of a location from `place` on and
// to their readers.
static void reach_eco(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->r.g->locs.at[loc];
  uint32_t end = graph_co_seen(s->r.g, loc, place);
  if (place >= end)
    return;
  for (uint32_t i = place; i < end; i++)
    reach_fences_after(s, l->co.at[i]);
  for (uint32_t i = 0; i < l->reads.len; i++) {
    uint32_t from = graph_co_place(s->r.g, l->reads.at[i]);
    if (from >= place && from < end)
      reach_fences_after(s, l->reads.at[i]);
  }
}

// pscf out of a fence. (A write after it counts as eco-after itself: that adds
// only [Fsc];hb;[Fsc], which is within ar+.)
static void leave_fence(struct search *s, event_id fence) {
  for (uint32_t u = 0; u < s->r.g->nthreads; u++) {
    uint32_t first = graph_first_after(s->r.g, fence, u);
    uint32_t end = s->after_fence[u];
    if (s->r.in_pieces)
      first = whole_begin(s->r.g, u, first);
    if (first >= end)
      continue;
    s->after_fence[u] = first;
    for (uint32_t i = first; i < end; i++) {
      event_id x = graph_at(s->r.g, u, i);
      const struct event *e = event_of(s, x);
      if (is_access(e))
        reach_eco(s, e->loc, graph_co_place(s->r.g, x) + (e->kind == EV_READ));
    }
  }
}

// -- bob, ppo, detour, rfe

static bool depends(const struct search *s, unsigned t, set_id set) {
  const struct graph *g = s->r.g;
  for (uint32_t k = set ? set_len(g->sets, set) : 0; k--;) {
    event_id source = deps_source(g, t, set_at(g->sets, set, k));
    if (source != NO_EVENT &&
        (bit_has(s->r.is_reached, source) || bit_has(s->is_on_path, source)))
      return true;
  }
  return false;
}

static bool is_forwarded(const struct search *s, const struct event *e) {
  return e->kind == EV_READ && e->rf != INIT_EVENT &&
         event_of(s, e->rf)->thread == e->thread;
}

// Is it on a path of (deps ∪ rfi)+ out of a reached read?
static bool follows_path(const struct search *s, const struct flow *f,
                         event_id id) {
  const struct event *e = event_of(s, id);
  const struct event_deps *d = &s->r.g->deps[id];
  bool has_data = e->kind == EV_WRITE || (e->flags & EVF_CAS);
  return f->path || depends(s, e->thread, d->addr) ||
         depends(s, e->thread, d->ctrl) ||
         (has_data && depends(s, e->thread, d->data)) ||
         (is_forwarded(s, e) && bit_has(s->is_on_path, e->rf));
}

// Is there a reached write of the same location before it in its thread (with
// order release, if that is asked)?
static bool follows_write(const struct search *s, event_id id,
                          bool of_release) {
  const struct event *e = event_of(s, id);
  const struct event_list *l = &s->r.g->locs.at[e->loc].by_thread[e->thread];
  for (uint32_t i = 0; i < l->len && l->at[i] != id; i++) {
    const struct event *w = event_of(s, l->at[i]);
    if (w->kind == EV_WRITE && (!of_release || is_release(w)) &&
        bit_has(s->r.is_reached, l->at[i]))
      return true;
  }
  return false;
}

static bool is_after(const struct search *s, const struct flow *f, event_id id,
                     bool is_on_path) {
  const struct event *e = event_of(s, id);
  if (f->all || bit_has(s->r.is_reached, id))
    return true;
  if (e->kind == EV_WRITE)
    return is_on_path || (f->any && is_release(e)) ||
           (f->write && follows_write(s, id, /*of_release=*/true));
  return f->write && e->rf != INIT_EVENT && !is_forwarded(s, e) &&
         follows_write(s, id, /*of_release=*/false); // detour
}

// The event is reached.
static void go_on_from(struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  reach(s, id);
  f->any = true;
  if (e->kind == EV_READ) {
    f->all |= order_acquires(e->order);
    return;
  }
  f->write = true;
  const struct graph_loc *l = &s->r.g->locs.at[e->loc];
  for (uint32_t i = 0; i < l->reads.len; i++) {
    const struct event *r = event_of(s, l->reads.at[i]);
    if (r->rf == id && r->thread != e->thread)
      reach(s, l->reads.at[i]);
  }
}

// The events from index i to `end` of thread t are one access.
static void read_access(struct search *s, struct flow *f, unsigned t,
                        uint32_t i, uint32_t end) {
  const struct event_list *events = &s->r.g->threads[t].events;
  const struct event *e = event_of(s, events->at[i]);
  bool on_path = false, reached = false, by_addr = false;
  for (uint32_t k = i; k < end; k++)
    on_path |= follows_path(s, f, events->at[k]);
  for (uint32_t k = i; k < end; k++) {
    by_addr |= depends(s, t, s->r.g->deps[events->at[k]].addr);
    reached |= is_after(s, f, events->at[k], on_path);
  }
  f->path |= by_addr || // addr;po, [Rex];po
             ((on_path || reached) && e->kind == EV_READ &&
              (e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK | EVF_UPDATE)));
  for (uint32_t k = i; k < end; k++) {
    if (on_path)
      bit_add(s->is_on_path, events->at[k]);
    if (reached)
      go_on_from(s, f, events->at[k]);
  }
}

static void read_fence(struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  if (!is_fence(e) || !(f->any || f->all))
    return;
  f->all = true;
  if (is_sc_fence(e)) {
    leave_fence(s, id);
  } else if (e->kind == EV_SPAWN) {
    reach_all(s, e->loc, 0);
  } else if (e->kind == EV_END && s->r.g->threads[e->thread].join != NO_EVENT) {
    const struct event *j = event_of(s, s->r.g->threads[e->thread].join);
    reach_all(s, j->thread, j->index);
  }
}

static void read_thread(struct search *s, unsigned t) {
  struct flow f = {0};
  const struct event_list *events = &s->r.g->threads[t].events;
  for (uint32_t i = s->r.from[t], end; i < events->len && !s->found; i = end) {
    event_id id = events->at[i];
    end = reading_end(&s->r, t, i);
    f.all |= i >= s->r.all[t];
    if (is_access(event_of(s, id)))
      read_access(s, &f, t, i, end);
    else
      read_fence(s, &f, id);
  }
}

// -- the question

// The sc fences that happen before a new event. False if there are none.
static bool add_goals(struct search *s, event_id id) {
  const struct graph *g = s->r.g;
  const struct event *e = &g->events[id];
  bool any = false;
  for (uint32_t u = 0; u < g->nthreads; u++) {
    uint32_t n = u == e->thread ? e->index : clock_get(&g->clocks, e->hb, u);
    while (n && !is_sc_fence(event_of(s, graph_at(g, u, n - 1))))
      n--;
    if (n > s->goal[u])
      s->goal[u] = n;
    any |= n != 0;
  }
  return any;
}

// The places in co that the search begins with are those of the new event; or
// of all pieces of its access, and who reads them.
static void leave_newest(struct search *s, event_id e) {
  const struct graph *g = s->r.g;
  const struct event *x = &g->events[e];
  if (!s->r.in_pieces) {
    reach_eco(s, x->loc, graph_co_place(g, e) + 1);
    return;
  }
  for (uint32_t i = whole_begin(g, x->thread, x->index); i <= x->index; i++) {
    event_id piece = graph_at(g, x->thread, i);
    reach_eco(s, g->events[piece].loc,
              graph_co_place(g, piece) + (x->kind == EV_READ));
  }
}

// Does ar lead from behind e back to an sc fence before it, or before `other`,
// which reads e? What comes after both is the same; of accesses in pieces, only
// e is asked about.
static bool ar_comes_back(struct graph *g, event_id e, event_id other,
                          bool in_pieces) {
  struct search s = {.r = {.g = g, .in_pieces = in_pieces}};
  bool has_goal = add_goals(&s, e);
  if (other != NO_EVENT)
    has_goal |= add_goals(&s, other);
  if (!has_goal)
    return false;
  uint32_t words = g->nevents / 64 + 1;
  s.r.is_reached = xcalloc(2 * words, sizeof *s.r.is_reached);
  s.is_on_path = s.r.is_reached + words;
  reading_begin(&s.r);
  for (uint32_t t = 0; t < g->nthreads; t++)
    s.after_fence[t] = graph_thread_length(g, t);
  leave_newest(&s, e);
  unsigned t;
  while (!s.found && reading_next(&s.r, &t))
    read_thread(&s, t);
  free(s.r.is_reached);
  return s.found;
}

bool imm_needs_deps(struct graph *g, event_id e) {
  const struct event *x = &g->events[e];
  return g->sc_fences >= 2 && is_access(x) &&
         graph_co_place(g, e) + 1 < g->locs.at[x->loc].co.len;
}

bool imm_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options) {
  (void)options;
  return psc_consistent(g, e, other, SC_RC11) &&
         (!imm_needs_deps(g, e) || !ar_comes_back(g, e, other, false));
}

static bool is_on_no_cycle(struct graph *g, event_id e) {
  return !whole_leads_on(g, e) || !ar_comes_back(g, e, NO_EVENT, true);
}

bool imm_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options) {
  (void)options;
  return whole_consistent(g, e, other) && psc_whole(g, e, other, SC_RC11) &&
         (g->sc_fences < 2 || !is_access(&g->events[e]) ||
          (is_on_no_cycle(g, e) &&
           (other == NO_EVENT || is_on_no_cycle(g, other))));
}
