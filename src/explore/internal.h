// SPDX-License-Identifier: MIT
// Inside explore/: the explorer, its choices, and what the files offer each
// other. ARCHITECTURE.md has a picture of who calls whom.
#pragma once

#include "bytecode/loop.h"
#include "explore/cycles/justify/core.h"
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
  CHOICE_GUESS,    // of a read: a value without source (guess.c), or to wait
  CHOICE_PAUSE,    // of a thread: whether it stops (forward.c)
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
  uint32_t pauses;   // x->pauses.len then
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

// What was decided about a thread while it had so many events (forward.c).
struct pause {
  uint32_t length;
  uint32_t since;
};
struct pause_before {
  thread_id thread;
  struct pause pause;
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
  uint64_t function[MAX_THREADS], argument[MAX_THREADS];
  uint64_t element[MAX_THREADS]; // bytes that it points to and that are the
                                 // thread's own (elements.c)
  uint64_t numbered;             // threads that have elements by number
  struct known_step *steps;      // a hash of those that were looked at
  uint32_t len, cap;
};

// How an execution ends (tail.c).
struct tail {
  bool is_put_off;     // if main is quiet
  bool is_next;        // the thread that was scheduled last is part of it
  state_id from, end;  // where main joins and ends, if all results are 0
  uint64_t joins;      // the threads that it joins in between
  bool is_quiet;       // it does nothing else
  uint64_t counted[2]; // threads that end and are joined, of a tail
  uint32_t length;     // that is so long
  // Results of threads that make no difference to main in that state.
  state_id ignored_by;
  uint64_t ignored[MAX_THREADS];
  uint32_t looked;      // how often such were looked for
  ARRAY(uint8_t) known; // by state of main: is that so?
  state_id asked;       // the last one of them,
  bool answer;          // and what it was
};

// What became of a step or of an option.
enum outcome {
  GO_ON,   // more is to be added to the graph
  GO_BACK, // nothing comes of it, or its next event is a choice that was
           // opened: the next option is taken
  STOP,    // the search is over
};

// Why the search has to begin again from its root (x->restart): something was
// learned (assume.h).
enum restart_why {
  RESTART = 1,
  RESTART_UNEQUAL = 2, // that symmetry is not proved with
  RESTART_STATES = 4,  // threads go through other states from now on,
  RESTART_MEMORY = 8, // since memory is cut in another way (cells.c), or rounds
                      // are made that were left out (rollback.c)
};
enum {
  RESTART_WITH_MEMORY = RESTART_UNEQUAL | RESTART_STATES | RESTART_MEMORY
};

enum { KEPT_STATES = 64, MAX_LEAF_MISSES = 2 };

// Where threads stand: those whose next access may be in the tail, or is in the
// middle of an instruction, as far as they have not moved since (schedule.c).
struct standing {
  uint64_t tail, update;
  uint64_t block;  // those that can do nothing more
  uint64_t read;   // those that would read
  uint64_t result; // of those at the tail: main may look at their results
};

// What is known of loops (loops/).
struct loops {
  ARRAY(struct refresh) refreshes;         // that were asked for (refresh.c)
  ARRAY(struct rollback_word *) rollbacks; // by location, see rollback.c
  bool skips_rollbacks; // rounds that undo themselves are left out, so far
  ARRAY(struct lock_word) lock_words; // that rounds take (lock_word.c)
  bool has_rounds;     // a thread came back to a state, and did not wait
  bool has_own_rounds; // some round of a thread changed nothing (await.c)
  bool *writes; // by instruction: does what follows write (no_writers.c)?
  state_id kept_at[KEPT_STATES]; // some in which loops were kept (retry.c)
  bool names_rounds; // loops that poll are named, and there may be some
  uint8_t *polls;    // by instruction: is a loop around it (rounds.c), or NULL
  ARRAY(uint8_t) polling; // by state: is it in such a loop?
};

// Compare-exchanges that are no branches (cas_choice.c).
struct cas_choices {
  bool are_in;   // there are some,
  bool differ;   // one would have had another outcome with a promise,
  bool are_open; // so their outcomes are chosen
};

// Scratch of rf_equivalence.c.
struct rf_scratch {
  ARRAY(bool) old;
  ARRAY(event_id) known;
  ARRAY(uint32_t) ends; // locations whose last writes matter
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
  const struct explore_task *task; // FOLLOW: on the way to this
  struct explore_result before; // FOLLOW: what is counted now counts elsewhere
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
  struct over *over; // what leads to nothing then, or NULL (feasible.c)
  struct pause paused[MAX_THREADS];
  ARRAY(struct pause_before) pauses; // to undo them
  struct names names;                // that were met (names.c)
  uint64_t most_guided;    // events that may be added with guesses; 0: any
  ARRAY(event_id) guessed; // guesses in the graph (guess_find_guessed)
  uint64_t frozen;         // threads that do nothing
  struct scout *scout;     // finds what is justified, as far as it was asked
  bool is_scout;       // explores for another explorer: findings do not count
  bool has_race;       // a read raced with what comes after it (justify.c),
  bool has_vain_races; // but nothing can come of that
  struct loops loops;
  struct cas_choices cas;
  struct rf_scratch rf;
  struct symmetry symmetry;
  struct tail tail;
  struct standing at;
  bool counts_leaves; // as far as the options of the search allow it (leaf.c)
  ARRAY(uint8_t)
  leaf_misses;         // by state: how often none of its options was a leaf
  bool may_hold_back;  // something keeps threads back, whatever they do next
  ARRAY(loc_id) cells; // what copies and fills are cut by (cells.c)
  unsigned restart;    // enum restart_why; 0: nothing has to begin again
  uint32_t refuted;    // reductions that do not hold of the program
  struct numbered_arrays numbered; // that threads were seen to use
  bool is_stopped;                 // somebody outside wants the search to end
  bool has_thread_locals;          // that other threads can reach
  bool tracks;                     // the model tracks dependencies,
  bool promises;       // and loads are promised what comes after them
  const char *gave_up; // why cores are not guessed although they should be
  bool has_update;     // some thread may be in the middle of an update
  bool has_waited;     // some thread waited for a lock once
  bool has_stopped;    // some thread stopped with a read once
  bool may_race;       // by C++20's release sequences, though C++11's count
  bool has_put_off;    // some error had to wait for the end of an execution
  struct model_order order; // what the model orders (race.c),
  bool knows_order;         // of the graph as it is
  bool is_complete; // nothing is left of the part that was to be explored
  uint64_t ticks;
  uint64_t max_live;            // events of a graph
  double started, started_wall; // in seconds of both clocks
  double looked;                // when limits were looked at last
  uint32_t warnings;            // of the vm that are known already
  struct explore_result result;
};

// Is an execution (po, rf), whatever co is (rf_equivalence.c)?
static inline bool explore_ignores_co(const struct explorer *x) {
  return reduces(&x->config, REDUCE_RF);
}

// part.c: do graphs stand for others, as long as po ∪ rf has no cycles that
// would have to be justified?
static inline bool part_stands_for_others(const struct explorer *x) {
  return x->symmetry.is_on;
}

// explore.c: explores all there is, or what x->mode says.
void explore_from_root(struct explorer *x);
// Back to where only main has started.
void explore_go_to_root(struct explorer *x);
// Something was learned that all of it depends on: nothing counts so far.
void explore_restart(struct explorer *x);

// schedule.c: the search begins.
void schedule_begin(struct explorer *x);
// The thread that adds the next event; NO_THREAD: none can.
thread_id schedule_next(struct explorer *x);
// Has this thread ended the program, though others may wait?
bool schedule_ends_program(const struct explorer *x, thread_id t);

// limits.c: looked at before each event.
void limits_start(struct explorer *x);
enum outcome limits_look_closer(struct explorer *x);
enum { LIMITS_EVERY = 16 }; // steps; what costs something comes then
static inline enum outcome limits_look(struct explorer *x) {
  bool is_time = ++x->ticks % LIMITS_EVERY == 0;
  return is_time || x->g.live > x->max_live || x->config.max_executions ||
                 (x->config.interrupted && *x->config.interrupted)
             ? limits_look_closer(x)
             : GO_ON;
}

// end.c: no thread can run; or only the tail is left, main ends with that
// status, and so many events are left out.
enum outcome end_of_execution(struct explorer *x);
enum outcome end_without_tail(struct explorer *x, int status, uint32_t events);

// tail.c: ends of threads, and joins before the end of main.
void tail_init(struct explorer *x);
// An end that has no other consequences.
static inline bool access_ends_plainly(const struct access *a) {
  return a->kind == ACC_END && !(a->flags & (ACCF_EARLY | ACCF_UNINIT));
}
// May this access of thread t be one of them? Do they wait until nothing else
// is left?
static inline bool tail_has(const struct access *a, thread_id t) {
  return access_ends_plainly(a) || (t == 0 && a->kind == ACC_JOIN);
}
bool tail_main_is_quiet(struct explorer *x);
bool tail_has_stopped(const struct explorer *x);
static inline bool tail_is_put_off(struct explorer *x) {
  const struct tail *tail = &x->tail;
  state_id main = x->g.threads[0].state;
  bool is_known = main && main == tail->asked;
  if (!tail->is_put_off || !(is_known ? tail->answer : tail_main_is_quiet(x)))
    return false;
#if HEDDLE_SLOW_CHECKS
  check(x->has_stopped || x->tracks || !tail_has_stopped(x));
#endif
  return !((x->has_stopped || x->tracks) && tail_has_stopped(x));
}
// Are all threads at their ends, main after its joins? Then the status of main,
// and how many events that would be.
bool tail_is_over(struct explorer *x, int *status, uint32_t *events);

// Does the result make no difference to main, as far as is known?
static inline bool tail_ignores(const struct tail *tail, state_id main,
                                thread_id t, uint64_t result) {
  return !result || (tail->ignored_by == main && tail->ignored[t] == result);
}
// Does nothing but the tail follow, with status 0, if the next event of thread
// t leads to a plain end with such a result? Then the length of the tail.
bool tail_follows(struct explorer *x, thread_id t, uint32_t *events);

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
// What is known from the beginning; what is known now (assume.h).
void cells_take(struct explorer *x, const struct assumptions *a);
void cells_tell(const struct explorer *x, struct assumptions *a);

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
// (Some are handed over to the read that they revisit.)
enum outcome write_place(struct explorer *x, thread_id t, event_id revisit,
                         bool hands_over, uint32_t place);
enum outcome write_revisit(struct explorer *x, thread_id t, event_id read,
                           bool hands_over);

// event.c: what an access becomes.
// The value that a read of `write` (or the initial write) of `loc` gets.
uint64_t event_value_of(const struct explorer *x, uint32_t loc, event_id write,
                        bool *is_uninit);
// What a read of access `a` that gets `value` looks like: flags and order.
uint32_t event_read_flags(const struct access *a, uint64_t value,
                          bool is_uninit, uint8_t *order);
// The next event of thread t as a read of `write`, where graph_add_next will
// find it.
struct event *event_make_read(struct explorer *x, thread_id t, event_id write);
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
// The state in which the thread would go on if that had not failed.
state_id event_behind_assertions(const struct explorer *x, state_id s);
bool event_has_stopped(const struct explorer *x, thread_id t);

// Do all compare-exchanges whose outcome was chosen (cas_choice.c) have the one
// that they would have with what they read?
bool event_cas_choices_are_right(const struct explorer *x);

// advance.c: does the model accept the graph with its newest event e (and
// `other`, which reads it)? Both are the last of their threads.
bool advance_is_allowed(struct explorer *x, event_id e, event_id other);
void advance_thread(struct explorer *x, event_id e);
// Does the thread of `e`, its newest event, wait or stop there, or does an
// assumption not hold?
static inline bool advance_stops(const struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  state_id s = x->g.threads[e->thread].state;
  return (e->flags & (EVF_AWAIT | EVF_RETRY)) ||
         (s && vm_access(x->vm, s)->kind == ACC_BLOCK);
}

// deps.c: finds the dependencies of all events.
void deps_fill(struct explorer *x);
// Does the definition of the model allow the graph as it is?
bool explore_allows_by_definition(struct explorer *x);

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

// revisit.c: appends to x->options the reads that the next write of thread t,
// to `loc`, may revisit.
void revisit_find(struct explorer *x, thread_id t, uint32_t loc);
// The next event of thread t is the read of an update, and `source` was taken
// by another one. Could its write, which has the prefix, revisit that one, or
// something older?
bool revisit_makes_room(struct explorer *x, thread_id t, clock_id prefix,
                        event_id source);
// Takes out what was added after `last`, a revisited read, and is not in the
// prefix of the next event of thread t.
void revisit_cut(struct explorer *x, thread_id t, event_id last);
// Where co does not count: is the read, the newest event, maximal although it
// has something old?
bool revisit_may_begin_with(struct explorer *x, event_id read);
// Is all that is not in that prefix maximal?
bool revisit_all_maximal(struct explorer *x, thread_id t);

// leaf.c: the options from `first` on are those of the next event of thread t.
// If it is the last one before the tail, counts the executions that come of
// them, and takes them off.
void leaf_init(struct explorer *x);
// (If all others are at their ends, and this state has not led there in vain.)
static inline bool leaf_may_be_next(const struct explorer *x, thread_id t) {
  if (!x->counts_leaves || (x->g.active & ~x->at.tail) != UINT64_C(1) << t)
    return false;
  state_id s = x->g.threads[t].state;
  return s >= x->leaf_misses.len || x->leaf_misses.at[s] < MAX_LEAF_MISSES;
}
void leaf_count(struct explorer *x, thread_id t, uint32_t first);

// choice.c
void choice_open(struct explorer *x, enum choice_kind kind, thread_id t,
                 event_id revisit, uint32_t first);
// The same, and takes one of the options at once, as the next step of the path;
// what has no alternative is no step of it. False: there is none, or nothing
// is left of them (leaf.c), or somebody else decides (task.c).
bool choice_begin(struct explorer *x, enum choice_kind kind, thread_id t,
                  event_id revisit, uint32_t first, uint32_t *option);
// Goes back to the newest choice and takes one of its options. False: nothing
// is left to be tried.
bool choice_pop(struct explorer *x, struct choice *c, uint32_t *option);
// Of all that is open, leaves these options of one choice.
void choice_narrow(struct explorer *x, uint32_t nth, const uint32_t *options,
                   uint32_t n);

// Goes back to where so many pauses were made (forward.c).
void choice_undo_pauses(struct explorer *x, uint32_t n);

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

// race.c: is a before b, as far as races are concerned? By happens-before, with
// the release sequences of the model, and by the model's own order, if races
// are its own. (The graph is another one now: forget what that was.)
bool explore_orders(struct explorer *x, event_id a, event_id b);
void explore_forget_order(struct explorer *x);
static inline bool explore_bounds_loops(const struct explorer *x) {
  return x->config.unrolls || x->config.yield_bound;
}
// Is this execution, or the part of one, of interest?
static inline bool explore_shows(const struct explorer *x,
                                 const struct graph *shown) {
  return !x->config.replay || graph_name(shown) == *x->config.replay;
}
// Are there axioms, or rules of happens-before, that only a complete graph can
// be judged by?
static inline bool explore_judges_at_end(const struct explorer *x) {
  return x->config.model->filters || x->cas.are_open ||
         x->config.model_options.c11_release_sequences;
}
// Under C++11's release sequences a later write can take synchronisation away,
// so only complete graphs are judged, and errors wait until then; so it is with
// models from files that have such axioms. With --all-errors the other threads
// go on too: what they write may still revisit the reads that led to the error.
static inline bool explore_stops_at_end(const struct explorer *x) {
  return x->config.all_errors || explore_judges_at_end(x);
}

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
