// SPDX-License-Identifier: MIT
// Inside explore/: graphs that stand for others, so that fewer are explored.
#pragma once

#include "explore/search/search.h"

// Threads that are interchangeable (symmetry.c); x->grouped are those that are
// in a group, ever.
struct symmetry {
  uint64_t group[MAX_THREADS];   // all threads of its group, ever
  thread_id before[MAX_THREADS]; // in its group, in this graph; NO_THREAD
  uint64_t function[MAX_THREADS], argument[MAX_THREADS];
  uint64_t element[MAX_THREADS]; // bytes that it points to and that are the
                                 // thread's own (elements.c)
  uint64_t numbered;             // threads that have elements by number,
  struct numbered_arrays arrays; // of these, which threads were seen to use
  struct known_step *steps;      // a hash of those that were looked at
  uint32_t len, cap;
};
static inline struct symmetry *symmetry_of(const struct explorer *x) {
  return x->state[REDUCTION_SYMMETRY];
}

// rf_equivalence.c: co does not count (explore_ignores_co).
// Does the model allow the graph with its newest events, as advance_is_allowed
// asks, with some co? Then the graph has one.
bool rf_allows(struct explorer *x, event_id e, event_id other);
// Does it with the co that the graph has?
bool rf_has_co(struct explorer *x, event_id e, event_id other);
// The same without a look at the co that there is. The others are coherent but
// for those of this location; UINT32_MAX: they need not be.
bool rf_finds_co(struct explorer *x, uint32_t loc);
// What was added up to `last`, and the prefix of the next event of thread t.
struct rf_view {
  event_id last; // NO_EVENT: all of the graph
  thread_id t;
  clock_id prefix;
};
// Is another write of the location after this one in every co?
bool rf_is_old(struct explorer *x, uint32_t loc, event_id write);
// Appends to x->options the writes that are not old in the view without `read`,
// greatest name first.
void rf_find_newest(struct explorer *x, const struct rf_view *v, event_id read);
// The same with all writes, old ones too, as symmetry.c orders them: last
// first.
void rf_find_last(struct explorer *x, const struct rf_view *v, event_id read);

// rf_maximal.c: does the read, which is not in the prefix of thread t's next
// event, have its canonical source? Has one, the newest event, although that is
// old?
bool rf_is_maximal(struct explorer *x, thread_id t, clock_id prefix,
                   event_id read);
bool rf_may_begin_with(struct explorer *x, event_id read);

// equal.c: threads that cannot be told apart.
// The search begins at its root: groups are found, and steps asked, anew.
void symmetry_forget(struct explorer *x);
// It does not hold, after all: the search must begin again without it.
enum outcome symmetry_refute(struct explorer *x, const char *why);
// Thread u has just started, and nothing else happened.
enum outcome symmetry_look_at_start(struct explorer *x, thread_id u);
// Does something that the event shows speak against the symmetry? STOP: yes.
enum outcome equal_ask(struct explorer *x, event_id id);
// The same when nothing can run, and not all threads have ended.
enum outcome equal_ask_at_end(struct explorer *x);
// Are some threads of a group among these, and others not?
bool equal_are_split(const struct explorer *x, uint64_t threads);

// Where co does not count: thread u reads the location at that index. The event
// of the thread before it, if they were the same so far and it reads the
// location too; NO_EVENT.
event_id symmetry_twin(const struct explorer *x, thread_id u, uint32_t index,
                       uint32_t loc);
// Which of two sources of equal threads belongs to the first?
bool symmetry_puts_first(const struct explorer *x, event_id v, event_id w);
static inline bool has_event(const struct graph *g, thread_id t, uint32_t i) {
  return i < graph_thread_length(g, t);
}
static inline const struct event *event_of(const struct graph *g, thread_id t,
                                           uint32_t i) {
  return &g->events[graph_at(g, t, i)];
}

// elements.c: the arguments of threads t and u point to elements of an array.
// False: not as it has to be, and nothing has changed.
bool elements_give(struct explorer *x, thread_id t, thread_id u);
// They do not belong to their threads, after all.
void elements_take(struct explorer *x, thread_id t);
// The same of elements that threads find by their number. False: there are none
// that they could have, or these are not as they have to be.
bool elements_number(struct explorer *x, thread_id t, thread_id u);
void elements_unnumber(struct explorer *x, thread_id t);
// Where thread t is in state `here`, u is in state `there`: since they point to
// elements of an array? Then it is one more that is known.
bool elements_learn(struct explorer *x, thread_id t, thread_id u, state_id here,
                    state_id there);
void elements_forget(struct explorer *x);

static inline bool rf_shows(const struct explorer *x, const struct rf_view *v,
                            event_id id) {
  return id <= v->last || prefix_has(x, v->t, v->prefix, id);
}
