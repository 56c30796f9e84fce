// SPDX-License-Identifier: MIT
// Dependencies of events, for models that track them. The vm has an automaton
// for them (vm/deps.h); it is stepped here along each thread, as late as
// possible: who never asks never pays.
#include "explore/internal.h"

// What vm_step was given after the event.
static uint64_t yielded(const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
  case EV_JOIN:
  case EV_CHOICE:
    return e->value;
  case EV_SPAWN:
    return e->loc;
  default:
    return 0;
  }
}

// Goes on from state s to `goal`, over questions about the graph, which left no
// event. What was answered is found by trying.
static bool pass_questions(struct explorer *x, deps_id *d, state_id s,
                           state_id goal) {
  static const uint64_t sizes[] = {0, 1, 2, 4, 8, 16};
  if (s == goal)
    return true;
  if (!s)
    return false;
  const struct access a = *vm_access(x->vm, s);
  if (a.flags & ACCF_WEAK && a.kind == ACC_CAS_READ &&
      vm_weak(x->vm, s) == goal)
    return true; // the same thread; only what it does next is another thing
  uint64_t size = 0;
  unsigned n = 0;
  if (a.kind == ACC_OBJECT_SIZE) {
    event_id alloc = x->g.objects.at[a.object].alloc;
    size = alloc == NO_EVENT ? 0 : x->g.events[alloc].value;
    n = 1;
  } else if (a.kind == ACC_CELL_SIZE) {
    n = sizeof sizes / sizeof *sizes;
  }
  for (unsigned i = 0; i < n; i++) {
    uint64_t answer = a.kind == ACC_OBJECT_SIZE ? size : sizes[i];
    deps_id after = vm_deps_step(x->vm, *d, s, answer, false, 0);
    if (pass_questions(x, &after, vm_step(x->vm, s, answer), goal)) {
      *d = after;
      return true;
    }
  }
  return false;
}

// The dependencies of what follows event `id` of its thread, which is in state
// `pre` then. False: the thread does not get there.
static bool after(struct explorer *x, event_id id, state_id pre,
                  struct event_deps *ret) {
  const struct event *e = &x->g.events[id];
  struct event_deps next = {0};
  state_id s = e->state;
  undef_id undef = explore_undef_of(x->vm, &x->g, e);
  uint64_t value = yielded(e);
  if (e->kind == EV_START) {
    next.state = vm_deps_first(x->vm);
  } else {
    next.state = vm_deps_step(x->vm, x->g.deps[id].state, e->pre, value, undef,
                              e->index);
    s = vm_step_undef(x->vm, e->pre, value, undef);
  }
  if (!pass_questions(x, &next.state, s, pre))
    return false;
  struct deps d = vm_deps(x->vm, next.state);
  next.addr = d.addr;
  next.data = d.data;
  next.ctrl = x->config.model->has_guards ? d.ctrl : d.after;
  next.after = d.after;
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
