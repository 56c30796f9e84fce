// SPDX-License-Identifier: MIT
// The whole search on one screen: add the next event of the first thread that
// can run; when none can, an execution is complete (or blocked); then go back
// to the newest choice and take its next option. [TruSt, POPL'22, §3] says why
// each execution is met exactly once; revisit.c has the heart of it.
#include "bytecode/writes.h"
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

#include <stdlib.h>
#include <string.h>

void explore_go_to_root(struct explorer *x) {
  graph_undo_to(&x->g, x->root);
  vm_release(x->vm, x->vm_root);
  x->choices.len = x->options.len = x->path.len = 0;
  choice_undo_pauses(x, 0);
  x->core = INIT_EVENT;
}

// Takes the next option of the newest choice.
static enum outcome take_next(struct explorer *x) {
  struct choice c;
  uint32_t option;
  if (x->mode == FOLLOW)
    task_follow(x);
  if (!choice_pop(x, &c, &option)) {
    x->is_complete = true;
    return STOP;
  }
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
    return x->guesses ? forward_end(x) : end_of_execution(x);
  return x->tail.is_next && !livelock_is_next(x) && !rounds_are_next(x) &&
                 tail_is_over(x, &status, &events)
             ? end_without_tail(x, status, events)
             : step_thread(x, t);
}

void explore_from_root(struct explorer *x) {
  enum outcome now = GO_ON;
  explore_go_to_root(x);
  symmetry_forget(x);
  tail_init(x);
  schedule_begin(x);
  leaf_init(x);
  memset(x->loops.kept_at, 0, sizeof x->loops.kept_at);
  x->loops.polling.len = x->leaf_misses.len = 0;
  x->is_complete = x->is_stopped = false;
  if (x->start)
    now = core_build(x, x->start);
  if (x->start && !x->task && !x->is_scout)
    names_note(x, /*is_core=*/true);
  while (now != STOP && !x->is_stopped) {
    now = now == GO_ON ? add_next(x) : take_next(x);
    if (now == GO_ON && x->symmetry.grouped)
      now = symmetry_look(x);
    if (x->warnings < x->vm->warnings.len && error_add_warnings(x) == STOP)
      now = STOP;
    if (x->restart)
      now = STOP;
    if (now == GO_ON)
      now = limits_look(x);
  }
}

// What was found stays found, the rest is counted anew.
static void forget_counts(struct explore_result *r) {
  struct explore_result kept = {
      .asymmetry = r->asymmetry,
      .findings = {r->findings.at, r->findings.len, r->findings.cap}};
  *r = kept;
}

// All that was told is told again.
static void take_back(struct explorer *x) {
  if (!x->config.on_begin_again)
    return;
  x->config.on_begin_again(x->config.arg);
  x->result.findings.len = x->warnings = 0;
}

// Threads go through other states from now on.
static void forget_states(struct explorer *x) {
  struct graph *g = &x->g;
  explore_go_to_root(x);
  vm_forget(x->vm);
  lock_word_forget_states(x);
  struct event *start = &g->events[graph_at(g, 0, 0)];
  start->state = vm_main(x->vm);
  graph_set_state(g, 0, start->state);
  x->vm_root = vm_mark(x->vm);
}

static const char not_proved[] =
    "rounds that take a lock are left out, or all rounds of a loop are made, "
    "or memory is in pieces";

void explore_restart(struct explorer *x) {
  unsigned why = x->restart;
  if ((why & RESTART_UNEQUAL) && x->symmetry.is_on)
    symmetry_refute(x, not_proved);
  if ((why & RESTART_MEMORY) || x->config.on_execution)
    take_back(x);
  if (why & RESTART_STATES) {
    forget_states(x);
    x->has_race = x->has_vain_races = false;
  }
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
  if (r->leaves_buffering)
    return "load buffering with accesses of different size is not explored";
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

// What is known of the program from the beginning. The machine has no states
// yet.
static void take(struct explorer *x, const struct assumptions *a) {
  if (x->symmetry.is_on && assume_refutes_symmetry(a)) {
    symmetry_refute(x, not_proved);
    x->restart = 0;
  }
  x->numbered = a->numbered;
  x->loops.has_own_rounds = a->has_own_rounds;
  x->config.model_options.in_pieces |= a->in_pieces;
  cells_take(x, a);
  lock_word_take(x, a);
}

struct assumptions explorer_learned(const struct explorer *x) {
  struct assumptions a = {.refuted = x->refuted,
                          .asymmetry = x->result.asymmetry,
                          .gave_up = x->gave_up,
                          .in_pieces = x->config.model_options.in_pieces,
                          .has_own_rounds = x->loops.has_own_rounds,
                          .numbered = x->numbered};
  cells_tell(x, &a);
  lock_word_tell(x, &a);
  rollback_tell(x, &a);
  return a;
}

struct explorer *explorer_new(const struct prog *p, struct vm *vm,
                              const struct explore_config *config) {
  struct explorer *x = xcalloc(1, sizeof *x);
  x->prog = p;
  x->vm = vm;
  x->config = *config;
  if (config->assumed) {
    x->refuted = config->assumed->refuted;
    x->gave_up = config->assumed->gave_up;
  }
  symmetry_init(x);
  limits_start(x);
  graph_init(&x->g);
  x->g.transient_states = vm_first_transient(vm);
  x->g.coherence = config->model->coherence;
  x->g.ignores_co = explore_ignores_co(x);
  x->tracks = config->model->tracks_dependencies;
  if (x->tracks)
    graph_track_deps(&x->g, vm_sets(vm));
  x->g.plain_syncs = config->model->plain_syncs;
  x->g.skips_noret = config->model->skips_noret;
  x->loops.writes = prog_find_writes(p);
  x->loops.names_rounds =
      config->names_loops && reduces(config, REDUCE_AWAITS) && prog_polls(p);
  x->promises = x->tracks && (!config->model->guesses_cores || x->gave_up);
  x->cas.are_in = x->promises && cas_choice_is_in(p);
  x->cas.are_open = x->cas.are_in && (!reduces(config, REDUCE_CAS_CHOICE) ||
                                      (x->refuted & REDUCE_CAS_CHOICE));
  x->has_thread_locals = has_shared_thread_locals(x->prog);
  rollback_begin(x);
  if (config->assumed)
    take(x, config->assumed);
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
  array_done(&x->loops.refreshes);
  array_done(&x->guessed);
  array_done(&x->pauses);
  names_forget(x);
  array_done(&x->rf.old);
  array_done(&x->rf.known);
  array_done(&x->rf.ends);
  rollback_done(x);
  lock_word_done(x);
  symmetry_done(&x->symmetry);
  array_done(&x->tail.known);
  array_done(&x->loops.polling);
  array_done(&x->leaf_misses);
  array_done(&x->result.findings);
  explore_forget_order(x);
  graph_done(&x->g);
  free(x->loops.writes);
  free(x->loops.polls);
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
