// SPDX-License-Identifier: MIT
// Inside explore/: the explorer, its choices, and what the files offer each
// other. explore.c is the loop; step.c adds the next event of a thread;
// revisit.c finds what a write may revisit, promise.c to which reads before it
// a write may be promised; choice.c keeps what is still to be tried; task.c
// lets several explorers share a search; progress.c guesses how much is left;
// errors.c looks for races, memory errors and deadlocks.
#pragma once

#include "explore/explore.h"
#include "vm/deps.h"

#define NO_THREAD UINT32_MAX

// What can still be tried at a point of the search. The options are numbers on
// x->options, from `first` up to where the next choice's begin.
enum choice_kind {
  CHOICE_SOURCE,   // of a read: a write
  CHOICE_PLACE,    // of a write: a place in co
  CHOICE_HANDOVER, // the same, of an unlock that is handed over to `revisit`
  CHOICE_REVISIT,  // of a write: a read that is to read from it
  CHOICE_VALUE,    // of nondet: how far above `lowest`
  CHOICE_PROMISE,  // of a write: the nth set of reads before it (promise.c)
};

struct choice {
  uint8_t kind;
  uint8_t thread;      // whose next event it is about
  event_id revisit;    // PLACE: the read that will read the write, or NO_EVENT
  event_id hands_over; // REVISIT: the one of them that waits for the write
  uint32_t first;
  uint32_t path;     // length of x->path when it was opened
  uint32_t siblings; // options of this step, of its other choice too
  uint32_t newest;   // the option that was taken first
  bool is_update;    // SOURCE of the read of an atomic update
  uint64_t lowest;   // VALUE
  state_id state;    // of the thread; a question may have come before it
  event_id core;     // x->core then
  struct graph_mark graph;
  struct vm_mark vm;
};

struct child {
  thread_id parent;
  uint32_t nth;
};

// A load and a compare-exchange of a loop that tries again (refresh.c).
enum { REFRESH_STORES = 4 };
struct refresh {
  uint32_t load, cas; // instructions
  bool is_uniform;    // a failure always leads where the load would,
  bool leads_before;  // or back to the load
  uint32_t stores[REFRESH_STORES]; // what a round stores, all behind the load
  uint32_t nstores;
};

struct explorer {
  const struct prog *prog;
  struct vm *vm;
  struct explore_config config;
  struct graph g;
  ARRAY(struct choice) choices;
  ARRAY(uint32_t) options;
  // The options that were taken from the root to here.
  ARRAY(struct path_step) path;
  struct graph_mark root; // main has started and nothing else
  struct vm_mark vm_root;
  enum { SEARCH, FOLLOW } mode;
  const struct explore_task *task;         // FOLLOW: on the way to this
  uint64_t events_before, revisits_before; // FOLLOW: they count elsewhere
  // Thread numbers: the nth child of a parent is the same thread in every
  // execution. [0] is main.
  ARRAY(struct child) threads;
  // Per object, the locations inside it that were ever used.
  ARRAY(struct event_list) object_locs;
  ARRAY(loc_id) thread_locs; // those in thread-local variables
  uint32_t locs_known;       // locations that are sorted into these
  ARRAY(object_no) lost;     // scratch of leak.c
  event_id core;             // the events up to here are the core (promise.c)
  ARRAY(struct refresh) refreshes; // that were asked for
  ARRAY(loc_id) cells;             // what copies and fills are cut by (cells.c)
  bool begins_again;               // these have changed
  bool running;
  bool has_thread_locals; // that other threads can reach
  bool tracks;            // the model tracks dependencies
  bool has_update;        // some thread may be in the middle of an update
  bool has_waited;        // some thread waited for a lock once
  bool has_asked;         // some thread went on by an answer about the graph
  bool is_complete;       // nothing is left of the part that was to be explored
  uint64_t ticks;
  double started, started_wall; // in seconds of both clocks
  double looked;                // when limits were looked at last
  uint32_t warnings;            // of the vm that are known already
  struct explore_result result;
};

// explore.c: explores all there is, or what x->mode says.
void explore_from_root(struct explorer *x);
// Is the program over, although threads that wait are left?
bool explore_main_has_returned(const struct explorer *x);
// What follows here is not known.
void explore_note_cut(struct explorer *x, const char *why);

// cells.c: the size of the cell that the graph has at an address. If there is
// none but one begins within the next bytes, what is left before that one:
// whoever asks must not run over it. 0: nothing near is in use.
uint64_t cells_size(const struct explorer *x, uint64_t address);
// Two events overlap. True: a copy or fill was cut in a wrong way, and the
// search begins again.
bool cells_learn(struct explorer *x, event_id id, event_id other);

// step.c: adds the next event of thread t, or notes that nothing fits and goes
// to the next choice.
void step_thread(struct explorer *x, thread_id t);
// Thread t stopped with a finding: reports it.
void step_error(struct explorer *x, thread_id t);
// Takes an option of a choice; false when the result is inconsistent or only
// opened further choices.
bool step_source(struct explorer *x, thread_id t, event_id write);
bool step_value(struct explorer *x, const struct choice *c, uint32_t above);
// The state in which an event of that kind finds a thread that was in state s:
// a weak compare-exchange may have been preceded by a choice.
state_id step_pre_of(const struct explorer *x, state_id s, uint8_t kind);
// The value that a read of `write` (or the initial write) of `loc` gets.
uint64_t step_value_of(const struct explorer *x, uint32_t loc, event_id write,
                       bool *is_uninit);

// Makes `read`, the newest event of its thread, read `write`; step_advance then
// lets the thread go on.
void step_advance(struct explorer *x, event_id e);
void step_set_source(struct explorer *x, event_id read, event_id write,
                     bool is_handed);

// Has an update taken `write` as its source, other than the reads `me` and
// `leaving`?
bool step_is_taken(const struct graph *g, uint32_t loc, event_id write,
                   event_id me, event_id leaving);
// Does the model accept the graph with its newest event e (and `other`, which
// reads it)? Both are the last of their threads.
bool step_is_consistent(struct explorer *x, event_id e, event_id other);
// The state of a thread after its read got its value; 0: it waits.
state_id step_state_after_read(struct explorer *x, const struct event *e);
// The state after `s`, in which the thread asks something about the graph.
state_id step_answer(struct explorer *x, state_id s);

// write.c: the next event of thread t is a write; the options of its choices.
void write_step(struct explorer *x, thread_id t);
bool write_place(struct explorer *x, const struct choice *c, uint32_t place);
bool write_revisit(struct explorer *x, thread_id t, event_id read,
                   bool hands_over);
// Adds the next event of thread t, a write, at this place in co.
event_id write_add(struct explorer *x, thread_id t, uint32_t place);

// wait.c: reads that wait.
// Is the event a read of a lock that found it held, so that its thread waits?
static inline bool lock_waits(const struct event *e) {
  return e->kind == EV_READ && (e->flags & EVF_LOCK) &&
         !(e->flags & EVF_EXCLUSIVE);
}
// Does the thread of `e` wait with it, for a lock or in an await that has only
// this read?
bool wait_is_alone(const struct explorer *x, event_id e);
// The waiting read to which the next write of thread t, the newest of `loc`, is
// handed over; NO_EVENT if there is none.
event_id wait_taker(const struct explorer *x, thread_id t, uint32_t loc);
// Marks that `read`, which had `before`, got `write` that way.
void wait_hand_over(struct explorer *x, event_id read, event_id write,
                    event_id before, bool was_handed);
// Does the read have `write`, or had it before writes were handed over?
bool wait_counts_with(const struct graph *g, event_id read, event_id write);
// `write` is about to be deleted: the read that was handed it waits again.
void wait_take_back(struct explorer *x, event_id write);

// await.c: spin loops.
// The newest event of thread t was added or changed: if it ends a failed round
// of an await, the thread waits.
void await_look(struct explorer *x, event_id e);
// Did this event of a round leave no trace, locks aside?
bool await_leaves_no_trace(const struct graph *g, event_id e);
// Did a thread that went from one state to the next jump backwards?
bool await_goes_back(const struct explorer *x, state_id before, state_id after);
// Would thread t have made a failed round if it came to state s now?
bool await_is_back(const struct explorer *x, thread_id t, state_id s);
// Does the thread of `e`, its newest event, wait in an await? Then the index of
// the first event of the failed round is stored.
bool await_waits(const struct explorer *x, event_id e, uint32_t *first);
// Does thread t wait since its round cancelled out (--net-effect-awaits)? That
// can change with what others read, so its state is kept.
bool await_nets(const struct explorer *x, thread_id t);
// Would it wait for ever: is everything it polled the newest there is?
bool await_is_stuck(const struct explorer *x, event_id e);
// Do other threads that wait write what it polls, in between?
bool await_misses(const struct explorer *x, event_id e);

// retry.c: loops that try until they succeed.
// The newest event of its thread was added or changed: if it ends a failed
// round that another execution does without, the thread stops.
void retry_look(struct explorer *x, event_id e);
// `e`, the read of a compare-exchange, is about to be added and would succeed:
// does another execution do the same with fewer rounds or fewer sources?
bool retry_stops_success(struct explorer *x, const struct event *e);
// `e`, the newest event of its thread, was added or changed, and the thread
// waits or stops there: will it do so in all that comes of this graph?
bool retry_is_lost(struct explorer *x, event_id e);
// Does the thread of `e`, its newest event, stop there for that reason?
static inline bool retry_stopped(const struct event *e) {
  return e->kind == EV_READ && (e->flags & EVF_RETRY);
}

// refresh.c: what the code says about a load and a compare-exchange.
const struct refresh *refresh_find(struct explorer *x, uint32_t load,
                                   uint32_t cas);

// unroll.c: loops without a bound.
struct loop_range {
  uint32_t first, last; // instructions; first > last: no loop
};
// The innermost loop of its function around an instruction.
struct loop_range unroll_loop_around(const struct prog *p, uint32_t at);
// Has thread t gone around a loop as often as it may? Then it stops.
bool unroll_cuts(struct explorer *x, thread_id t);
bool unroll_was_cut(const struct explorer *x, thread_id t);
// Says in result.detail which loop made the execution too long.
void unroll_explain(struct explorer *x);

// What a read of access `a` that gets `value` looks like: flags and order.
uint16_t step_read_flags(const struct access *a, uint64_t value, bool is_uninit,
                         uint8_t *order);

// deps.c: finds the dependencies of all events.
void deps_fill(struct explorer *x);

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
// Did thread t stop at an assertion that failed, before what it did next?
bool again_has_stopped(const struct explorer *x, thread_id t);
// The graph that came of it is explored: its steps warn as they should.
void again_warn(struct explorer *x);

// promise.c: appends the ways in which the next event of thread t, a write, may
// be promised to reads before it; and takes the nth of them.
void promise_find(struct explorer *x, thread_id t);
bool promise_take(struct explorer *x, thread_id t, uint32_t nth);

// stale.c: loops that read an old write again and again (--read-bound).
// How often in a row the place where thread t stands has read one write of the
// location that it reads next; 0 if that is still less than the bound.
uint32_t stale_reads_before(const struct explorer *x, thread_id t);
// Did the newest event of its thread read an old write once too often?
bool stale_cuts(const struct explorer *x, event_id read);

// revisit.c: appends to x->options the reads that the next write of thread t,
// to `loc`, may revisit.
void revisit_find(struct explorer *x, thread_id t, uint32_t loc);
// Takes out what was added after `last`, a revisited read, and is not in the
// prefix of the next event of thread t.
void revisit_cut(struct explorer *x, thread_id t, event_id last);
// Is all that is not in that prefix maximal?
bool revisit_all_maximal(const struct explorer *x, thread_id t);
// Is `e` in that prefix: before it by po ∪ rf, or in the core?
bool revisit_in_prefix(const struct explorer *x, thread_id t, event_id id);

// choice.c
void choice_open(struct explorer *x, enum choice_kind kind, thread_id t,
                 event_id revisit, uint32_t first);
// Goes back to the newest choice with options left and takes one.
void choice_next(struct explorer *x);
// Of all that is open, leaves these options of one choice.
void choice_narrow(struct explorer *x, uint32_t nth, const uint32_t *options,
                   uint32_t n);

// task.c: leaves of the open choices only what the task says.
void task_follow(struct explorer *x);
// The number that all explorers of a team use for a thread which x does not
// know yet; `threads` of x knows it afterwards.
void team_learn_thread(struct explorer *x, struct child c);
// Executions that were counted, by the whole team.
uint64_t team_executions(const struct explorer *x);
// May one more be counted?
bool team_may_count(struct explorer *x);

// progress.c: which share of the search is still to be explored by x, roughly.
double progress_left(const struct explorer *x);

// errors.c. Each says whether the search may go on in this graph.
void error_add(struct explorer *x, struct finding f);
// A finding, without message, about the place where thread t stands.
struct finding error_of_thread(const struct explorer *x, enum finding_kind kind,
                               thread_id t);
// A finding about an event, still without a message.
struct finding error_at(const struct explorer *x, enum finding_kind kind,
                        event_id e);
// Names the other event that a finding is about.
void error_name_other(const struct explorer *x, struct finding *f, event_id e);
// What the interpreter noted since the last time.
void error_add_warnings(struct explorer *x);
// Access `e` was added: memory, mixed sizes, races.
void error_check_access(struct explorer *x, event_id e);
// The read of a lock, an unlock was added.
void error_check_lock(struct explorer *x, event_id e);
void error_check_unlock(struct explorer *x, event_id e);
// All that the others above check, for every event of the graph.
void error_check_all(struct explorer *x);
void error_check_races_at_end(struct explorer *x);
// Does a happen before b, by the release sequences of the model?
bool explore_hb(const struct explorer *x, event_id a, event_id b);
// Are there axioms, or rules of happens-before, that only a complete graph can
// be judged by?
static inline bool explore_judges_at_end(const struct explorer *x) {
  return x->config.model->filters ||
         x->config.model_options.c11_release_sequences;
}
// No thread can run, some have not finished.
void error_check_blocked(struct explorer *x);
// Do those that have not finished wait, and would wait for ever?
bool error_only_waits(const struct explorer *x);

// lifetime.c: an access, free or end of a thread was added.
void lifetime_check_access(struct explorer *x, event_id e);
void lifetime_check_free(struct explorer *x, event_id e);
void lifetime_check_end(struct explorer *x, event_id e);
// The object must be known to exist where it is used.
void lifetime_check_alloc(struct explorer *x, event_id e, object_no object);
// May the thread free what its pending FREE names?
bool lifetime_check_before_free(struct explorer *x, thread_id t);

// livelock.c: can the threads repeat for ever what they did in this execution?
void livelock_look(struct explorer *x);
// The same at the end of an execution, for some of them.
void livelock_look_at_some(struct explorer *x);
// No thread can run: can those that wait repeat their rounds for ever?
void livelock_look_at_waits(struct explorer *x);

// leak.c: all threads have ended.
void leak_check(struct explorer *x);
