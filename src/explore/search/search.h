// SPDX-License-Identifier: MIT
// Inside explore/: the explorer, its choices, and what the files of the search
// offer each other and the mechanisms (hooks.h), none of which they know by
// name. docs/internals/search.md has a picture of who calls whom.
#pragma once

#include "explore/cycles/cycles.h"
#include "explore/explore.h"
#include "explore/hooks.h"
#include "vm/deps.h"

#define NO_THREAD UINT32_MAX

// Sets of threads are bits of 64; an event has its thread in a byte.
_Static_assert(MAX_THREADS <= 64, "threads are not bits of a word");

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
  uint32_t rank;     // of its first option; the next has one more (explore.h)
  uint64_t lowest;   // VALUE
  state_id state;    // of the thread; a question may have come before it
  event_id core;     // x->core then
  uint32_t pauses;   // x->cycles.pauses.len then
  struct graph_mark graph;
  struct vm_mark vm;
#if HEDDLE_SLOW_CHECKS
  uint64_t hash; // of all that going back to here restores
#endif
};

// Why the search has to begin again from its root (x->restart): something was
// learned (assume.h).
enum restart_why {
  RESTART = 1,
  RESTART_UNEQUAL = 2, // that no classes of graphs are proved with
  RESTART_STATES = 4,  // threads go through other states from now on,
  RESTART_MEMORY = 8,  // since memory is cut in another way (cells.c), or
                       // something is made that was left out
};
enum {
  RESTART_WITH_MEMORY = RESTART_UNEQUAL | RESTART_STATES | RESTART_MEMORY
};

// Where threads stand: those whose next access is a plain end, or a join of
// main, or is in the middle of an instruction, as far as they have not moved
// since (schedule.c).
struct standing {
  uint64_t end, update;
  uint64_t block;  // those that can do nothing more
  uint64_t read;   // those that would read
  uint64_t result; // of those at an end: with a result that is not 0
  bool ends_only;  // nothing but ends and last joins is left,
  bool adds_ends;  // and they are to be there
};

// What there was once, in this graph or another: whether to ask for it. Undoing
// does not reset these; the answer is that of the graph alone.
struct met {
  bool wait;     // some thread waited for a lock
  bool stop;     // some thread stopped with a read
  bool pointers; // a compare-exchange found another object than it expected
};

// The locations that were ever used, in objects and in thread-local variables.
struct used_memory {
  ARRAY(struct event_list) object_locs; // per object
  ARRAY(loc_id) thread_locs;
  uint32_t locs_known;    // locations that are sorted into these
  ARRAY(object_no) lost;  // scratch of leak.c
  bool has_thread_locals; // that other threads can reach
  uint8_t *writes;        // by code, late.c (NULL: not known yet)
};

// Findings that depend on more than the newest event (findings/).
struct put_off {
  bool may_race;    // by C++20's release sequences, though C++11's count
  bool has_errors;  // some error had to wait for the end of an execution
  bool knows_order; // of the graph as it is:
  struct model_order order; // what the model orders (race.c)
};

// When limits were looked at (limits.c).
struct limit_clocks {
  uint64_t ticks;
  uint64_t max_live;  // events of a graph
  bool looks_closely; // at every step, whether there is something to look at
  double looked;
};

// The part of the search that is explored, and how far x is on the way
// (task.c).
struct follows {
  enum { SEARCH, FOLLOW } mode;
  const struct explore_task *task; // FOLLOW: on the way to this
  struct explore_result before; // FOLLOW: what is counted now counts elsewhere
  // The way to the part, or to the one before it, and its choices: with all of
  // a step, as they were before they were narrowed.
  struct core *core;
  path_steps way;
  ARRAY(struct choice) kept;
};

struct explorer {
  const struct prog *prog;
  struct vm *vm;
  struct search_options config;
  struct search_limits limits;
  struct observer observer;
  struct explore_team *team;         // NULL: this explorer is alone
  const struct assumptions *assumed; // what was known from the beginning
  struct graph g;
  ARRAY(struct choice) choices;
  ARRAY(uint32_t) options;
  // The options that were taken from the root to here.
  path_steps path;
  struct graph_mark root; // main has started and nothing else
  struct vm_mark vm_root;
  struct follows follows;
  struct explore_sweep *sweep; // only some options survive; NULL: all do
  // Thread numbers: the nth child of a parent is the same thread in every
  // execution. [0] is main.
  thread_list threads;

  // Mechanisms that the search does not know by name (hooks.h).
  struct hooks hooks;
  uint32_t active;         // reductions that are used,
  uint32_t refuted;        // and those that do not hold of the program
  void *state[MECHANISMS]; // each its own
  uint64_t grouped; // threads that others may be exchanged for; 0: none may

  struct standing at;
  bool may_hold_back; // errors wait for the end, and keep threads back
  event_id core;      // the events up to here are the core (promise.c)
  struct cycles cycles;
  bool asks_clocks;      // a thread has looked at one (round_races.c),
  bool spares_time;      // or something was left out as none was known to
  bool tracks;           // the model tracks dependencies,
  bool promises;         // and loads are promised what comes after them
  bool chooses_outcomes; // of compare-exchanges that are no branches
  ARRAY(loc_id) cells;   // what copies and fills are cut by (cells.c)
  // What fills have left out, and what they must not (fills.c).
  memory_range_list fills, looked;
  struct used_memory memory;
  struct met met;
  struct put_off put_off;

  unsigned restart; // enum restart_why; 0: nothing has to begin again
  bool is_stopped;  // the search was told to end
  bool is_leaving;  // the same at the next choice, with all that is left
  bool is_complete; // nothing is left of the part that was to be explored
  struct limit_clocks clocks;
  uint32_t warnings; // of the vm that are known already
  struct explore_result result;
};

// Functions that ask the mechanisms at each point.
#define EACH(name, params, args)                                               \
  static inline void hooks_##name params {                                     \
    for (unsigned i = 0; x->hooks.name[i]; i++)                                \
      x->hooks.name[i] args;                                                   \
  }
#define ANY(name, params, args)                                                \
  static inline bool hooks_##name params {                                     \
    for (unsigned i = 0; x->hooks.name[i]; i++)                                \
      if (x->hooks.name[i] args)                                               \
        return true;                                                           \
    return false;                                                              \
  }
#define FIRST(name, params, args)                                              \
  static inline enum outcome hooks_##name params {                             \
    enum outcome o = GO_ON;                                                    \
    for (unsigned i = 0; o == GO_ON && x->hooks.name[i]; i++)                  \
      o = x->hooks.name[i] args;                                               \
    return o;                                                                  \
  }
#include "explore/hooks.def"

// Does the search use the reduction?
static inline bool explore_reduces(const struct explorer *x,
                                   enum reduction which) {
  return (x->active & which) != 0;
}

// Is an execution (po, rf), whatever co is?
static inline bool explore_ignores_co(const struct explorer *x) {
  return x->g.ignores_co;
}

// Has no thread been created in the graph? (It knows of those that were there
// in others.)
static inline bool explore_is_alone(const struct explorer *x) {
  for (thread_id t = 1; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t))
      return false;
  return !(x->g.active & ~1ull);
}

// Do graphs stand for others, as long as po ∪ rf has no cycles?
static inline bool explore_stands_for_others(const struct explorer *x) {
  return x->hooks.meets_cycle[0] != NULL;
}

// explore.c: explores all there is, or what x->mode says.
void explore_from_root(struct explorer *x);
// The same for a part that was taken over.
void explore_from_task(struct explorer *x);
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
  bool is_time = ++x->clocks.ticks % LIMITS_EVERY == 0;
  return is_time || x->g.live > x->clocks.max_live || x->clocks.looks_closely ||
                 (x->limits.interrupted && *x->limits.interrupted)
             ? limits_look_closer(x)
             : GO_ON;
}

// end.c: no thread can run; or only ends are left, main ends with that status,
// and so many events are left out.
enum outcome end_of_execution(struct explorer *x);
enum outcome end_before_ends(struct explorer *x, int status, uint32_t events);
// Is the graph, to which nothing of interest can be added, one that the model
// allows?
bool end_is_execution(struct explorer *x);

// An end that has no other consequences.
static inline bool access_ends_plainly(const struct access *a) {
  return a->kind == ACC_END && !(a->flags & (ACCF_EARLY | ACCF_UNINIT));
}
// May this access of thread t be one of the ends and last joins?
static inline bool access_is_end(const struct access *a, thread_id t) {
  return access_ends_plainly(a) || (t == 0 && a->kind == ACC_JOIN);
}

// Is the event a read of a lock that found it held, so that its thread waits?
static inline bool lock_waits(const struct event *e) {
  return e->kind == EV_READ && (e->flags & EVF_LOCK) &&
         !(e->flags & EVF_EXCLUSIVE);
}
// Does the thread of `e`, its newest event, stop there, and goes on in no graph
// that comes of this one unless the event is revisited?
static inline bool event_stops(const struct event *e) {
  return is_access(e) && (e->flags & EVF_RETRY);
}

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
uint64_t event_answer(const struct explorer *x, thread_id t, state_id s);
// Is the event a look at a clock?
bool event_is_look(const struct explorer *x, event_id id);
// The latest that a clock has said before the event, or with it; INT64_MIN:
// none has.
int64_t event_time_known(const struct explorer *x, event_id here);
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
bool event_outcomes_are_right(const struct explorer *x);

// Does nothing new come of the graph, now that a thread has stopped (with event
// `id`), or ended after another one has stopped?
bool explore_leaves(struct explorer *x, event_id id, enum leave_when when);
// advance.c: does the model accept the graph with its newest event e (and
// `other`, which reads it)? Both are the last of their threads.
bool advance_is_allowed(struct explorer *x, event_id e, event_id other);
void advance_thread(struct explorer *x, event_id e);
// The newest event of its thread was added or changed, and the thread has gone
// on.
static inline void advance_tell(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (e->state && graph_newest_with(&x->g, e->thread, e->state))
    hooks_came_back(x, id);
}
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
// Forgets the dependencies of other graphs if they take much memory.
void deps_trim(struct explorer *x);
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

static inline clock_id prefix_of(struct explorer *x, thread_id t) {
  return x->grouped ? x->hooks.prefix(x, t)
                    : x->g.events[graph_tail(&x->g, t)].porf;
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
// Is all that is not in that prefix maximal?
bool revisit_all_maximal(struct explorer *x, thread_id t);

// choice.c
void choice_open(struct explorer *x, enum choice_kind kind, thread_id t,
                 event_id revisit, uint32_t first);
// The same, and takes one of the options at once, as the next step of the path;
// what has no alternative is no step of it. False: there is none, or nothing
// is left of them (leaf.c), or a path decides (task.c).
bool choice_begin(struct explorer *x, enum choice_kind kind, thread_id t,
                  event_id revisit, uint32_t first, uint32_t *option);
// Goes back to the newest choice and takes one of its options. False: nothing
// is left to be tried.
bool choice_pop(struct explorer *x, struct choice *c, uint32_t *option);
// Of all that is open, leaves these options of one choice, of these ranks.
void choice_narrow(struct explorer *x, uint32_t nth, const uint32_t *options,
                   uint32_t n, uint32_t rank);

// Goes back to where so many pauses were made (forward.c).
void choice_undo_pauses(struct explorer *x, uint32_t n);

// task.c: leaves of the open choices only what the task says.
void task_follow(struct explorer *x);
// Goes back to where the way to the task branches off that of the one before.
// False: it has to be followed from the root.
bool task_branches_off(struct explorer *x);
void task_forget_way(struct explorer *x);
// The number that all explorers of a team use for a thread which x does not
// know yet; `threads` of x knows it afterwards.
void team_learn_thread(struct explorer *x, struct child c);
// All threads that the team knows.
void team_learn_all(struct explorer *x);
// Executions that were counted, by the whole team.
uint64_t team_executions(const struct explorer *x);
// May one more be counted?
bool team_may_count(struct explorer *x);

// sweep.c: begins one; it was made to its end.
void sweep_begin(struct explorer *x, struct explore_sweep *s);
void sweep_add_up(struct explore_sweep *s);
// Counts what was met since the last step. Does the option that was just taken
// survive?
void sweep_count(struct explorer *x);
bool sweep_survives(struct explorer *x);

// May some error of this graph, which would be left, wait for the end of an
// execution?
bool explore_has_put_off(struct explorer *x);
// Is this execution, or the part of one, of interest?
static inline bool explore_shows(const struct explorer *x,
                                 const struct graph *shown) {
  return !x->config.replay || graph_name(shown) == *x->config.replay;
}
// Are there axioms, or rules of happens-before, that only a complete graph can
// be judged by?
static inline bool explore_judges_at_end(const struct explorer *x) {
  return x->config.model->filters || x->chooses_outcomes ||
         x->config.model_options.c11_release_sequences;
}
// Under C++11's release sequences a later write can take synchronisation away,
// so only complete graphs are judged, and errors wait until then; so it is with
// models from files that have such axioms. With --all-errors the other threads
// go on too: what they write may still revisit the reads that led to the error;
// and with --bound, whose numbers may be smaller when more is known.
static inline bool explore_stops_at_end(const struct explorer *x) {
  return x->config.all_errors || explore_judges_at_end(x) ||
         explore_is_bounded(&x->config);
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
