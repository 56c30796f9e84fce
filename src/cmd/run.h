// SPDX-License-Identifier: MIT
// One exploration from the options to its result, with signals, progress and
// the time it takes. Commands add what they want to see of it.
#pragma once

#include "cmd/bounds.h"
#include "cmd/cmd.h"
#include "parallel/estimate.h"
#include "parallel/parallel.h"
#include "parallel/ranks.h"
#include "parallel/sample.h"
#include "report/progress.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

struct run {
  const struct options *options;
  const struct model *model;
  struct prog *prog;
  struct parallel *search;
  unsigned jobs; // of the search
  struct timespec start;
  const struct explore_result *so_far; // NULL at first
  struct progress progress;
  // What the command wants to be told, called as explore.h says; may be NULL.
  void (*on_finding)(void *arg, struct vm *vm, const struct graph *g,
                     const struct finding *f);
  void (*on_execution)(void *arg, struct vm *vm, const struct graph *g,
                       bool is_blocked);
  void (*on_progress)(void *arg, const struct explore_result *so_far);
  void (*on_begin_again)(void *arg);
  void (*on_earlier_error)(void *arg);
  uint32_t reductions; // likewise, as the options say
  void *arg;
  struct parallel_saving saving; // checkpoints, if `save` is there
  struct frontier from;          // what the search goes on from,
  bool is_resumed;               // if it does
  struct assumptions learned;    // what is known of the program before
  ARRAY(struct strings) texts;   // that this points to
  uint64_t replay;               // of --replay
  atomic_bool stop;              // see run_stop
  struct bounds bounds;          // of --bound, if there are any
  uint32_t bound[BOUNDS];        // those of the search that is made,
  uint32_t bound_done[BOUNDS];   // and of the largest one that came to its end
  struct sampling sampling;      // of --sample, if there is any
  struct sampler *sampler;
  struct explore_config config; // of the search that is made
  struct vm_config vm;
  struct estimator *estimator; // of its size, once it is worth it, or NULL
  struct explore_estimate estimated; // the last, once the search is over
  double estimate_share;             // of the time that it takes
  double estimate_after;             // seconds
  double told;                       // when it was told what was learned
  struct carrier *carrier; // of messages to other ranks (--mpi), or NULL
  unsigned neighbours;     // ranks on this machine, with this one; 0: no --mpi
  bool is_part;            // the search is one of several parts of one
  bool is_bounded;         // the result is that of a search with --unroll 2
};

// Finds the model (unless there is one already) and reads the program; the
// clock runs from here.
MUST_USE bool run_begin(struct run *r, const struct options *o,
                        struct diag *why);
// Explores. The result belongs to the run.
const struct explore_result *run_explore(struct run *r);
// Explores the beginning, until so many branches are left (parallel_split).
const struct explore_result *run_split(struct run *r, uint64_t branches);
void run_end(struct run *r);
// How large the search is in all, as far as that is known.
struct explore_estimate run_estimate(const struct run *r);
// Ends the exploration soon, as a signal does; for what it calls.
void run_stop(struct run *r);

struct model_options model_options_of(const struct options *o,
                                      const struct model *m);
// Signals that end the process unless they are caught, and say that what is
// known should be told: SIGINT, SIGTERM, SIGXCPU, and SIGHUP unless nohup is
// in charge.
void run_stop_signals(sigset_t *ret);
// Catches these (the second one kills as usual); yields what the first one
// sets.
const atomic_bool *run_catch_signals(void);
bool run_was_interrupted(void);
// What --progress means on this standard error.
enum progress_style run_progress_style(const struct options *o);
// How many threads --jobs means.
unsigned run_jobs(const struct options *o);
double run_seconds(const struct run *r);
// The most memory that this process ever had resident.
uint64_t max_rss_kb(void);
enum exit_code exit_code_of(enum verdict v);
