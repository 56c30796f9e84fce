// SPDX-License-Identifier: MIT
// The whole search on one screen: add the next event of the first thread that
// can run; when none can, an execution is complete (or blocked); then go back
// to the newest choice and take its next option. [TruSt, POPL'22, §3] says why
// each execution is met exactly once; revisit.c has the heart of it.
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

#include <stdlib.h>
#include <string.h>

void explore_go_to_root(struct explorer *x) {
  graph_undo_to(&x->g, x->root);
  vm_release(x->vm, x->vm_root);
  x->choices.len = x->options.len = x->path.len = 0;
  x->follows.kept.len = 0;
  choice_undo_pauses(x, 0);
  x->core = INIT_EVENT;
}

// Takes the next option of the newest choice.
static enum outcome take_next(struct explorer *x) {
  struct choice c;
  uint32_t option;
  x->at.adds_ends = false;
  if (x->follows.mode == FOLLOW)
    task_follow(x);
  else if (x->is_leaving && x->choices.len)
    return STOP;
  if (!choice_pop(x, &c, &option)) {
    x->is_complete = true;
    return STOP;
  }
  if (x->sweep && !sweep_survives(x))
    return GO_BACK;
  switch ((enum choice_kind)c.kind) {
  case CHOICE_SOURCE:
    return read_source(x, c.thread, option);
  case CHOICE_PLACE:
  case CHOICE_HANDOVER:
    return write_place(x, c.thread, c.revisit, c.kind == CHOICE_HANDOVER,
                       option);
  case CHOICE_REVISIT:
#if HEDDLE_SLOW_CHECKS
    refind_before_revisit(x, c.thread, option);
#endif
    return write_revisit(x, c.thread, option, option == c.hands_over);
  case CHOICE_PROMISE:
    return promise_take(x, c.thread, option);
  case CHOICE_VALUE:
    return value_take(x, &c, option);
  case CHOICE_GUESS:
    return forward_guess(x, c.thread, option);
  case CHOICE_PAUSE:
    return forward_pause(x, c.thread, option);
  }
  return STOP;
}

static enum outcome add_next(struct explorer *x) {
  thread_id t = schedule_next(x);
  int status;
  uint32_t events = 0;
  if (t == NO_THREAD)
    return x->cycles.guesses ? forward_end(x) : end_of_execution(x);
  if (!x->at.ends_only)
    x->at.adds_ends = false;
  else if (!x->at.adds_ends)
    x->at.adds_ends = hooks_wants_whole(x, 1);
  return x->at.ends_only && !x->at.adds_ends &&
                 x->hooks.leaves_out_ends(x, &status, &events)
             ? end_before_ends(x, status, events)
             : step_thread(x, t);
}

static void go_on(struct explorer *x, enum outcome now) {
  x->is_complete = x->is_stopped = false;
  while (now != STOP && !x->is_stopped) {
    now = now == GO_ON ? add_next(x) : take_next(x);
    if (now == GO_ON)
      now = hooks_was_added(x);
    if (x->warnings < x->vm->warnings.len && error_add_warnings(x) == STOP)
      now = STOP;
    if (x->restart)
      now = STOP;
    if (now == GO_ON)
      now = limits_look(x);
  }
}

void explore_from_root(struct explorer *x) {
  enum outcome now = GO_ON;
  explore_go_to_root(x);
  hooks_begin(x);
  schedule_begin(x);
  if (x->cycles.start)
    now = core_build(x, x->cycles.start);
  if (x->cycles.start && !x->follows.task && !x->cycles.is_scout)
    names_note(x, /*is_core=*/true);
  go_on(x, now);
}

void explore_from_task(struct explorer *x) {
  if (task_branches_off(x))
    go_on(x, GO_BACK);
  else
    explore_from_root(x);
  if (!x->is_complete)
    task_forget_way(x); // who knows where it was left
}

// What was found stays found, the rest is counted anew.
static void forget_counts(struct explore_result *r) {
  struct explore_result kept = {
      .asymmetry = r->asymmetry,
      .co_counts = r->co_counts,
      .findings = {r->findings.at, r->findings.len, r->findings.cap}};
  *r = kept;
}

// All that was told is told again.
static void take_back(struct explorer *x) {
  if (!x->observer.on_begin_again)
    return;
  x->observer.on_begin_again(x->observer.arg);
  x->result.findings.len = x->warnings = 0;
}

// Threads go through other states from now on.
static void forget_states(struct explorer *x) {
  struct graph *g = &x->g;
  explore_go_to_root(x);
  vm_forget(x->vm);
  hooks_forget_states(x);
  struct event *start = &g->events[graph_at(g, 0, 0)];
  start->state = vm_main(x->vm);
  graph_set_state(g, 0, start->state);
  x->vm_root = vm_mark(x->vm);
}

void explore_restart(struct explorer *x) {
  unsigned why = x->restart;
  hooks_restart(x, why);
  if ((why & RESTART_MEMORY) || x->observer.on_execution)
    take_back(x);
  if (why & RESTART_STATES) {
    forget_states(x);
    x->cycles.has_race = x->cycles.has_vain_races = false;
  }
  x->fills.len = 0;
  x->restart = 0;
  names_forget(x);
  forget_counts(&x->result);
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
  if (explore_is_cut(r))
    return r->cut;
  if (r->stale_cuts)
    return "--read-bound";
  if (r->bound[0])
    return r->bound;
  if (r->leaves_buffering)
    return "load buffering is not all explored where accesses have different "
           "size, or a select decides on what an access depends";
  if (r->leaves_rounds & LEAVES_BUFFERED)
    return "a loop that waits may do something else in a round when a load is "
           "buffered; --unroll N explores its rounds";
  if (r->leaves_rounds & LEAVES_DEPENDENCIES)
    return "what follows a loop that waits may depend on fewer loads behind a "
           "round; --unroll N explores its rounds";
  if (r->leaves_rounds & LEAVES_SECTIONS)
    return "a loop that waits ends a section of RCU in a round and begins "
           "another one; --unroll N explores its rounds";
  if (r->leaves_flags)
    return "flags of the model may be about rounds of a loop that waits";
  if (r->sampled[0])
    return r->sampled;
  return r->executions || has_error(r) ? NULL : "vacuous";
}

enum verdict explore_verdict(const struct explore_result *r) {
  if (has_error(r))
    return VERDICT_ERROR;
  return explore_limit(r) ? VERDICT_INCOMPLETE : VERDICT_OK;
}

static bool has_shared_thread_locals(const struct prog *p) {
  for (uint32_t i = 0; i < p->globals.len; i++)
    if (p->globals.at[i].is_thread_local && !p->globals.at[i].is_private)
      return true;
  return false;
}

struct assumptions explorer_learned(const struct explorer *x) {
  struct assumptions a = {.refuted = x->refuted,
                          .gave_up = x->cycles.gave_up,
                          .in_pieces = x->config.model_options.in_pieces,
                          .asks_clocks = x->asks_clocks,
                          .spares_time = x->spares_time,
                          .has_race = x->cycles.has_race,
                          .has_detours = x->config.model->justifier &&
                                         x->cycles.has_detours};
  cells_tell(x, &a);
  hooks_tell(x, &a);
  return a;
}

struct explorer *explorer_new(const struct prog *p, struct vm *vm,
                              const struct explore_config *config) {
  struct explorer *x = xcalloc(1, sizeof *x);
  x->prog = p;
  x->vm = vm;
  x->config = config->options;
  x->limits = config->limits;
  x->observer = config->observer;
  x->team = config->team;
  x->assumed = config->assumed;
  if (x->assumed) {
    x->refuted = x->assumed->refuted;
    x->cycles.gave_up = x->assumed->gave_up;
    x->asks_clocks = x->assumed->asks_clocks;
    x->cycles.has_race = x->assumed->has_race;
    x->cycles.has_detours = x->assumed->has_detours;
  }
  // What a scout finds does not let the search begin again.
  x->asks_clocks |= p->has_clocks && model_guesses(x->config.model);
  limits_start(x);
  graph_init(&x->g);
  x->g.transient_states = vm_first_transient(vm);
  x->g.coherence = x->config.model->coherence;
  x->tracks = x->config.model->tracks_dependencies;
  if (x->tracks)
    graph_track_deps(&x->g, vm_sets(vm));
  x->g.plain_syncs = x->config.model->plain_syncs;
  x->g.skips_noret = x->config.model->skips_noret;
  x->promises =
      x->tracks && (!x->config.model->guesses_cores || x->cycles.gave_up);
  x->memory.has_thread_locals = has_shared_thread_locals(x->prog);
  if (x->assumed) {
    x->config.model_options.in_pieces |= x->assumed->in_pieces;
    cells_take(x, x->assumed);
  }
  hooks_init(x);
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
  hooks_done(x);
  for (uint32_t i = 0; i < x->memory.object_locs.len; i++)
    array_done(&x->memory.object_locs.at[i]);
  array_done(&x->memory.object_locs);
  free(x->memory.writes);
  array_done(&x->memory.thread_locs);
  array_done(&x->cells);
  array_done(&x->fills);
  array_done(&x->looked);
  array_done(&x->choices);
  array_done(&x->memory.lost);
  array_done(&x->options);
  array_done(&x->path);
  task_forget_way(x);
  array_done(&x->follows.way);
  array_done(&x->follows.kept);
  cores_drop(&x->cycles.found);
  array_done(&x->threads);
  array_done(&x->cycles.guessed);
  array_done(&x->cycles.marks);
  array_done(&x->cycles.pauses);
  names_forget(x);
  detours_free(x);
  array_done(&x->result.findings);
  explore_forget_order(x);
  graph_done(&x->g);
  free(x);
}

const struct explore_result *explorer_result(const struct explorer *x) {
  return &x->result;
}

bool explorer_begins_again(const struct explorer *x) {
  return x->restart;
}

void explorer_stop(struct explorer *x) {
  x->is_stopped = true;
}

void explorer_leave(struct explorer *x, bool is_leaving) {
  x->is_leaving = is_leaving;
}

bool explorer_is_leaving(const struct explorer *x) {
  return x->is_leaving;
}
