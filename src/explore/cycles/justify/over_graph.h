// SPDX-License-Identifier: MIT
// The graph of what threads could do alone (over.c runs them, feedback.c asks).
#pragma once

#include "base/bits.h"
#include "base/table.h"
#include "explore/cycles/justify/over.h"

#include <string.h>

enum {
  MOST_NODES = 64000,
  MOST_CELLS = 640,
  CELL_WORDS = MOST_CELLS / 64,
  MOST_LABELS = 1024,
  MOST_WRITES = 60, // of one location, per thread
  MOST_CHOICES = 16,
  MOST_MOVES = 600000,
  MOST_WORK = 3000000, // moves that are looked at to see how values grow
  WORDS = MOST_LABELS / 64,
  PLACES = 16, // of locations in what is counted for each; others share one
  NONE = UINT32_MAX,
  ENDLESS = UINT8_MAX,
  MOST_OWNED = 4, // locations, of a thread
};

// A number for each location, or for several together.
struct tally {
  uint8_t at[PLACES];
};

struct cell {
  uint32_t loc;
  uint64_t value;
  uint32_t labels; // the first of them, or NONE
  bool is_initial; // it is there at first,
  bool may_be_undefined;
  bool is_beginning;  // it may be there when the first thread is created
  bool is_readable;   // by now
  bool is_too_far;    // for a chain to hold it, as far as that is known now
  struct tally depth; // see growth.c
};

struct label {
  thread_id thread;
  uint8_t order;
  uint32_t cell;
  uint32_t next;   // of the same cell, or NONE
  uint32_t place;  // of its location, where something is counted for each
  bool is_plain;   // some write of it is no update
  uint8_t returns; // enum answer: may it be read by what it depends on?
};
enum answer { UNKNOWN, NO, YES };

// MOVE_SETS: what main writes before there are other threads. It happens before
// all that they do, so it is on no cycle, and is what a location begins with.
enum move_kind { MOVE, MOVE_BARRIER, MOVE_READ, MOVE_WRITE, MOVE_SETS };

struct move {
  uint8_t kind;
  uint8_t order;   // of a read, a write, a fence; else ORD_NA
  bool is_strong;  // a read that acquires, a write that releases
  bool is_unlock;  // a write that does not look at what it overwrites
  bool is_alone;   // a read of main's that is on no cycle,
  bool is_guarded; // or one that a lock orders, see guarded.c
  uint32_t from, to;
  uint32_t what; // cell that is read or set, label that is written
};

// What a thread has written last to each location that it alone writes, or NONE
// (orders.c).
struct own {
  uint32_t cell[MOST_OWNED];
};

struct node {
  state_id state;
  thread_id thread;
  uint32_t spawns;
  struct own own;
  uint32_t looked;     // at so many offers or results, of a read or join
  bool is_done;        // the same for all else
  bool is_first;       // of its thread
  struct tally depth;  // see growth.c
  struct tally writes; // at most, from here on
  uint64_t guesses;    // from here on: bit n % 64 for the nth
  bool has_ahead;      // `ahead` is known
  uint64_t later[WORDS], free[WORDS]; // labels: written from here on; without
                                      // an order that keeps them behind
  uint64_t ahead[WORDS];              // those, and what they lead to
  uint64_t reads[CELL_WORDS];         // cells: from here on
};

struct result {
  uint32_t node;
  thread_id thread;
  uint64_t value;
  undef_id undef;
};

// A location that only updates write (chains.c).
struct chain {
  uint32_t loc;
  bool is_too_long;
  uint64_t writers; // threads
  // What may be there, before the next update of a thread that is at this node
  // behind its newest one (or at its beginning).
  ARRAY(struct meeting) meetings; // those of a node are together
  uint32_t *first_meeting;        // by node; NULL: not looked at
};

struct meeting {
  uint32_t node, cell;
};

// A value that a location may have (unknown.c).
struct known {
  uint32_t loc;
  uint64_t value;
  bool is_any;
};

// A cell that can be read: by anyone, or by one thread; because it is there
// anyway, or because a thread writes it.
enum { ANYONE = UINT8_MAX };
struct offer {
  uint32_t cell;
  uint8_t reader, writer;
};

struct offers {
  struct offer *at; // oldest first
  uint32_t len, cap;
  uint32_t initial; // 1 + the cell of the first contents, 0: not asked yet
};

struct over {
  struct explorer *x;
  struct vm *vm;
  ARRAY(struct node) nodes;
  struct table table; // of their indices
  ARRAY(struct move) moves;
  ARRAY(struct cell) cells;
  ARRAY(struct offers) readable; // by location
  ARRAY(struct label) labels;
  ARRAY(struct result) results; // of threads that ended
  ARRAY(uint32_t) places;       // locations that have one of their own
  ARRAY(struct chain) chains;
  const struct in_order *in_order; // NULL: there is no order (orders.c)
  bool is_blind;                   // see unknown.c
  bool is_thin; // see thin.c; so many of `known` are read then
  uint32_t visible;
  // Coarsely: only a few values of each location are known. Were there more
  // (is_short)? Did a thread pass by an unknown address (is_lost)?
  bool is_coarse, is_short, is_lost;
  ARRAY(struct known) known;
  struct vm_ways ways;  // scratch
  unsigned generations; // of executions that a value may go through
  struct tally most;    // writes of an execution, as counted last
  uint64_t work;        // of growth.c
  uint32_t rounds;      // in which chains were followed
  bool is_too_much, has_moved;
  struct vm_mark mark; // before all states of the graph
  bool has_states;     // they were not released
  uint64_t creators;   // threads that create others
  // Bit b of reach[l]: what reads label l may lead to label b.
  uint64_t reach[MOST_LABELS][WORDS];
  uint64_t (*free_behind)[WORDS]; // by thread and cell that it reads
  uint64_t (*closers)[WORDS];     // labels that close a guess, by guess
  uint64_t useful[WORDS];         // those, and what leads to them
  uint64_t loose[WORDS]; // labels that nothing orders behind a read before them
  uint64_t guarded[WORDS]; // labels of locations that a lock guards
};

// Adds one set of labels to another; says whether that has changed.
static inline bool add_set(const struct over *a, uint64_t *set,
                           const uint64_t *other) {
  uint64_t fresh = 0;
  for (unsigned i = 0; i * 64 < a->labels.len; i++) {
    fresh |= other[i] & ~set[i];
    set[i] |= other[i];
  }
  return fresh;
}

static inline uint32_t loc_of(const struct over *a, uint32_t l) {
  return a->cells.at[a->labels.at[l].cell].loc;
}

static inline struct offers *over_offers(struct over *a, uint32_t loc) {
  check(loc < vm_location_count(a->vm));
  while (a->readable.len <= loc)
    array_push(&a->readable, (struct offers){0});
  return &a->readable.at[loc];
}

static inline void over_offer(struct over *a, struct offer o) {
  array_push(over_offers(a, a->cells.at[o.cell].loc), o);
  a->has_moved = true;
}

// The cell can be read from now on.
static inline void let_read(struct over *a, uint32_t cell) {
  if (a->cells.at[cell].is_readable)
    return;
  a->cells.at[cell].is_readable = true;
  if (!a->in_order)
    over_offer(a, (struct offer){cell, ANYONE, ANYONE});
  for (uint32_t l = a->cells.at[cell].labels; a->in_order && l != NONE;
       l = a->labels.at[l].next)
    over_offer(a,
               (struct offer){cell, ANYONE, (uint8_t)a->labels.at[l].thread});
}

// Is main there, and no other thread? (Where a definition alone decides,
// nothing knows what creating a thread orders.)
static inline bool over_is_alone(const struct over *a, const struct node *n) {
  return n->thread == 0 && n->spawns == 0 && a->x->config.model->justifier;
}

static inline void over_give_up(struct over *a) {
  a->is_too_much = true;
}

// A read of the node's thread. Before there are other threads it is none that a
// cycle goes through.
static inline struct move over_reading(const struct over *a, uint32_t from,
                                       uint8_t order, uint32_t cell) {
  if (over_is_alone(a, &a->nodes.at[from]))
    return (struct move){.kind = MOVE};
  return (struct move){.kind = MOVE_READ,
                       .order = (uint8_t)order_reading((enum order)order),
                       .is_strong = order_acquires(order),
                       .what = cell};
}

// over_graph.c: the node of a thread in that state, which is made if it is not
// there, or, if it is only looked for, NONE. (That one has written nothing that
// only it writes.)
uint32_t over_node(struct over *a, thread_id t, state_id s, uint32_t spawns,
                   const struct own *own);
uint32_t over_find(const struct over *a, thread_id t, state_id s,
                   uint32_t spawns);
extern const struct own owns_nothing;
// One more move: to another state of the thread (0: it waits), or to another
// thread, before all of which it is ordered.
void over_add_move(struct over *a, uint32_t from, state_id to, struct move m);
void over_add_crossing(struct over *a, uint32_t from, uint32_t to);
// The cell of a value, and the label of its write.
uint32_t over_cell(struct over *a, uint32_t loc, uint64_t value);
uint32_t over_label(struct over *a, thread_id t, uint8_t order, uint32_t cell);
// The value is there from the beginning; or when the first thread is created.
void over_give(struct over *a, uint32_t cell);
void over_begin_with(struct over *a, uint32_t cell);

// unknown.c: what becomes of steps, reads and writes if values do not count; a
// write yields its cell.
void blind_step(struct over *a, uint32_t from, state_id s, uint64_t value,
                undef_id undef, struct move m);
void blind_read(struct over *a, uint32_t from);
void blind_pass(struct over *a, uint32_t from);
uint32_t blind_write(struct over *a, const struct access *k);

// chains.c: finds out which locations are chains, and what they may hold as far
// as that is known now.
void over_find_chains(struct over *a);
void over_follow_chains(struct over *a);
// The chain of a location; NULL: it is none, or there is too much of it.
const struct chain *over_chain(const struct over *a, uint32_t loc);
void over_forget_chains(struct over *a);
// The moves by where they begin: those of node n are moves[first[n]] up to,
// without, moves[first[n + 1]]. Both are the caller's.
void over_sort_moves(const struct over *a, uint32_t **first, uint32_t **moves);

// over.c: a graph that is empty; runs all threads in it. False: they could do
// too many things.
struct over *over_new_for(struct explorer *x, struct vm *vm);
bool over_run(struct over *a);

// in_order.c: the place of a location among those that only this thread writes;
// NONE: it is not one of them. May thread t take what is offered? May it read
// the label?
uint32_t over_owned(const struct over *a, thread_id t, uint32_t loc);
bool over_takes(const struct over *a, thread_id t, const struct offer *o);
bool over_may_get(const struct over *a, thread_id t, uint32_t label);

// over.c: do locations that are accessed have bytes in common? Then what is
// read is made of parts of what is written, and no cell says it.
bool over_has_overlaps(const struct over *a);

// over.c: the same blindly, where branches may go any way that some value
// would take them (thin.c); NULL: they could do too many things. growth.c: lets
// more values be read there.
struct over *over_new_unknown(struct explorer *x, struct vm *blind,
                              bool is_coarse);
void over_let_grow_thin(struct over *a);

// growth.c: the place of a location where something is counted for each.
uint32_t over_place(struct over *a, uint32_t loc);
// Could the value get so far? Of all cells, says which can be read.
void over_let_grow(struct over *a);

// hb_cycles.c, cycle_steps.c: could these threads have a cycle that
// happens-before allows? Two ways to look for one, and none if either finds
// none.
bool over_has_hb_cycles(const struct over *a, uint64_t threads);
bool over_has_steps(const struct over *a, uint64_t threads);
// Does not allow guesses that are on no such cycle.
void over_drop_vain(const struct over *a, struct guesses *g);

// guarded.c: finds the reads and labels that need no guess, for a lock orders
// them.
void over_find_guarded(struct over *a);

// feedback.c: finds what leads to what, in a graph that is complete.
void over_find_feedback(struct over *a);
// Can the thread of label l write it, without order, behind a read of a cell
// that l leads to?
bool over_comes_back(struct over *a, uint32_t l);
// How often can a thread read a location? NONE: there is no end to it.
uint32_t over_most_reads(const struct over *a, thread_id t, uint32_t loc);
// Is the read move one of those that the guess may stand for?
bool over_is_of_guess(const struct over *a, const struct move *m,
                      const struct guess *g);
