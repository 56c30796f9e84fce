// SPDX-License-Identifier: MIT
// ARMv8's external axiom, acyclic(obs ∪ lob) (models/armv8.cat has it in full).
//
// A new event is the last of its thread, so nothing is lob-after it, and only
// writes that are later in co are obs-after it: if there are none it closes no
// cycle. From those writes the search goes forwards, until it meets a new event
// or nothing is left. (Coherence of program order, and atomicity, hold already.
// That of RC11's hb does not follow from this model.)
//
// co and fr within a thread are po|loc;[W], which is in lob; so a reached place
// in co reaches all later ones, and only rf has to be external. What is reached
// inside a thread is found by reading it forwards once, from the first event
// that was reached: a handful of facts about the part that was read (struct
// flow) and the dependencies of an event decide whether it is reached too.
// Something may be reached later in the middle of a thread: it is read again.
//
// If a new event may read a write, or come at a place in co, it may as well be
// newer (takes_newer). A way from it begins with writes that are later in co,
// so with fewer then. A way back to it comes by lob, as before, or from what is
// now before it in co, or is read: from a later write on, it came to that
// without the new event, and co or fr would have closed the cycle. (What a read
// of an own write is behind, by rfi, is behind the oldest write that it may
// read, by coherence.)
//
// What a reached read decides by picks alone is not reached, if it is a read.
// But writes that are lob-after it are (pick; lob; [W]). So, where there are
// picks, a thread is read with a second flow beside the first one: that of what
// was picked, and of what is lob-after that.
#include "model/armv8.h"

#include "model/places.h"
#include "model/reading.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_EVENTS = 1024 };

struct search {
  struct reading r;
  const struct model_options *options;
  event_id e, other; // the new events
  // A bit for each event. Picked: by pick after a read that is reached. Behind:
  // that, and what is lob-after it.
  uint64_t *is_picked, *is_behind;
  uint64_t few[3][FEW_EVENTS / 64 + 1];
  bool found;
};

// What was reached in the part of a thread that was read so far; or what is
// behind picks.
struct flow {
  const uint64_t *is_in; // the events that count
  bool any, read, write, release;
  bool returns; // a read whose value some register gets
  bool addr;    // an address comes from a reached read
  bool all;     // all later events are reached
  bool loads;   // all later loads
  bool stores;  // all later stores
};

static const struct event *event_of(const struct search *s, event_id id) {
  return &s->r.g->events[id];
}

static void reach(struct search *s, event_id id) {
  if (reading_reach(&s->r, id))
    s->found |= bit_has(s->r.is_reached, s->e) ||
                (s->other != NO_EVENT && bit_has(s->r.is_reached, s->other));
}

// Writes of `loc` from `place` on, and their readers in other threads.
static void reach_co(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->r.g->locs.at[loc];
  uint32_t end = graph_co_seen(s->r.g, loc, place);
  if (place >= end)
    return;
  for (uint32_t i = place; i < end; i++)
    reach(s, l->co.at[i]);
  for (uint32_t i = 0; i < l->reads.len; i++) {
    const struct event *r = event_of(s, l->reads.at[i]);
    const struct event *w = event_of(s, r->rf);
    if (w->co >= place && w->co < end && w->thread != r->thread)
      reach(s, l->reads.at[i]);
  }
}

enum picks { WITH_PICKS, WITHOUT_PICKS };

// Is one of the reads in a dependency of thread t among these events?
static bool depends(const struct search *s, const uint64_t *is_in, unsigned t,
                    set_id set, enum picks picks) {
  const struct graph *g = s->r.g;
  for (uint32_t k = set ? set_len(g->sets, set) : 0; k--;) {
    if (picks == WITHOUT_PICKS && set_is_pick(g->sets, set, k))
      continue;
    event_id source = deps_source(g, t, set_at(g->sets, set, k));
    if (source != NO_EVENT && bit_has(is_in, source))
      return true;
  }
  return false;
}

// Is the read of the update that write `id` ends among these events?
static bool updates_one(const struct search *s, const uint64_t *is_in,
                        event_id id) {
  event_id read = deps_update_read(s->r.g, id);
  return read != NO_EVENT && bit_has(is_in, read);
}

static bool is_forwarded(const struct search *s, const struct event *e) {
  return e->rf != INIT_EVENT && event_of(s, e->rf)->thread == e->thread; // rfi
}

// By pick, or in any other way, after a read that is reached or picked?
static bool is_picked(const struct search *s, event_id id) {
  const struct event *e = event_of(s, id);
  const struct event_deps *d = &s->r.g->deps[id];
  bool is_write = e->kind == EV_WRITE;
  const uint64_t *from[] = {s->r.is_reached, s->is_picked};
  for (unsigned i = 0; i < 2; i++)
    if (depends(s, from[i], e->thread, d->addr, WITH_PICKS) ||
        (is_write && (depends(s, from[i], e->thread, d->data, WITH_PICKS) ||
                      depends(s, from[i], e->thread, d->ctrl, WITH_PICKS))))
      return true;
  return !is_write && is_forwarded(s, e) && bit_has(s->is_picked, e->rf);
}

static bool read_is_after(const struct search *s, const struct flow *f,
                          event_id id) {
  const struct event *e = event_of(s, id);
  if (f->loads || (f->release && armv8_is_ldar(e, s->options)))
    return true;
  if (!f->read)
    return false;
  const struct event_deps *w = &s->r.g->deps[e->rf];
  unsigned t = e->thread;
  return depends(s, f->is_in, t, s->r.g->deps[id].addr, WITHOUT_PICKS) ||
         (is_forwarded(s, e) &&
          (depends(s, f->is_in, t, w->addr, WITHOUT_PICKS) ||
           depends(s, f->is_in, t, w->data, WITHOUT_PICKS) ||
           (armv8_is_acquire(e) && updates_one(s, f->is_in, e->rf))));
}

static bool write_is_after(const struct search *s, const struct flow *f,
                           event_id id) {
  const struct event *e = event_of(s, id);
  if (f->stores || f->addr || (f->any && armv8_is_release(e)))
    return true;
  // (rmw is in fr, which reach_co follows.)
  const struct event_deps *d = &s->r.g->deps[id];
  return f->read && (depends(s, f->is_in, e->thread, d->data, WITH_PICKS) ||
                     depends(s, f->is_in, e->thread, d->ctrl, WITH_PICKS));
}

// Does the flow come to this access?
static bool comes_to(const struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  f->addr |= f->read &&
             depends(s, f->is_in, e->thread, s->r.g->deps[id].addr, WITH_PICKS);
  return f->all || bit_has(f->is_in, id) ||
         (e->kind == EV_WRITE ? write_is_after(s, f, id)
                              : read_is_after(s, f, id));
}

// It did: what that means for the rest of the thread.
static void go_on_from(const struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  f->any = true;
  if (e->kind == EV_WRITE) {
    f->write = true;
    f->release |= armv8_is_release(e);
    // [range([A];amo;[L])];po
    event_id read =
        s->options->arm_llsc || !armv8_is_release(e) || !deps_is_single(e)
            ? NO_EVENT
            : deps_update_read(s->r.g, id);
    f->all |= read != NO_EVENT && armv8_is_ldar(event_of(s, read), s->options);
  } else {
    f->read = true;
    f->returns |= !(e->flags & EVF_NORET);
    f->all |= armv8_is_acquire(e);
  }
}

// The events from index i to `end` of thread t are one access.
static void read_access(struct search *s, struct flow *f, unsigned t,
                        uint32_t i, uint32_t end) {
  bool comes = false;
  for (uint32_t k = i; k < end; k++)
    comes |= comes_to(s, f, graph_at(s->r.g, t, k));
  for (uint32_t k = i; comes && k < end; k++) {
    event_id id = graph_at(s->r.g, t, k);
    const struct event *e = event_of(s, id);
    reach(s, id);
    reach_co(s, e->loc, graph_co_place(s->r.g, id) + (e->kind != EV_WRITE));
    go_on_from(s, f, id);
  }
}

// Later writes of its thread to its location are behind it, too.
static void put_writes_behind(struct search *s, const struct event *e) {
  const struct event_list *own = &s->r.g->locs.at[e->loc].by_thread[e->thread];
  for (uint32_t i = own->len; i-- > 0;) {
    const struct event *x = event_of(s, own->at[i]);
    if (x->index <= e->index)
      return;
    if (x->kind == EV_WRITE)
      bit_add(s->is_behind, own->at[i]);
  }
}

// The same of what is behind picks; of that, writes are reached.
static void read_picked(struct search *s, struct flow *f, unsigned t,
                        uint32_t i, uint32_t end) {
  bool picked = false, is_behind = false;
  for (uint32_t k = i; k < end; k++) {
    picked |= is_picked(s, graph_at(s->r.g, t, k));
    is_behind |= comes_to(s, f, graph_at(s->r.g, t, k));
  }
  for (uint32_t k = i; (picked || is_behind) && k < end; k++) {
    event_id id = graph_at(s->r.g, t, k);
    if (picked)
      bit_add(s->is_picked, id);
    bit_add(s->is_behind, id);
    go_on_from(s, f, id);
    put_writes_behind(s, event_of(s, id));
    if (event_of(s, id)->kind == EV_WRITE)
      reach(s, id);
  }
}

// Does what was picked decide on the instruction barrier, or on an address
// before it? (addr: of the part of its thread that was read)
static bool picks_decide(const struct search *s, event_id isb, bool addr) {
  return addr || depends(s, s->is_picked, event_of(s, isb)->thread,
                         s->r.g->deps[isb].ctrl, WITH_PICKS);
}

static void pass_barrier(const struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  if (armv8_is_load_barrier(e))
    f->all |= f->returns;
  else if (armv8_drains(e))
    f->all |= f->write;
  else if (armv8_is_store_barrier(e))
    f->stores |= f->write;
  else if (armv8_is_isb(e))
    f->loads |=
        f->addr || (f->read && depends(s, f->is_in, e->thread,
                                       s->r.g->deps[id].ctrl, WITH_PICKS));
  f->all |= f->any && armv8_is_full_barrier(e);
}

static void read_barrier(struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  pass_barrier(s, f, id);
  if (!f->any && !f->all)
    return;
  if (e->kind == EV_SPAWN) {
    reading_reach_all(&s->r, e->loc, 0);
  } else if (e->kind == EV_END && s->r.g->threads[e->thread].join != NO_EVENT) {
    const struct event *j = event_of(s, s->r.g->threads[e->thread].join);
    reading_reach_all(&s->r, j->thread, j->index);
  }
}

static void read_thread(struct search *s, unsigned t) {
  struct flow f = {.is_in = s->r.is_reached}, behind = {.is_in = s->is_behind};
  bool addr = false; // an address comes from a read that was picked
  const struct event_list *events = &s->r.g->threads[t].events;
  for (uint32_t i = s->r.from[t], end; i < events->len && !s->found; i = end) {
    event_id id = events->at[i];
    end = reading_end(&s->r, t, i);
    f.all |= i >= s->r.all[t];
    if (!is_access(event_of(s, id))) {
      read_barrier(s, &f, id);
      if (s->is_picked) {
        pass_barrier(s, &behind, id);
        f.loads |= armv8_is_isb(event_of(s, id)) && picks_decide(s, id, addr);
      }
      continue;
    }
    if (s->is_picked) {
      addr |= depends(s, s->is_picked, t, s->r.g->deps[id].addr, WITH_PICKS);
      read_picked(s, &behind, t, i, end);
    }
    read_access(s, &f, t, i, end);
  }
}

// Does nothing but joins and ends come after the event?
static bool is_last(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  uint32_t end = graph_thread_length(g, e->thread);
  if (e->index + 1 == end)
    return true;
  event_id join = g->threads[e->thread].join;
  for (uint32_t i = e->index + 1; i < end; i++) {
    uint8_t kind = g->events[graph_at(g, e->thread, i)].kind;
    if (kind != EV_END && kind != EV_JOIN)
      return false;
  }
  return join == NO_EVENT || is_last(g, join);
}

// Does lob lead from the write to another location? Of a store that does not
// release, only beyond barriers and to stores that do.
static bool store_leads_on(const struct graph *g, const struct event *e) {
  for (uint32_t i = e->index + 1; i < graph_thread_length(g, e->thread); i++) {
    const struct event *next = &g->events[graph_at(g, e->thread, i)];
    if (next->kind == EV_END
            ? g->threads[e->thread].join != NO_EVENT &&
                  !is_last(g, g->threads[e->thread].join)
            : next->kind == EV_FENCE || model_is_thread_event(next) ||
                  armv8_is_release(next))
      return true;
  }
  return false;
}

// Is the access, which is reached by co if it is a write, and by rf if it reads
// another thread's, one from which lob may lead on?
static bool is_start(const struct graph *g, const struct event *e) {
  return e->kind == EV_WRITE
             ? armv8_is_release(e)
             : e->rf == INIT_EVENT || g->events[e->rf].thread != e->thread;
}

// Does a way out of its thread begin with one of these accesses? They are those
// from `first` on, in po.
static bool leads_on(const struct graph *g, const struct event_list *own,
                     uint32_t first) {
  if (is_last(g, own->at[first]))
    return false;
  for (uint32_t i = first; i < own->len; i++)
    if (is_start(g, &g->events[own->at[i]]))
      return true;
  return store_leads_on(g, &g->events[own->at[first]]);
}

// Do the writes after `place` in co, and who reads them, lead nowhere? Then no
// way back begins with them. (The first of a thread is the last only if there
// is no other.)
static bool leads_nowhere(const struct graph *g, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &g->locs.at[loc];
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    const struct event_list *own = &l->by_thread[__builtin_ctzll(rest)];
    uint32_t first = places_before(g, own, place + 1);
    if (first < own->len && leads_on(g, own, first))
      return false;
  }
  return true;
}

// May a way come from another thread to what is before the event in po? By rf,
// co or fr; creating a thread is po.
static bool is_entered(const struct graph *g, const struct event *e) {
  uint32_t t = e->thread;
  for (uint32_t i = e->index; i-- > 0;) {
    const struct event *x = &g->events[graph_at(g, t, i)];
    bool has_others =
        x->kind == EV_WRITE && g->locs.at[x->loc].threads != UINT64_C(1) << t;
    bool reads_other = x->kind == EV_READ && x->rf != INIT_EVENT &&
                       g->events[x->rf].thread != t;
    if (has_others || reads_other || x->kind == EV_JOIN)
      return true;
    if (x->kind == EV_START && x->rf != NO_EVENT) {
      t = g->events[x->rf].thread;
      i = g->events[x->rf].index;
    }
  }
  return false;
}

// May lob come to the read, from an access of its thread, or of one that
// created that and was entered? By an address, by what it reads of its own
// thread, or behind an acquire or a barrier. (Of what lob is made of, the rest
// ends with a write: po & loc, data, ctrl, rmw, po; [L], a barrier of stores,
// pick; [W]; or with an acquire: rmw; rfi, [L]; po. The swap whose write is
// before all later events acquires, ISB is a barrier. Creating a thread is one
// for all of it, so what counts is whether a way comes to who creates it, from
// another thread, before that. Nothing but fr leads from the read on: a cycle
// through it that comes by rf, from another thread, is one without it.)
static bool is_behind_own(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (armv8_is_acquire(e) || g->deps[id].addr ||
      (e->rf != INIT_EVENT && g->events[e->rf].thread == e->thread))
    return true;
  for (uint32_t i = e->index; i-- > 0;) {
    const struct event *x = &g->events[graph_at(g, e->thread, i)];
    if (x->kind == EV_START)
      return x->rf != NO_EVENT && is_entered(g, &g->events[x->rf]);
    if (x->kind == EV_FENCE || armv8_is_acquire(x) || model_is_thread_event(x))
      return true;
  }
  return false;
}

// (A way to a read that comes by its source came by that before, from a later
// write to this one, which co orders before it.)
bool armv8_needs_deps(struct graph *g, event_id e) {
  const struct event *x = &g->events[e];
  uint32_t place = is_access(x) ? graph_co_place(g, e) : 0;
  return is_access(x) && place + 1 < g->locs.at[x->loc].co.len &&
         (x->kind != EV_READ || is_entered(g, x)) &&
         !leads_nowhere(g, x->loc, place);
}

static bool comes_back(struct search *s) {
  unsigned t;
  while (!s->found && reading_next(&s->r, &t))
    read_thread(s, t);
  return s->found;
}

// Readers of the write in other threads.
static void reach_readers(struct search *s, event_id write) {
  const struct event *w = event_of(s, write);
  const struct event_list *reads = &s->r.g->locs.at[w->loc].reads;
  for (uint32_t i = 0; w->kind == EV_WRITE && i < reads->len; i++) {
    const struct event *r = event_of(s, reads->at[i]);
    if (r->rf == write && r->thread != w->thread)
      reach(s, reads->at[i]);
  }
}

// Does a way lead back to e, or to `other`, which reads it? What comes after
// both is the same; of accesses in pieces, only e is asked about.
static bool is_on_cycle(struct graph *g, event_id e, event_id other,
                        const struct model_options *options) {
  struct search s; // what is large is not cleared, it costs more than the rest
  s.r.g = g;
  s.r.in_pieces = options->in_pieces;
  s.options = options;
  s.e = e;
  s.other = other;
  s.found = false;
  s.is_picked = s.is_behind = NULL;
  bool is_large = g->nevents > FEW_EVENTS;
  uint64_t **bits[] = {&s.r.is_reached, &s.is_picked, &s.is_behind};
  unsigned n = g->sets->has_picks ? 3 : 1;
  size_t size = (g->nevents / 64 + 1) * sizeof(uint64_t);
  for (unsigned i = 0; i < n; i++)
    *bits[i] = is_large ? xmalloc(size) : s.few[i];
  for (unsigned i = 0; i < n; i++)
    memset(*bits[i], 0, size);
  const struct event *x = &g->events[e];
  reading_begin(&s.r);
  uint32_t i = s.r.in_pieces ? whole_begin(g, x->thread, x->index) : x->index;
  for (; i <= x->index; i++) {
    event_id piece = graph_at(g, x->thread, i);
    reach_co(&s, g->events[piece].loc, graph_co_place(g, piece) + 1);
    if (s.r.in_pieces)
      reach_readers(&s, piece);
  }
  bool found = comes_back(&s);
  for (unsigned k = 0; k < n && is_large; k++)
    free(*bits[k]);
  return found;
}

bool armv8_consistent(struct graph *g, event_id e, event_id other,
                      const struct model_options *options) {
  bool is_read = g->events[e].kind == EV_READ;
  return !armv8_needs_deps(g, e) ||
         (is_read && !options->in_pieces && !is_behind_own(g, e)) ||
         !is_on_cycle(g, e, other, options);
}

bool armv8_whole(struct graph *g, event_id e, event_id other,
                 const struct model_options *options) {
  return !is_access(&g->events[e]) ||
         (whole_is_atomic(g, e) && !is_on_cycle(g, e, NO_EVENT, options) &&
          (other == NO_EVENT || !is_on_cycle(g, other, NO_EVENT, options)));
}
