// SPDX-License-Identifier: MIT
// The search: every execution that the model allows, each exactly once.
#pragma once

#include "base/bound.h"
#include "base/finding.h"
#include "explore/assume.h"
#include "explore/reduce.h"
#include "graph/graph.h"
#include "model/model.h"
#include "vm/vm.h"

#include <stdatomic.h>

struct explore_result;
struct explore_team;
struct explorer;
struct justification;
struct finding;

enum verdict {
  VERDICT_OK,         // all executions explored, no error
  VERDICT_ERROR,      // at least one finding that is not a warning
  VERDICT_INCOMPLETE, // a limit was hit and no error was found before
};

// What explore_result.limit says when max_events was too few.
#define LIMIT_OF_EVENTS "too many events in one execution"
// The same when a thread would be one too many.
#define LIMIT_OF_THREADS "more than 63 threads in one execution"

// What is explored, and how. Copied whole wherever a search is part of another.
struct search_options {
  const struct model *model;
  struct model_options model_options;
  // --races model: the text that says what is ordered (model_with_order), for
  // the lives of objects too. NULL: what happens before by C11.
  const struct model *race_order;
  bool all_errors;        // go on after the first finding
  bool any_error;         // the first need not be that of one explorer alone
  bool repeats;           // on_finding is called for known ones again
  const uint64_t *replay; // only the execution of this name is of interest
                          // (graph_name); NULL: all are
  bool joins_all;         // the return of main does not end the other threads
  uint32_t reductions;    // a set of enum reduction, as far as they suit
  bool names_loops;       // those whose failed rounds are explored (rounds.c),
                          // and counts what was left out (rf_equivalence.c)
  const struct loop_bound *unroll; // --unroll; the first that fits counts
  uint32_t unrolls;
  uint64_t read_bound;       // --read-bound; 0: none
  uint32_t bounds[BOUNDS];   // --bound: 1 + the largest number; 0: none
  bool refuses_pieces;       // the caller judges executions too, as if all
                             // atomic accesses were single events (mixed.c)
  uint64_t yield_bound;      // --yield-bound; 0: none
  bool disabled[FIND_COUNT]; // checks that are off
  bool warning[FIND_COUNT];  // findings that do not make an error verdict
};

// When to give up. They belong to the run, however many searches it makes.
struct search_limits {
  uint64_t max_executions;      // 0: no limit; complete and blocked together
  double max_time;              // 0: no limit (CPU seconds)
  double max_wall;              // the same by the clock
  double started, started_wall; // when the run began, by both; 0: now
  uint64_t max_events;          // in one execution; 0: no limit
  uint64_t max_memory;          // bytes resident in this process; 0: no limit
  // So many steps between two looks at these limits, each of which calls
  // on_pause and on_progress; 0: as few looks as will do. For tests.
  uint64_t every;
  // Set from outside (a signal handler) to stop; may be NULL.
  const atomic_bool *interrupted;
  bool is_timed; // time is limited, by who looks at clocks for the search
};

// Who is told what; each may be NULL.
struct observer {
  // Called at the end of each execution (tests, --print-executions).
  void (*on_execution)(void *arg, struct vm *vm, const struct graph *g,
                       bool is_blocked);
  // Called now and then (about every 2^12 steps) for progress.
  void (*on_progress)(void *arg, const struct explore_result *so_far);
  // Called at each new finding, while the graph still shows it (the report
  // builds its view there, which also serves all_errors).
  void (*on_finding)(void *arg, struct vm *vm, const struct graph *g,
                     const struct finding *f);
  // With several explorers: the error that was told last is not the one that
  // the search comes to first; one that is follows. NULL: any error
  // will do.
  void (*on_earlier_error)(void *arg);
  // Called when the search begins again, because memory has to be looked at in
  // other pieces: what was told so far, findings too, is told once more. If it
  // is NULL, what was told about executions cannot be taken back.
  void (*on_begin_again)(void *arg);
  // Called every few microseconds between two steps; may call explorer_stop
  // and explorer_give.
  void (*on_pause)(void *arg, struct explorer *x);
  void *arg;
};

struct explore_config {
  struct search_options options;
  struct search_limits limits;
  struct observer observer;
  const struct assumptions *assumed; // what is known of the program, or NULL
  struct explore_team *team;         // NULL: this explorer is alone
};

// What a livelock repeats: the events of each thread with indices in
// first..end-1. Those behind them have nothing to do with it.
struct repeated {
  uint32_t first[MAX_THREADS], end[MAX_THREADS];
};

struct finding {
  enum finding_kind kind;
  bool is_warning;
  char message[512];
  thread_id thread; // who did it
  site_id site;     // where; NO_SITE if nowhere
  event_id event;   // the event, or NO_EVENT when the thread stopped before one
  event_id other;   // the other event of a race and the like, or NO_EVENT
  site_id other_site;
  thread_id other_thread;
  const char *flag; // the flag of the model that says so, or NULL
  // What justifies the execution, if it needs that, and what is repeated; only
  // in on_finding.
  const struct justification *how;
  const struct repeated *again;
};

// A loop that tries again, some failed rounds of which were explored, and why.
enum { MAX_KEPT_LOOPS = 8 };
enum kept_why {
  KEPT_ORDER,   // a load is stronger than the failure that stands for it
  KEPT_TRACE,   // a round leaves a trace
  KEPT_PRIVATE, // a round changes what the thread itself knows
};
struct kept_loop {
  site_id site;       // the read that fails
  site_id because_of; // the load, what leaves the trace, what is changed
  enum kept_why why;
};

// Where threads were left waiting; the first of them.
enum { MAX_LEFT_AT = 8 };

// How much there is in all, by sweeps (sweep.c). Of more than EXPLORE_MANY it
// is only known that there are more.
#define EXPLORE_MANY 1e240
struct explore_estimate {
  double executions, blocked;
  double error;    // standard error of the executions
  uint64_t sweeps; // 0: nothing is known
  bool is_exact;   // one of them was all of the search
  bool has_error;  // one has come to an error, as the search will
};

// What --sample has met.
struct explore_drawn {
  bool is_sample;
  uint64_t executions; // some of them several times, perhaps
  uint64_t different;
  bool are_more; // there were more than can be remembered
};

// Rounds of loops that wait were left out although
enum leaves_rounds {
  LEAVES_BUFFERED = 1, // a buffered load may change them (loops/fixed.c),
  LEAVES_SECTIONS = 2, // they stand between sections of RCU (loops/trace.c),
  LEAVES_DEPENDENCIES = 4, // or something depends on less behind them (fixed.c)
};

struct explore_result {
  enum verdict verdict;
#define COUNT(field, ...) uint64_t field;
#include "explore/counts.def"
#undef COUNT
  uint64_t stands_for;   // as many executions, by symmetry; UINT64_MAX: or more
  const char *asymmetry; // why threads that looked equal are not: this result
                         // is only good for its findings
  const char *co_counts; // why, although executions up to co were asked for
  int exit_status;       // the first one that is not 0
  uint32_t max_graph;    // events of the largest execution
  const char *limit;     // which limit was hit, or NULL
  char detail[800];      // more about it, or ""
  char cut[200];         // why a thread was cut the first time, or ""
  char sampled[100];     // of which function only some values were tried, or ""
  char bound[60];        // --bound, if it has left something out, or ""
  bool leaves_buffering; // load buffering may be missing (promise/pieces.c),
  uint8_t leaves_rounds; // enum leaves_rounds
  bool leaves_flags;     // rounds may raise flags (loops/round_races.c)
  bool meets_freed;      // a freed and a new object were compared (lifetime.c)
  bool asks_clocks;      // some execution looks at one
  uint64_t witnesses;    // orders co of all executions together, where it does
                         // not count (for --stats); UINT64_MAX: or more
  uint64_t free_orders;  // of writes that are not read, in one of those that
                         // were looked at now and then, as far as co counts
  struct kept_loop kept_loops[MAX_KEPT_LOOPS]; // the first of them
  uint32_t nkept_loops;
  uint32_t left_waiting; // threads when main returned, at most in an execution
  uint32_t nleft_at;     // MAX_LEFT_AT: or more
  site_id left_at[MAX_LEFT_AT];
  struct explore_drawn drawn;
  struct explore_estimate estimate; // for reports; see parallel/
  ARRAY(struct finding) findings;
};

// A part of the search, for another explorer of the same program and with the
// same config. What happens next is a function of the graph, so the options
// that were taken lead to the same graph everywhere; no graph is copied.
struct path_step {
  uint32_t kind;     // of the choice
  uint32_t option;   // that was taken
  uint32_t siblings; // how many there were at this step
  uint32_t rank;     // among them: what is taken first has the highest
};
typedef ARRAY(struct path_step) path_steps;

struct core;
struct explore_task {
  struct core *core; // that all begins with, or NULL
  path_steps path;   // from the root to a choice
  uint32_t kind;     // of that choice
  uint32_t rank;     // of the first option; the next has one more
  ARRAY(uint32_t)
  options; // what is to be explored there; none: all that
           // begins with the core, or, if there is no core,
           // with cores that are to be found first
};
struct explore_task *explore_task_of_core(struct core *c); // NULL: see above
struct explore_task *explore_task_copy(const struct explore_task *t);
static inline bool explore_task_finds_cores(const struct explore_task *t) {
  return !t->core && !t->options.len;
}
static inline uint32_t explore_task_branches(const struct explore_task *t) {
  return t->options.len ? t->options.len : 1;
}

// A random part of the search that stands for all of it (sweep.c).
struct explore_size {
  double executions, blocked;
};
struct sweep_level {
  double all;     // options of this level, by all sweeps, times their widths
  double options; // the same by this one
  double least;   // what a survivor weighs; 0: nothing is known
  double sum;     // of the probabilities since the last survivor
  uint64_t survivors;
};
struct explore_sweep {
  uint64_t random;          // at first the seed
  uint64_t sweeps, width;   // how many were made; survivors on a level
  bool is_whole;            // the last one has left nothing out
  struct explore_size size; // what the last one says of all there is,
  struct explore_size mean; // and all together, by their widths
  double widths, spread;    // their sum; the root of a sum of squares
  ARRAY(struct sweep_level) levels;
  ARRAY(double) weights; // of the steps to here
  uint64_t counted_executions, counted_blocked;
  // Told of executions, by a hash of the path that leads to them alone; or
  // NULL.
  void (*on_met)(void *arg, uint64_t path, uint64_t executions);
  void *arg;
};

struct explorer *explorer_new(const struct prog *p, struct vm *vm,
                              const struct explore_config *config);
void explorer_free(struct explorer *x);

// Runs to the end, to the first finding, or to a limit.
const struct explore_result *explore(struct explorer *x);

// The executions of a small program without loops, by making every candidate
// (candidates.c), after explore: tells them by on_execution. False: that cannot
// be done.
MUST_USE bool explore_candidates(struct explorer *x);

// The same for a part of the search (NULL: all of it). Yields whether the part
// was explored to its end; explorer_result sums up all parts so far, without a
// verdict.
bool explore_part(struct explorer *x, const struct explore_task *task);
// Makes one more sweep. False: it was stopped, came to an error or a limit, or
// has to begin again.
MUST_USE bool explorer_sweep(struct explorer *x, struct explore_sweep *s);
// The standard error of the mean.
double explore_sweep_error(const struct explore_sweep *s);
void explore_sweep_done(struct explore_sweep *s);
const struct explore_result *explorer_result(const struct explorer *x);
enum verdict explore_verdict(const struct explore_result *r);
// Was a thread cut, in an execution or in a part of one?
static inline bool explore_is_cut(const struct explore_result *r) {
  return r->cut[0];
}
// Is there a bound on the number of something in an execution?
static inline bool explore_is_bounded(const struct search_options *o) {
  return o->bounds[BOUND_PREEMPTIONS] || o->bounds[BOUND_REORDERINGS];
}
// What keeps the result from being about all executions, or NULL.
const char *explore_limit(const struct explore_result *r);
// Did a part end because the search has to begin again? (One that is alone does
// so by itself.) What was learned so far, to be freed by the caller.
bool explorer_begins_again(const struct explorer *x);
struct assumptions explorer_learned(const struct explorer *x);
// The run begins now: limits of time are about all of it, however often it
// begins again.
void explore_start_clocks(struct search_limits *l);
// Which limit of time or memory is over, or that the run was interrupted; or
// NULL. It takes 20 microseconds.
const char *explore_is_late(const struct search_limits *l);
// Ends the part soon.
void explorer_stop(struct explorer *x);
// From now on, parts end at the next choice, with nothing half done: what is
// left can be given away. False: they do not any more.
void explorer_leave(struct explorer *x, bool is_leaving);
bool explorer_is_leaving(const struct explorer *x);
// Gives away the oldest choice that is left, the one that is likely to be the
// most work; NULL if there is none.
struct explore_task *explorer_give(struct explorer *x);
// Would an execution be explored by both? Of one search there are no such two.
bool explore_tasks_overlap(const struct explore_task *a,
                           const struct explore_task *b);
// Of a team, who has explored a task that finds cores: gives away all that
// begins with one of them, the last one first; NULL if there are no more.
struct explore_task *explorer_give_core(struct explorer *x);
// So many events were added by all who share the search: finding cores may take
// as much time as fits that.
void explorer_note_work(struct explorer *x, uint64_t events);
void explore_task_free(struct explore_task *t);

// Where an explorer is in the search, in the order in which one alone comes
// there: first what begins with nothing, then what begins with the first core.
struct explore_place {
  uint32_t core; // its number, 0: none
  path_steps path;
};
void explorer_place(const struct explorer *x, struct explore_place *ret);
// Negative: a comes before b, or b after a on the same path.
int explore_place_compare(const struct explore_place *a,
                          const struct explore_place *b);
// Does all of the task, or all that x has left, come after the place?
bool explore_task_is_after(const struct explore_task *t,
                           const struct explore_place *p);
bool explorer_is_after(const struct explorer *x, const struct explore_place *p);

// Explorers that share a search: they agree on the numbers of threads, and
// max_executions is about all of them. What was agreed on before is known at
// the start: the threads, and how many executions were counted.
struct child {
  thread_id parent;
  uint32_t nth; // of those that it creates
};
typedef ARRAY(struct child) thread_list;
struct explore_team *explore_team_new(const thread_list *known,
                                      uint64_t executions);
void explore_team_free(struct explore_team *t);
// The threads that are known, in the order of their numbers.
void explore_team_threads(struct explore_team *t, thread_list *ret);
// Teams of several processes that agree: an explorer that meets a thread that
// its team does not know calls `agree`, which returns when the team does.
void explore_team_agree(struct explore_team *t,
                        void (*agree)(void *arg, struct child c), void *arg);
bool explore_team_knows(struct explore_team *t, struct child c);
// What the team knows is the beginning of the list; from now on all of it.
void explore_team_learn(struct explore_team *t, const thread_list *all);

// The undefined bits of what an event of the graph gives to its thread.
undef_id explore_undef_of(const struct vm *vm, const struct graph *g,
                          const struct event *e);
// Adds the loop, unless it is there or there is no room for it.
void explore_keep_loop(struct explore_result *r, struct kept_loop l);
// Notes that so many threads were waiting when main returned, some of them at
// this site.
void explore_leave_waiting(struct explore_result *r, uint32_t threads,
                           site_id at);
// Is it the same error at the same place?
bool finding_is_same(const struct finding *a, const struct finding *b);
