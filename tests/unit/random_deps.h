// SPDX-License-Identifier: MIT
// Graphs that grow at random, with dependencies, every fence, exclusives and
// threads that are created and joined, for models that track dependencies.
#pragma once

#include "model/model.h"

#include <stdlib.h>

enum { MAX_EVENTS = 256 }; // as many as a new graph has room for

struct built {
  struct graph g;
  struct sets sets;
  bool has_picks; // of random graphs
  struct next {
    set_id ctrl[8]; // what the next event of each thread depends on
  } next;
};

static void start(struct built *b, uint32_t threads, uint32_t locs) {
  *b = (struct built){0};
  graph_init(&b->g);
  b->g.plain_syncs = true; // as the models with dependencies want it
  sets_init(&b->sets);
  b->g.deps = xcalloc(MAX_EVENTS, sizeof *b->g.deps);
  b->g.sets = &b->sets;
  graph_need_threads(&b->g, threads);
  graph_need_loc(&b->g, locs - 1);
}

static void stop(struct built *b) {
  graph_done(&b->g);
  sets_done(&b->sets);
}

static event_id add(struct built *b, struct event e, set_id addr, set_id data) {
  check(b->g.nevents < MAX_EVENTS);
  e.state = 1;
  event_id id = graph_add(&b->g, e);
  b->g.deps[id] = (struct event_deps){
      .addr = addr, .data = data, .ctrl = b->next.ctrl[e.thread]};
  return id;
}

static uint32_t below(uint64_t *s, uint32_t n) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (uint32_t)(*s % n);
}

static bool happens(uint64_t *s, unsigned percent) {
  return below(s, 100) < percent;
}

struct mix {
  uint32_t threads, locs;
  unsigned strong, fence, deps; // percent
  bool spawns;                  // thread 0 creates and joins the others
};

static const struct mix mixes[] = {
    {2, 2, 10, 10, 40, false}, {3, 2, 0, 10, 60, false},
    {3, 3, 10, 40, 40, false}, {4, 2, 30, 10, 30, false},
    {3, 2, 0, 60, 40, false},  {3, 2, 20, 10, 40, true},
    {4, 4, 50, 20, 40, false}, {2, 1, 20, 10, 50, false},
    {4, 2, 60, 30, 40, false}, {4, 3, 0, 50, 60, false},
};

static inline const struct mix *mix_of(unsigned seed) {
  return &mixes[seed % (sizeof mixes / sizeof *mixes)];
}

static uint8_t random_order(uint64_t *s, const struct mix *m, uint8_t strong) {
  if (happens(s, m->strong))
    return happens(s, 40) ? ORD_SC : strong;
  return happens(s, 10) ? ORD_NA : ORD_RLX;
}

// Some earlier events of the thread; some of them are no reads.
static set_id random_set(struct built *b, uint64_t *s, const struct mix *m,
                         unsigned t) {
  set_id set = 0;
  while (happens(s, m->deps)) {
    set_id one = set_of_one(&b->sets, below(s, graph_thread_length(&b->g, t)));
    if (b->has_picks && happens(s, 60))
      one = set_picked(&b->sets, one);
    set = set_union(&b->sets, set, one);
  }
  return set;
}

static event_id add_random_fence(struct built *b, uint64_t *s, struct event e) {
  static const struct {
    uint8_t order;
    uint32_t flags;
  } kinds[] = {{ORD_SC, 0},         {ORD_SC, 0},       {ORD_SC, 0},
               {ORD_SC, 0},         {ORD_ACQ, 0},      {ORD_REL, 0},
               {ORD_ACQREL, 0},     {ORD_NA, EVF_ISB}, {ORD_NA, EVF_ISB},
               {ORD_NA, EVF_STORES}};
  unsigned k = below(s, sizeof kinds / sizeof *kinds);
  e.kind = EV_FENCE;
  e.order = kinds[k].order;
  e.flags = kinds[k].flags;
  if (e.flags == EVF_STORES && graph_thread_length(&b->g, e.thread) % 2)
    e.value = FENCE_DSB_ST;
  return add(b, e, 0, 0);
}

// Thread 0 creates thread u, or joins it; NO_EVENT if neither makes sense.
static event_id create_or_join(struct built *b, unsigned u) {
  struct event e = {.kind = EV_SPAWN, .loc = u, .rf = NO_EVENT};
  if (!graph_thread_length(&b->g, u)) {
    event_id spawn = add(b, e, 0, 0);
    e = (struct event){
        .kind = EV_START, .thread = (uint8_t)u, .loc = u, .rf = spawn};
    return add(b, e, 0, 0);
  }
  if (b->g.events[graph_tail(&b->g, u)].kind == EV_END)
    return NO_EVENT;
  event_id end = add(
      b, (struct event){.kind = EV_END, .thread = (uint8_t)u, .rf = NO_EVENT},
      0, 0);
  e.kind = EV_JOIN;
  e.rf = end;
  return add(b, e, 0, 0);
}

static bool is_exclusive_source(const struct graph *g, uint32_t loc,
                                event_id write) {
  const struct event_list *reads = &g->locs.at[loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (r->rf == write && (r->flags & EVF_EXCLUSIVE))
      return true;
  }
  return false;
}

// Adds an event of a random thread, with a place in co from `floor` on (its
// own, or that of what it reads).
static event_id add_random_access(struct built *b, uint64_t *s,
                                  const struct mix *m, struct event e,
                                  uint32_t floor) {
  unsigned t = e.thread;
  const struct event_list *co = &b->g.locs.at[e.loc].co;
  event_id tail = graph_tail(&b->g, t);
  set_id addr = random_set(b, s, m, t), data = random_set(b, s, m, t);
  b->next.ctrl[t] =
      set_union(&b->sets, b->next.ctrl[t], random_set(b, s, m, t));
  const struct event *r = &b->g.events[tail];
  if (r->kind == EV_READ && (r->flags & EVF_EXCLUSIVE)) {
    // The other half of an update.
    e.kind = EV_WRITE;
    e.loc = r->loc;
    e.flags = EVF_EXCLUSIVE | (e.loc & 1 ? EVF_PAIR : 0);
    e.order = r->order;
    e.co = graph_co_place(&b->g, tail) + 1;
    return add(b, e, addr, data);
  }
  // Mostly the newest place, which orders threads, or the oldest one, which a
  // model may refuse.
  uint32_t place = co->len - 1;
  if (happens(s, 85))
    place = floor + (happens(s, 85) ? 0 : below(s, co->len - floor));
  if (happens(s, 40)) {
    e.kind = EV_WRITE;
    e.order = random_order(s, m, ORD_REL);
    e.co = place + 1;
    event_id write = add(b, e, addr, data);
    if (b->has_picks) // whether it is there, as of a compare-exchange
      b->g.deps[write].ctrl =
          set_union(&b->sets, b->next.ctrl[t], random_set(b, s, m, t));
    return write;
  }
  e.kind = EV_READ;
  e.order = random_order(s, m, happens(s, 50) ? ORD_ACQ : ORD_ACQREL);
  e.rf = co->at[place];
  if (happens(s, 30)) {
    e.flags |= EVF_CAS;
    data = happens(s, 50) ? data : 0;
  }
  if (happens(s, 30) && !is_exclusive_source(&b->g, e.loc, e.rf))
    e.flags |= EVF_EXCLUSIVE;
  else if (happens(s, 10))
    e.flags |= EVF_LINKED;
  if (b->g.skips_noret && (e.flags & EVF_EXCLUSIVE) &&
      !order_acquires(e.order) && happens(s, 50))
    e.flags |= EVF_NORET;
  return add(b, e, addr, data);
}

// What the model's coherence leaves.
static uint32_t floor_of(const struct graph *g, unsigned t, uint32_t loc) {
  const struct event *tail = &g->events[graph_tail(g, t)];
  return graph_co_floor(g, loc, t, tail->index + 1, tail->hb);
}

// Adds a random event.
static inline event_id grow(struct built *b, uint64_t *s, const struct mix *m) {
  struct event e = {.thread = (uint8_t)below(s, m->threads),
                    .loc = below(s, m->locs),
                    .rf = NO_EVENT};
  if (m->spawns && happens(s, 10))
    return create_or_join(b, 1 + below(s, m->threads - 1));
  if (!graph_thread_length(&b->g, e.thread) ||
      b->g.events[graph_tail(&b->g, e.thread)].kind == EV_END)
    return NO_EVENT;
  const struct event *tail = &b->g.events[graph_tail(&b->g, e.thread)];
  if (tail->kind == EV_READ && (tail->flags & EVF_EXCLUSIVE))
    return add_random_access(b, s, m, e, 0);
  if (happens(s, m->fence))
    return add_random_fence(b, s, e);
  return add_random_access(b, s, m, e, floor_of(&b->g, e.thread, e.loc));
}

static void start_random(struct built *b, const struct mix *m) {
  start(b, m->threads, m->locs);
  for (uint8_t t = 0; t < (m->spawns ? 1 : m->threads); t++)
    add(b, (struct event){.kind = EV_START, .thread = t, .rf = NO_EVENT}, 0, 0);
}
