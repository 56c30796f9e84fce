// SPDX-License-Identifier: MIT
// One step of a thread: its pending access becomes an event. A read may have
// several sources (read.c), a write several places in co and reads to revisit
// (write.c); what coherence and atomicity allow is worked out there, for all
// models alike, and the model then judges each candidate. Here are the events
// without a choice.
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

#include <stdio.h>

static state_id state_of(const struct explorer *x, thread_id t) {
  return x->g.threads[t].state;
}

static const struct access *access_of(const struct explorer *x, thread_id t) {
  return vm_access(x->vm, state_of(x, t));
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

static enum outcome refuse_thread(struct explorer *x, thread_id t) {
  struct finding at = error_of_thread(x, FIND_UNSUPPORTED, t);
  x->result.limit = LIMIT_OF_THREADS;
  if (at.site != NO_SITE)
    snprintf(x->result.detail, sizeof x->result.detail,
             "thread %u has created %u threads, and creates one more at %s:%u. "
             "Two or three threads show nearly every bug, and 63 could not be "
             "explored: give the program fewer",
             t, x->g.threads[t].spawns,
             prog_text(x->prog, x->prog->source.at[at.site].file),
             x->prog->source.at[at.site].line);
  return STOP;
}

static enum outcome step_spawn(struct explorer *x, thread_id t) {
  thread_id child = child_id(x, t);
  if (child >= MAX_THREADS)
    return refuse_thread(x, t);
  graph_need_threads(&x->g, child + 1);
  check(!graph_thread_length(&x->g, child));
  state_id first = vm_spawned(x->vm, state_of(x, t), child);
  event_add_plain(x, t, EV_SPAWN, child, NO_EVENT, child);
  graph_add(&x->g, (struct event){.kind = EV_START,
                                  .thread = (uint8_t)child,
                                  .rf = x->g.last,
                                  .state = first});
  return hooks_started(x, child);
}

static enum outcome step_join(struct explorer *x, thread_id t) {
  uint32_t child = (uint32_t)access_of(x, t)->value;
  event_id end = graph_tail(&x->g, child);
  check(x->g.events[end].kind == EV_END);
  event_add_plain(x, t, EV_JOIN, child, end, x->g.events[end].value);
  return GO_ON;
}

static void note_look(struct explorer *x) {
  x->result.asks_clocks = true;
  if (!x->asks_clocks && x->spares_time)
    x->restart |= RESTART;
  x->asks_clocks = true;
  if (x->cycles.guesses)
    times_note_guessed(x, x->g.last);
}

static enum outcome step_query(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  uint64_t answer;
  if (a->kind != ACC_CELL_SIZE)
    answer = event_answer(x, t, state_of(x, t));
  else if (!memory_answer(x, t, a, &answer))
    return STOP;
  event_add_value(x, t, EV_ANSWER, answer);
  if (event_is_look(x, x->g.last))
    note_look(x);
  return GO_ON;
}

static enum outcome step_free(struct explorer *x, thread_id t) {
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
  return o == GO_ON && x->met.stop && explore_leaves(x, NO_EVENT, LEAVE_ENDED)
             ? GO_BACK
             : o;
}

// What concerns an object or a thread, if that can be.
static enum outcome step_use(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  if (misuse_is_next(x, t))
    return misuse_report(x, t);
  return a->kind == ACC_FREE   ? step_free(x, t)
         : a->kind == ACC_JOIN ? step_join(x, t)
         : a->kind == ACC_DETACH
             ? step_plain(x, t, EV_DETACH, (uint32_t)a->value)
             : step_query(x, t);
}

enum outcome step_error(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  struct finding f = error_of_thread(x, (enum finding_kind)a->value, t);
  snprintf(f.message, sizeof f.message, "%s", vm_text(x->vm, a->value2));
  return error_add_last(x, f);
}

enum outcome step_thread(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  if (hooks_cuts(x, t))
    return GO_ON; // without this thread
  if (pause_passes(x, state_of(x, t))) {
    event_id tail = graph_tail(&x->g, t);
    graph_set_end(&x->g, tail, x->g.events[tail].flags,
                  event_behind_assertions(x, state_of(x, t)));
    return GO_ON;
  }
  if (x->cycles.guesses && forward_asks(x, t))
    return forward_ask(x, t);
  if (hooks_refutes(x, t))
    return STOP;
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
    advance_tell(x, x->g.last);
    return GO_ON;
  case ACC_ALLOC:
    graph_need_object(&x->g, a->object);
    return step_plain(x, t, EV_ALLOC, a->object);
  case ACC_FREE:
  case ACC_OBJECT_SIZE:
  case ACC_JOIN:
  case ACC_DETACH:
    return step_use(x, t);
  case ACC_CELL_SIZE:
  case ACC_CLOCK:
    return step_query(x, t);
  case ACC_SPAWN:
    return step_spawn(x, t);
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
  case ACC_CUT:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "a thread that cannot run was scheduled");
}
