// SPDX-License-Identifier: MIT
// An explorer of its own, with its own machine, makes one sweep after another.
// When it, or the search that it is about, has learned something of the
// program, it begins again with that, and what it knew of the size is void.
#include "parallel/estimate.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct estimator {
  const struct prog *prog;
  struct vm_config vm_config;
  struct explore_config config;
  struct vm *vm;
  struct explorer *explorer;
  struct explore_sweep sweep;
  double share;     // of the time that is for sweeps
  uint64_t most;    // sweeps
  double until;     // with all of it: the end, by the clock
  double slice_end; // with a share: of the present slice, in CPU time
  pthread_t thread;
  bool is_started;
  pthread_mutex_t lock;   // of what follows
  pthread_cond_t changed; // when it is to stop
  bool is_stopped;
  struct assumptions known;
  bool is_told; // the search knows more than the explorer
  struct explore_estimate now;
};

// Of a share: the first slice, which makes the first guess worth something, and
// the others. When it has had ENOUGH, it takes less: what is still unknown then
// takes long.
static const double FIRST_SLICE = 0.3, SLICE = 0.02, ENOUGH = 1; // seconds
static const double LESS = 0.1;

static struct timespec clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t;
}

static double seconds_now(void) {
  struct timespec t = clock_now();
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Of this thread, or of all: others may want the processor, too.
static double cpu_seconds(clockid_t whose) {
  struct timespec t;
  clock_gettime(whose, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double own_seconds(void) {
  return cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
}

// Waits until it is to stop, at most so long; yields whether it is not.
static bool rest(struct estimator *e, double seconds) {
  struct timespec t = clock_now();
  double at = (double)t.tv_nsec * 1e-9 + seconds;
  t.tv_sec += (time_t)at;
  t.tv_nsec = (long)((at - (double)(time_t)at) * 1e9);
  pthread_mutex_lock(&e->lock);
  while (!e->is_stopped && !e->is_told &&
         pthread_cond_timedwait(&e->changed, &e->lock, &t) != ETIMEDOUT)
    ;
  bool ret = !e->is_stopped && !e->is_told;
  pthread_mutex_unlock(&e->lock);
  return ret;
}

// Until the search has had its share of the processor too, which other
// processes may hold.
static void rest_between_slices(struct estimator *e) {
  double share = own_seconds() < ENOUGH ? e->share : e->share * LESS;
  double left = SLICE / share - SLICE;
  double end = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) + left;
  while (left > 0 && rest(e, fmax(left, SLICE)))
    left = end - cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  e->slice_end = own_seconds() + SLICE;
}

static void on_pause(void *arg, struct explorer *x) {
  struct estimator *e = arg;
  if (e->share < 1 && own_seconds() >= e->slice_end)
    rest_between_slices(e);
  pthread_mutex_lock(&e->lock);
  bool is_over = e->is_stopped || e->is_told;
  pthread_mutex_unlock(&e->lock);
  if (is_over || (e->share >= 1 && seconds_now() >= e->until))
    explorer_stop(x);
}

// (That a search may begin again decides what it leaves out.)
static void on_begin_again(void *arg) {
  (void)arg;
}

struct estimator *estimator_new(const struct prog *p,
                                const struct vm_config *vm,
                                const struct explore_config *config,
                                uint64_t seed) {
  struct estimator *e = xcalloc(1, sizeof *e);
  pthread_condattr_t attr;
  e->prog = p;
  e->vm_config = *vm;
  e->config = *config;
  e->config.observer = (struct observer){
      .on_pause = on_pause, .on_begin_again = on_begin_again, .arg = e};
  e->config.limits.max_time = e->config.limits.max_wall = 0;
  e->config.limits.max_executions = 0;
  e->config.options.replay = NULL;
  e->config.team = NULL;
  if (config->assumed)
    assume_join(&e->known, config->assumed);
  e->sweep.random = seed;
  e->share = 1;
  e->most = UINT64_MAX;
  pthread_mutex_init(&e->lock, NULL);
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&e->changed, &attr);
  pthread_condattr_destroy(&attr);
  return e;
}

// ---- the explorer

static void dismiss(struct estimator *e) {
  if (!e->explorer)
    return;
  explorer_free(e->explorer);
  vm_free(e->vm);
  e->explorer = NULL;
}

static void hire(struct estimator *e) {
  uint64_t random = e->sweep.random;
  dismiss(e);
  explore_sweep_done(&e->sweep);
  e->sweep = (struct explore_sweep){.random = random};
  pthread_mutex_lock(&e->lock);
  e->is_told = false;
  e->now = (struct explore_estimate){0};
  struct explore_config c = e->config;
  struct assumptions *known = xcalloc(1, sizeof *known);
  assume_join(known, &e->known);
  pthread_mutex_unlock(&e->lock);
  c.assumed = known;
  e->vm = vm_new(e->prog, &e->vm_config);
  e->explorer = explorer_new(e->prog, e->vm, &c);
  assume_done(known);
  free(known);
}

// Yields whether there is more to learn.
static bool learn(struct estimator *e) {
  struct assumptions learned = explorer_learned(e->explorer);
  pthread_mutex_lock(&e->lock);
  uint64_t size = assume_size(&e->known);
  assume_join(&e->known, &learned);
  bool is_more = assume_size(&e->known) > size;
  pthread_mutex_unlock(&e->lock);
  assume_done(&learned);
  return is_more;
}

static void publish(struct estimator *e) {
  const struct explore_sweep *s = &e->sweep;
  struct explore_estimate now = {.executions = s->mean.executions,
                                 .blocked = s->mean.blocked,
                                 .error = explore_sweep_error(s),
                                 .sweeps = s->sweeps,
                                 .is_exact = s->is_whole};
  if (s->is_whole) {
    now.executions = s->size.executions;
    now.blocked = s->size.blocked;
  }
  pthread_mutex_lock(&e->lock);
  e->now = now;
  pthread_mutex_unlock(&e->lock);
}

// The explorer has stopped. Yields whether sweeps go on with another one.
static bool goes_on(struct estimator *e) {
  pthread_mutex_lock(&e->lock);
  bool is_told = e->is_told, is_stopped = e->is_stopped;
  pthread_mutex_unlock(&e->lock);
  if (is_stopped)
    return false;
  if (is_told)
    return true;
  if (explorer_begins_again(e->explorer))
    return learn(e);
  pthread_mutex_lock(&e->lock);
  e->now.has_error =
      explore_verdict(explorer_result(e->explorer)) == VERDICT_ERROR;
  pthread_mutex_unlock(&e->lock);
  return false;
}

static bool is_over(const struct estimator *e) {
  return e->sweep.is_whole || e->sweep.sweeps >= e->most;
}

static void make_sweeps(struct estimator *e) {
  do {
    hire(e);
    e->sweep.is_whole = false;
    while (!is_over(e) && explorer_sweep(e->explorer, &e->sweep))
      publish(e);
  } while (!is_over(e) && goes_on(e));
}

// ---- who wants to know

void estimator_run(struct estimator *e, double seconds, uint64_t sweeps) {
  e->until = seconds_now() + seconds;
  e->most = sweeps;
  make_sweeps(e);
}

static void *run_thread(void *arg) {
  struct estimator *e = arg;
  e->slice_end = own_seconds() + FIRST_SLICE;
  make_sweeps(e);
  return NULL;
}

bool estimator_start(struct estimator *e, double share) {
  e->share = share;
  e->is_started = pthread_create(&e->thread, NULL, run_thread, e) == 0;
  return e->is_started;
}

void estimator_tell(struct estimator *e, const struct assumptions *learned) {
  pthread_mutex_lock(&e->lock);
  uint64_t size = assume_size(&e->known);
  assume_join(&e->known, learned);
  if (assume_size(&e->known) > size) {
    e->is_told = true;
    pthread_cond_signal(&e->changed);
  }
  pthread_mutex_unlock(&e->lock);
}

struct explore_estimate estimator_read(struct estimator *e) {
  pthread_mutex_lock(&e->lock);
  struct explore_estimate now = e->now;
  pthread_mutex_unlock(&e->lock);
  return now;
}

void estimator_free(struct estimator *e) {
  if (!e)
    return;
  if (e->is_started) {
    pthread_mutex_lock(&e->lock);
    e->is_stopped = true;
    pthread_cond_signal(&e->changed);
    pthread_mutex_unlock(&e->lock);
    pthread_join(e->thread, NULL);
  }
  dismiss(e);
  explore_sweep_done(&e->sweep);
  assume_done(&e->known);
  pthread_mutex_destroy(&e->lock);
  pthread_cond_destroy(&e->changed);
  free(e);
}
