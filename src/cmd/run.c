// SPDX-License-Identifier: MIT
// Signal handlers only set flags, which the search reads at its next step.
#include "cmd/run.h"

#include "cmd/replay.h"

#include "vm/vm.h"

#include "base/patience.h"
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A signal that would end the process ends the exploration that is going on,
// and all that come after it.
static atomic_bool interrupted;
enum { ESTIMATE_AFTER_SECONDS = 1 }; // what is over by then needs none
static struct run *_Atomic current;

double run_seconds(const struct run *r) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - r->start.tv_sec) +
         (double)(now.tv_nsec - r->start.tv_nsec) / 1e9;
}

// Not ru_maxrss: that one survives exec, so it would show what the process
// that started Heddle used.
uint64_t max_rss_kb(void) {
  FILE *f = fopen("/proc/self/status", "r");
  char line[128];
  unsigned long long kb = 0;
  while (f && !kb && fgets(line, sizeof line, f))
    sscanf(line, "VmHWM: %llu", &kb);
  if (f)
    fclose(f);
  return kb;
}

enum exit_code exit_code_of(enum verdict v) {
  switch (v) {
  case VERDICT_OK:
    return EXIT_OK;
  case VERDICT_ERROR:
    return EXIT_FINDING;
  case VERDICT_INCOMPLETE:
    return EXIT_INCOMPLETE;
  }
  return EXIT_INTERNAL;
}

// -- signals

static void on_signal(int sig) {
  (void)sig;
  interrupted = true;
  struct run *r = current;
  if (r)
    r->stop = true;
}

void run_stop(struct run *r) {
  r->stop = true;
}

void run_stop_signals(sigset_t *ret) {
  static const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
  sigemptyset(ret);
  for (unsigned i = 0; i < LENGTH(all); i++) {
    struct sigaction old;
    bool is_off =
        sigaction(all[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
    if (!is_off || all[i] == SIGINT || all[i] == SIGTERM)
      sigaddset(ret, all[i]);
  }
}

// The first signal asks the exploration to end; a second one kills as usual.
// The one about CPU time comes again every second, until the hard limit kills.
const atomic_bool *run_catch_signals(void) {
  sigset_t all;
  run_stop_signals(&all);
  for (int sig = 1; sig < NSIG; sig++) {
    struct sigaction a = {.sa_handler = on_signal,
                          .sa_flags = sig == SIGXCPU ? 0 : (int)SA_RESETHAND};
    if (sigismember(&all, sig) == 1)
      sigaction(sig, &a, NULL);
  }
  return &interrupted;
}

bool run_was_interrupted(void) {
  return interrupted;
}

// -- while exploring

// -- how large the search is

struct explore_estimate run_estimate(const struct run *r) {
  return r->estimator ? estimator_read(r->estimator) : r->estimated;
}

// (Others may change the program when the search is over: cmd/mend.c.)
static void end_estimate(struct run *r) {
  r->estimated = run_estimate(r);
  estimator_free(r->estimator);
  r->estimator = NULL;
}

// Is the search one whose size is asked for before its end? (Those that the
// optimiser makes are not: they do not begin with run_begin.)
static bool wants_estimate(const struct run *r) {
  const struct options *o = r->options;
  bool is_checked = r->estimate_after > 0 || r->estimate_share > 0;
  return is_checked && !r->is_part && !r->sampler &&
         (r->progress.style != PROGRESS_NONE || r->estimate_share > 0 ||
          r->saving.save || o->max_time > 0 || o->max_wall > 0 ||
          o->max_executions);
}

static void begin_estimate(struct run *r) {
  const double share = r->estimate_share > 0 ? r->estimate_share : 0.05;
  struct explore_config c = r->config;
  if (r->model->justifier && r->jobs > 1)
    c.options.reductions &= ~(uint32_t)REDUCE_SYMMETRY; // as these do
  r->estimator = estimator_new(r->prog, &r->vm, &c, /*seed=*/1);
  if (!estimator_start(r->estimator, share))
    end_estimate(r);
}

// Called now and then by the search.
static void look_at_size(struct run *r, double seconds) {
  if (seconds < r->told + 1 && r->estimator)
    return;
  if (!r->estimator && seconds >= r->estimate_after && wants_estimate(r))
    begin_estimate(r);
  if (!r->estimator)
    return;
  struct assumptions learned = parallel_learned(r->search);
  estimator_tell(r->estimator, &learned);
  assume_done(&learned);
  r->told = seconds;
}

static void on_progress(void *arg, const struct explore_result *so_far) {
  struct run *r = arg;
  double seconds = run_seconds(r);
  r->so_far = so_far;
  look_at_size(r, seconds);
  if (r->on_progress)
    r->on_progress(r->arg, so_far);
  if (r->progress.style == PROGRESS_NONE)
    return;
  struct str text = {0};
  struct explore_estimate all = run_estimate(r);
  progress_show(&r->progress, so_far, &all, seconds, &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
}

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct run *r = arg;
  if (r->on_finding)
    r->on_finding(r->arg, vm, g, f);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  r->on_execution(r->arg, vm, g, is_blocked);
}

static void on_earlier_error(void *arg) {
  struct run *r = arg;
  r->on_earlier_error(r->arg);
}

static void on_begin_again(void *arg) {
  struct run *r = arg;
  r->on_begin_again(r->arg);
}

struct model_options model_options_of(const struct options *o,
                                      const struct model *m) {
  bool is_c11 = o->release_sequences == RELEASE_OWN
                    ? m->c11_release_sequences
                    : o->release_sequences == RELEASE_C11;
  return (struct model_options){.sc_rule = (enum sc_rule)o->sc_rule,
                                .c11_release_sequences = is_c11,
                                .arm_ldar = o->arm_acquire == ACQUIRE_LDAR,
                                .arm_llsc = o->arm_rmw == RMW_LLSC,
                                .final_writes = o->final_writes};
}

unsigned run_jobs(const struct options *o) {
  uint64_t n = o->jobs ? o->jobs : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
  return n < MAX_JOBS ? (unsigned)n : MAX_JOBS;
}

// Who sits before a terminal waits for the answer, so all processors are used
// unless he says how many. Not where one explorer leaves out more than several
// (symmetry.c), nor where executions are told one by one, in an order.
static unsigned jobs_of(const struct run *r) {
  const struct options *o = r->options;
  bool is_plain = !r->on_execution && r->on_earlier_error &&
                  !r->model->justifier && !r->is_resumed && !r->saving.save &&
                  !r->carrier;
  if (options_has(o, "jobs") || !is_plain || !isatty(STDOUT_FILENO) ||
      !isatty(STDERR_FILENO))
    return run_jobs(o);
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n < MAX_JOBS ? (unsigned)n : MAX_JOBS;
}

// What this process may have resident, in bytes; 0: no limit.
static uint64_t most_memory(const struct run *r) {
  const struct options *o = r->options;
  uint64_t share = (o->max_memory << 20) / (r->neighbours ? r->neighbours : 1);
  uint64_t by_job = (o->max_memory_per_job << 20) * jobs_of(r);
  return !share || (by_job && by_job < share) ? by_job : share;
}

static struct explore_config explore_config_of(struct run *r) {
  const struct options *o = r->options;
  struct explore_config c = {
      .options.model = r->model,
      .options.model_options = model_options_of(o, r->model),
      .options.all_errors = o->all_errors || o->shortest,
      .options.any_error = o->any_error,
      .options.repeats = o->shortest,
      .options.replay = o->replay ? &r->replay : NULL,
      .options.joins_all = o->join_all,
      .options.reductions = r->reductions,
      .options.names_loops = o->stats,
      .options.unroll = o->unroll.at,
      .options.unrolls = o->unroll.len,
      .options.yield_bound = o->yield_bound,
      .options.read_bound = o->read_bound,
      .options.refuses_pieces = r->reductions & REDUCE_RF,
      .limits.max_executions = o->max_executions,
      .limits.max_time = o->max_time,
      .limits.max_wall = o->max_wall,
      .limits.max_events = o->max_events,
      .limits.max_memory = most_memory(r),
      .observer.on_execution = r->on_execution ? on_execution : NULL,
      .observer.on_begin_again = r->on_begin_again ? on_begin_again : NULL,
      .observer.on_earlier_error =
          r->on_earlier_error ? on_earlier_error : NULL,
      .observer.on_progress = on_progress,
      .observer.on_finding = on_finding,
      .limits.interrupted = &r->stop,
      .observer.arg = r,
  };
  memcpy(c.options.bounds, r->bound, sizeof c.options.bounds);
  if (r->on_execution) // every execution is to be seen
    c.options.reductions &= ~(uint32_t)REDUCE_SYMMETRY;
  memcpy(c.options.disabled, o->disable, sizeof c.options.disabled);
  c.options.disabled[FIND_RACE] |= o->races == RACES_OFF;
  if (o->races == RACES_MODEL)
    c.options.race_order = model_with_order(r->model, &c.options.model_options);
  c.options.disabled[FIND_HANG] |= o->no_await_check;
  c.options.disabled[FIND_LIVELOCK] |= o->no_await_check;
  for (unsigned k = 0; k < FIND_COUNT; k++)
    c.options.warning[k] =
        (o->warn[k] || finding_is_warning((enum finding_kind)k)) &&
        !o->error[k];
  return c;
}

enum progress_style run_progress_style(const struct options *o) {
  if (o->progress == SHOW_AUTO && !o->quiet && !o->print_executions &&
      isatty(STDERR_FILENO))
    return PROGRESS_LINE;
  return o->progress == SHOW_JSON ? PROGRESS_JSON : PROGRESS_NONE;
}

// --sample: 10s, or 100000.
static bool read_sample(const struct options *o, struct sampling *ret,
                        struct diag *why) {
  if (!o->sample)
    return true;
  char *end;
  double n = strtod(o->sample, &end);
  bool is_time = strcmp(end, "s") == 0;
  if (end == o->sample || (*end && !is_time) || !(n >= (is_time ? 1e-3 : 1)) ||
      n > 1e15)
    return diag_set(why, NULL, 0,
                    "--sample takes a time such as 10s, or a number of "
                    "executions such as 100000, not '%s'",
                    o->sample);
  *ret = (struct sampling){.seconds = is_time ? n : 0,
                           .executions = is_time ? 0 : (uint64_t)n,
                           .seed = o->seed};
  if (o->checkpoint || o->resume || o->replay || o->shortest || o->separately ||
      o->max_executions)
    return diag_set(why, NULL, 0,
                    "--sample excludes --checkpoint, --resume, --replay, "
                    "--shortest, --separately and --max-executions");
  return true;
}

bool run_begin(struct run *r, const struct options *o, struct diag *why) {
  r->options = o;
  r->progress = progress_of_style(run_progress_style(o));
  clock_gettime(CLOCK_MONOTONIC, &r->start);
  if (r->estimate_share <= 0)
    r->estimate_after = ESTIMATE_AFTER_SECONDS;
  if (!read_sample(o, &r->sampling, why) || !bounds_read(o, &r->bounds, why) ||
      !replay_read(o->replay, &r->replay, why) ||
      !(r->model || find_model(o, o->model, &r->model, why)) ||
      !reductions_of(o, &r->reductions, why) ||
      !options_fit(o, r->model, r->reductions, why) ||
      !load_program(o, r->model, &r->prog, why) ||
      !unroll_fits(o, r->prog, why))
    return false;
  if (prog_has_op(r->prog, OP_pick))
    r->model = model_for_picks(r->model);
  memcpy(r->bound, r->bounds.first, sizeof r->bound);
  const struct model *known = model_builtin(r->model);
  prog_compile_barriers(r->prog, known ? known->name : r->model->name);
  return true;
}

// Asked by a thread that runs long without an access.
static const char *why_stop(void *arg) {
  const struct run *r = arg;
  patience_heard();
  const struct options *o = r->options;
  struct timespec cpu;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  double used = (double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9;
  if (r->saving.save || r->carrier)
    return NULL; // the checkpoint, or the other ranks, wait for it
  if (r->stop)
    return "interrupted";
  if (o->max_time > 0 && used > o->max_time)
    return "time";
  return o->max_wall > 0 && run_seconds(r) > o->max_wall ? "wall-clock time"
                                                         : NULL;
}

// -- the search

static double cpu_seconds(void) {
  struct timespec cpu;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  return (double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9;
}

static void end_search(struct run *r) {
  end_estimate(r);
  if (r->search)
    parallel_free(r->search);
  r->search = NULL;
  r->so_far = NULL;
}

static struct vm_config machine_config(struct run *r,
                                       const struct explore_config *c) {
  struct vm_config v = {.why_stop = why_stop,
                        .arg = r,
                        .max_steps = r->options->max_steps,
                        .max_calls = r->options->max_calls,
                        .max_private = r->options->max_stack << 10};
  memcpy(v.disabled, c->options.disabled, sizeof v.disabled);
  memcpy(v.warned, c->options.warning, sizeof v.warned);
  return v;
}

// A search as `c` says; one before is forgotten.
static void begin_search(struct run *r, const struct explore_config *c,
                         unsigned jobs) {
  struct vm_config v = machine_config(r, c);
  end_search(r);
  r->estimated = (struct explore_estimate){0};
  r->jobs = jobs;
  r->config = *c;
  r->vm = v;
  r->is_part = r->is_resumed && r->from.parts > 1;
  r->search = parallel_new(r->prog, &v, c, jobs, &r->saving,
                           r->is_resumed ? &r->from : NULL);
  if (r->carrier)
    parallel_share(r->search, r->carrier, r->options->mpi_patience);
}

static const struct explore_result *search(struct run *r,
                                           const struct explore_config *c) {
  begin_search(r, c, jobs_of(r));
  const struct explore_result *x = parallel_explore(r->search);
  end_estimate(r);
  return x;
}

static const struct explore_result *sample(struct run *r) {
  struct explore_config c = explore_config_of(r);
  struct vm_config v = machine_config(r, &c);
  r->sampler = sampler_new(r->prog, &v, &c, run_jobs(r->options), &r->sampling);
  return sampler_run(r->sampler);
}

static bool has_error(const struct explore_result *x) {
  for (uint32_t i = 0; i < x->findings.len; i++)
    if (!x->findings.at[i].is_warning)
      return true;
  return false;
}

enum { LONG_EXECUTION = 3000 }; // events
static const double short_look = 0.3;

static bool is_too_big(const struct explore_result *x) {
  return x->limit && (strcmp(x->limit, LIMIT_OF_EVENTS) == 0 ||
                      strcmp(x->limit, LIMIT_OF_THREADS) == 0);
}

// A loop in which threads undo each other's work for ever makes executions that
// never end, and the search follows the first of them until it has
// --max-events. With a bound for loops it would find the livelock at once, and
// an error of a hundred equal threads among the first of them. So when
// executions get long, or have too many threads, errors are looked for in that
// way, for a moment; one that a bounded search finds is one. NULL: there is
// none.
static const struct explore_result *look_ahead(struct run *r,
                                               struct explore_config c) {
  const struct loop_bound twice = {.rounds = 2};
  uint64_t all = c.limits.max_events;
  c.limits.max_events = LONG_EXECUTION;
  const struct explore_result *x = search(r, &c);
  if (!is_too_big(x) || has_error(x))
    return x;
  c.limits.max_events = all;
  c.options.unroll = &twice;
  c.options.unrolls = 1;
  c.limits.max_time = short_look;
  r->on_begin_again(r->arg);
  x = search(r, &c);
  if (has_error(x)) {
    r->is_bounded = true;
    return x;
  }
  r->on_begin_again(r->arg);
  return NULL;
}

// (An observer of all executions sees each once, in one search.)
static bool may_look_ahead(const struct run *r,
                           const struct explore_config *c) {
  return r->on_begin_again && !r->on_execution && !c->options.unrolls &&
         !r->saving.save && !r->is_resumed && !r->carrier &&
         !c->options.yield_bound && !c->options.read_bound &&
         !explore_is_bounded(&c->options) &&
         !c->options.disabled[FIND_LIVELOCK] &&
         (!c->limits.max_events || c->limits.max_events > LONG_EXECUTION);
}

static const struct explore_result *search_all(struct run *r) {
  struct explore_config c = explore_config_of(r);
  double cpu = cpu_seconds(), wall = run_seconds(r);
  const struct explore_result *x =
      may_look_ahead(r, &c) ? look_ahead(r, c) : NULL;
  if (x)
    return x;
  const double least = 0.001; // 0 is no limit
  if (c.limits.max_time > 0)
    c.limits.max_time = fmax(least, c.limits.max_time - (cpu_seconds() - cpu));
  if (c.limits.max_wall > 0)
    c.limits.max_wall =
        fmax(least, c.limits.max_wall - (run_seconds(r) - wall));
  return search(r, &c);
}

// Raises the bound that has a range; false: it was the last.
static bool raise_bound(struct run *r) {
  for (unsigned k = 0; k < BOUNDS; k++)
    if (r->bound[k] < r->bounds.last[k]) {
      memcpy(r->bound_done, r->bound, sizeof r->bound_done);
      r->bound[k]++;
      return true;
    }
  return false;
}

// One search after the other, with a larger bound each time.
static const struct explore_result *search_bounds(struct run *r) {
  const struct explore_result *x = search_all(r);
  while (!has_error(x) && !x->limit && x->bound_cuts && raise_bound(r)) {
    r->on_begin_again(r->arg);
    x = search_all(r);
  }
  return x;
}

// (Where others wait for what was explored so far, patience is longer.)
static void begin_patience(const struct run *r) {
  bool is_waited_for = r->saving.save || r->carrier;
  const struct patience p = {.max_time = r->options->max_time,
                             .max_wall = r->options->max_wall,
                             .max_memory = most_memory(r),
                             .interrupted = &interrupted,
                             .seconds = is_waited_for ? 20 : 0.7};
  patience_begin(&p);
}

// What was supposed, now that it is known what executions do.
static void note_supposed(struct run *r, const struct explore_result *result) {
  if (result->meets_freed)
    r->prog->supposed |= 1 << SUPPOSES_ADDRESSES;
  if (result->asks_clocks)
    r->prog->supposed |= 1 << (r->options->still_clocks ? SUPPOSES_STILL_CLOCKS
                                                        : SUPPOSES_CLOCKS);
}

const struct explore_result *run_explore(struct run *r) {
  current = r;
  run_catch_signals();
  if (interrupted)
    r->stop = true;
  begin_patience(r);
  const struct explore_result *result =
      r->options->sample ? sample(r) : search_bounds(r);
  patience_end();
  note_supposed(r, result);
  current = NULL;
  struct str text = {0};
  progress_end(&r->progress, &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
  return result;
}

const struct explore_result *run_split(struct run *r, uint64_t branches) {
  struct explore_config c = explore_config_of(r);
  c.assumed = &r->learned;
  current = r;
  run_catch_signals();
  begin_search(r, &c, 1);
  const struct explore_result *x = parallel_split(r->search, branches);
  current = NULL;
  return x;
}

void run_end(struct run *r) {
  end_search(r);
  sampler_free(r->sampler);
  frontier_done(&r->from);
  assume_done(&r->learned);
  for (uint32_t i = 0; i < r->texts.len; i++)
    strings_done(&r->texts.at[i]);
  array_done(&r->texts);
  if (r->prog)
    prog_free(r->prog);
}
