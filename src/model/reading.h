// SPDX-License-Identifier: MIT
// Searches that go forwards through a graph, in models where what is reached
// in a thread depends on what lies between: a thread is read from the first
// event that was reached, in po, and the model decides on the way what else is.
// Something may be reached later in the middle of a thread: it is read again.
//
// Of an access in pieces (whole.c) all are reached with one, and are read
// together.
#pragma once

#include "base/bits.h"
#include "model/whole.h"

enum { READING_THREADS = 64 };

struct reading {
  struct graph *g;
  bool in_pieces;                 // accesses may be
  uint64_t *is_reached;           // a bit for each event
  uint32_t from[READING_THREADS]; // the first reached event
  uint32_t all[READING_THREADS];  // from this index on, all are reached
  uint64_t to_read;               // threads in which something new was reached
  uint32_t thread, index;         // where a thread is being read
};

static inline void reading_begin(struct reading *r) {
  r->g->epoch++;
  r->to_read = 0;
  r->thread = READING_THREADS;
  for (uint32_t t = 0; t < r->g->nthreads; t++)
    r->from[t] = r->all[t] = graph_thread_length(r->g, t);
}

static inline void reading_from(struct reading *r, unsigned t, uint32_t i) {
  if (i < r->from[t])
    r->from[t] = i;
  if (t != r->thread || i < r->index)
    r->to_read |= UINT64_C(1) << t;
}

// False: it was reached before.
static inline bool reading_reach(struct reading *r, event_id id) {
  if (bit_has(r->is_reached, id))
    return false;
  const struct event *e = &r->g->events[id];
  uint32_t first = e->index;
  if (!r->in_pieces) {
    bit_add(r->is_reached, id);
  } else {
    uint32_t end = whole_end(r->g, e->thread, e->index);
    first = whole_begin(r->g, e->thread, e->index);
    for (uint32_t i = first; i < end; i++)
      bit_add(r->is_reached, graph_at(r->g, e->thread, i));
  }
  reading_from(r, e->thread, first);
  return true;
}

// Every event of thread t from index i on. False: so it was before.
static inline bool reading_reach_all(struct reading *r, unsigned t,
                                     uint32_t i) {
  if (r->in_pieces)
    i = whole_begin(r->g, t, i);
  if (i >= r->all[t])
    return false;
  r->all[t] = i;
  reading_from(r, t, i);
  return true;
}

// The next thread that is to be read; false: there is none.
static inline bool reading_next(struct reading *r, unsigned *t) {
  r->thread = READING_THREADS;
  if (!r->to_read)
    return false;
  *t = (unsigned)__builtin_ctzll(r->to_read);
  r->to_read &= r->to_read - 1;
  r->thread = *t;
  return true;
}

// The events from index i on that are read together: up to which one?
static inline uint32_t reading_end(struct reading *r, unsigned t, uint32_t i) {
  r->index = i;
  return r->in_pieces ? whole_end(r->g, t, i) : i + 1;
}
