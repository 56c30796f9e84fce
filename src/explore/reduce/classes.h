// SPDX-License-Identifier: MIT
// Inside explore/: graphs that stand for others, so that fewer are explored.
#pragma once

#include "explore/internal.h"

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
// Appends the writes that the next event of thread t may read with some co, and
// some others.
void rf_find_sources(struct explorer *x, thread_id t);
// How many co are allowed, so many times? UINT64_MAX: too many to count.
uint64_t rf_count(struct explorer *x, uint64_t times);
// Roughly, how many executions are like this one but for the order of writes
// that nobody reads? 1 where co must count.
uint64_t rf_free_orders(const struct explorer *x);
// Is it so in some co that is allowed? Only what waiting threads poll matters;
// or only memory that may hold pointers.
bool rf_asks_waits(struct explorer *x, bool (*is_so)(struct explorer *x));
bool rf_asks_memory(struct explorer *x, bool (*is_so)(struct explorer *x));

// equal.c: threads that nobody can tell apart.
void symmetry_done(struct symmetry *s);
// The search begins at its root: groups are found, and steps asked, anew.
void symmetry_forget(struct explorer *x);
// It does not hold, after all: the search must begin again without it.
enum outcome symmetry_refute(struct explorer *x, const char *why);
// Thread u has just started, and nothing else happened.
enum outcome symmetry_look_at_start(struct explorer *x, thread_id u);
// Does something that the event shows speak against the symmetry? STOP: yes.
enum outcome equal_ask(struct explorer *x, event_id id);
// The same when nothing can run, and not all threads have ended.
const char *equal_why_not_at_end(struct explorer *x);
// Are some threads of a group among these, and others not?
bool equal_are_split(const struct explorer *x, uint64_t threads);

// symmetry.c: is there something that symmetry is not proved with?
bool symmetry_is_possible(const struct explore_config *c);
void symmetry_init(struct explorer *x);
// There are groups, and events were added. GO_BACK: another graph of the class
// is explored. STOP: the threads can be told apart.
enum outcome symmetry_look(struct explorer *x);
// The next event of thread t is a write.
enum outcome symmetry_look_at_write(struct explorer *x, thread_id t);
// Where co does not count: thread u reads the location at that index. The event
// of the thread before it, if they were the same so far and it reads the
// location too; NO_EVENT.
event_id symmetry_twin(const struct explorer *x, thread_id u, uint32_t index,
                       uint32_t loc);
// Which of two sources of equal threads belongs to the first?
bool symmetry_puts_first(const struct explorer *x, event_id v, event_id w);
// How many graphs this one stands for; UINT64_MAX: that many or more.
uint64_t symmetry_orbit(const struct explorer *x);
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

// With symmetry (symmetry.c), what comes before it by sr is in it too.
clock_id symmetry_prefix(struct explorer *x, thread_id t);
static inline clock_id prefix_of(struct explorer *x, thread_id t) {
  return x->symmetry.grouped ? symmetry_prefix(x, t)
                             : x->g.events[graph_tail(&x->g, t)].porf;
}

static inline bool rf_shows(const struct explorer *x, const struct rf_view *v,
                            event_id id) {
  return id <= v->last || prefix_has(x, v->t, v->prefix, id);
}
