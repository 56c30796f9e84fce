// SPDX-License-Identifier: MIT
// Inside explore/: the explorer, its choices, and what the files offer each
// other. ARCHITECTURE.md has a picture of who calls whom.
#pragma once

#include "bytecode/loop.h"
#include "explore/core.h"
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
  CHOICE_GUESS,    // of a read: a value without source (guess.c)
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
#if HEDDLE_SLOW_CHECKS
  uint64_t hash; // of all that going back to here restores
#endif
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

// What a read may read although nobody wrote it yet (guess.c).
struct guess {
  thread_id reader;
  uint8_t order; // of the read
  uint32_t loc;
  uint64_t value;
  uint64_t
      writers[ORD_SC + 1]; // threads that wrote it, by the order of the write
  uint32_t most;           // so often in one graph
  uint32_t allowed;        // 0: it would be in vain (alone.c)
  bool stands_in;          // for others, which are not allowed
};
// How often one execution has each guess.
struct guess_set {
  uint32_t *at;
  uint32_t len, cap;
};
struct guesses {
  struct guess *at;
  uint32_t len, cap;
  ARRAY(struct guess_set) together;
};

// A set of names of graphs; 0 is none (names.c).
struct names {
  uint64_t *at;
  uint32_t len, cap;
};

// Threads that are interchangeable (symmetry.c).
struct symmetry {
  bool is_on;
  uint64_t grouped;              // threads that are in a group, ever
  uint64_t group[MAX_THREADS];   // all threads of its group, ever
  thread_id before[MAX_THREADS]; // in its group, in this graph; NO_THREAD
  uint64_t argument[MAX_THREADS];
  struct known_step *steps; // a hash of those that were looked at
  uint32_t len, cap;
};

// What became of a step or of an option.
enum outcome {
  GO_ON,   // more is to be added to the graph
  GO_BACK, // nothing comes of it, or its next event is a choice that was
           // opened: the next option is taken
  STOP,    // the search is over
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
  struct core *start;        // the core that all begins with, or NULL (core.c)
  const struct guesses *guesses; // NULL: there are none
  struct alone *alone;           // what leads to nothing then, or NULL (hope.c)
  struct names names;            // that were met (names.c)
  ARRAY(uint32_t) guessed;       // scratch of guess.c: those in the graph
  uint64_t frozen;               // threads that do nothing
  bool is_scout; // explores for another explorer: findings do not count
  bool has_race; // a read raced with what comes after it (justify.c)
  ARRAY(struct refresh) refreshes; // that were asked for
  ARRAY(bool) old;                 // scratch of coarse.c
  ARRAY(event_id) known;           // (the same),
  ARRAY(uint32_t) ends;            // and locations whose last writes matter
  struct symmetry symmetry;
  bool fixes_arrivals; // at barriers (arrive.c)
  ARRAY(loc_id) cells; // what copies and fills are cut by (cells.c)
  bool begins_again;   // these have changed
  bool has_picks;      // there are compare-exchanges that are no branches,
  bool picks_differ;   // one would have had another outcome with a promise,
  bool opens_picks;    // so their outcomes are chosen (picks.c)
  bool is_stopped;     // somebody outside wants the search to end
  bool *writes;        // by instruction: does what follows write (silence.c)?
  bool has_thread_locals; // that other threads can reach
  bool tracks;            // the model tracks dependencies
  bool has_update;        // some thread may be in the middle of an update
  bool has_waited;        // some thread waited for a lock once
  bool has_stopped;       // some thread stopped with a read once
  bool may_race;          // by C++20's release sequences, though C++11's count
  bool has_put_off;       // some error had to wait for the end of an execution
  bool has_own_rounds;    // some round of a thread changed nothing (await.c)
  bool is_complete;       // nothing is left of the part that was to be explored
  uint64_t ticks;
  double started, started_wall; // in seconds of both clocks
  double looked;                // when limits were looked at last
  uint32_t warnings;            // of the vm that are known already
  struct explore_result result;
};

// explore.c: explores all there is, or what x->mode says.
void explore_from_root(struct explorer *x);
// Something was learned that all of it depends on: nothing counts so far.
void explore_begin_again(struct explorer *x);

// schedule.c: the thread that adds the next event; NO_THREAD: none can.
thread_id schedule_next(struct explorer *x);
// Is the program over, although threads that wait are left?
bool schedule_main_has_returned(const struct explorer *x);

// limits.c: looked at before each event.
void limits_start(struct explorer *x);
enum outcome limits_look(struct explorer *x);

// end.c: no thread can run.
enum outcome end_of_execution(struct explorer *x);

// cells.c: the size of the cell that the graph has at an address. If there is
// none but one begins within the next bytes, what is left before that one:
// whoever asks must not run over it. 0: nothing near is in use. (With the
// number of bytes that this holds for, see vm_cell_answer.)
uint64_t cells_answer(const struct explorer *x, uint64_t address,
                      uint64_t bytes);
// Two events overlap. True: it was learned how to cut their memory, and the
// search has to begin again.
bool cells_learn(struct explorer *x, event_id id, event_id other);

// May the search begin again?
bool cells_may_begin_again(const struct explorer *x);

// mixed.c: access `e` was added, to a location that others overlap.
enum outcome mixed_check_overlap(struct explorer *x, event_id e);
enum outcome mixed_check_order(struct explorer *x, event_id e);

// step.c: adds the next event of thread t, or opens the choices for it.
enum outcome step_thread(struct explorer *x, thread_id t);
// Thread t stopped with a finding: reports it.
enum outcome step_error(struct explorer *x, thread_id t);

// read.c: the next event of thread t is a read; takes one of its sources.
enum outcome read_step(struct explorer *x, thread_id t);
enum outcome read_source(struct explorer *x, thread_id t, event_id write);
// Adds it with this source, and no more.
event_id read_add(struct explorer *x, thread_id t, event_id write);

// value.c: the next event of thread t is a nondeterministic value, or decides
// whether its weak compare-exchange fails, which it may; takes a value.
enum outcome value_step(struct explorer *x, thread_id t);
bool value_may_fail(struct explorer *x, thread_id t);
enum outcome value_step_weak(struct explorer *x, thread_id t);
enum outcome value_take(struct explorer *x, const struct choice *c,
                        uint32_t above);

// write.c: the next event of thread t is a write; the options of its choices.
enum outcome write_step(struct explorer *x, thread_id t);
enum outcome write_place(struct explorer *x, const struct choice *c,
                         uint32_t place);
enum outcome write_revisit(struct explorer *x, thread_id t, event_id read,
                           bool hands_over);

// event.c: what an access becomes.
// The value that a read of `write` (or the initial write) of `loc` gets.
uint64_t event_value_of(const struct explorer *x, uint32_t loc, event_id write,
                        bool *is_uninit);
// What a read of access `a` that gets `value` looks like: flags and order.
uint32_t event_read_flags(const struct access *a, uint64_t value,
                          bool is_uninit, uint8_t *order);
// Makes `read`, the newest event of its thread, read `write`; advance_thread
// then lets the thread go on.
void event_set_source(struct explorer *x, event_id read, event_id write,
                      bool is_handed);
// The state of a thread after its read got its value; 0: it waits.
state_id event_state_after_read(struct explorer *x, const struct event *e);
// Has an update taken `write` as its source, other than the reads `me` and
// `leaving`?
bool event_is_taken(const struct graph *g, uint32_t loc, event_id write,
                    event_id me, event_id leaving);
// Is the next event of thread t the write of an update, whose read has a
// source?
bool event_is_update(const struct explorer *x, thread_id t);
// Adds the next event of thread t: a write at this place in co; one that is
// neither read nor write; its end.
event_id event_add_write(struct explorer *x, thread_id t, uint32_t place);
void event_add_plain(struct explorer *x, thread_id t, enum event_kind kind,
                     uint32_t loc, event_id rf, uint64_t yields);
void event_add_end(struct explorer *x, thread_id t, uint32_t flags);
// A choice, or an answer about the graph.
void event_add_value(struct explorer *x, thread_id t, enum event_kind kind,
                     uint64_t value);
// What a thread in state `s` asks about the graph.
uint64_t event_answer(const struct explorer *x, state_id s);
// The state in which an event of that kind finds a thread that was in state s:
// a weak compare-exchange may have been preceded by a choice.
state_id event_pre_of(const struct explorer *x, state_id s, uint8_t kind);
// Is s the state of a thread whose assertion failed? Did thread t stop there,
// before what it did next?
bool event_is_failed_assertion(const struct explorer *x, state_id s);
bool event_has_stopped(const struct explorer *x, thread_id t);

// Do all compare-exchanges whose outcome was chosen (picks.c) have the one that
// they would have with what they read?
bool event_picks_are_right(const struct explorer *x);

// advance.c: does the model accept the graph with its newest event e (and
// `other`, which reads it)? Both are the last of their threads.
bool advance_is_allowed(struct explorer *x, event_id e, event_id other);
void advance_thread(struct explorer *x, event_id e);
// Does the thread of `e`, its newest event, wait or stop there, or does an
// assumption not hold?
bool advance_stops(const struct explorer *x, event_id e);

// arrive.c: barriers, whose arrivals have one order (x->fixes_arrivals).
bool arrive_is_possible(const struct explore_config *c);
static inline bool access_arrives(const struct access *a) {
  return a->kind == ACC_RMW_READ && (a->flags & ACCF_ARRIVES);
}
// The next event of thread t is an arrival. STOP: all orders have to be
// explored.
enum outcome arrive_look(struct explorer *x, thread_id t);
// May an arrival read the write at this place in co?
bool arrive_may_read(const struct explorer *x, uint32_t loc, uint32_t place);
// Is the read that of an arrival? Is the next event of thread t its write?
bool arrive_is_read(const struct explorer *x, event_id read);
bool arrive_is_write(const struct explorer *x, thread_id t);

// coarse.c: co does not count (config.ignores_co).
// Does the model allow the graph with its newest events, as advance_is_allowed
// asks, with some co? Then the graph has one.
bool coarse_allows(struct explorer *x, event_id e, event_id other);
// The same without a look at the co that there is. The others are coherent but
// for those of this location; UINT32_MAX: they need not be.
bool coarse_finds_co(struct explorer *x, uint32_t loc);
// What was added up to `last`, and the prefix of the next event of thread t.
struct coarse_view {
  event_id last; // NO_EVENT: all of the graph
  thread_id t;
  clock_id prefix;
};
// Is another write of the location after this one in every co?
bool coarse_is_old(struct explorer *x, uint32_t loc, event_id write);
// Is it before the next event of thread t in every co?
bool coarse_is_known(const struct explorer *x, thread_id t, event_id write);
// Appends to x->options the writes that are not old in the view without `read`,
// greatest name first.
void coarse_find_newest(struct explorer *x, const struct coarse_view *v,
                        event_id read);
// Appends the writes that the next event of thread t may read with some co, and
// some others.
void coarse_find_sources(struct explorer *x, thread_id t);
// Is it so in some co that is allowed? Only what waiting threads poll matters;
// or only memory that may hold pointers.
bool coarse_asks_waits(struct explorer *x, bool (*is_so)(struct explorer *x));
bool coarse_asks_memory(struct explorer *x, bool (*is_so)(struct explorer *x));

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
event_id wait_taker(struct explorer *x, thread_id t, uint32_t loc);
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
// `e`, the read of a compare-exchange, is about to be added and would succeed:
// does another execution do the same with fewer rounds or fewer sources?
bool retry_stops_success(struct explorer *x, const struct event *e);
// `e`, the newest event of its thread, was added or changed, and the thread
// waits or stops there: will it do so in all that comes of this graph?
bool retry_is_lost(struct explorer *x, event_id e);
// Does the thread of `e`, its newest event, stop there for that reason?
static inline bool retry_stopped(const struct event *e) {
  return is_access(e) && (e->flags & EVF_RETRY);
}

// refresh.c: what the code says about a load and a compare-exchange.
const struct refresh *refresh_find(struct explorer *x, uint32_t load,
                                   uint32_t cas);

// rounds.c: notes loops of a complete execution whose failed rounds it has.
void rounds_note(struct explorer *x);

// unroll.c: loops without a bound.
// Has thread t gone around a loop as often as it may? Then it stops.
bool unroll_cuts(struct explorer *x, thread_id t);
bool unroll_was_cut(const struct explorer *x, thread_id t);
// Says in result.detail which loop made the execution too long.
void unroll_explain(struct explorer *x);

// deps.c: finds the dependencies of all events.
void deps_fill(struct explorer *x);

// guess.c: appends the values that the next event of thread t, a read, may get
// without a source; and takes the nth guess.
void guess_find(struct explorer *x, thread_id t);
enum outcome guess_take(struct explorer *x, thread_id t, uint32_t nth);
// The next event of thread t is a write: notes in x->has_race whether reads
// before it race with it.
void guess_look(struct explorer *x, thread_id t, uint32_t loc);
static inline bool event_is_guess(const struct event *e) {
  return e->kind == EV_CHOICE && (e->flags & EVF_GUESS);
}

// core.c: does in the graph, in which only main has started, what the core
// says.
enum outcome core_build(struct explorer *x, const struct core *c);

// names.c: was the graph met before, as a core or as an execution?
void names_note(struct explorer *x, bool is_core);
void names_forget(struct explorer *x);

// justify.c: finds all cores that have to be justified and are; false: a limit
// was hit. (They are to be dropped.)
struct cores {
  struct core **at;
  uint32_t len, cap;
};
bool justify_find(struct explorer *x, struct cores *ret);

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

// symmetry.c: is there something that symmetry is not proved with?
bool symmetry_is_possible(const struct explore_config *c);
void symmetry_init(struct explorer *x);
void symmetry_done(struct symmetry *s);
// It does not hold, after all: the search must begin again without it.
enum outcome symmetry_refute(struct explorer *x, const char *why);
// Thread u has just started, and nothing else happened.
enum outcome symmetry_look_at_start(struct explorer *x, thread_id u);
// There are groups, and events were added. GO_BACK: another graph of the class
// is explored. STOP: the threads can be told apart.
enum outcome symmetry_look(struct explorer *x);
// The next event of thread t is a write.
enum outcome symmetry_look_at_write(struct explorer *x, thread_id t);
// How many graphs this one stands for; UINT64_MAX: that many or more.
uint64_t symmetry_orbit(const struct explorer *x);

// stale.c: loops that read an old write again and again (--read-bound).
// How often in a row the place where thread t stands has read one write of the
// location that it reads next; 0 if that is still less than the bound.
uint32_t stale_reads_before(const struct explorer *x, thread_id t);
// Did the newest event of its thread read an old write once too often?
bool stale_cuts(const struct explorer *x, event_id read);

// Is `id` in the prefix of the next event of thread t: before it by po ∪ rf
// (`porf` is that clock of t's newest event), or in the core? The start of a
// thread goes with the event that created it.
static inline bool prefix_has(const struct explorer *x, thread_id t,
                              clock_id porf, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  if (id <= x->core)
    return true;
  if (e->kind == EV_START && e->rf != NO_EVENT)
    e = &g->events[e->rf];
  return e->thread == t || clock_knows(&g->clocks, porf, e->thread, e->index);
}
// With symmetry (symmetry.c), what comes before it by sr is in it too.
clock_id symmetry_prefix(struct explorer *x, thread_id t);
static inline clock_id prefix_of(struct explorer *x, thread_id t) {
  return x->symmetry.grouped ? symmetry_prefix(x, t)
                             : x->g.events[graph_tail(&x->g, t)].porf;
}

static inline bool coarse_shows(const struct explorer *x,
                                const struct coarse_view *v, event_id id) {
  return id <= v->last || prefix_has(x, v->t, v->prefix, id);
}

// silence.c: will no thread write any more, and has one stopped with something
// old? Then nothing comes of the graph.
bool silence_ends(struct explorer *x);

// revisit.c: appends to x->options the reads that the next write of thread t,
// to `loc`, may revisit.
void revisit_find(struct explorer *x, thread_id t, uint32_t loc);
// Takes out what was added after `last`, a revisited read, and is not in the
// prefix of the next event of thread t.
void revisit_cut(struct explorer *x, thread_id t, event_id last);
// Is all that is not in that prefix maximal?
bool revisit_all_maximal(struct explorer *x, thread_id t);

// choice.c
void choice_open(struct explorer *x, enum choice_kind kind, thread_id t,
                 event_id revisit, uint32_t first);
// Goes back to the newest choice and takes one of its options. False: nothing
// is left to be tried.
bool choice_pop(struct explorer *x, struct choice *c, uint32_t *option);
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

// errors.c: findings. STOP: the search ends with this one.
enum outcome error_add(struct explorer *x, struct finding f);
// The same when the thread cannot go on: never GO_ON.
enum outcome error_add_last(struct explorer *x, struct finding f);
// The search ends, whatever the model thinks of the graph so far.
enum outcome error_refuse(struct explorer *x, struct finding f);
// What follows here is not known.
void error_note_cut(struct explorer *x, const char *why);
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

// race.c: access `e` was added; against the accesses of `loc`, which has bytes
// in common with its own; all of a complete graph.
enum outcome race_check_access(struct explorer *x, event_id e);
enum outcome race_check(struct explorer *x, event_id e, loc_id loc);
enum outcome race_check_at_end(struct explorer *x);
// flags.c: those that the model raises on a complete execution.
enum outcome flags_check(struct explorer *x);
// Does a happen before b, by the release sequences of the model?
bool explore_hb(struct explorer *x, event_id a, event_id b);
static inline bool explore_bounds_loops(const struct explorer *x) {
  return x->config.unrolls || x->config.yield_bound;
}
// Is this execution, or the part of one, of interest?
static inline bool explore_shows(const struct explorer *x) {
  return !x->config.replay || graph_name(&x->g) == *x->config.replay;
}
// Are there axioms, or rules of happens-before, that only a complete graph can
// be judged by?
static inline bool explore_judges_at_end(const struct explorer *x) {
  return x->config.model->filters || x->opens_picks ||
         x->config.model_options.c11_release_sequences;
}
// Under C++11's release sequences a later write can take synchronisation away,
// so only complete graphs are judged, and errors wait until then; so it is with
// models from files that have such axioms. With --all-errors the other threads
// go on too: what they write may still revisit the reads that led to the error.
static inline bool explore_stops_at_end(const struct explorer *x) {
  return x->config.all_errors || explore_judges_at_end(x);
}

// blocked.c: no thread can run, some have not finished.
enum outcome blocked_check(struct explorer *x);
// Do those that have not finished wait, and would wait for ever?
bool blocked_only_waits(const struct explorer *x);

// lifetime.c: an access, free or end of a thread was added.
enum outcome lifetime_check_access(struct explorer *x, event_id e);
enum outcome lifetime_check_free(struct explorer *x, event_id e);
enum outcome lifetime_check_end(struct explorer *x, event_id e);
// The object must be known to exist where it is used.
enum outcome lifetime_check_alloc(struct explorer *x, event_id e,
                                  object_no object);

// misuse.c: must thread t not do what it is about to do? Then it is reported.
bool misuse_is_next(const struct explorer *x, thread_id t);
enum outcome misuse_report(struct explorer *x, thread_id t);

// livelock.c: can the threads repeat for ever what they did in this execution?
enum outcome livelock_look(struct explorer *x);
// The same at the end of an execution, for some of them.
enum outcome livelock_look_at_some(struct explorer *x);
// No thread can run: can those that wait repeat their rounds for ever?
enum outcome livelock_look_at_waits(struct explorer *x);

// verify.c, in slow-check builds: a hash of all that going back must restore,
// but for the state of that thread.
uint64_t verify_hash(const struct explorer *x, thread_id but);
// Finds all dependencies again.
void verify_deps(struct explorer *x);
// A hash of what the threads did, whenever it was added; of thread t without
// the read of an update that it ends with.
uint64_t verify_shape(const struct explorer *x, thread_id t);

// refind.c, in slow-check builds: from the graph after the next write of thread
// t revisits `read`, finds the one before that again, which is the present one.
void refind_before_revisit(struct explorer *x, thread_id t, event_id read);

// leak.c: all threads have ended.
enum outcome leak_check(struct explorer *x);
