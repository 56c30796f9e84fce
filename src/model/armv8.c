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
// What a reached read decides by picks alone is not reached, if it is a read.
// But writes that are lob-after it are (pick; lob; [W]). So, where there are
// picks, a thread is read with a second flow beside the first one: that of what
// was picked, and of what is lob-after that.
#include "model/armv8.h"

#include "base/bits.h"

#include <stdlib.h>

enum { THREADS = 64, FEW_EVENTS = 1024 };

struct search {
  struct graph *g;
  const struct model_options *options;
  event_id e, other; // the new events
  // A bit for each event. Picked: by pick after a read that is reached. Behind:
  // that, and what is lob-after it.
  uint64_t *is_reached, *is_picked, *is_behind;
  uint64_t few[3][FEW_EVENTS / 64];
  uint32_t from[THREADS]; // the first reached event
  uint32_t all[THREADS];  // from this index on, all are reached
  uint64_t to_read;       // threads in which something new was reached
  uint32_t thread;        // the one that is being read
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
  return &s->g->events[id];
}

static void reach_from(struct search *s, unsigned t, uint32_t i) {
  if (i < s->from[t])
    s->from[t] = i;
  // What is reached from its own thread is later there: coherence.
  if (t != s->thread)
    s->to_read |= UINT64_C(1) << t;
}

static void reach(struct search *s, event_id id) {
  if (bit_has(s->is_reached, id))
    return;
  bit_add(s->is_reached, id);
  s->found |= id == s->e || id == s->other;
  reach_from(s, event_of(s, id)->thread, event_of(s, id)->index);
}

// Every event of thread t from index i on.
static void reach_all(struct search *s, unsigned t, uint32_t i) {
  if (i >= s->all[t])
    return;
  s->all[t] = i;
  reach_from(s, t, i);
}

// Writes of `loc` from `place` on, and their readers in other threads.
static void reach_co(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->g->locs.at[loc];
  uint32_t end = graph_co_seen(s->g, loc, place);
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
  const struct graph *g = s->g;
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
  event_id read = deps_update_read(s->g, id);
  return read != NO_EVENT && bit_has(is_in, read);
}

static bool is_forwarded(const struct search *s, const struct event *e) {
  return e->rf != INIT_EVENT && event_of(s, e->rf)->thread == e->thread; // rfi
}

// By pick, or in any other way, after a read that is reached or picked?
static bool is_picked(const struct search *s, event_id id) {
  const struct event *e = event_of(s, id);
  const struct event_deps *d = &s->g->deps[id];
  bool is_write = e->kind == EV_WRITE;
  const uint64_t *from[] = {s->is_reached, s->is_picked};
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
  const struct event_deps *w = &s->g->deps[e->rf];
  unsigned t = e->thread;
  return depends(s, f->is_in, t, s->g->deps[id].addr, WITHOUT_PICKS) ||
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
  const struct event_deps *d = &s->g->deps[id];
  return f->read && (depends(s, f->is_in, e->thread, d->data, WITH_PICKS) ||
                     depends(s, f->is_in, e->thread, d->ctrl, WITH_PICKS));
}

// Does the flow come to this access?
static bool comes_to(const struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  f->addr |= f->read &&
             depends(s, f->is_in, e->thread, s->g->deps[id].addr, WITH_PICKS);
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
            : deps_update_read(s->g, id);
    f->all |= read != NO_EVENT && armv8_is_ldar(event_of(s, read), s->options);
  } else {
    f->read = true;
    f->returns |= !(e->flags & EVF_NORET);
    f->all |= armv8_is_acquire(e);
  }
}

static void read_access(struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  if (!comes_to(s, f, id))
    return;
  reach(s, id);
  reach_co(s, e->loc, graph_co_place(s->g, id) + (e->kind != EV_WRITE));
  go_on_from(s, f, id);
}

// Later writes of its thread to its location are behind it, too.
static void put_writes_behind(struct search *s, const struct event *e) {
  const struct event_list *own = &s->g->locs.at[e->loc].by_thread[e->thread];
  for (uint32_t i = own->len; i-- > 0;) {
    const struct event *x = event_of(s, own->at[i]);
    if (x->index <= e->index)
      return;
    if (x->kind == EV_WRITE)
      bit_add(s->is_behind, own->at[i]);
  }
}

// The same of what is behind picks; of that, writes are reached.
static void read_picked(struct search *s, struct flow *f, event_id id) {
  bool is_behind = comes_to(s, f, id);
  if (is_picked(s, id)) {
    bit_add(s->is_picked, id);
    is_behind = true;
  }
  if (!is_behind)
    return;
  bit_add(s->is_behind, id);
  go_on_from(s, f, id);
  put_writes_behind(s, event_of(s, id));
  if (event_of(s, id)->kind == EV_WRITE)
    reach(s, id);
}

// Does what was picked decide on the instruction barrier, or on an address
// before it? (addr: of the part of its thread that was read)
static bool picks_decide(const struct search *s, event_id isb, bool addr) {
  return addr || depends(s, s->is_picked, event_of(s, isb)->thread,
                         s->g->deps[isb].ctrl, WITH_PICKS);
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
                                       s->g->deps[id].ctrl, WITH_PICKS));
  f->all |= f->any && armv8_is_full_barrier(e);
}

static void read_barrier(struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  pass_barrier(s, f, id);
  if (!f->any && !f->all)
    return;
  if (e->kind == EV_SPAWN) {
    reach_all(s, e->loc, 0);
  } else if (e->kind == EV_END && s->g->threads[e->thread].join != NO_EVENT) {
    const struct event *j = event_of(s, s->g->threads[e->thread].join);
    reach_all(s, j->thread, j->index);
  }
}

static void read_thread(struct search *s, unsigned t) {
  struct flow f = {.is_in = s->is_reached}, behind = {.is_in = s->is_behind};
  bool addr = false; // an address comes from a read that was picked
  const struct event_list *events = &s->g->threads[t].events;
  s->thread = t;
  for (uint32_t i = s->from[t]; i < events->len && !s->found; i++) {
    event_id id = events->at[i];
    f.all |= i >= s->all[t];
    if (!is_access(event_of(s, id))) {
      read_barrier(s, &f, id);
      if (s->is_picked) {
        pass_barrier(s, &behind, id);
        f.loads |= armv8_is_isb(event_of(s, id)) && picks_decide(s, id, addr);
      }
      continue;
    }
    if (s->is_picked) {
      addr |= depends(s, s->is_picked, t, s->g->deps[id].addr, WITH_PICKS);
      read_picked(s, &behind, id);
    }
    read_access(s, &f, id);
  }
  s->thread = THREADS;
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

// Are the writes after `place` in co, and who reads them, the last of their
// threads? Then no way back begins with them.
static bool leads_nowhere(const struct graph *g, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &g->locs.at[loc];
  for (uint32_t i = place + 1; i < l->co.len; i++)
    if (!is_last(g, l->co.at[i]))
      return false;
  for (uint32_t i = 0; i < l->reads.len; i++)
    if (graph_co_place(g, l->reads.at[i]) > place &&
        !is_last(g, l->reads.at[i]))
      return false;
  return true;
}

bool armv8_needs_deps(struct graph *g, event_id e) {
  const struct event *x = &g->events[e];
  uint32_t place = is_access(x) ? graph_co_place(g, e) : 0;
  return is_access(x) && place + 1 < g->locs.at[x->loc].co.len &&
         !leads_nowhere(g, x->loc, place);
}

static bool comes_back(struct search *s) {
  struct graph *g = s->g;
  const struct event *x = &g->events[s->e];
  g->epoch++;
  for (uint32_t t = 0; t < g->nthreads; t++)
    s->from[t] = s->all[t] = graph_thread_length(g, t);
  // `other`, if any, reads e: what comes after both is the same.
  reach_co(s, x->loc, graph_co_place(g, s->e) + 1);
  while (s->to_read && !s->found) {
    unsigned t = (unsigned)__builtin_ctzll(s->to_read);
    s->to_read &= s->to_read - 1;
    read_thread(s, t);
  }
  return s->found;
}

bool armv8_consistent(struct graph *g, event_id e, event_id other,
                      const struct model_options *options) {
  if (!armv8_needs_deps(g, e))
    return true;
  struct search s = {
      .g = g, .options = options, .e = e, .other = other, .thread = THREADS};
  bool is_large = g->nevents > FEW_EVENTS;
  uint64_t **bits[] = {&s.is_reached, &s.is_picked, &s.is_behind};
  unsigned n = g->sets->has_picks ? 3 : 1;
  for (unsigned i = 0; i < n; i++)
    *bits[i] =
        is_large ? xcalloc(g->nevents / 64 + 1, sizeof(uint64_t)) : s.few[i];
  bool found = comes_back(&s);
  for (unsigned i = 0; i < n && is_large; i++)
    free(*bits[i]);
  return !found;
}
