// SPDX-License-Identifier: MIT
// Inside explore/: loops that wait, try again or never end, and threads that
// wait in them.
#pragma once

#include "explore/internal.h"

// hand_over.c: reads that wait.
// Is the event a read of a lock that found it held, so that its thread waits?
static inline bool lock_waits(const struct event *e) {
  return e->kind == EV_READ && (e->flags & EVF_LOCK) &&
         !(e->flags & EVF_EXCLUSIVE);
}
// Does the thread of `e` wait with it, for a lock or in an await that has only
// this read?
bool wait_is_alone(const struct explorer *x, event_id e);
// Are writes handed over at all? Not where co does not count
// (rf_equivalence.c): 2 of the 26 executions of three threads that share two
// permits would be lost.
static inline bool wait_hands_over(const struct explorer *x) {
  return reduces(&x->config, REDUCE_HAND_OVER) && !explore_ignores_co(x);
}
// The waiting read to which the next write of thread t, the newest of `loc`, is
// handed over; NO_EVENT if there is none.
event_id wait_taker(struct explorer *x, thread_id t, uint32_t loc);
// Marks that `read`, which had `before`, got `write` that way.
void wait_hand_over(struct explorer *x, event_id read, event_id write,
                    event_id before, bool was_handed);
// Does the read have `write`, or had it before writes were handed over?
bool wait_counts_with(const struct graph *g, event_id read, event_id write);
// `write` is about to be deleted: the read that was handed it waits again.
void wait_take_back(struct explorer *x, event_id write);

// trace.c: what rounds leave behind.
// Did this event of a round leave no trace, locks aside?
bool trace_is_none(const struct graph *g, event_id e);
// The read half of an update.
const struct event *trace_read_of(const struct graph *g,
                                  const struct event *write);
// Did a thread that went from one state to the next jump backwards?
bool trace_goes_back(const struct explorer *x, state_id before, state_id after);

// await.c: spin loops.
// The newest event of thread t was added or changed: if it ends a failed round
// of an await, the thread waits.
void await_look_closer(struct explorer *x, event_id e);
static inline void await_look(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (e->state && graph_newest_with(&x->g, e->thread, e->state))
    await_look_closer(x, id); // it was there before
}
// Would thread t have made a failed round if it came to state s now?
bool await_is_back(const struct explorer *x, thread_id t, state_id s);
// Does the thread of `e`, its newest event, wait in an await? Then the index of
// the first event of the failed round is stored.
bool await_waits(const struct explorer *x, event_id e, uint32_t *first);
// Does thread t wait since its round cancelled out? That
// can change with what others read, so its state is kept.
bool await_nets(const struct explorer *x, thread_id t);
// Is there a newer write than the one that the read got, failed rounds aside?
bool await_is_old(const struct explorer *x, event_id read);
// Would it wait for ever: is everything it polled the newest there is?
bool await_is_stuck(const struct explorer *x, event_id e);
// Do other threads that wait write what it polls, in between?
bool await_misses(const struct explorer *x, event_id e);

// retry.c: loops that try until they succeed.
// The newest event of its thread was added or changed: if it ends a failed
// round that another execution does without, the thread stops.
void retry_look(struct explorer *x, event_id e);
// `e`, the read of an update that would succeed, is about to be added, or has
// got another source: does another execution do the same with fewer rounds or
// fewer sources?
bool retry_stops_success(struct explorer *x, const struct event *e);
// `e`, the newest event of its thread, was added or changed, and the thread
// waits or stops there: will it do so in all that comes of this graph?
bool retry_is_lost(struct explorer *x, event_id e);
// The next event of thread t is a read of `loc` that gets this value and leads
// to its end: may it stop there?
bool retry_may_stop(struct explorer *x, thread_id t, uint32_t loc,
                    uint64_t value, state_id next);
// Does the thread of `e`, its newest event, stop there for that reason?
static inline bool retry_stopped(const struct event *e) {
  return is_access(e) && (e->flags & EVF_RETRY);
}

// A load and a compare-exchange of a loop that tries again (refresh.c).
enum { REFRESH_STORES = 4 };
struct refresh {
  uint32_t load, cas; // instructions
  bool is_uniform;    // a failure always leads where the load would,
  bool leads_before;  // or back to the load
  uint32_t stores[REFRESH_STORES]; // what a round stores, all behind the load
  uint32_t nstores;
};
// refresh.c: what the code says about a load and a compare-exchange.
const struct refresh *refresh_find(struct explorer *x, uint32_t load,
                                   uint32_t cas);

// rollback.c: updates that are tried and undone. Does the next access of the
// thread show that their rounds have to be explored? Then the search has to
// begin again.
bool rollback_refutes(struct explorer *x, thread_id t);
bool rollback_refutes_end(struct explorer *x); // or does the whole graph?
void rollback_begin(struct explorer *x);
void rollback_done(struct explorer *x);
void rollback_tell(const struct explorer *x, struct assumptions *a);

// Is it known of the model that a chain of updates orders what its ends do?
bool rollback_knows_model(const struct model *m);

// lock_word.c: words that the program uses as locks.
// The newest event of its thread made no await of what it did: if it ends a
// round that takes words and gives them back, these may be locks.
void lock_word_look(struct explorer *x, event_id e);
// Does the round of thread t that begins at index `first` take locks and give
// them back, and leave no other trace?
bool lock_word_leaves_no_trace(const struct explorer *x, thread_id t,
                               uint32_t first);
// Is the location such a lock, as far as is known?
bool lock_word_is_one(const struct explorer *x, loc_id loc);
// Does a thread wait for the one that `e` gave back, if it did?
bool lock_word_is_waited_for(const struct explorer *x, const struct event *e);
// Does the event read that somebody else has it?
bool lock_word_is_locked_out(const struct explorer *x, event_id read);
// Does the next access of the thread show that one is none? Then the search has
// to begin again.
bool lock_word_refutes(struct explorer *x, thread_id t);
void lock_word_forget_states(struct explorer *x);
// May rounds with locks of the program's own making be left out at all?
bool lock_word_is_possible(const struct explorer *x);
void lock_word_done(struct explorer *x);
// What is known from the beginning; what is known now (assume.h).
void lock_word_take(struct explorer *x, const struct assumptions *a);
void lock_word_tell(const struct explorer *x, struct assumptions *a);

// rounds.c: notes loops of a complete execution whose failed rounds it has.
void rounds_note(struct explorer *x);
// Where in the loop is computed what the thread itself knows in state s, and
// otherwise in t?
site_id rounds_change(const struct explorer *x, struct loop_range loop,
                      state_id s, state_id t, site_id otherwise);
// Is the next one looked at?
bool rounds_are_next(const struct explorer *x);

// unroll.c: loops without a bound.
// Has thread t gone around a loop as often as it may? Then it stops.
bool unroll_cuts(struct explorer *x, thread_id t);
// Says in result.detail which loop made the execution too long.
void unroll_explain(struct explorer *x);

// read_bound.c: loops that read an old write again and again (--read-bound).
// How often in a row the place where thread t stands has read one write of the
// location that it reads next; 0 if that is still less than the bound.
uint32_t read_bound_before(const struct explorer *x, thread_id t);
// Did the newest event of its thread read an old write once too often?
bool stale_cuts(const struct explorer *x, event_id read);

// no_writers.c: will no thread write any more, and has one stopped with
// something old? Then nothing comes of the graph.
bool no_writers_end(struct explorer *x);

// livelock.c: can the threads repeat for ever what they did in this execution?
enum outcome livelock_look(struct explorer *x);
// May there be a round that could be repeated for ever, in this execution or
// another one?
bool livelock_is_next(const struct explorer *x);
// No thread can run: can those that wait repeat their rounds for ever?
enum outcome livelock_look_at_waits(struct explorer *x);
