// SPDX-License-Identifier: MIT
// Inside explore/: what was found wrong in a graph.
#pragma once

#include "explore/search/search.h"

// errors.c: findings. STOP: the search ends with this one.
enum outcome error_add(struct explorer *x, struct finding f);
// The same when the thread cannot go on: never GO_ON.
enum outcome error_add_last(struct explorer *x, struct finding f);
// The search ends, whatever the model thinks of the graph so far.
enum outcome error_refuse(struct explorer *x, struct finding f);
// What follows here is not known.
void error_note_cut(struct explorer *x, const char *why);
// No thread was stopped, and yet something is not explored.
void error_note_left_out(struct explorer *x, const char *why);
// The function has more values than those that are tried.
void error_note_sample(struct explorer *x, const char *function);
// A thread has come to where it is cut, with this access. From then on the
// answer is incomplete, whatever becomes of the graph.
void error_meet_cut(struct explorer *x, const struct access *a);
// A finding, without message, about the place where thread t stands.
struct finding error_of_thread(const struct explorer *x, enum finding_kind kind,
                               thread_id t);
// A finding about an event, still without a message.
struct finding error_at(const struct explorer *x, enum finding_kind kind,
                        event_id e);
// Names the other event that a finding is about.
void error_name_other(const struct explorer *x, struct finding *f, event_id e);
// What the interpreter noted since the last time.
enum outcome error_add_warnings(struct explorer *x);

// inspect.c: access `e` was added (memory, mixed sizes, races); the read of a
// lock; an unlock.
enum outcome inspect_access(struct explorer *x, event_id e);
enum outcome inspect_lock(struct explorer *x, event_id e);
enum outcome inspect_unlock(struct explorer *x, event_id e);
// All of that, for every event of the graph.
enum outcome inspect_all(struct explorer *x);

// race.c: does a happen before b, with the release sequences of the model?
bool explore_happens_before(struct explorer *x, event_id a, event_id b);

// race.c: is a before b, as far as races are concerned? By happens-before, and
// by the model's own order, if races are its own. (The graph is another one
// now: forget what that was.)
bool explore_orders(struct explorer *x, event_id a, event_id b);
void explore_forget_order(struct explorer *x);

// race.c: access `e` was added; against the accesses of `loc`, which has bytes
// in common with its own; all of a complete graph.
enum outcome race_check_access(struct explorer *x, event_id e);
enum outcome race_check(struct explorer *x, event_id e, loc_id loc);
enum outcome race_check_at_end(struct explorer *x);

// sections.c: ends the sections of RCU that threads are in, as long as a graph
// is judged for good; goes back.
struct closed {
  struct graph_mark mark;
  state_id states[MAX_THREADS];
};
struct closed sections_close(struct explorer *x);
void sections_open(struct explorer *x, const struct closed *c);

// flags.c: those that the model raises on a graph to which nothing will be
// added. is_over: it is an execution, and its threads would not go on.
enum outcome flags_check(struct explorer *x, bool is_over);

// blocked.c: no thread can run, some have not finished.
enum outcome blocked_check(struct explorer *x);
// Do those that have not finished wait, and would wait for ever?
bool blocked_only_waits(const struct explorer *x);
// Notes the threads that wait in an execution that is over all the same.
void blocked_note_left(struct explorer *x);

// lifetime.c: an access, free or end of a thread was added.
enum outcome lifetime_check_access(struct explorer *x, event_id e);
enum outcome lifetime_check_free(struct explorer *x, event_id e);
enum outcome lifetime_check_end(struct explorer *x, event_id e);
// A compare-exchange failed: because of an address that is assumed to be new?
void lifetime_compare(struct explorer *x, event_id e);
// The object must be known to exist where it is used.
enum outcome lifetime_check_alloc(struct explorer *x, event_id e,
                                  object_no object);

// misuse.c: must thread t not do what it is about to do? Then it is reported.
bool misuse_is_next(const struct explorer *x, thread_id t);
enum outcome misuse_report(struct explorer *x, thread_id t);

// leak.c: all threads have ended.
enum outcome leak_check(struct explorer *x);
