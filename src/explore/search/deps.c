// SPDX-License-Identifier: MIT
// Dependencies of events, for models that track them. The vm has an automaton
// for them (vm/deps.h); it is stepped here along each thread, as late as
// possible: who never asks never pays.
#include "explore/search/search.h"

// Does a thread that is in state s begin an event in state `pre`?
static bool begins_in(const struct explorer *x, state_id s, state_id pre) {
  // A weak compare-exchange is the same thread; only what it does is another
  // thing.
  return s == pre || event_pre_of(x, s, EV_CHOICE) == pre;
}

static bool is_of_threads(const struct access *a) {
  return a->kind == ACC_SPAWN || a->kind == ACC_JOIN || a->kind == ACC_END;
}

// The dependencies of what follows event `id` of its thread, which is in state
// `pre` then. False: the thread does not get there.
static bool after(struct explorer *x, event_id id, state_id pre,
                  struct event_deps *ret) {
  const struct event *e = &x->g.events[id];
  struct event_deps next = {0};
  state_id s = e->state;
  undef_id undef = explore_undef_of(x->vm, &x->g, e);
  uint64_t value = event_yield(e);
  if (e->kind == EV_START) {
    next.state = vm_deps_first(x->vm);
  } else {
    next.state = vm_deps_step(x->vm, x->g.deps[id].state, e->pre, value, undef,
                              e->index);
    // Unless it has failed, it went on from where it was.
    if (HEDDLE_SLOW_CHECKS || event_has_stopped(x, e->thread) ||
        !begins_in(x, s, pre))
      s = vm_step_undef(x->vm, e->pre, value, undef);
  }
  for (; event_is_failed_assertion(x, s) && s != pre;
       s = vm_step(x->vm, s, 0)) {
    if (!x->config.model->guesses_cores)
      return false;
    next.state = vm_deps_step(x->vm, next.state, s, 0, UNDEF_NONE, e->index);
  }
  if (!begins_in(x, s, pre))
    return false;
  struct deps d = vm_deps(x->vm, next.state);
  next.addr = d.addr;
  next.data = d.data;
  next.ctrl = x->config.model->has_guards ? d.ctrl : d.after;
  // What a thread is created with, and which one is joined, decides all that
  // follows, as a branch does; what a thread leaves decides what follows a
  // join.
  next.after = is_of_threads(vm_access(x->vm, pre))
                   ? set_union(vm_sets(x->vm), d.after, d.data)
                   : d.after;
  *ret = next;
  return true;
}

static void fill_thread(struct explorer *x, thread_id t) {
  struct graph *g = &x->g;
  struct graph_thread *th = &g->threads[t];
  for (; th->known < graph_thread_length(g, t); th->known++) {
    event_id id = graph_at(g, t, th->known);
    if (!th->known || after(x, graph_at(g, t, th->known - 1), g->events[id].pre,
                            &g->deps[id]))
      continue;
    // What comes behind a failed assertion keeps its dependencies.
    check(event_has_stopped(x, t));
    th->known = graph_thread_length(g, t);
    return;
  }
}

void deps_fill(struct explorer *x) {
  for (thread_id t = 0; t < x->g.nthreads; t++)
    fill_thread(x, t);
}

// May those of the thread be found again? Not what comes behind a failed
// assertion (fill_thread).
static bool can_begin_anew(const struct explorer *x) {
  for (thread_id t = 0; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) && event_has_stopped(x, t))
      return false;
  return true;
}

void deps_trim(struct explorer *x) {
  if (!x->tracks || !vm_deps_are_many(x->vm) || !can_begin_anew(x))
    return;
  vm_deps_forget(x->vm);
  for (thread_id t = 0; t < x->g.nthreads; t++)
    x->g.threads[t].known = 0;
  graph_forget_judge(&x->g); // what it knows of events has numbers of sets
  deps_fill(x);
  vm_deps_settle(x->vm);
}

bool explore_allows_by_definition(struct explorer *x) {
  if (x->tracks)
    deps_fill(x);
  return model_allows(x->config.model, &x->g, &x->config.model_options);
}
