// SPDX-License-Identifier: MIT
// What --bound counts in an execution G: the least number over its
// *interleavings*, orders L of its events that keep po, and keep the creation
// and the end of a thread before its start and who joined it. The two halves of
// an update are one step.
//
// Preemptions: L also keeps rf, but for edges that are on a cycle of po ∪ rf;
// and co and fr if the model has no executions but interleavings (sc). A switch
// of L from thread t to another is a preemption, unless t has no event left, or
// the next one is the lock of a mutex or a join whose source has not come yet
// [Musuvathi and Qadeer, PLDI'07]. A thread that spins is not blocked.
//
// Reorderings: an access counts if it does not do what memory would do at that
// moment of L: a read whose source has not come, or is older in co than a write
// that has; a write that goes before (in co) one that has come. G has none iff
// an interleaving explains it.
//
// Both are monotone: a part P of G that is closed under po ∪ rf has no larger
// number. Leave out of L what is not in P. An access of P that does what memory
// does in L does so still: its source is in P, and nothing has come that had
// not. Where what is left of L switches from t, whose next event is in P, L
// itself went on with another thread after the same event of t (what is not in
// P is at the ends of threads), and that next event is blocked in the one iff
// it is in the other: its source is in P. Cycles of po ∪ rf are in P or not at
// all.
//
// They are found by a search over *cuts* (how many events of each thread have
// come), cheapest first, and what is never a mistake is done at once:
//
//   - preemptions: a thread runs on until its next event e has to wait for
//     another one. If L switches before that, take e from where it is in L to
//     here: nothing waits longer for it, and there is no more switch. But if a
//     lock or a join waits for e, its thread may be left for nothing only as
//     long as e has not come: so there a thread may stop as well.
//   - reorderings: an event that costs nothing and makes nothing dearer (no
//     access, a read, or a write before which all that should come has come);
//     an access that costs 1 whatever else comes: then a newer write has come,
//     so whom it makes dearer costs 1 already.
#include "explore/reduce/numbers.h"

#include "base/hash.h"
#include "base/table.h"

#include <string.h>

// ---- parts

static bool has_source(const struct event *e) {
  return (e->kind == EV_READ || e->kind == EV_START || e->kind == EV_JOIN) &&
         e->rf != NO_EVENT && e->rf != INIT_EVENT;
}

// Adds what the events of thread t from `first` on read, or wait for.
static bool add_sources(struct graph_part *p, thread_id t, uint32_t first) {
  bool is_more = false;
  for (uint32_t i = first; i < p->length[t]; i++) {
    const struct event *e = &p->g->events[graph_at(p->g, t, i)];
    if (!has_source(e))
      continue;
    const struct event *s = &p->g->events[e->rf];
    if (p->length[s->thread] <= s->index) {
      p->length[s->thread] = s->index + 1;
      is_more = true;
    }
  }
  return is_more;
}

void part_close(struct graph_part *p) {
  uint32_t done[MAX_THREADS] = {0};
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (thread_id t = 0; t < p->g->nthreads; t++) {
      uint32_t first = done[t];
      done[t] = p->length[t];
      is_more |= add_sources(p, t, first);
    }
  }
}

// ---- cuts

struct walk {
  const struct graph_part *p;
  unsigned n;                 // threads
  ARRAY(uint32_t) cuts;       // n numbers each
  struct table known;         // those that were met, by their place
  ARRAY(uint32_t) now, later; // to be looked at; later ones cost one more
};

static bool has_come(const uint32_t *cut, const struct event *e) {
  return e->index < cut[e->thread];
}

static const struct event *next_of(const struct walk *w, const uint32_t *cut,
                                   thread_id t) {
  return cut[t] < w->p->length[t]
             ? &w->p->g->events[graph_at(w->p->g, t, cut[t])]
             : NULL;
}

static bool is_in_part(const struct walk *w, const struct event *e) {
  return e->index < w->p->length[e->thread];
}

// The second half of the update that begins with e, or NULL.
static const struct event *second_half(const struct walk *w,
                                       const struct event *e) {
  if (e->kind != EV_READ || !(e->flags & EVF_EXCLUSIVE) ||
      e->index + 1 >= w->p->length[e->thread])
    return NULL;
  const struct event *next =
      &w->p->g->events[graph_at(w->p->g, e->thread, e->index + 1)];
  return next->kind == EV_WRITE && (next->flags & EVF_EXCLUSIVE) ? next : NULL;
}

static uint32_t hash_of(const struct walk *w, const uint32_t *cut) {
  uint64_t h = 0;
  for (unsigned i = 0; i < w->n; i++)
    h = hash_mix(h, cut[i]);
  return (uint32_t)h;
}

// The place of the cut; TABLE_NONE: it was met before.
static uint32_t meet(struct walk *w, const uint32_t *cut) {
  uint32_t hash = hash_of(w, cut), place = w->known.count;
  for (uint32_t at = hash, k;
       (k = table_next(&w->known, hash, &at)) != TABLE_NONE;)
    if (memcmp(&w->cuts.at[(size_t)k * w->n], cut, w->n * sizeof *cut) == 0)
      return TABLE_NONE;
  memcpy(array_extend(&w->cuts, w->n), cut, w->n * sizeof *cut);
  table_add(&w->known, hash, place);
  return place;
}

// The cut is to be looked at, at this price or for one more.
static void add_cut(struct walk *w, const uint32_t *cut, bool is_paid) {
  if (is_paid) {
    memcpy(array_extend(&w->later, w->n), cut, w->n * sizeof *cut);
    return;
  }
  uint32_t place = meet(w, cut);
  if (place != TABLE_NONE)
    array_push(&w->now, place);
}

static bool is_whole(const struct walk *w, const uint32_t *cut) {
  return memcmp(cut, w->p->length, w->n * sizeof *cut) == 0;
}

// ---- what the order of events must keep

// Has what e waits for come, whatever is counted?
static bool is_created(const struct walk *w, const uint32_t *cut,
                       const struct event *e) {
  return (e->kind != EV_START && e->kind != EV_JOIN) || !has_source(e) ||
         has_come(cut, &w->p->g->events[e->rf]);
}

// Does e, a read, come before its own source by po ∪ rf?
static bool is_on_cycle(const struct walk *w, const struct event *e) {
  const struct event *s = &w->p->g->events[e->rf];
  struct graph_part before = {.g = w->p->g};
  before.length[s->thread] = s->index + 1;
  part_close(&before);
  return e->index < before.length[e->thread];
}

// Has all come that is before the write in co, or reads something older?
static bool is_newest(const struct walk *w, const uint32_t *cut,
                      const struct event *write) {
  const struct graph *g = w->p->g;
  const struct graph_loc *l = &g->locs.at[write->loc];
  for (uint32_t i = 1; i < write->co; i++) {
    const struct event *e = &g->events[l->co.at[i]];
    if (is_in_part(w, e) && !has_come(cut, e))
      return false;
  }
  for (uint32_t i = 0; i < l->reads.len; i++) {
    const struct event *r = &g->events[l->reads.at[i]];
    if (is_in_part(w, r) && !has_come(cut, r) &&
        graph_co_place(g, l->reads.at[i]) < write->co &&
        !(r->thread == write->thread && r->index + 1 == write->index))
      return false;
  }
  return true;
}

// ---- preemptions

static bool can_come(const struct walk *w, const uint32_t *cut,
                     const struct event *e) {
  const struct graph *g = w->p->g;
  if (!is_created(w, cut, e))
    return false;
  if (e->kind == EV_READ && has_source(e) &&
      !has_come(cut, &g->events[e->rf]) && !is_on_cycle(w, e))
    return false;
  const struct event *write = e->kind == EV_WRITE ? e : second_half(w, e);
  return !w->p->interleaves || !write || is_newest(w, cut, write);
}

// Does the thread whose next event is e wait for what it joins, or a mutex?
static bool is_blocked(const struct walk *w, const uint32_t *cut,
                       const struct event *e) {
  return (e->kind == EV_JOIN ||
          (e->kind == EV_READ && (e->flags & EVF_LOCK))) &&
         has_source(e) && !has_come(cut, &w->p->g->events[e->rf]);
}

// May a thread be blocked until e has come?
static bool unblocks(const struct walk *w, const struct event *e) {
  const struct graph *g = w->p->g;
  const struct event *write = e->kind == EV_WRITE ? e : second_half(w, e);
  if (!write)
    return e->kind == EV_END;
  const struct event_list *reads = &g->locs.at[write->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if ((r->flags & EVF_LOCK) && &g->events[r->rf] == write)
      return true;
  }
  return false;
}

// Runs thread t as far as it goes, and adds the cuts at which it may stop.
// A thread that is left behind without having to wait was preempted.
static void add_runs_of(struct walk *w, uint32_t from, thread_id t) {
  uint32_t cut[MAX_THREADS];
  memcpy(cut, &w->cuts.at[(size_t)from * w->n], w->n * sizeof *cut);
  uint32_t first = cut[t];
  const struct event *e;
  while ((e = next_of(w, cut, t)) && can_come(w, cut, e)) {
    if (cut[t] > first && unblocks(w, e))
      add_cut(w, cut, /*is_paid=*/true);
    cut[t] += second_half(w, e) ? 2 : 1;
  }
  if (cut[t] > first)
    add_cut(w, cut, /*is_paid=*/e && !is_blocked(w, cut, e));
}

static void add_runs(struct walk *w, uint32_t from) {
  for (thread_id t = 0; t < w->n; t++)
    add_runs_of(w, from, t);
}

// ---- reorderings

enum price { FREE, FREE_BUT_HARMS, ONE, ONE_FOR_GOOD };

static bool newer_has_come(const struct walk *w, const uint32_t *cut,
                           uint32_t loc, uint32_t place,
                           const struct event *own) {
  const struct event_list *co = &w->p->g->locs.at[loc].co;
  for (uint32_t i = place + 1; i < co->len; i++) {
    const struct event *e = &w->p->g->events[co->at[i]];
    if (e != own && is_in_part(w, e) && has_come(cut, e))
      return true;
  }
  return false;
}

static enum price price_of(const struct walk *w, const uint32_t *cut,
                           const struct event *e) {
  const struct graph *g = w->p->g;
  const struct event *write = e->kind == EV_WRITE ? e : second_half(w, e);
  if (e->kind == EV_READ && e->rf != NO_EVENT) {
    uint32_t place = e->rf == INIT_EVENT ? 0 : g->events[e->rf].co;
    if (newer_has_come(w, cut, e->loc, place, write))
      return ONE_FOR_GOOD;
    if (has_source(e) && !has_come(cut, &g->events[e->rf]))
      return ONE;
  }
  if (!write)
    return FREE;
  if (newer_has_come(w, cut, write->loc, write->co, NULL))
    return ONE_FOR_GOOD;
  return is_newest(w, cut, write) ? FREE : FREE_BUT_HARMS;
}

static void add_step(struct walk *w, uint32_t from, thread_id t) {
  uint32_t cut[MAX_THREADS];
  memcpy(cut, &w->cuts.at[(size_t)from * w->n], w->n * sizeof *cut);
  const struct event *e = next_of(w, cut, t);
  enum price price = price_of(w, cut, e);
  cut[t] += second_half(w, e) ? 2 : 1;
  add_cut(w, cut, /*is_paid=*/price == ONE || price == ONE_FOR_GOOD);
}

static void add_steps(struct walk *w, uint32_t from) {
  thread_id any = MAX_THREADS;
  uint64_t others = 0;
  for (thread_id t = 0; t < w->n && any == MAX_THREADS; t++) {
    const uint32_t *cut = &w->cuts.at[(size_t)from * w->n];
    const struct event *e = next_of(w, cut, t);
    if (!e || !is_created(w, cut, e))
      continue;
    enum price price = price_of(w, cut, e);
    if (price == FREE || price == ONE_FOR_GOOD)
      any = t;
    others |= UINT64_C(1) << t;
  }
  if (any != MAX_THREADS)
    others = UINT64_C(1) << any;
  for (uint64_t rest = others; rest; rest &= rest - 1)
    add_step(w, from, (thread_id)__builtin_ctzll(rest));
}

// ---- cheapest first

// Looks at all that is to be had at the same price.
static bool comes_to_end(struct walk *w, enum bounded what) {
  while (w->now.len) {
    uint32_t at = array_pop(&w->now);
    if (is_whole(w, &w->cuts.at[(size_t)at * w->n]))
      return true;
    if (what == BOUND_PREEMPTIONS)
      add_runs(w, at);
    else
      add_steps(w, at);
  }
  return false;
}

static void pay_one(struct walk *w) {
  for (uint32_t i = 0; i < w->later.len; i += w->n) {
    uint32_t place = meet(w, &w->later.at[i]);
    if (place != TABLE_NONE)
      array_push(&w->now, place);
  }
  w->later.len = 0;
}

bool part_has_at_most(const struct graph_part *p, enum bounded what,
                      uint32_t most) {
  static const uint32_t nothing[MAX_THREADS];
  struct walk w = {.p = p, .n = p->g->nthreads};
  array_push(&w.now, meet(&w, nothing));
  bool ends = comes_to_end(&w, what);
  for (uint32_t paid = 0; !ends && paid < most && w.later.len; paid++) {
    pay_one(&w);
    ends = comes_to_end(&w, what);
  }
  array_done(&w.cuts);
  array_done(&w.now);
  array_done(&w.later);
  table_done(&w.known);
  return ends;
}
