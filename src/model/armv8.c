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
#include "model/armv8.h"

#include "base/bits.h"

#include <stdlib.h>

enum { THREADS = 64, FEW_EVENTS = 1024 };

struct search {
  struct graph *g;
  const struct model_options *options;
  event_id e, other;    // the new events
  uint64_t *is_reached; // a bit for each event
  uint64_t few[FEW_EVENTS / 64];
  uint32_t from[THREADS]; // the first reached event
  uint32_t all[THREADS];  // from this index on, all are reached
  uint64_t to_read;       // threads in which something new was reached
  uint32_t thread;        // the one that is being read
  bool found;
};

// What was reached in the part of a thread that was read so far.
struct flow {
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

// Is one of the reads in a dependency of thread t reached?
static bool depends(const struct search *s, unsigned t, set_id set) {
  const struct graph *g = s->g;
  for (uint32_t k = set ? set_len(g->sets, set) : 0; k--;) {
    event_id source = deps_source(g, t, set_at(g->sets, set, k));
    if (source != NO_EVENT && bit_has(s->is_reached, source))
      return true;
  }
  return false;
}

// The read of the update that write `id` ends: is it reached?
static bool update_is_reached(const struct search *s, event_id id) {
  event_id read = deps_update_read(s->g, id);
  return read != NO_EVENT && bit_has(s->is_reached, read);
}

static bool read_is_after(const struct search *s, const struct flow *f,
                          event_id id) {
  const struct event *e = event_of(s, id);
  if (f->loads || (f->release && armv8_is_ldar(e, s->options)))
    return true;
  if (!f->read)
    return false;
  const struct event_deps *w = &s->g->deps[e->rf];
  bool forwarded =
      e->rf != INIT_EVENT && event_of(s, e->rf)->thread == e->thread; // rfi
  return depends(s, e->thread, s->g->deps[id].addr) ||
         (forwarded &&
          (depends(s, e->thread, w->addr) || depends(s, e->thread, w->data) ||
           (armv8_is_acquire(e) && update_is_reached(s, e->rf))));
}

static bool write_is_after(const struct search *s, const struct flow *f,
                           event_id id) {
  const struct event *e = event_of(s, id);
  if (f->stores || f->addr || (f->any && armv8_is_release(e)))
    return true;
  // (rmw is in fr, which reach_co follows.)
  const struct event_deps *d = &s->g->deps[id];
  return f->read &&
         (depends(s, e->thread, d->data) || depends(s, e->thread, d->ctrl));
}

static void read_access(struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  bool is_write = e->kind == EV_WRITE;
  f->addr |= f->read && depends(s, e->thread, s->g->deps[id].addr);
  if (!f->all && !bit_has(s->is_reached, id) &&
      !(is_write ? write_is_after(s, f, id) : read_is_after(s, f, id)))
    return;
  reach(s, id);
  reach_co(s, e->loc, graph_co_place(s->g, id) + !is_write);
  f->any = true;
  if (is_write) {
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

static void read_barrier(struct search *s, struct flow *f, event_id id) {
  const struct event *e = event_of(s, id);
  if (armv8_is_load_barrier(e))
    f->all |= f->returns;
  else if (armv8_drains(e))
    f->all |= f->write;
  else if (armv8_is_store_barrier(e))
    f->stores |= f->write;
  else if (armv8_is_isb(e))
    f->loads |=
        f->addr || (f->read && depends(s, e->thread, s->g->deps[id].ctrl));
  if (!f->any && !f->all)
    return;
  f->all |= armv8_is_full_barrier(e);
  if (e->kind == EV_SPAWN) {
    reach_all(s, e->loc, 0);
  } else if (e->kind == EV_END && s->g->threads[e->thread].join != NO_EVENT) {
    const struct event *j = event_of(s, s->g->threads[e->thread].join);
    reach_all(s, j->thread, j->index);
  }
}

static void read_thread(struct search *s, unsigned t) {
  struct flow f = {0};
  const struct event_list *events = &s->g->threads[t].events;
  s->thread = t;
  for (uint32_t i = s->from[t]; i < events->len && !s->found; i++) {
    event_id id = events->at[i];
    f.all |= i >= s->all[t];
    if (is_access(event_of(s, id)))
      read_access(s, &f, id);
    else
      read_barrier(s, &f, id);
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
  s.is_reached = g->nevents <= FEW_EVENTS
                     ? s.few
                     : xcalloc(g->nevents / 64 + 1, sizeof *s.is_reached);
  bool found = comes_back(&s);
  if (s.is_reached != s.few)
    free(s.is_reached);
  return !found;
}
