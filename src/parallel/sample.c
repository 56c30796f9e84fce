// SPDX-License-Identifier: MIT
// Each worker has an explorer of its own and makes sweeps with random numbers
// of its own. Which executions were met before is a set of hashes of the paths
// to them: each execution has one path. With 2^24 of them in the set, a
// new one counts as known with a chance of 2^-40.
#include "parallel/sample.h"

#include "base/hash.h"
#include "parallel/frontier.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_SEEN = 1 << 24 };

struct worker {
  struct sampler *all;
  struct vm *vm;
  struct explorer *explorer;
  struct explore_sweep sweep;
  struct explore_result known; // its counts when it last told them
  pthread_t thread;
  bool is_started;
};

struct sampler {
  const struct prog *prog;
  struct vm_config vm;
  struct explore_config config; // of the caller
  struct sampling what;
  double end;
  unsigned jobs;
  struct worker *workers;
  struct assumptions assumed;
  // As many executions as were asked for were drawn: sweeps go on to their
  // ends, unless that is twice as many. (To leave out those that were not at
  // their ends would leave out the large ones, and the estimate would be too
  // low.)
  atomic_bool is_enough;
  atomic_bool is_stopped; // at once
  pthread_mutex_t lock;   // of what follows, and of the callbacks
  struct explore_result result;
  uint64_t *seen; // a set, without 0
  uint64_t nseen, size;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- what was met before

static bool insert(uint64_t *seen, uint64_t size, uint64_t key) {
  uint64_t at = key & (size - 1);
  while (seen[at] && seen[at] != key)
    at = (at + 1) & (size - 1);
  bool is_new = !seen[at];
  seen[at] = key;
  return is_new;
}

static void grow(struct sampler *s) {
  uint64_t size = s->size ? 2 * s->size : 1024;
  uint64_t *seen = xcalloc(size, sizeof *seen);
  for (uint64_t i = 0; i < s->size; i++)
    if (s->seen[i])
      insert(seen, size, s->seen[i]);
  free(s->seen);
  s->seen = seen;
  s->size = size;
}

static void on_met(void *arg, uint64_t path, uint64_t executions) {
  const struct worker *w = arg;
  struct sampler *s = w->all;
  struct explore_drawn *d = &s->result.drawn;
  pthread_mutex_lock(&s->lock);
  d->executions += executions;
  if (s->nseen == MOST_SEEN) {
    d->are_more = true;
  } else {
    if (2 * s->nseen >= s->size)
      grow(s);
    if (insert(s->seen, s->size, path ? path : 1)) {
      s->nseen++;
      d->different += executions;
    }
  }
  s->is_enough |= s->what.executions && d->executions >= s->what.executions;
  s->is_stopped |= s->is_enough && d->executions / 2 >= s->what.executions;
  pthread_mutex_unlock(&s->lock);
}

// ---- what workers tell

static void on_pause(void *arg, struct explorer *x) {
  const struct worker *w = arg;
  struct sampler *s = w->all;
  if (s->what.seconds > 0 && now() >= s->end)
    s->is_stopped = true;
  if (s->is_stopped)
    explorer_stop(x);
}

// The sum of what the workers have told.
static void add_up(struct sampler *s) {
  struct explore_result *sum = &s->result;
#define COUNT(field, ...) sum->field = 0;
#include "explore/counts.def"
#undef COUNT
  sum->stands_for = sum->witnesses = sum->free_orders = 0;
  for (unsigned i = 0; i < s->jobs; i++)
    result_add(sum, &s->workers[i].known);
}

static void on_progress(void *arg, const struct explore_result *so_far) {
  struct worker *w = arg;
  struct sampler *s = w->all;
  pthread_mutex_lock(&s->lock);
  w->known = *so_far;
  add_up(s);
  if (s->config.observer.on_progress)
    s->config.observer.on_progress(s->config.observer.arg, &s->result);
  pthread_mutex_unlock(&s->lock);
}

static bool is_known(const struct sampler *s, const struct finding *f) {
  for (uint32_t i = 0; i < s->result.findings.len; i++)
    if (finding_is_same(&s->result.findings.at[i], f))
      return true;
  return false;
}

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  const struct worker *w = arg;
  struct sampler *s = w->all;
  const struct observer *o = &s->config.observer;
  pthread_mutex_lock(&s->lock);
  bool ends = !f->is_warning && !s->config.options.all_errors;
  bool is_new = !is_known(s, f) && !(ends && s->is_stopped);
  if (is_new) {
    array_push(&s->result.findings, *f);
    array_last(&s->result.findings)->how = NULL; // they do not last
    array_last(&s->result.findings)->again = NULL;
  }
  if (is_new && o->on_finding)
    o->on_finding(o->arg, vm, g, f);
  if (ends)
    s->is_stopped = true;
  pthread_mutex_unlock(&s->lock);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  const struct worker *w = arg;
  struct sampler *s = w->all;
  pthread_mutex_lock(&s->lock);
  s->config.observer.on_execution(s->config.observer.arg, vm, g, is_blocked);
  pthread_mutex_unlock(&s->lock);
}

// (That a search may begin again decides what it leaves out.)
static void on_begin_again(void *arg) {
  (void)arg;
}

// ---- workers

static void hire_workers(struct sampler *s) {
  s->workers = xcalloc(s->jobs, sizeof *s->workers);
  for (unsigned i = 0; i < s->jobs; i++) {
    struct worker *w = &s->workers[i];
    struct explore_config c = s->config;
    c.observer = (struct observer){
        .on_pause = on_pause,
        .on_progress = on_progress,
        .on_finding = on_finding,
        .on_begin_again = on_begin_again,
        .on_execution = c.observer.on_execution ? on_execution : NULL,
        .arg = w};
    c.assumed = &s->assumed;
    w->all = s;
    w->sweep = (struct explore_sweep){
        .random = hash_mix(s->what.seed, i), .on_met = on_met, .arg = w};
    w->vm = vm_new(s->prog, &s->vm);
    w->explorer = explorer_new(s->prog, w->vm, &c);
  }
}

static void dismiss_workers(struct sampler *s) {
  for (unsigned i = 0; i < s->jobs; i++) {
    explorer_free(s->workers[i].explorer);
    vm_free(s->workers[i].vm);
    explore_sweep_done(&s->workers[i].sweep);
  }
  free(s->workers);
}

static void *run_worker(void *arg) {
  struct worker *w = arg;
  bool ends = true;
  while (!w->all->is_stopped && !w->all->is_enough &&
         (ends = explorer_sweep(w->explorer, &w->sweep)) && !w->sweep.is_whole)
    ;
  w->all->is_enough = true; // one of them is at its end,
  if (!ends || w->sweep.is_whole)
    w->all->is_stopped = true; // or cannot go on
  pthread_mutex_lock(&w->all->lock);
  w->known = *explorer_result(w->explorer);
  pthread_mutex_unlock(&w->all->lock);
  return NULL;
}

static void run_workers(struct sampler *s) {
  s->is_stopped = s->is_enough = false;
  for (unsigned i = 1; i < s->jobs; i++) {
    struct worker *w = &s->workers[i];
    w->is_started = pthread_create(&w->thread, NULL, run_worker, w) == 0;
  }
  run_worker(&s->workers[0]);
  for (unsigned i = 1; i < s->jobs; i++)
    if (s->workers[i].is_started)
      pthread_join(s->workers[i].thread, NULL);
  add_up(s);
}

struct sampler *sampler_new(const struct prog *p, const struct vm_config *vm,
                            const struct explore_config *config, unsigned jobs,
                            const struct sampling *what) {
  struct sampler *s = xcalloc(1, sizeof *s);
  s->prog = p;
  s->vm = *vm;
  s->vm.sharers = jobs;
  s->config = *config;
  s->jobs = jobs;
  s->what = *what;
  s->end = now() + what->seconds;
  explore_start_clocks(&s->config.limits);
  if (config->assumed)
    assume_join(&s->assumed, config->assumed);
  pthread_mutex_init(&s->lock, NULL);
  hire_workers(s);
  return s;
}

void sampler_free(struct sampler *s) {
  if (!s)
    return;
  dismiss_workers(s);
  assume_done(&s->assumed);
  array_done(&s->result.findings);
  pthread_mutex_destroy(&s->lock);
  free(s->seen);
  free(s);
}

// ---- all of them

static bool has_error(const struct sampler *s) {
  return explore_verdict(&s->result) == VERDICT_ERROR;
}

// Has one of them learned something, so that all begin again?
static bool learn(struct sampler *s) {
  bool is_again = false;
  if (s->result.limit || (has_error(s) && !s->config.options.all_errors))
    return false;
  for (unsigned i = 0; i < s->jobs; i++) {
    if (!explorer_begins_again(s->workers[i].explorer))
      continue;
    struct assumptions learned = explorer_learned(s->workers[i].explorer);
    uint64_t size = assume_size(&s->assumed);
    assume_join(&s->assumed, &learned);
    check(assume_size(&s->assumed) > size || is_again); // else it has no end
    assume_done(&learned);
    is_again = true;
  }
  return is_again;
}

// What was told of executions is told anew, as when a search begins again; what
// was found stays found.
static void begin_again(struct sampler *s) {
  struct explore_result kept = {.findings = {s->result.findings.at,
                                             s->result.findings.len,
                                             s->result.findings.cap}};
  const struct observer *o = &s->config.observer;
  if (o->on_execution || assume_refutes_symmetry(&s->assumed)) {
    if (o->on_begin_again)
      o->on_begin_again(o->arg);
    kept.findings.len = 0;
  }
  s->result = kept;
  free(s->seen);
  s->seen = NULL;
  s->nseen = s->size = 0;
  dismiss_workers(s);
  hire_workers(s);
}

// Of all workers, by the widths of their sweeps.
static struct explore_estimate estimate_of(const struct sampler *s) {
  struct explore_estimate all = {0};
  double widths = 0;
  for (unsigned i = 0; i < s->jobs; i++) {
    const struct explore_sweep *w = &s->workers[i].sweep;
    if (w->sweeps && w->is_whole)
      return (struct explore_estimate){.executions = w->size.executions,
                                       .blocked = w->size.blocked,
                                       .sweeps = w->sweeps,
                                       .is_exact = true};
    all.executions += w->widths * w->mean.executions;
    all.blocked += w->widths * w->mean.blocked;
    all.error += w->widths * explore_sweep_error(w);
    all.sweeps += w->sweeps;
    widths += w->widths;
  }
  if (!all.sweeps)
    return all;
  all.executions /= widths;
  all.blocked /= widths;
  all.error /= widths;
  return all;
}

const struct explore_result *sampler_run(struct sampler *s) {
  run_workers(s);
  while (learn(s)) {
    begin_again(s);
    run_workers(s);
  }
  s->result.estimate = estimate_of(s);
  s->result.drawn.is_sample = true;
  if (!s->result.limit && (!has_error(s) || s->config.options.all_errors))
    s->result.limit = "--sample";
  s->result.verdict = explore_verdict(&s->result);
  return &s->result;
}
