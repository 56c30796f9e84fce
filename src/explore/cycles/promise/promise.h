// SPDX-License-Identifier: MIT
// Inside explore/: reads that take their value from a write that comes after
// them, in models that track dependencies.
#pragma once

#include "explore/search/search.h"

// replay.c: some reads get other sources, and their threads run again.
struct replay {
  uint32_t from[MAX_THREADS]; // the first event that is done again, per thread
};
struct replay replay_begin(struct explorer *x);
// Gives a read, wherever it is, another source.
void replay_point(struct explorer *x, struct replay *todo, event_id read,
                  event_id write);
// Lets the threads of these reads run again, until every read has the value of
// its source. False: a thread does something else then.
bool replay_settle(struct explorer *x, struct replay *todo);
// The graph that came of it is explored: its steps warn as they should.
void replay_warn(struct explorer *x);

// promisable.c: reads that may be promised something. The events of a thread
// are counted from its first on. How many events of thread u are before the
// next event of t by po ∪ rf?
uint32_t reader_count_before(const struct explorer *x, thread_id t,
                             thread_id u);
// How many are in the core-to-be: those, and the ones in the core?
uint32_t reader_count_in_core(const struct explorer *x, thread_id u,
                              uint32_t before);
// How many happen before it, so that they cannot read it?
uint32_t reader_count_known(const struct explorer *x, thread_id t, thread_id u);
// Could any read of thread t be free up to `end`, as far as the event before
// that is concerned?
bool reader_leads_on(const struct explorer *x, thread_id t, uint32_t end);
// Is a read not ordered before the last event of its thread, which ends at
// `end` here? Only then may it be promised something.
bool reader_is_free(struct explorer *x, event_id read, uint32_t end);
// Might the read be promised something if its thread ended with event `id`, or
// with what that one would write if it had another value? (What comes by way of
// memory does not count: sources may be others then.)
bool reader_may_be_free(struct explorer *x, event_id read, event_id id);
// Might the read get another value by a promise, to it or to another one, when
// its thread goes on behind its newest event? `after`: what branches and
// addresses depend on there.
bool reader_may_change(const struct explorer *x, event_id read, set_id after);

// times.c: notes that looks at clocks may say something else on a cycle: the
// next write of thread t is promised to these reads; the look is one in a graph
// with guesses.
void times_note_promise(struct explorer *x, thread_id t, const event_id *reads,
                        uint32_t n);
void times_note_guessed(struct explorer *x, event_id look);

// promise.c: from now on, loads are promised what comes after them.
void promise_begin(struct explorer *x);
// Appends the ways in which the next event of thread t, a write, may
// be promised to reads before it (STOP: they are too many); and takes the nth
// of them.
enum outcome promise_find(struct explorer *x, thread_id t);
// Could there be any if so much were before that write? (It is about the
// location that thread t accesses next.)
bool promise_has_reads(struct explorer *x, thread_id t, clock_id prefix);
// Does one of them lead to a core, wherever that is explored?
bool promise_is_possible(struct explorer *x, thread_id t);

// pieces.c: the execution is over: notes that promises are not explored, if
// there may be some, where atomic accesses are in pieces or selects pick.
void promise_leave_out(struct explorer *x);
// Is that still asked of whole graphs, their last accesses included?
bool promise_asks_whole(struct explorer *x);
enum outcome promise_take(struct explorer *x, thread_id t, uint32_t nth);

// cas_choice.c: are there compare-exchanges whose outcomes have to be chosen
// (x->chooses_outcomes)?
void cas_choice_begin(struct explorer *x);
// One would have had another outcome with a promise.
void cas_choice_differs(struct explorer *x);
