// SPDX-License-Identifier: MIT
// Inside explore/: reads that take their value from a write that comes after
// them, in models that track dependencies.
#pragma once

#include "explore/internal.h"

// again.c: some reads get other sources, and their threads run again.
struct again {
  uint32_t from[MAX_THREADS]; // the first event that is done again, per thread
};
struct again again_nothing(void);
// Gives a read, wherever it is, another source.
void again_point(struct explorer *x, struct again *todo, event_id read,
                 event_id write);
// Lets the threads of these reads run again, until every read has the value of
// its source. False: somebody does something else then.
bool again_settle(struct explorer *x, struct again *todo);
// The graph that came of it is explored: its steps warn as they should.
void again_warn(struct explorer *x);

// promise.c: appends the ways in which the next event of thread t, a write, may
// be promised to reads before it; and takes the nth of them.
void promise_find(struct explorer *x, thread_id t);
enum outcome promise_take(struct explorer *x, thread_id t, uint32_t nth);

// Might the read be promised something if its thread ended with event `id`, or
// with what that one would write if it had another value?
bool promise_may_be_free(struct explorer *x, event_id read, event_id id);

// picks.c: does a program have compare-exchanges that are no branches?
bool picks_are_in(const struct prog *p);
// No thread can run, and there are such. STOP: a promise may change whether one
// succeeds, and the search begins again with outcomes that are chosen.
enum outcome picks_look(struct explorer *x);
