// SPDX-License-Identifier: MIT
// The execution graph: events with program order (po), reads-from (rf) and
// coherence (co), plus the clocks that make happens-before and prefix queries
// O(1). It knows no bytecode: an event carries the number of its thread's
// state, a location is a dense number, a value is 64 bits.
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
#include "base/sets.h"
#include "graph/clock.h"

typedef uint32_t event_id;
#define INIT_EVENT 0u
#define NO_EVENT UINT32_MAX

enum event_kind {
  EV_INIT,
  EV_READ,   // of a location; EVF_EXCLUSIVE: first half of an RMW
  EV_WRITE,  // to a location; EVF_EXCLUSIVE: second half of an RMW
  EV_FENCE,  // value: see fence_kind_of; loc, if it has one
  EV_START,  // first event of a thread; rf is the EV_SPAWN (NO_EVENT in main)
  EV_SPAWN,  // loc is the new thread
  EV_END,    // last event of a thread; value is its result
  EV_JOIN,   // rf is the EV_END; loc is the joined thread
  EV_DETACH, // loc is the thread
  EV_ALLOC,  // loc is the object number, value its size
  EV_FREE,   // loc is the object number
  EV_CHOICE, // value was chosen
  EV_OUTPUT, // value is a string id of the vm
  EV_ANSWER, // value is what the thread asked about memory, a size
};

// No bit has two meanings, though most are of one kind of event.
enum event_flags {
  EVF_EXCLUSIVE = 1 << 0, // part of a (successful) read-modify-write
  EVF_LOCK = 1 << 1,      // READ of a lock; value != 0: the thread waits here
  EVF_UNLOCK = 1 << 2,    // WRITE
  EVF_UNINIT = 1 << 3,    // the value is uninitialised
  EVF_ZEROED = 1 << 4,    // ALLOC: first contents are zero
  EVF_STACK = 1 << 5,     // ALLOC, FREE of a stack object
  // READ that waited and was handed a write; WRITE that was handed to a waiting
  // read (explore/loops/hand_over.c).
  EVF_HANDED = 1 << 6,
  EVF_CAS = 1 << 7, // READ by a compare-exchange (exclusive iff it succeeded)
  // READ that ends a failed round of a loop that tries again: the thread stops
  // (explore/loops/retry.c); READ, WRITE: it stops in pieces that cannot go on
  // (explore/search/write.c).
  EVF_RETRY = 1 << 8,
  EVF_ISB = 1 << 9, // FENCE of order na: an instruction barrier (arm isb)
  // FENCE of order na: stores before stores (arm dmb st); its value says if
  // before everything (fence_drains).
  EVF_STORES = 1 << 10,
  EVF_EXIT = 1 << 11, // END by exit(): the program is over
  // READ, WRITE, FENCE that ends a failed round of an await: the thread waits
  // (explore/loops/await.c).
  EVF_AWAIT = 1 << 12,
  // READ that reserves its location; WRITE that needed the reservation, and had
  // it (reserve.c).
  EVF_LINKED = 1 << 13,
  EVF_NORET = 1 << 14, // READ of an update that no register gets
  // READ by a compare-exchange that is no branch; CHOICE of its outcome.
  EVF_PICK = 1 << 15,
  // READ, WRITE by an instruction of a litmus test: it is what it says, and
  // nothing that a compiler makes of C11.
  EVF_ISA = 1 << 16,
  EVF_DOUBT = 1 << 17, // a model asks again when the graph is complete
  // CHOICE that is the value of a read without source
  // (explore/cycles/justify/guess.c); loc is the number of the guess.
  EVF_GUESS = 1 << 18,
  // WRITE of an update that is no single instruction, whatever the model takes
  // the others for.
  EVF_PAIR = 1 << 19,
  // WRITE that took a lock; READ of a try to take one without waiting
  // (exclusive iff it succeeded).
  EVF_SPIN = 1 << 20,
  // Pieces of an atomic access (pieces.c): READ, WRITE;
  EVF_PIECE = 1 << 21,
  EVF_UPDATE = 1 << 22, // of an update;
  EVF_NEXT = 1 << 23,   // not the first one.
  EVF_SRCU = 1 << 24, // READ that begins a section of SRCU; WRITE that ends one
  EVF_OWN = 1 << 25,  // it may know what COHERENCE_EXTERNAL says nothing of
};

struct event {
  uint8_t kind, order, thread;
  uint8_t rest;      // WRITE: how many pieces of the same access follow it
  uint32_t index;    // position in its thread; EV_START is 0
  uint32_t loc;      // location, object or thread: see the kind
  event_id rf;       // see the kind
  uint64_t value;    // read, written, chosen, ...
  uint32_t co;       // WRITE: position in co of its location, from 1
  uint32_t pre;      // the thread's state before this event (names its site)
  uint32_t state;    // the thread's state after it; 0: the thread waits here
  clock_id hb, porf; // what comes before it; its own thread: `index` holds
  clock_id acq;      // what the next acquire fence of the thread will learn
  clock_id fenced;   // what release fences up to here let relaxed writes carry
  clock_id rel;      // WRITE: what a reader that acquires from it gets to know
                     // (and the write itself, if that releases)
  event_id prev, next; // neighbours in the graph, by stamp
  uint32_t same;       // 1 + index of the event of its thread that last had the
                       // same `pre`; 0 if there is none
  event_id before;     // EVF_HANDED: the source that the waiting read had
                       // before this WRITE, or at first (READ)
  uint32_t flags;      // enum event_flags
};

// What decides an event, in models that track dependencies. The numbers in the
// sets are indices of earlier events of its thread.
struct event_deps {
  set_id addr, data, ctrl; // data of a CAS's read: what it expects
  set_id after;   // all branches before it, also those that do not guard it
  uint32_t state; // of the automaton that knows the sets
};

struct event_list {
  event_id *at;
  uint32_t len, cap;
};

// Per thread and state: 1 + the index of the newest event with that `pre`.
struct state_index {
  uint32_t *at;
  uint32_t cap;
};

struct graph_thread {
  struct event_list events;     // po
  uint32_t known;               // of how many of the first the deps are known
  uint32_t state;               // where the thread is now (graph_set_state)
  uint32_t spawns;              // EV_SPAWN events among `events`
  event_id join;                // the EV_JOIN that waited for it, or NO_EVENT
  bool is_detached;             // there is an EV_DETACH of it
  struct state_index newest[2]; // lasting, transient states: see event.same
};

struct graph_loc {
  struct event_list co;    // [0] is INIT_EVENT, then the writes in co order
  struct event_list reads; // in no particular order
  struct event_list *by_thread; // accesses in po, per thread
  uint32_t cap_threads;         // length of by_thread
  uint32_t na;                  // non-atomic accesses in the graph
  uint32_t object;  // object_no, UINT32_MAX: none; for flags of models alone
  uint64_t threads; // bit t: by_thread[t] is not empty
  // Scratch of a search over the graph (model/): valid when epoch is current.
  uint32_t epoch, from_write, from_read;
};

struct graph_object {
  event_id alloc, free; // NO_EVENT when absent
};

// Which order of the accesses of a location the model is known to keep, so that
// nothing else has to be tried.
enum coherence {
  COHERENCE_HB, // what happens before an access is before it in co
  // The same, but for what only a read that acquires from its own thread makes
  // known, and for accesses in pieces (hb.c has which, and why)
  COHERENCE_EXTERNAL,
  COHERENCE_PO, // what its thread did before it, who created it before that,
                // and whom it joined
  COHERENCE_THREAD, // what its thread did before it
  COHERENCE_NONE,
};

// A point to go back to.
struct graph_mark {
  uint32_t undo, saved, clocks;
};

struct undo_record {
  uint32_t what; // enum in graph.c
  event_id event;
  uint32_t at;
};

struct graph {
  struct event *events; // by event_id
  uint32_t nevents, cap_events;
  uint32_t live; // how many of them are in the graph
  event_id last; // newest event in the graph (the first is INIT_EVENT)
  struct graph_thread *threads; // by thread_id
  uint32_t nthreads;            // threads that ever existed in this run
  uint64_t active;              // bit t: the state of thread t is not 0
  uint64_t moved;   // bit t: it was set since the bit was last cleared
  uint64_t started; // bit t: thread t has its EV_START
  ARRAY(struct graph_loc) locs;       // by loc_id
  ARRAY(struct graph_object) objects; // by object_no
  uint32_t sc_events;                 // events of order sc in the graph
  uint32_t sc_fences;
  bool ignores_co;    // it is not part of the name of an execution
  bool c11_sequences; // clocks follow C++11's release sequences (hb.c)
  bool plain_syncs;   // non-atomic accesses synchronise as relaxed ones (hb.c)
  bool skips_noret;   // fences do not see reads that no register gets (hb.c)
  uint32_t epoch;     // number of the current search (model/)
  enum coherence coherence;
  void *judge;        // what the model knows of this graph, or NULL
  uint32_t undone_to; // the least length of `undo` since it was set
  void (*judge_done)(void *judge);
  // State numbers come in two ranges, each dense from its beginning: lasting
  // ones, and transient ones from here on (vm.h).
  uint32_t transient_states;
  struct event_deps *deps; // by event_id; NULL: the model does not track them
  const struct sets *sets; // that deps speak of
  bool has_linked;         // there was a store-conditional once
  bool has_detached;       // and an EV_DETACH
  struct clocks clocks;
  ARRAY(struct undo_record) undo;
  ARRAY(struct event) saved; // contents of changed events, for undo
};

void graph_init(struct graph *g);
void graph_done(struct graph *g);

// Room for that many threads, locations, objects; the new ones are empty.
void graph_need_threads(struct graph *g, uint32_t n);
void graph_need_loc(struct graph *g, uint32_t loc);
void graph_need_object(struct graph *g, uint32_t object);

// Adds `e` at the end of thread e.thread. The caller fills kind, order, flags,
// thread, loc, rf, value, pre, state, and for a write its place `co` (writes
// from there on move up). Index, stamp and clocks are computed.
static inline event_id graph_add(struct graph *g, struct event e);
// The same of an event that is there already, behind the newest one (graph_next
// is where); and room for it.
event_id graph_add_next(struct graph *g);
void graph_need_event(struct graph *g);

// Takes an event out (a revisit), the newest of its thread.
void graph_delete(struct graph *g, event_id e);

// Dependencies, whose sets are these, are kept from now on.
void graph_track_deps(struct graph *g, const struct sets *sets);

// The model begins anew with this graph.
void graph_forget_judge(struct graph *g);

// A thread does again what it did, with other values
// (explore/cycles/promise/promise.c). It is rewound to before the event at
// `index`; each event from there on must then be replayed, in po, with its new
// rf, value, flags, pre and state.
void graph_rewind(struct graph *g, unsigned t, uint32_t index);
void graph_replay(struct graph *g, event_id id, const struct event *now);
// Gives any read another source. Its value is wrong until its thread was
// replayed, and the clocks until they were renewed.
void graph_point(struct graph *g, event_id read, event_id write);
// Moves a write to another place in co.
void graph_move_in_co(struct graph *g, event_id write, uint32_t place);
// Computes all clocks anew. Where po ∪ rf has cycles, all events of a cycle
// know each other; an event that happens before itself knows its own index.
void graph_renew_clocks(struct graph *g);
// Some writes carry more than they did (c11_sequences), the oldest of which is
// `first`: what is to be learned from that is added to the clocks. `marks` are
// by event: these writes may grow, and those that have grown are marked, too.
enum { CLOCK_MAY_GROW = 1, CLOCK_HAS_GROWN = 2 };
void graph_grow_clocks(struct graph *g, event_id first, uint8_t *marks);

// pieces.c: the first piece of the access that `id` is a piece of, and the last
// one that is there; `id` if it is none.
event_id graph_first_piece(const struct graph *g, event_id id);
event_id graph_last_piece(const struct graph *g, event_id id);
// The piece at `loc` of the same access; NO_EVENT: it has none.
event_id graph_piece_at(const struct graph *g, event_id id, uint32_t loc);
// What the write to `loc` at `index` of thread t, a piece of an update,
// updates: the piece of a read before it.
event_id graph_updated_piece(const struct graph *g, unsigned t, uint32_t index,
                             uint32_t loc);

// reserve.c: the load that is an update with the store-conditional `id`;
// NO_EVENT if there is none.
event_id graph_reservation(const struct graph *g, event_id id);
event_id graph_reservation_of(const struct graph *g, const struct event *w);
// The store-conditional that has the reservation of a load; NO_EVENT: none has.
event_id graph_conditional_store(const struct graph *g, event_id read);
// Does every store-conditional in the graph have its reservation?
bool graph_keeps_reservations(const struct graph *g);

// Gives a read, the newest event of its thread, another source.
void graph_set_rf(struct graph *g, event_id read, event_id write,
                  uint64_t value, uint8_t order, uint32_t flags,
                  uint32_t state);

// Says anew where its thread is after `id`, its newest event, and its flags.
void graph_set_end(struct graph *g, event_id id, uint32_t flags,
                   uint32_t state);

// Are all changes since `undo` had this length additions of events?
bool graph_only_grew(const struct graph *g, uint32_t since);
// The least length of which that is so.
uint32_t graph_growth(const struct graph *g);
struct graph_mark graph_mark(const struct graph *g);
void graph_undo_to(struct graph *g, struct graph_mark m);

// Are there accesses in pieces (pieces.c)?
bool graph_has_pieces(const struct graph *g);

// A hash of everything that undoing restores, but for where threads are (they
// may go on without an event, see event_answer).
uint64_t graph_hash(const struct graph *g);
// A name for the execution, which does not depend on the way in which the
// search came to it: threads by who created them, their events, rf, co,
// choices.
uint64_t graph_name(const struct graph *g);
// Recomputes every derived structure and compares; stops loudly (slow).
void graph_verify(const struct graph *g);

// Where thread t is now; 0: it has ended, or waits.
static inline void graph_set_state(struct graph *g, unsigned t,
                                   uint32_t state) {
  g->threads[t].state = state;
  uint64_t bit = UINT64_C(1) << t;
  g->active = state ? g->active | bit : g->active & ~bit;
  g->moved |= bit;
}

static inline struct event *graph_next(struct graph *g) {
  if (g->nevents == g->cap_events)
    graph_need_event(g);
  return &g->events[g->nevents];
}

static inline event_id graph_add(struct graph *g, struct event e) {
  *graph_next(g) = e;
  return graph_add_next(g);
}

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

// Does event `a` come before `b` by the given clock of b?
static inline bool clock_before(const struct graph *g, event_id a,
                                const struct event *b, clock_id clock) {
  const struct event *x = &g->events[a];
  if (a == INIT_EVENT)
    return true;
  if (x->thread == b->thread)
    return x->index < b->index;
  return clock_knows(&g->clocks, clock, x->thread, x->index);
}

static inline bool graph_hb(const struct graph *g, event_id a, event_id b) {
  return clock_before(g, a, &g->events[b], g->events[b].hb);
}

// Where po ∪ rf has cycles, a later event of a thread may come before an
// earlier one, and each event of a cycle comes before itself: the clocks know.
static inline bool graph_porf(const struct graph *g, event_id a, event_id b) {
  const struct event *x = &g->events[a], *y = &g->events[b];
  return clock_before(g, a, y, y->porf) ||
         clock_knows(&g->clocks, y->porf, x->thread, x->index);
}

// The first index in thread u of an event that happens after event `id`: mostly
// none is, then the length of u. (Of its own thread: the one after it.)
uint32_t graph_search_after(const struct graph *g, event_id id, unsigned u);
static inline uint32_t graph_first_after(const struct graph *g, event_id id,
                                         unsigned u) {
  const struct event_list *list = &g->threads[u].events;
  if (g->events[id].thread == u)
    return g->events[id].index + 1;
  return list->len && graph_hb(g, id, list->at[list->len - 1])
             ? graph_search_after(g, id, u)
             : list->len;
}

// What its thread goes on with after the event.
static inline uint64_t event_yield(const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
  case EV_JOIN:
  case EV_CHOICE:
  case EV_ANSWER:
    return e->value;
  case EV_SPAWN:
    return e->loc;
  default:
    return 0;
  }
}

static inline bool is_access(const struct event *e) {
  return e->kind == EV_READ || e->kind == EV_WRITE;
}

// Does the write end an update?
static inline bool ends_update(const struct event *write) {
  return write->flags & (EVF_EXCLUSIVE | EVF_UPDATE);
}

// The newest event of thread t (which must have one).
static inline event_id graph_tail(const struct graph *g, unsigned t) {
  return g->threads[t].events.at[g->threads[t].events.len - 1];
}

// 1 + the index of the newest event of thread t with this `pre`, 0 if none.
static inline uint32_t graph_newest_with(const struct graph *g, unsigned t,
                                         uint32_t pre) {
  bool is_transient = pre >= g->transient_states;
  const struct state_index *n = &g->threads[t].newest[is_transient];
  pre -= is_transient ? g->transient_states : 0;
  return pre < n->cap ? n->at[pre] : 0;
}

// The number of events of `list` (one thread's, in po) with index < bound:
// mostly all of them, or all but the newest few.
uint32_t graph_search_below(const struct graph *g,
                            const struct event_list *list, uint32_t bound);
static inline uint32_t graph_count_below(const struct graph *g,
                                         const struct event_list *list,
                                         uint32_t bound) {
  uint32_t n = list->len;
  return !n || g->events[list->at[n - 1]].index < bound
             ? n
             : graph_search_below(g, list, bound);
}

// The least place in co that coherence leaves to the source of an access of
// `loc` by thread t, where everything in `hb` and all of t's events below
// `index` happen before it: nothing older than what was seen already.
uint32_t graph_co_floor(const struct graph *g, uint32_t loc, unsigned t,
                        uint32_t index, clock_id hb);

// The place in co of the write that an access is or reads.
static inline uint32_t graph_co_place(const struct graph *g, event_id access) {
  const struct event *e = &g->events[access];
  return e->kind == EV_WRITE ? e->co : g->events[e->rf].co;
}

// A search over the graph (model/) comes to the writes of a location from
// `place` on. Where do those begin that it has been at before?
static inline uint32_t graph_co_seen(struct graph *g, uint32_t loc,
                                     uint32_t place) {
  struct graph_loc *l = &g->locs.at[loc];
  if (l->epoch != g->epoch) {
    l->epoch = g->epoch;
    l->from_write = l->from_read = l->co.len;
  }
  uint32_t seen = l->from_write;
  if (place < seen)
    l->from_write = place;
  return seen;
}
