// SPDX-License-Identifier: MIT
// Work stealing over the branches of the search. TruSt needs no set of visited
// graphs [POPL'22], so branches share nothing; a worker that runs dry gets the
// oldest open choice of another one as a path (explore/search/task.c) and
// follows it in its own graph. Every count is a sum over branches, and the
// branches are the same whoever explores them.
//
// Worker 0 is the calling thread and starts with the whole search.
#include "parallel/parallel.h"

#include "parallel/queue.h"

#include <string.h>

struct worker {
  struct parallel *all;
  struct vm *vm;
  struct explorer *explorer;
  struct explore_result known; // its counts when it last told them
  pthread_t thread;
  bool is_started;
};

struct parallel {
  const struct prog *prog;
  struct vm_config vm;
  struct explore_config config; // of the caller
  struct explore_team *team;    // NULL: one job
  struct worker *workers;
  unsigned jobs;
  struct queue queue;
  pthread_mutex_t lock;         // of what follows, and of the callbacks
  struct explore_result result; // of all
  struct assumptions assumed;   // what all workers begin with
};

// -- what workers tell while they explore

static void on_pause(void *arg, struct explorer *x) {
  const struct worker *w = arg;
  if (queue_is_stopped(&w->all->queue)) {
    explorer_stop(x);
  } else if (queue_is_hungry(&w->all->queue)) {
    struct explore_task *t = explorer_give(x);
    if (t)
      queue_put(&w->all->queue, t);
  }
}

// UINT64_MAX: that many or more.
static void add_to(uint64_t *sum, uint64_t more) {
  if (__builtin_add_overflow(*sum, more, sum))
    *sum = UINT64_MAX;
}

// The sum of what the workers have told.
static void add_up(struct parallel *p) {
  struct explore_result *sum = &p->result;
#define COUNT(field, ...) sum->field = 0;
#include "explore/counts.def"
#undef COUNT
  sum->stands_for = sum->witnesses = sum->free_orders = 0;
  sum->left = 0;
  for (unsigned i = 0; i < p->jobs; i++) {
    const struct explore_result *r = &p->workers[i].known;
#define COUNT(field, ...) sum->field += r->field;
#include "explore/counts.def"
#undef COUNT
    add_to(&sum->stands_for, r->stands_for);
    add_to(&sum->witnesses, r->witnesses);
    if (r->asymmetry)
      sum->asymmetry = r->asymmetry;
    if (!explore_is_cut(sum))
      memcpy(sum->cut, r->cut, sizeof sum->cut);
    if (!sum->sampled[0])
      memcpy(sum->sampled, r->sampled, sizeof sum->sampled);
    sum->leaves_buffering |= r->leaves_buffering;
    for (uint32_t k = 0; k < r->nkept_loops; k++)
      explore_keep_loop(sum, r->kept_loops[k]);
    for (uint32_t k = 0; k < r->nleft_at; k++)
      explore_leave_waiting(sum, r->left_waiting, r->left_at[k]);
    if (r->failures)
      sum->exit_status = r->exit_status;
    if (r->detail[0])
      memcpy(sum->detail, r->detail, sizeof sum->detail);
    sum->left += r->left;
    if (r->free_orders > sum->free_orders)
      sum->free_orders = r->free_orders;
    if (r->max_graph > sum->max_graph)
      sum->max_graph = r->max_graph;
    if (r->limit)
      sum->limit = r->limit;
  }
}

static void on_progress(void *arg, const struct explore_result *so_far) {
  struct worker *w = arg;
  struct parallel *p = w->all;
  pthread_mutex_lock(&p->lock);
  w->known = *so_far;
  add_up(p);
  if (p->config.on_progress)
    p->config.on_progress(p->config.arg, &p->result);
  pthread_mutex_unlock(&p->lock);
}

// Is there nothing new in f? Once there is an error that ends the search, the
// others that workers come across before they stop do not count.
static bool is_known(const struct parallel *p, const struct finding *f) {
  for (uint32_t i = 0; i < p->result.findings.len; i++) {
    const struct finding *k = &p->result.findings.at[i];
    if (finding_is_same(k, f) || (!k->is_warning && !p->config.all_errors))
      return true;
  }
  return false;
}

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  const struct worker *w = arg;
  struct parallel *p = w->all;
  pthread_mutex_lock(&p->lock);
  bool is_new = !is_known(p, f);
  if (is_new) {
    array_push(&p->result.findings, *f);
    array_last(&p->result.findings)->how = NULL; // it does not last
  }
  if ((is_new || p->config.repeats) && p->config.on_finding)
    p->config.on_finding(p->config.arg, vm, g, f);
  pthread_mutex_unlock(&p->lock);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  const struct worker *w = arg;
  struct parallel *p = w->all;
  pthread_mutex_lock(&p->lock);
  p->config.on_execution(p->config.arg, vm, g, is_blocked);
  pthread_mutex_unlock(&p->lock);
}

// -- workers

static void work(struct worker *w, struct explore_task *t) {
  if (!explore_part(w->explorer, t))
    queue_stop(&w->all->queue);
  explore_task_free(t);
  pthread_mutex_lock(&w->all->lock);
  w->known = *explorer_result(w->explorer);
  w->known.left = 0;
  pthread_mutex_unlock(&w->all->lock);
}

static void *run_worker(void *arg) {
  struct worker *w = arg;
  struct explore_task *t;
  while ((t = queue_take(&w->all->queue)))
    work(w, t);
  return NULL;
}

// Where the system gives no more threads, fewer workers do it as well.
static void start_worker(struct worker *w) {
  w->is_started = pthread_create(&w->thread, NULL, run_worker, w) == 0;
  if (!w->is_started)
    queue_leave(&w->all->queue);
}

static struct explore_config config_of_worker(struct worker *w) {
  struct explore_config c = w->all->config;
  if (!w->all->team)
    return c;
  c.on_progress = on_progress;
  c.on_finding = on_finding;
  c.on_execution = c.on_execution ? on_execution : NULL;
  c.on_pause = on_pause;
  c.on_begin_again = NULL; // the caller is told when all have stopped
  c.team = w->all->team;
  c.assumed = &w->all->assumed;
  c.arg = w;
  return c;
}

static void hire_workers(struct parallel *p) {
  p->team = p->jobs > 1 ? explore_team_new() : NULL;
  p->workers = xcalloc(p->jobs, sizeof *p->workers);
  queue_init(&p->queue, p->jobs);
  for (unsigned i = 0; i < p->jobs; i++) {
    struct worker *w = &p->workers[i];
    w->all = p;
    w->vm = vm_new(p->prog, &p->vm);
    struct explore_config c = config_of_worker(w);
    w->explorer = explorer_new(p->prog, w->vm, &c);
  }
}

static void dismiss_workers(struct parallel *p) {
  for (unsigned i = 0; i < p->jobs; i++) {
    explorer_free(p->workers[i].explorer);
    vm_free(p->workers[i].vm);
  }
  free(p->workers);
  explore_team_free(p->team);
  queue_done(&p->queue);
}

struct parallel *parallel_new(const struct prog *p, const struct vm_config *vm,
                              const struct explore_config *config,
                              unsigned jobs) {
  check(jobs >= 1 && jobs <= MAX_JOBS);
  struct parallel *all = xcalloc(1, sizeof *all);
  all->prog = p;
  all->vm = *vm;
  all->config = *config;
  explore_start_clocks(&all->config);
  all->jobs = jobs;
  pthread_mutex_init(&all->lock, NULL);
  hire_workers(all);
  return all;
}

void parallel_free(struct parallel *p) {
  dismiss_workers(p);
  assume_done(&p->assumed);
  pthread_mutex_destroy(&p->lock);
  array_done(&p->result.findings);
  free(p);
}

static void explore_together(struct parallel *p) {
  for (unsigned i = 1; i < p->jobs; i++)
    start_worker(&p->workers[i]);
  work(&p->workers[0], NULL);
  run_worker(&p->workers[0]);
  for (unsigned i = 1; i < p->jobs; i++)
    if (p->workers[i].is_started)
      pthread_join(p->workers[i].thread, NULL);
  add_up(p);
}

// Is there nothing more to find?
static bool is_over(const struct parallel *p) {
  return p->result.limit || (explore_verdict(&p->result) == VERDICT_ERROR &&
                             !p->config.all_errors);
}

// Joins what the workers have learned. True: some of them did not know all of
// it, so that all have to begin again.
static bool learn(struct parallel *p) {
  struct assumptions learned[MAX_JOBS];
  bool is_new = false, begins_again = false;
  uint64_t size = assume_size(&p->assumed);
  for (unsigned i = 0; i < p->jobs; i++) {
    learned[i] = explorer_learned(p->workers[i].explorer);
    begins_again |= explorer_begins_again(p->workers[i].explorer);
    assume_join(&p->assumed, &learned[i]);
  }
  for (unsigned i = 0; i < p->jobs; i++) {
    is_new |= !assume_knows(&learned[i], &p->assumed);
    assume_done(&learned[i]);
  }
  bool is_again = (is_new || begins_again) && !is_over(p);
  check(!is_again || assume_size(&p->assumed) > size); // else it has no end
  return is_again;
}

// All is counted anew. What was found with equal threads stays found; what was
// told of executions, or with rounds left out or memory cut otherwise, is told
// once more.
static void begin_again(struct parallel *p) {
  struct explore_result kept = {.findings = {p->result.findings.at,
                                             p->result.findings.len,
                                             p->result.findings.cap}};
  if (p->config.on_execution || assume_refutes_symmetry(&p->assumed)) {
    if (p->config.on_begin_again)
      p->config.on_begin_again(p->config.arg);
    kept.findings.len = 0;
  }
  p->result = kept;
  dismiss_workers(p);
  hire_workers(p);
}

const struct explore_result *parallel_explore(struct parallel *p) {
  if (!p->team)
    return explore(p->workers[0].explorer);
  explore_together(p);
  while (learn(p)) {
    begin_again(p);
    explore_together(p);
  }
  p->result.asymmetry = p->assumed.asymmetry;
  p->result.verdict = explore_verdict(&p->result);
  return &p->result;
}

struct vm_stats parallel_vm_stats(const struct parallel *p) {
  struct vm_stats sum = {0};
  for (unsigned i = 0; i < p->jobs; i++) {
    struct vm_stats s = vm_stats(p->workers[i].vm);
    sum.states += s.states;
    sum.transient += s.transient;
    sum.misses += s.misses;
    sum.bytes += s.bytes;
  }
  return sum;
}
