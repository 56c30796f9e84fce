// SPDX-License-Identifier: MIT
// The execution graph: events with program order (po), reads-from (rf) and
// coherence (co), plus the clocks that make happens-before and prefix queries
// O(1). It knows no bytecode: an event carries a `site` number that reports
// map to a source line, a location is a dense number, a value is 64 bits.
//
// Every change goes through the undo log, so going back costs what is undone.
// Event numbers are stamps: a smaller number was added earlier. A revisit
// takes events out of the graph without destroying them, so that undoing it
// puts them back (their numbers are not reused before that).
//
// Event 0 stands for the initial writes of all locations.
#pragma once

#include "base/array.h"
#include "base/order.h"

typedef uint32_t event_id;
typedef uint32_t clock_id; // 0 is the empty clock
#define INIT_EVENT 0u
#define NO_EVENT UINT32_MAX

enum event_kind {
  EV_INIT,
  EV_READ,   // of a location; EVF_EXCLUSIVE: first half of an RMW
  EV_WRITE,  // to a location; EVF_EXCLUSIVE: second half of an RMW
  EV_FENCE,
  EV_START,  // first event of a thread; rf is the EV_SPAWN (NO_EVENT in main)
  EV_SPAWN,  // loc is the new thread
  EV_END,    // last event of a thread; value is its result
  EV_JOIN,   // rf is the EV_END; loc is the joined thread
  EV_DETACH, // loc is the thread
  EV_ALLOC,  // loc is the object number, value its size
  EV_FREE,   // loc is the object number
  EV_CHOICE, // value was chosen
  EV_OUTPUT, // value is a string id of the vm
};

enum event_flags {
  EVF_EXCLUSIVE = 1, // part of a (successful) read-modify-write
  EVF_LOCK = 2,      // READ of a lock; value != 0: the thread waits here
  EVF_UNLOCK = 4,
  EVF_UNINIT = 8,    // the value is uninitialised
  EVF_ZEROED = 16,   // ALLOC: first contents are zero
  EVF_STACK = 32,    // ALLOC, FREE of a stack object
  EVF_CAS = 64,      // READ by a compare-exchange (exclusive iff it succeeded)
};

struct event {
  uint8_t kind, order, flags, thread;
  uint32_t index;    // position in its thread; EV_START is 0
  uint32_t loc;      // location, object or thread: see the kind
  event_id rf;       // see the kind
  uint64_t value;    // read, written, chosen, ...
  uint32_t co;       // WRITE: position in co of its location, from 1
  uint32_t state;    // the thread's state after this event
  clock_id hb, porf; // what comes before it; its own thread: `index` holds
  clock_id rel;      // WRITE: what a reader that acquires from it gets to know
  clock_id acq;      // what the next acquire fence of the thread will learn
  event_id rel_fence; // newest release fence of its thread up to here, or 0
  event_id prev, next; // neighbours in the graph, by stamp
  uint32_t site;
};

struct graph_thread {
  ARRAY(event_id) events; // po
  uint32_t state;         // where the thread is now (== state of last event)
};

struct graph_loc {
  ARRAY(event_id) co;    // [0] is INIT_EVENT, then the writes in co order
  ARRAY(event_id) reads; // in no particular order
  ARRAY(event_id) *by_thread; // accesses in po, per thread; NULL until used
  uint8_t has_na, has_atomic; // some access in this graph is (non-)atomic
};

struct graph_object {
  event_id alloc, free; // NO_EVENT when absent
};

struct graph {
  struct event *events; // by event_id
  uint32_t nevents, cap_events;
  uint32_t live;        // how many of them are in the graph
  event_id last;        // newest event in the graph (first is INIT_EVENT)
  struct graph_thread *threads; // by thread_id
  uint32_t nthreads;    // threads that ever existed in this run
  ARRAY(struct graph_loc) locs;       // by loc_id
  ARRAY(struct graph_object) objects; // by object_no
  uint32_t sc_count;    // events of order sc in the graph
  struct graph_clocks *clocks;
  struct graph_undo *undo;
};

static inline const struct event *graph_event(const struct graph *g,
                                              event_id e) {
  return &g->events[e];
}

// The i-th event of thread t in po.
static inline event_id graph_at(const struct graph *g, unsigned t, uint32_t i) {
  return g->threads[t].events.at[i];
}

static inline uint32_t graph_thread_length(const struct graph *g, unsigned t) {
  return g->threads[t].events.len;
}
