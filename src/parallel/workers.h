// SPDX-License-Identifier: MIT
// The workers of one process, for the files of parallel/: what they share, and
// the steps that a search of several is made of.
#pragma once

#include "parallel/parallel.h"
#include "parallel/queue.h"

struct worker {
  struct parallel *all;
  struct vm *vm;
  struct explorer *explorer;
  struct explore_result known;     // its counts when it last told them
  const struct explore_task *task; // that it works on; NULL: all of the search
  double looked;                   // when it last looked at the clock
  pthread_t thread;
  bool is_started;
  bool begins; // with all of the search
};

struct ranks;

struct parallel {
  const struct prog *prog;
  struct vm_config vm;
  struct explore_config config; // of the caller
  struct explore_team *team;    // NULL: one job
  struct worker *workers;
  unsigned jobs;
  struct parallel_saving saving; // if the caller wants that
  bool is_resumed;
  bool is_part; // of several: it cannot begin again, the others would not
  struct frontier before; // what was done before this run, if it was resumed
  struct queue queue;
  pthread_mutex_t lock;               // of what follows, and of the callbacks
  struct explore_result result;       // of all
  ARRAY(struct explore_place) places; // of its findings
  const char *late;                // what ends the run at the next checkpoint
  double saved;                    // when the last one was made
  struct assumptions assumed;      // what all workers begin with
  atomic_bool has_error;           // one that ends the search was found,
  struct explore_place error;      // the first of them here
  bool is_in_vain;                 // it begins again, so that no error counts
  atomic_uint running;             // threads of workers
  struct ranks *ranks;             // NULL: the search is that of this process
  struct explore_result elsewhere; // what is known to be counted in others
  struct explore_result told;      // all of that, in on_progress
  ARRAY(struct strings) texts;     // that assumptions and results point to
  struct cores cores;              // that are known here
};

void workers_hire(struct parallel *p);
void workers_dismiss(struct parallel *p);
// Threads for all workers from that one on, and the end of these threads.
void workers_start(struct parallel *p, unsigned first);
void workers_join(struct parallel *p);
// What one of them does: takes tasks until there are no more.
void workers_work(struct worker *w, struct explore_task *t);
// Puts what it has found to begin with, and, if it is to leave, all that is
// left of its part into the queue.
void workers_bring_back(struct worker *w);
// Before all of the search is explored: what begins with cores comes last.
void workers_put_cores(struct parallel *p);
// Puts what is left of the search that is gone on with into the queue.
void workers_take_up(struct parallel *p);
// Is the search over although something is left: an error that may be any, a
// limit, something that all have to know?
bool workers_end_early(struct parallel *p, const struct explorer *x);
// The sum of what was done before and what the workers have told.
void workers_add_up(struct parallel *p);

// The search as it stands, with all tasks in the queue; they stay there, and
// the caller takes them out of `ret` before it ends that.
void parallel_freeze(struct parallel *p, struct frontier *ret);
void parallel_save(struct parallel *p, bool is_done);
// Joins what the workers have learned. True: some of them did not know all of
// it, so that all have to begin again. (If the search is over, what it has
// begun with stays as it was: the ways to what was found are ways from there.)
bool parallel_learn(struct parallel *p);
bool parallel_join_learned(struct parallel *p, const assumption_list *learned,
                           bool begins_again, bool is_over);
void parallel_begin_again(struct parallel *p);
// Is there nothing more to find?
bool parallel_is_over(const struct parallel *p);
bool parallel_ends_with(const struct parallel *p, const struct finding *f);
void parallel_keep_finding(struct parallel *p, const struct finding *f,
                           const struct explorer *x);
// The place of an error, found here or elsewhere. True: it comes before those
// that are known.
bool parallel_is_first_error(struct parallel *p,
                             const struct explore_place *place);
void parallel_forget_findings(struct parallel *p, bool but_warnings);
// Cores that tasks and places of errors begin with, by their numbers; both
// take the lock. NULL: the number is 0.
void parallel_know_core(struct parallel *p, struct core *c);
struct core *parallel_core(struct parallel *p, uint32_t number);
double parallel_now(void);

// found.c: what was found by an earlier run, or elsewhere, is found again where
// it was, for the report. NULL: whatever error is there.
void parallel_show_again(struct parallel *p, const struct finding *f,
                         const struct explore_place *at);

// ranks.c
const struct explore_result *ranks_explore(struct parallel *p);
void ranks_free(struct ranks *r);
// To be called for each new team.
void ranks_agree(struct ranks *r);
