// SPDX-License-Identifier: MIT
// One step of a thread: its pending access becomes an event. A read may have
// several sources (read.c), a write several places in co and reads to revisit
// (write.c); what coherence and atomicity allow is worked out there, for all
// models alike, and the model then judges each candidate. Here are the events
// without a choice.
#include "explore/internal.h"

#include <stdio.h>

static state_id state_of(const struct explorer *x, thread_id t) {
  return x->g.threads[t].state;
}

static const struct access *access_of(const struct explorer *x, thread_id t) {
  return vm_access(x->vm, state_of(x, t));
}

static enum outcome misuse(struct explorer *x, thread_id t, const char *what,
                           const char *whom) {
  struct finding f = error_of_thread(x, FIND_THREAD_MISUSE, t);
  snprintf(f.message, sizeof f.message, "%s%s", what, whom);
  return error_add_last(x, f);
}

static thread_id find_child(const struct explorer *x, struct child c) {
  for (thread_id t = 1; t < x->threads.len; t++)
    if (x->threads.at[t].parent == c.parent && x->threads.at[t].nth == c.nth)
      return t;
  return NO_THREAD;
}

// The number of the thread that `parent` is about to create.
static thread_id child_id(struct explorer *x, thread_id parent) {
  struct child c = {parent, x->g.threads[parent].spawns};
  if (find_child(x, c) == NO_THREAD)
    team_learn_thread(x, c);
  return find_child(x, c);
}

static enum outcome step_spawn(struct explorer *x, thread_id t) {
  thread_id child = child_id(x, t);
  if (child >= MAX_THREADS) {
    x->result.limit = "63 threads";
    return STOP;
  }
  graph_need_threads(&x->g, child + 1);
  state_id first = vm_spawned(x->vm, state_of(x, t), child);
  event_add_plain(x, t, EV_SPAWN, child, NO_EVENT, child);
  graph_add(&x->g, (struct event){.kind = EV_START,
                                  .thread = (uint8_t)child,
                                  .rf = x->g.last,
                                  .state = first});
  return x->symmetry.is_on ? symmetry_look_at_start(x, child) : GO_ON;
}

// A thread is joined or detached once. NULL: this one may be; else what is
// wrong.
static const char *why_not_joinable(const struct explorer *x, uint64_t child) {
  if (child >= x->g.nthreads || !graph_thread_length(&x->g, (thread_id)child))
    return "something that is no thread";
  if (x->g.threads[child].join != NO_EVENT)
    return "a thread that was joined already";
  return x->g.threads[child].is_detached ? "a detached thread" : NULL;
}

static enum outcome step_detach(struct explorer *x, thread_id t) {
  uint64_t child = access_of(x, t)->value;
  const char *wrong = why_not_joinable(x, child);
  if (wrong)
    return misuse(x, t, "detach of ", wrong);
  event_add_plain(x, t, EV_DETACH, (uint32_t)child, NO_EVENT, 0);
  return GO_ON;
}

static enum outcome step_join(struct explorer *x, thread_id t) {
  uint64_t child = access_of(x, t)->value;
  if (child == t)
    return misuse(x, t, "a thread joins itself", "");
  const char *wrong = why_not_joinable(x, child);
  if (wrong)
    return misuse(x, t, "join of ", wrong);
  event_id end = graph_tail(&x->g, (thread_id)child);
  event_add_plain(x, t, EV_JOIN, (uint32_t)child, end, x->g.events[end].value);
  return GO_ON;
}

// A question about the graph makes no event: the thread just goes on.
static enum outcome step_query(struct explorer *x, thread_id t) {
  state_id s = state_of(x, t);
  enum outcome o = GO_ON;
  if (vm_access(x->vm, s)->kind == ACC_OBJECT_SIZE)
    o = lifetime_check_before_free(x, t);
  if (o != GO_ON)
    return o;
  graph_set_state(&x->g, t, event_answer(x, s));
  x->has_asked = true;
  return GO_ON;
}

static enum outcome step_free(struct explorer *x, thread_id t) {
  enum outcome o = lifetime_check_before_free(x, t);
  if (o != GO_ON)
    return o;
  event_add_plain(x, t, EV_FREE, access_of(x, t)->object, NO_EVENT, 0);
  return lifetime_check_free(x, x->g.last);
}

static enum outcome step_plain(struct explorer *x, thread_id t,
                               enum event_kind kind, uint32_t loc) {
  event_add_plain(x, t, kind, loc, NO_EVENT, 0);
  return GO_ON;
}

static enum outcome step_end(struct explorer *x, thread_id t) {
  event_add_end(x, t, 0);
  enum outcome o = lifetime_check_end(x, x->g.last);
  return o == GO_ON && x->has_stopped && silence_ends(x) ? GO_BACK : o;
}

enum outcome step_error(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  struct finding f = error_of_thread(x, (enum finding_kind)a->value, t);
  snprintf(f.message, sizeof f.message, "%s", vm_text(x->vm, a->value2));
  return error_add_last(x, f);
}

enum outcome step_thread(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  if (explore_bounds_loops(x) && unroll_cuts(x, t))
    return GO_ON; // without this thread
  switch ((enum access_kind)a->kind) {
  case ACC_CAS_READ:
    return value_may_fail(x, t) ? value_step_weak(x, t) : read_step(x, t);
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
    return read_step(x, t);
  case ACC_WRITE:
  case ACC_RMW_WRITE:
  case ACC_UNLOCK:
    return write_step(x, t);
  case ACC_FENCE:
    if (fence_has_location(fence_kind_of(a->value)))
      graph_need_loc(&x->g, a->loc);
    event_add_plain(x, t, EV_FENCE, a->loc, NO_EVENT, 0);
    await_look(x, x->g.last);
    return GO_ON;
  case ACC_ALLOC:
    graph_need_object(&x->g, a->object);
    return step_plain(x, t, EV_ALLOC, a->object);
  case ACC_FREE:
    return step_free(x, t);
  case ACC_OBJECT_SIZE:
  case ACC_CELL_SIZE:
    return step_query(x, t);
  case ACC_SPAWN:
    return step_spawn(x, t);
  case ACC_JOIN:
    return step_join(x, t);
  case ACC_DETACH:
    return step_detach(x, t);
  case ACC_CHOOSE:
    return value_step(x, t);
  case ACC_OUTPUT:
    return step_plain(x, t, EV_OUTPUT, 0);
  case ACC_END:
    return step_end(x, t);
  case ACC_EXIT:
    event_add_end(x, t, EVF_EXIT);
    return GO_ON;
  case ACC_ERROR:
    return step_error(x, t);
  case ACC_BLOCK:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "a thread that cannot run was scheduled");
}
