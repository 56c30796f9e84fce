// SPDX-License-Identifier: MIT
// No thread can run: the execution is complete or blocked, and counts if the
// model allows it. Errors that had to wait for that are reported.
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"

// Errors that were put off until the graph is complete.
static enum outcome report_errors(struct explorer *x) {
  enum outcome o = GO_ON;
  for (thread_id t = 0; t < x->g.nthreads && o != STOP; t++) {
    state_id s = x->g.threads[t].state;
    if (s && vm_access(x->vm, s)->kind == ACC_ERROR)
      o = step_error(x, t);
    else if (s && misuse_is_next(x, t))
      o = misuse_report(x, t);
  }
  if (o != STOP && x->config.model_options.c11_release_sequences)
    o = race_check_at_end(x);
  if (o != STOP && x->put_off.has_errors)
    o = inspect_all(x);
  return o;
}

static void note_cut_of(struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct access *a = s ? vm_access(x->vm, s) : NULL;
  if (a && a->kind == ACC_CUT)
    error_note_cut(x, vm_text(x->vm, a->value));
}

// Is there an access in pieces that has not become whole (write.c)?
static bool has_late_piece(const struct graph *g) {
  for (thread_id t = 0; t < g->nthreads; t++) {
    uint32_t n = graph_thread_length(g, t);
    if (n && event_stops(&g->events[graph_at(g, t, n - 1)]))
      return true;
  }
  return false;
}

// Events that are not judged when they are added may matter to a model from a
// file.
bool end_is_execution(struct explorer *x) {
  const struct search_options *c = &x->config;
  if (c->model_options.in_pieces && has_late_piece(&x->g))
    return false;
  if (!event_outcomes_are_right(x))
    return false;
  bool waits = c->model_options.c11_release_sequences &&
               (c->model->text || model_sequences_differ(&x->g));
  bool filters = waits || c->model->filters;
  bool in_pieces = c->model_options.in_pieces;
  if (x->tracks && c->model->text &&
      (filters || in_pieces || c->model->needs_deps(&x->g, x->g.last)))
    deps_fill(x);
  if (filters)
    return model_completes(c->model, &x->g, &c->model_options);
  if (!c->model->text)
    return true;
  // (The judge takes each piece for an access.)
  return in_pieces ? model_allows(c->model, &x->g, &c->model_options)
                   : c->model->judge(c->model, &x->g, &c->model_options);
}

// How the threads have ended.
struct ends {
  bool all;        // of them
  bool exited;     // one by exit()
  int status;      // that of exit(), else what main returned
  uint32_t events; // that are left out
};

static struct ends look_at_ends(struct explorer *x) {
  struct ends ends = {.all = true};
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (!graph_thread_length(&x->g, t))
      continue;
    const struct event *last = graph_event(&x->g, graph_tail(&x->g, t));
    if (last->kind == EV_END) {
      bool exits = last->flags & EVF_EXIT;
      ends.exited |= exits;
      if (t == 0 || exits)
        ends.status = (int)last->value;
      continue;
    }
    ends.all = false;
    note_cut_of(x, t);
  }
  return ends;
}

static void note_status(struct explore_result *r, int status) {
  if (status && !r->failures++)
    r->exit_status = status;
}

static void add_many(uint64_t *sum, uint64_t n) {
  if (__builtin_add_overflow(*sum, n, sum))
    *sum = UINT64_MAX;
}

static bool stops_blocked(struct explorer *x) {
  return blocked_check(x) == STOP;
}

static bool stops_leaking(struct explorer *x) {
  return leak_check(x) == STOP;
}

static bool only_waits(struct explorer *x) {
  return blocked_only_waits(x);
}

// Is it so? What depends on co is asked of all that there may be, where co does
// not count.
static bool asks(struct explorer *x, enum depends_on what,
                 bool (*is_so)(struct explorer *x)) {
  return explore_ignores_co(x) ? x->hooks.asks_each_co(x, what, is_so)
                               : is_so(x);
}

static void show(struct explorer *x, bool is_blocked) {
  if (x->tracks)
    deps_fill(x);
  x->observer.on_execution(x->observer.arg, x->vm, &x->g, is_blocked);
}

static enum outcome count(struct explorer *x, const struct ends *ends,
                          bool is_blocked) {
  if (x->g.live + ends->events > x->result.max_graph)
    x->result.max_graph = x->g.live + ends->events;
  if (is_blocked
          ? asks(x, WAITS_DEPEND, stops_blocked)
          : ends->all && !ends->exited && !x->config.disabled[FIND_LEAK] &&
                asks(x, MEMORY_DEPENDS, stops_leaking))
    return STOP;
  if (!explore_shows(x, &x->g) || (!is_blocked && hooks_counts_elsewhere(x)))
    return GO_BACK;
  if (x->config.replay && x->result.findings.len)
    return STOP; // it was shown with its error
  uint64_t times =
      x->hooks.stands_for && !is_blocked ? x->hooks.stands_for(x) : 1;
  check(times);
  if (is_blocked) {
    x->result.blocked++;
  } else {
    x->result.executions++;
    add_many(&x->result.stands_for, times);
    note_status(&x->result, ends->status);
    if (!ends->all && !ends->exited)
      blocked_note_left(x);
  }
  hooks_was_counted(x, is_blocked, times);
  x->result.extensions += x->cycles.start != NULL;
#if HEDDLE_SLOW_CHECKS
  if (x->config.model->justifier && !x->cycles.is_scout && !is_blocked) {
    names_note(x, /*is_core=*/false);
    check(!x->result.duplicates);
  }
#endif
  if (x->observer.on_execution)
    show(x, is_blocked);
  return x->config.replay ? STOP : GO_BACK;
}

// May the graph, to which nothing of interest can be added, be counted?
static enum outcome look_at_whole(struct explorer *x) {
  if (hooks_at_whole(x) == STOP)
    return STOP;
  if ((x->tracks || x->config.model->justifier) && !x->result.leaves_buffering)
    promise_leave_out(x);
  struct closed closed = sections_close(x);
  bool is_execution = end_is_execution(x);
  sections_open(x, &closed);
  return is_execution && !hooks_is_out_of_bounds(x) ? GO_ON : GO_BACK;
}

enum outcome end_before_ends(struct explorer *x, int status, uint32_t events) {
  enum outcome o = look_at_whole(x);
  if (o != GO_ON || !team_may_count(x))
    return o == STOP ? STOP : GO_BACK;
  const struct ends ends = {.all = true, .status = status, .events = events};
  return count(x, &ends, /*is_blocked=*/false);
}

enum outcome end_of_execution(struct explorer *x) {
  enum outcome o = look_at_whole(x);
  if (o != GO_ON)
    return o;
  if (explore_stops_at_end(x) && report_errors(x) == STOP)
    return STOP;
  struct ends ends = look_at_ends(x);
  // When main has returned, or a thread has called exit(), one that waits for
  // ever goes with the program; one that has stopped with something old, or at
  // an assumption, does not.
  bool is_over = ends.all || ((ends.exited || schedule_ends_program(x, 0)) &&
                              asks(x, WAITS_DEPEND, only_waits));
  if (x->config.model->raises && flags_check(x, is_over) == STOP)
    return STOP;
  if (hooks_at_end(x) == STOP)
    return STOP;
  if (!ends.all && hooks_at_wait(x) == STOP)
    return STOP;
  return team_may_count(x) ? count(x, &ends, !is_over) : GO_BACK;
}
