// SPDX-License-Identifier: MIT
// The whole search on one screen: add the next event of the first thread that
// can run; when none can, an execution is complete (or blocked); then go back
// to the newest choice and take its next option. [TruSt, POPL'22, §3] says why
// each execution is met exactly once; revisit.c has the heart of it.
#include "explore/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Under C++11's release sequences a later write can take synchronisation away,
// so only complete graphs are judged, and errors wait until then; so it is with
// models from files that have such axioms. With --all-errors the other threads
// go on too: what they write may still revisit the reads that led to the error.
static bool stops_at_end(const struct explorer *x) {
  return x->config.all_errors || explore_judges_at_end(x);
}

// Is the program over with this end of a thread, by exit or as main returned?
static bool ends_program(const struct explorer *x, const struct event *end) {
  return (end->flags & EVF_EXIT) ||
         (end->thread == 0 &&
          !(vm_access(x->vm, end->pre)->flags & ACCF_EARLY));
}

bool explore_main_has_returned(const struct explorer *x) {
  const struct event *last = &x->g.events[graph_tail(&x->g, 0)];
  return last->kind == EV_END && ends_program(x, last);
}

// Can thread t add an event now?
static bool can_run(const struct explorer *x, thread_id t) {
  const struct graph_thread *th = &x->g.threads[t];
  if (!th->events.len || !th->state ||
      (x->config.net_effect_awaits && await_nets(x, t)))
    return false;
  const struct access *a = vm_access(x->vm, th->state);
  switch ((enum access_kind)a->kind) {
  case ACC_BLOCK:
    return false;
  case ACC_ERROR:
    return !stops_at_end(x);
  case ACC_JOIN: {
    if (a->value >= x->g.nthreads || a->value == t)
      return true; // the step reports it
    const struct event_list *l = &x->g.threads[a->value].events;
    const struct event *last = l->len ? &x->g.events[l->at[l->len - 1]] : NULL;
    return !last || (last->kind == EV_END && !ends_program(x, last));
  }
  default:
    return true;
  }
}

// Would thread t have to wait at once? Such a step is put off: what it waits
// for may come, and then nothing has to be revisited.
static bool would_wait(struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct access *a = vm_access(x->vm, s);
  if (stale_reads_before(x, t))
    return true;
  if (a->kind != ACC_LOCK_READ && a->kind != ACC_READ &&
      a->kind != ACC_CAS_READ && a->kind != ACC_TAKE)
    return false;
  // A location that no graph has had so far must not make a difference.
  event_id write = INIT_EVENT;
  if (a->loc < x->g.locs.len) {
    const struct event_list *co = &x->g.locs.at[a->loc].co;
    write = co->at[co->len - 1];
  }
  bool is_uninit;
  uint64_t newest = step_value_of(x, a->loc, write, &is_uninit);
  if (a->kind == ACC_LOCK_READ)
    return newest != 0;
  x->vm->is_trying = true;
  bool stays = !is_uninit && vm_step(x->vm, s, newest) == s;
  x->vm->is_trying = false;
  return stays;
}

// A thread that is in the middle of an atomic update.
static thread_id find_update(const struct explorer *x) {
  for (uint64_t rest = x->g.active; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (vm_access(x->vm, x->g.threads[t].state)->kind == ACC_RMW_WRITE)
      return t;
  }
  return NO_THREAD;
}

// A thread that holds a lock for which another one waits, and can go on.
static thread_id find_holder(struct explorer *x) {
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (!graph_thread_length(&x->g, t))
      continue;
    const struct event *last = &x->g.events[graph_tail(&x->g, t)];
    if (!lock_waits(last) || last->value - 1 >= x->g.nthreads)
      continue;
    thread_id holder = (thread_id)last->value - 1;
    if (can_run(x, holder) && !would_wait(x, holder))
      return holder;
  }
  return NO_THREAD;
}

// The next thread is a function of the graph alone: one that is in the middle
// of an atomic update, else the holder of a lock that somebody waits for (so
// that the lock can be handed over, see wait.c), else the first that can run
// without waiting, else the first that can run (of those that --read-bound puts
// off the one that has read least often).
static thread_id schedule(struct explorer *x) {
  thread_id waiting = NO_THREAD, t;
  if (x->has_update && (t = find_update(x)) != NO_THREAD)
    return t;
  x->has_update = false;
  if (x->has_waited && (t = find_holder(x)) != NO_THREAD)
    return t;
  for (uint64_t rest = x->g.active; rest; rest &= rest - 1) {
    t = (thread_id)__builtin_ctzll(rest);
    if (!can_run(x, t))
      continue;
    if (!would_wait(x, t))
      return t;
    if (waiting == NO_THREAD ||
        stale_reads_before(x, t) < stale_reads_before(x, waiting))
      waiting = t;
  }
  return waiting;
}

// Errors that were put off until the graph is complete.
static void report_errors_at_end(struct explorer *x) {
  for (thread_id t = 0; t < x->g.nthreads && x->running; t++) {
    state_id s = x->g.threads[t].state;
    if (s && vm_access(x->vm, s)->kind == ACC_ERROR)
      step_error(x, t);
  }
  if (x->running && x->config.model_options.c11_release_sequences)
    error_check_races_at_end(x);
  if (x->running && explore_judges_at_end(x))
    error_check_all(x);
}

// The status with which a complete execution ends: that of exit(), else what
// main returned.
static void note_exit_status(struct explorer *x) {
  const struct event *end = NULL;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (!graph_thread_length(&x->g, t))
      continue;
    const struct event *last = graph_event(&x->g, graph_tail(&x->g, t));
    if (last->kind == EV_END && (t == 0 || (last->flags & EVF_EXIT)))
      end = last;
  }
  if (!end || (int)end->value == 0)
    return;
  if (!x->result.failures++)
    x->result.exit_status = (int)end->value;
}

void explore_note_cut(struct explorer *x, const char *why) {
  if (!x->result.cuts++)
    snprintf(x->result.cut, sizeof x->result.cut, "%s", why);
}

static void note_cut_of(struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct access *a = s ? vm_access(x->vm, s) : NULL;
  if (a && a->kind == ACC_BLOCK && a->value)
    explore_note_cut(x, vm_text(x->vm, a->value - 1));
  else if (x->config.unrolls && unroll_was_cut(x, t))
    explore_note_cut(x, "--unroll");
}

// Is the graph, to which nothing can be added, one that the model allows?
// Events that are not judged when they are added may matter to a model from a
// file.
static bool is_execution(struct explorer *x) {
  const struct explore_config *c = &x->config;
  if (x->tracks && c->model->text)
    deps_fill(x);
  bool waits = c->model_options.c11_release_sequences &&
               (c->model->text || model_sequences_differ(&x->g));
  if (waits || c->model->filters)
    return model_allows_complete(c->model, &x->g, &c->model_options);
  return !c->model->text || c->model->judge(c->model, &x->g, &c->model_options);
}

static void end_of_execution(struct explorer *x) {
  if (!is_execution(x))
    return;
  if (stops_at_end(x))
    report_errors_at_end(x);
  if (x->running)
    livelock_look_at_some(x);
  if (!x->running)
    return;
  bool all_ended = true, exited = false, is_net = false;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (!graph_thread_length(&x->g, t))
      continue;
    const struct event *last = graph_event(&x->g, graph_tail(&x->g, t));
    all_ended &= last->kind == EV_END;
    note_cut_of(x, t);
    is_net |= await_nets(x, t);
    exited |= last->kind == EV_END && (last->flags & EVF_EXIT);
  }
  // When main has returned, a thread that waits for ever goes with the program.
  bool is_over =
      exited || (explore_main_has_returned(x) && error_only_waits(x));
  bool is_blocked = !all_ended && !is_over;
  if (!team_may_count(x))
    return;
  if (x->g.live > x->result.max_graph)
    x->result.max_graph = x->g.live;
  if (is_blocked) {
    error_check_blocked(x);
    if (!x->running)
      return;
    x->result.blocked++;
    x->result.net_waits += is_net;
  } else {
    if (all_ended && !exited && !x->config.disabled[FIND_LEAK])
      leak_check(x);
    if (!x->running)
      return;
    x->result.executions++;
    note_exit_status(x);
  }
  if (x->config.on_execution && x->tracks)
    deps_fill(x);
  if (x->config.on_execution)
    x->config.on_execution(x->config.arg, x->vm, &x->g, is_blocked);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t resident_bytes(void) {
  FILE *f = fopen("/proc/self/statm", "r");
  unsigned long long size = 0, resident = 0;
  if (f) {
    if (fscanf(f, "%llu %llu", &size, &resident) != 2)
      resident = 0;
    fclose(f);
  }
  return resident * 4096;
}

static void stop_at_limit(struct explorer *x, const char *which) {
  x->result.limit = which;
  x->running = false;
}

// Steps may be quick or slow, so what costs something is looked at by the clock
// too. Reading this clock costs little.
static bool is_late(const struct explorer *x) {
  const double often = 0.02;
  return seconds_of(CLOCK_MONOTONIC) - x->looked > often;
}

static void look_at_clocks(struct explorer *x) {
  const struct explore_config *c = &x->config;
  x->looked = seconds_of(CLOCK_MONOTONIC);
  if (c->max_seconds > 0 &&
      seconds_of(CLOCK_PROCESS_CPUTIME_ID) - x->started > c->max_seconds)
    stop_at_limit(x, "time");
  else if (c->max_wall > 0 && x->looked - x->started_wall > c->max_wall)
    stop_at_limit(x, "wall-clock time");
  else if (c->max_memory && resident_bytes() > c->max_memory)
    stop_at_limit(x, "memory");
  if (c->on_progress) {
    x->result.left = progress_left(x);
    c->on_progress(c->arg, &x->result);
  }
}

// Looked at before each event; the costly ones only now and then.
static void look_at_limits(struct explorer *x) {
  const struct explore_config *c = &x->config;
  if (!x->running)
    return;
  if (c->max_events && x->g.live > c->max_events) {
    livelock_look(x);
    if (!x->running)
      return;
    unroll_explain(x);
    stop_at_limit(x, "too many events in one execution");
  }
  if (c->max_executions && team_executions(x) >= c->max_executions)
    stop_at_limit(x, "executions");
  if (c->interrupted && *c->interrupted)
    stop_at_limit(x, "interrupted");
  x->ticks++;
  if (c->on_pause && x->running && x->ticks % 64 == 0)
    c->on_pause(c->arg, x);
  if (x->ticks % 4096 == 0 || (x->ticks % 16 == 0 && is_late(x)))
    look_at_clocks(x);
}

// Back to where only main has started.
static void go_to_root(struct explorer *x) {
  graph_undo_to(&x->g, x->root);
  vm_release(x->vm, x->vm_root);
  x->choices.len = x->options.len = x->path.len = 0;
  x->core = INIT_EVENT;
}

void explore_from_root(struct explorer *x) {
  go_to_root(x);
  x->running = true;
  x->is_complete = false;
  while (x->running) {
    thread_id t = schedule(x);
    if (t == NO_THREAD) {
      end_of_execution(x);
      choice_next(x);
    } else {
      step_thread(x, t);
    }
    look_at_limits(x);
    if (x->warnings < x->vm->warnings.len)
      error_add_warnings(x);
  }
}

bool explore_part(struct explorer *x, const struct explore_task *task) {
  x->task = task;
  x->mode = task ? FOLLOW : SEARCH;
  x->events_before = x->result.events_added;
  x->revisits_before = x->result.revisits;
  do {
    x->begins_again = false;
    explore_from_root(x);
  } while (x->begins_again && !x->result.limit);
  return x->is_complete && !x->result.limit;
}

static bool has_finding(const struct explore_result *r, bool is_unsupported) {
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (!r->findings.at[i].is_warning &&
        (r->findings.at[i].kind == FIND_UNSUPPORTED) == is_unsupported)
      return true;
  return false;
}

static bool has_error(const struct explore_result *r) {
  return has_finding(r, /*is_unsupported=*/false);
}

const char *explore_limit(const struct explore_result *r) {
  if (r->limit)
    return r->limit;
  if (has_finding(r, /*is_unsupported=*/true))
    return "something that is not supported";
  if (r->cuts)
    return r->cut;
  if (r->stale_cuts)
    return "--read-bound";
  return r->executions || has_error(r) ? NULL : "vacuous";
}

enum verdict explore_verdict(const struct explore_result *r) {
  if (has_error(r))
    return VERDICT_ERROR;
  return explore_limit(r) ? VERDICT_INCOMPLETE : VERDICT_OK;
}

const struct explore_result *explore(struct explorer *x) {
  explore_part(x, NULL);
  x->result.verdict = explore_verdict(&x->result);
  return &x->result;
}

static bool has_shared_thread_locals(const struct prog *p) {
  for (uint32_t i = 0; i < p->globals.len; i++)
    if (p->globals.at[i].is_thread_local && !p->globals.at[i].is_private)
      return true;
  return false;
}

struct explorer *explorer_new(const struct prog *p, struct vm *vm,
                              const struct explore_config *config) {
  struct explorer *x = xcalloc(1, sizeof *x);
  x->prog = p;
  x->vm = vm;
  x->config = *config;
  x->started = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  x->started_wall = x->looked = seconds_of(CLOCK_MONOTONIC);
  graph_init(&x->g);
  x->g.transient_states = vm_first_transient(vm);
  x->g.coherence = config->model->coherence;
  x->tracks = config->model->tracks_dependencies;
  if (x->tracks)
    graph_track_deps(&x->g, vm_sets(vm));
  x->g.plain_syncs = config->model->plain_syncs;
  x->has_thread_locals = has_shared_thread_locals(x->prog);
  graph_need_threads(&x->g, 1);
  array_push(&x->threads, (struct child){0});
  graph_add(&x->g, (struct event){.kind = EV_START,
                                  .rf = NO_EVENT,
                                  .state = vm_main(x->vm)});
  x->root = graph_mark(&x->g);
  x->vm_root = vm_mark(x->vm);
  return x;
}

void explorer_free(struct explorer *x) {
  for (uint32_t i = 0; i < x->object_locs.len; i++)
    array_done(&x->object_locs.at[i]);
  array_done(&x->object_locs);
  array_done(&x->thread_locs);
  array_done(&x->cells);
  array_done(&x->choices);
  array_done(&x->lost);
  array_done(&x->options);
  array_done(&x->path);
  array_done(&x->threads);
  array_done(&x->refreshes);
  array_done(&x->result.findings);
  graph_done(&x->g);
  free(x);
}

const struct explore_result *explorer_result(const struct explorer *x) {
  return &x->result;
}

void explorer_stop(struct explorer *x) {
  x->running = false;
}

const struct graph *explorer_graph(const struct explorer *x) {
  return &x->g;
}

state_id explorer_state(const struct explorer *x, thread_id t) {
  return x->g.threads[t].state;
}
