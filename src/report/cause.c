// SPDX-License-Identifier: MIT
// Which reads and writes led to a finding. The vm can say from which earlier
// events of its thread a value was computed and on which ones a branch was
// taken (vm/deps.h). So: the reads that the failing check looked at, the
// writes they took their values from, what those were computed from and the
// branch that led to them, and so on back to the beginning.
//
// This runs once, for the execution that is shown, whatever the model. When a
// thread is too long for it, nothing is said about that thread.
#include "report/view.h"

#include "vm/deps.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 4000 }; // of a thread: sets of branches grow with it

struct thread_deps {
  bool is_known, is_tried;
  struct deps *at; // by index; valid when is_known
  struct deps end; // of what the thread is about to do
  bool has_end;
};

struct search {
  struct view *v;
  struct vm *vm;
  const struct graph *g;
  const uint32_t *view_of;
  struct thread_deps *threads;
  ARRAY(uint32_t) todo; // events of the view
};

// -- dependencies along a thread

// Is a thread in state s where its next event begins, or where it ends? A weak
// compare-exchange chooses first; it is the same thread.
static bool is_at(struct vm *vm, state_id s, state_id goal) {
  return s == goal ||
         (cas_may_choose(vm_access(vm, s)) && vm_weak(vm, s) == goal);
}

// Steps over event `e`; false when the thread does not come to state `goal`.
static bool pass_event(struct search *s, deps_id *d, const struct event *e,
                       state_id goal) {
  if (e->kind == EV_START)
    return is_at(s->vm, e->state, goal);
  undef_id undef = explore_undef_of(s->vm, s->g, e);
  uint64_t value = event_yield(e);
  *d = vm_deps_step(s->vm, *d, e->pre, value, undef, e->index);
  return is_at(s->vm, vm_step_undef(s->vm, e->pre, value, undef), goal);
}

static void follow(struct search *s, unsigned t, struct thread_deps *th) {
  uint32_t n = graph_thread_length(s->g, t);
  th->is_tried = true;
  if (n == 0 || n > MOST_EVENTS)
    return;
  th->at = xcalloc(n, sizeof *th->at);
  deps_id d = vm_deps_observing(s->vm);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = graph_event(s->g, graph_at(s->g, t, i));
    bool is_last = i + 1 == n;
    if (i)
      th->at[i] = vm_deps(s->vm, d);
    state_id goal = is_last ? s->g->threads[t].state
                            : graph_event(s->g, graph_at(s->g, t, i + 1))->pre;
    if (is_last && (!goal || e->kind == EV_END))
      break;
    if (!pass_event(s, &d, e, goal))
      return;
    th->has_end = is_last;
  }
  th->end = vm_deps(s->vm, d);
  th->is_known = true;
}

// NULL when they are not known.
static const struct thread_deps *deps_of(struct search *s, unsigned t) {
  struct thread_deps *th = &s->threads[t];
  if (!th->is_tried)
    follow(s, t, th);
  return th->is_known ? th : NULL;
}

// -- the causes

// Which function a virtual call comes to is no news, nor is what a thread was
// given when it began.
static bool is_news(const struct view_event *e) {
  return !event_is_of_table(e) && !event_is_capture(e);
}

static void add(struct search *s, uint32_t e) {
  if (e >= s->v->events.len || s->v->events.at[e].matters ||
      !is_news(&s->v->events.at[e]))
    return;
  s->v->events.at[e].matters = true;
  array_push(&s->todo, e);
}

// Adds the reads of thread t in `set` that are not in `known`.
static void add_reads(struct search *s, unsigned t, set_id set, set_id known) {
  const struct sets *sets = vm_sets(s->vm);
  for (uint32_t i = 0; i < set_len(sets, set); i++) {
    uint32_t index = set_at(sets, set, i);
    if (set_contains(sets, known, index))
      continue;
    event_id id = graph_at(s->g, t, index);
    if (graph_event(s->g, id)->kind == EV_READ)
      add(s, s->view_of[id]);
  }
}

// Is it in no line of the program, or what C++ and Rust do to begin the program
// or a thread?
static bool is_of_start(const struct view_event *e) {
  return !e->place.line || (e->is_inside && !*e->call) ||
         strncmp(e->call, "std::thread::", 13) == 0 ||
         strncmp(e->call, "std::rt::", 9) == 0;
}

static bool is_of_program(const struct search *s, uint32_t e) {
  const struct view_event *ev = &s->v->events.at[e];
  return ev->kind == EV_READ && !(ev->flags & EVF_LOCK) && is_news(ev) &&
         !is_of_start(ev) && !event_is_of_library(s->v, e);
}

// Reads on which a branch was taken: those of `set` that are not in `known`.
struct branch {
  set_id set, known;
};

// The n-th of its reads in the view; VIEW_NOTHING: none, or not the program's.
static uint32_t read_of(const struct search *s, unsigned t, struct branch b,
                        uint32_t n) {
  uint32_t index = set_at(vm_sets(s->vm), b.set, n);
  uint32_t e = s->view_of[graph_at(s->g, t, index)];
  bool is_read = e < s->v->events.len && is_of_program(s, e) &&
                 !set_contains(vm_sets(s->vm), b.known, index);
  return is_read ? e : VIEW_NOTHING;
}

static bool is_of_reads(const struct search *s, unsigned t, struct branch b) {
  for (uint32_t i = 0; i < set_len(vm_sets(s->vm), b.set); i++)
    if (read_of(s, t, b, i) != VIEW_NOTHING)
      return true;
  return false;
}

// The newest branch of the program before an event (or the end of the thread),
// behind all those in `after`, decided that it happens; older ones have led to
// that branch, or to nothing.
static struct branch branch_before(const struct search *s, unsigned t,
                                   const struct thread_deps *th, uint32_t index,
                                   set_id after) {
  struct branch b = {.set = after};
  for (uint32_t i = index; i-- > 0;) {
    b.known = th->at[i].after;
    if (b.known != b.set && is_of_reads(s, t, b))
      return b;
    b.set = b.known;
  }
  return (struct branch){0};
}

static struct branch newest_branch(const struct search *s, unsigned t,
                                   const struct thread_deps *th,
                                   uint32_t index) {
  return branch_before(s, t, th, index, th->at[index].after);
}

static void add_branch(struct search *s, unsigned t, struct branch b) {
  for (uint32_t i = 0; i < set_len(vm_sets(s->vm), b.set); i++)
    add(s, read_of(s, t, b, i)); // which knows nothing of VIEW_NOTHING
}

static void add_sources(struct search *s, uint32_t at) {
  const struct view_event *e = &s->v->events.at[at];
  if (e->kind == EV_READ) {
    add(s, e->rf);
    return;
  }
  const struct thread_deps *th = deps_of(s, e->thread);
  if (!th || e->kind != EV_WRITE || e->index == 0)
    return;
  add_reads(s, e->thread, th->at[e->index].data, 0);
  add_branch(s, e->thread, newest_branch(s, e->thread, th, e->index));
}

static bool is_in_line_of_end(const struct view_thread *th,
                              const struct view_event *e) {
  return e->place.line == th->at.line &&
         strcmp(e->place.file, th->at.file) == 0;
}

// A condition of several parts branches between its reads; they all stand in
// the line of the check, at the end of the thread.
static void add_reads_of_line(struct search *s, const struct view_thread *th) {
  for (uint32_t i = th->count; i-- > 0;) {
    const struct view_event *e = &s->v->events.at[th->first + i];
    if (!is_in_line_of_end(th, e))
      break;
    if (e->kind == EV_READ)
      add(s, th->first + i);
  }
}

static const struct view_thread *view_thread_of(const struct view *v,
                                                unsigned t) {
  for (uint32_t i = 0; i < v->threads.len; i++)
    if (v->threads.at[i].id == t)
      return &v->threads.at[i];
  return NULL;
}

// The branch that led to each of the reads that the check looks at. Those of
// the check's own condition may look at what was read before its line.
static void add_branches(struct search *s, const struct thread_deps *deps) {
  for (uint32_t i = s->todo.len; i-- > 0;) {
    const struct view_event *e = &s->v->events.at[s->todo.at[i]];
    if (!e->index)
      continue;
    add_reads(s, e->thread, deps->at[e->index].after,
              deps->at[e->index - 1].after);
    add_reads(s, e->thread, deps->at[e->index].observed, 0);
  }
}

// Of a deadlock, who has the locks that threads wait for is the cause.
static void add_holders(struct search *s) {
  for (uint32_t i = 0; i < s->v->threads.len; i++) {
    const struct view_thread *th = &s->v->threads.at[i];
    const struct view_event *last = &s->v->events.at[th->first + th->count - 1];
    if (th->end == END_LOCK && last->rf < s->v->events.len)
      s->v->events.at[last->rf].matters = true;
  }
}

static bool is_between_two(enum finding_kind k) {
  return k == FIND_RACE || k == FIND_FREE_RACE || k == FIND_ALLOC_RACE ||
         k == FIND_USE_AFTER_FREE || k == FIND_DOUBLE_FREE;
}

// The write of another thread that comes next after what the read has read.
static uint32_t missed_by(const struct view *v, uint32_t read) {
  const struct view_event *r = &v->events.at[read];
  for (uint32_t e = 0; e < v->events.len; e++) {
    const struct view_event *w = &v->events.at[e];
    if (w->kind == EV_WRITE && w->loc == r->loc && w->co_before == r->rf)
      return w->thread == r->thread ? VIEW_NOTHING : e;
  }
  return VIEW_NOTHING;
}

// Of a race the two accesses say it all, but for how a thread came to its own:
// what the newest branch before it read from another thread has not ordered
// them, or it should have read what that had written. Where this came from is
// not followed.
static void add_signal(struct search *s, event_id id) {
  const struct event *e = id == NO_EVENT ? NULL : graph_event(s->g, id);
  const struct thread_deps *th = e ? deps_of(s, e->thread) : NULL;
  if (!th)
    return;
  struct view_event *at = s->v->events.at;
  struct branch b = newest_branch(s, e->thread, th, e->index);
  for (uint32_t i = 0; i < set_len(vm_sets(s->vm), b.set); i++) {
    uint32_t read = read_of(s, e->thread, b, i);
    if (read == VIEW_NOTHING || at[read].order == ORD_NA)
      continue;
    uint32_t from = at[read].rf, missed = VIEW_NOTHING;
    if (from == VIEW_INIT || at[from].thread == 0)
      missed = missed_by(s->v, read);
    else if (at[from].thread == e->thread)
      continue;
    if (from < s->v->events.len)
      at[read].matters = at[from].matters = true;
    if (missed < s->v->events.len)
      at[read].matters = at[missed].matters = true;
  }
}

// The branch of the program that led to a throw, before what the library looks
// at to throw, or to a panic.
static struct branch branch_to_end(const struct search *s,
                                   const struct view_thread *th,
                                   const struct thread_deps *deps,
                                   enum finding_kind kind) {
  uint32_t n = th->count;
  set_id after = deps->end.after;
  while (kind == FIND_EXCEPTION && n) {
    const struct view_event *e = &s->v->events.at[th->first + n - 1];
    if (!is_in_line_of_end(th, e) || (e->kind == EV_READ && !*e->call))
      break;
    after = deps->at[--n].after;
  }
  return branch_before(s, th->id, deps, n, after);
}

// Where the search for causes begins.
static void add_roots(struct search *s, const struct finding *f) {
  const struct view_thread *th = view_thread_of(s->v, f->thread);
  if (f->kind == FIND_DEADLOCK)
    add_holders(s);
  if (!th || f->kind == FIND_LEAK || f->kind == FIND_DEADLOCK)
    return;
  const struct thread_deps *deps = deps_of(s, th->id);
  if (f->event != NO_EVENT) {
    const struct event *e = graph_event(s->g, f->event);
    if (is_between_two(f->kind)) {
      add_signal(s, f->event);
      add_signal(s, f->other);
    }
    if (f->kind != FIND_RACE && deps && e->thread == th->id) {
      // The pointer is what one wants to know about.
      add_reads(s, th->id, deps->at[e->index].addr, 0);
      if (e->kind == EV_FREE)
        add_reads(s, th->id, deps->at[e->index].data, 0);
    }
    return;
  }
  if (th->end != END_ERROR)
    return;
  if (f->kind == FIND_EXCEPTION || f->kind == FIND_PANIC) {
    if (deps && deps->has_end)
      add_branch(s, th->id, branch_to_end(s, th, deps, f->kind));
    return;
  }
  bool is_known = deps && deps->has_end;
  // What else the line of a bad pointer reads is not what led to it.
  if (f->kind == FIND_ASSERTION || !is_known || !deps->end.data)
    add_reads_of_line(s, th);
  if (!is_known)
    return;
  add_reads(s, th->id, deps->end.addr, 0);
  add_reads(s, th->id, deps->end.data, 0);
  add_reads(s, th->id, deps->end.after, deps->at[th->count - 1].after);
  add_branches(s, deps);
}

void view_find_causes(struct view *v, struct vm *vm, const struct graph *g,
                      const struct finding *f, const uint32_t *view_of) {
  struct search s = {.v = v, .vm = vm, .g = g, .view_of = view_of};
  if (f->thread >= g->nthreads)
    return;
  s.threads = xcalloc(g->nthreads, sizeof *s.threads);
  add_roots(&s, f);
  while (s.todo.len)
    add_sources(&s, array_pop(&s.todo));
  for (unsigned t = 0; t < g->nthreads; t++)
    free(s.threads[t].at);
  free(s.threads);
  array_done(&s.todo);
}
