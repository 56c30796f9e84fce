// SPDX-License-Identifier: MIT
// Inside explore/: loops that wait, try again or never end, and threads that
// wait in them.
#pragma once

#include "bytecode/analysis/loop.h"
#include "explore/search/search.h"

// hand_over.c: reads that wait.
// Does the thread of `e` wait with it, for a lock or in an await that has only
// this read?
bool wait_is_alone(const struct explorer *x, event_id e);

// trace.c: what rounds leave behind.
// Did this event of a round leave no trace, locks aside?
bool trace_is_none(const struct graph *g, event_id e);
// Do sections of RCU and SRCU begin and end together in its events from `first`
// up to `end`? If they do not, sections are longer without these events, and
// the model may forbid what is left.
bool trace_keeps_sections(const struct explorer *x, thread_id t, uint32_t first,
                          uint32_t end);
// May what its thread does next not be told by the state alone?
bool trace_decides(const struct explorer *x, const struct event *e);
// The read half of an update.
const struct event *trace_read_of(const struct graph *g,
                                  const struct event *write);
// May plain stores be taken for unseen? Not where an execution with a race goes
// on: what the other thread does with what it saw is part of the program then.
// Nor where a text says itself what a race is.
bool trace_races_are_errors(const struct explorer *x);

// await.c: spin loops.
// Did some round of a thread change nothing, as far as is known?
bool await_has_own_rounds(const struct explorer *x);
// Would thread t have made a failed round if it came to state s now?
bool await_is_back(const struct explorer *x, thread_id t, state_id s);
// Does the thread of `e`, its newest event, wait in an await? Then the index of
// the first event of the failed round is stored.
bool await_waits(const struct explorer *x, event_id e, uint32_t *first);
// Is the write part of a failed round?
bool await_is_futile(const struct explorer *x, event_id w);
// Is there a newer write than the one that the read got, failed rounds aside?
bool await_is_old(const struct explorer *x, event_id read);
// Would it wait for ever: is everything it polled the newest there is?
bool await_is_stuck(const struct explorer *x, event_id e);
// Do other threads that wait write what it polls, in between?
bool await_misses(const struct explorer *x, event_id e);

// round_races.c: races of rounds with what comes of their end.
// Thread t has made a round, from its event at index `first` on, that is left
// out (by retry.c).
void round_races_note(struct explorer *x, thread_id t, uint32_t first,
                      bool is_retry);
// Does the program look at clocks, as far as is known?
bool round_may_take_time(struct explorer *x);
// What the thread has read from index `first` up to `end` is left out: does it
// bring time?
void round_time_note(struct explorer *x, thread_id t, uint32_t first,
                     uint32_t end);
// A round is left out, and the model may raise flags that it is part of.
void round_flags_note(struct explorer *x);
// It stops, and what it has done from there on may be in no graph that is
// looked at in the end.
void round_races_look(struct explorer *x, thread_id t, uint32_t first);

// fixed.c: rounds, dependencies and load buffering.
// Thread t made a round that began at index `first` and changed nothing. May it
// have done so only as long as no promise changes something, or depend on more
// without it? (enum leaves_rounds)
uint8_t round_changes(struct explorer *x, thread_id t, uint32_t first);
// Is there an update among its events from `first` up to `end` that puts back
// what it finds, and what loads behind that would depend on?
bool round_hides_source(struct explorer *x, thread_id t, uint32_t first,
                        uint32_t end);
// A read r leads where an earlier read of its thread leads with the same value:
// so it does whatever a promise may change, and what follows depends on no more
// without what came in between? (`bound` is r, or the compare-exchange behind
// it that would succeed: then it may do so only behind that.)
bool round_depends_less(struct explorer *x, const struct event *before,
                        const struct event *r, const struct event *bound);

// retry.c: loops that try until they succeed.
// The next event of thread t is a read of `loc` that gets this value and leads
// to its end: may it stop there?
bool retry_may_stop(struct explorer *x, thread_id t, uint32_t loc,
                    uint64_t value, state_id next);

// A load and a compare-exchange of a loop that tries again (refresh.c).
enum { REFRESH_STORES = 4 };
struct refresh {
  uint32_t load, cas; // instructions
  bool is_uniform;    // a failure always leads where the load would,
  bool leads_before;  // or back to the load;
  bool is_alike;      // or else, with the same stores before they meet
  uint32_t stores[REFRESH_STORES]; // what a round stores, all behind the load
  uint32_t nstores;
};
struct refreshes {
  struct refresh *at; // that were asked for
  uint32_t len, cap;
};
// refresh.c: what the code says about a load and a compare-exchange.
const struct refresh *refresh_find(const struct prog *p, struct refreshes *all,
                                   uint32_t load, uint32_t cas);

// lock_word.c: words that the program uses as locks.
// The newest event of its thread made no await of what it did: if it ends a
// round that takes words and gives them back, these may be locks.
void lock_word_look(struct explorer *x, event_id e);
// Does the round of thread t from index `first` up to `end` take locks and give
// them back, and leave no other trace?
bool lock_word_leaves_no_trace(const struct explorer *x, thread_id t,
                               uint32_t first, uint32_t end);
// Is the location such a lock, as far as is known?
bool lock_word_is_one(const struct explorer *x, loc_id loc);
// Does a thread wait for the one that `e` gave back, if it did?
bool lock_word_is_waited_for(const struct explorer *x, const struct event *e);
// Does the event read that another thread has it?
bool lock_word_is_locked_out(const struct explorer *x, event_id read);

// rounds.c: where in the loop is computed what the thread itself knows in state
// s, and otherwise in t?
site_id rounds_change(const struct explorer *x, struct loop_range loop,
                      state_id s, state_id t, site_id otherwise);
// livelock.c: no thread can run: can those that wait repeat their rounds for
// ever?
enum outcome livelock_look_at_waits(struct explorer *x);
