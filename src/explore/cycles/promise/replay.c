// SPDX-License-Identifier: MIT
// Doing again what was done, with other values. Some reads of a graph got other
// sources; their threads run again from there, and so do those that read what
// they write now. Every event must be there as it was, but for its value: only
// then is it the same graph with other sources (promise.c asks that).
#include "explore/cycles/promise/promise.h"

#include "explore/findings/findings.h"

// What a thread is created with, and what it leaves, is as it was: other
// threads have it by other ways than reads.
static bool has_same_operands(const struct access *a, const struct access *b) {
  return a->kind == b->kind && a->value == b->value && a->value2 == b->value2 &&
         a->argument == b->argument && a->flags == b->flags;
}

// Is the access that the thread is about to make the one it made before, but
// for the value?
static bool is_same(const struct vm *vm, const struct access *a,
                    const struct event *e) {
  uint8_t order;
  uint32_t flags;
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    flags = event_read_flags(a, e->value, e->flags & EVF_UNINIT, &order);
    if ((flags & e->flags & EVF_PICK) && a->loc == e->loc)
      return true; // its outcome is another question
    return a->loc == e->loc && order == e->order &&
           ((flags ^ e->flags) & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK)) == 0 &&
           access_reads(a);
  case EV_WRITE:
    return a->loc == e->loc && a->order == e->order &&
           a->kind == (e->flags & EVF_EXCLUSIVE ? ACC_RMW_WRITE
                       : e->flags & EVF_UNLOCK  ? ACC_UNLOCK
                                                : ACC_WRITE);
  case EV_FENCE:
    return a->kind == ACC_FENCE && a->order == e->order && a->value == e->value;
  case EV_ALLOC:
    return a->kind == ACC_ALLOC && a->object == e->loc && a->value == e->value;
  case EV_FREE:
    return a->kind == ACC_FREE && a->object == e->loc;
  case EV_CHOICE:
    return a->kind == ACC_CHOOSE && e->value - a->value <= a->value2 - a->value;
  case EV_OUTPUT:
    return a->kind == ACC_OUTPUT;
  case EV_ANSWER:
    return a->kind == ACC_CELL_SIZE || a->kind == ACC_OBJECT_SIZE ||
           a->kind == ACC_CLOCK;
  case EV_SPAWN:
  case EV_END:
  case EV_JOIN:
  case EV_DETACH:
    return has_same_operands(a, vm_access(vm, e->pre));
  case EV_INIT:
  case EV_START:
    return false; // never done again
  }
  return false;
}

static state_id state_after(struct explorer *x, const struct event *e) {
  if (e->kind == EV_READ)
    return event_state_after_read(x, e);
  return vm_step_undef(x->vm, e->pre, event_yield(e),
                       explore_undef_of(x->vm, &x->g, e));
}

// The event with the value that it has now, and the state that comes of it.
static struct event with_value(struct explorer *x, const struct event *e,
                               state_id pre) {
  const struct access a = *vm_access(x->vm, pre);
  struct event now = *e;
  now.pre = pre;
  if (e->kind == EV_READ) {
    bool is_uninit;
    uint8_t order;
    now.value = event_value_of(x, e->loc, e->rf, &is_uninit);
    now.flags = event_read_flags(&a, now.value, is_uninit, &order) |
                (e->flags & EVF_HANDED);
  }
  if (e->kind == EV_WRITE) {
    now.value = a.value;
    now.flags = ((e->flags & ~(uint32_t)EVF_UNINIT) |
                 (a.flags & ACCF_UNINIT ? EVF_UNINIT : 0));
  }
  if (e->kind == EV_ANSWER && a.kind != ACC_CLOCK) // time stays as it was
    now.value = event_answer(x, e->thread, pre);
  if (e->kind != EV_END)
    now.state = state_after(x, &now);
  return now;
}

static void want_again(struct replay *todo, const struct event *e) {
  if (e->index < todo->from[e->thread])
    todo->from[e->thread] = e->index;
}

static void want_readers(const struct graph *g, struct replay *todo,
                         event_id write) {
  const struct event_list *reads = &g->locs.at[g->events[write].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (r->rf == write && r->thread != g->events[write].thread)
      want_again(todo, r);
  }
}

// The thread stops in state s, but what it did from the event at index i on
// stays as it is.
static void stop_before(struct explorer *x, thread_id t, uint32_t i,
                        state_id s) {
  struct graph *g = &x->g;
  for (; i < graph_thread_length(g, t); i++) {
    struct event e = g->events[graph_at(g, t, i)];
    bool is_uninit;
    if (e.kind == EV_READ)
      e.value = event_value_of(x, e.loc, e.rf, &is_uninit);
    if (i + 1 == graph_thread_length(g, t))
      e.state = s;
    graph_replay(g, graph_at(g, t, i), &e);
  }
  graph_set_state(g, t, s);
}

// Does the event give its thread what it gave before? Of what is not defined,
// in whole or in part, that is not asked.
static bool yields_the_same(const struct explorer *x, const struct event *e) {
  bool is_uninit;
  return e->kind != EV_READ ||
         (event_value_of(x, e->loc, e->rf, &is_uninit) == e->value &&
          !is_uninit && !(e->flags & EVF_UNINIT));
}

// Does a step of thread t again; false: it does something else now.
static bool do_again(struct explorer *x, thread_id t, struct replay *todo) {
  struct graph *g = &x->g;
  // Where a stopped thread has stopped is found again, and what it read behind
  // that is taken anew.
  bool had_stopped = event_has_stopped(x, t);
  uint32_t from = had_stopped ? 1 : todo->from[t];
  state_id s = g->events[graph_at(g, t, from)].pre;
  todo->from[t] = UINT32_MAX;
  graph_rewind(g, t, from);
  for (uint32_t i = from; i < graph_thread_length(g, t); i++) {
    event_id id = graph_at(g, t, i);
    const struct event e = g->events[id];
    state_id pre = i == from ? s : event_pre_of(x, s, e.kind);
    if (pre == e.pre && !had_stopped && yields_the_same(x, &e)) {
      graph_replay(g, id, &e);
      s = e.state;
      continue;
    }
    if (event_is_failed_assertion(x, pre)) {
      stop_before(x, t, i, pre);
      return true;
    }
    if (!pre || !is_same(x->vm, vm_access(x->vm, pre), &e)) {
      if (pre && vm_access(x->vm, pre)->kind == ACC_CUT)
        error_meet_cut(x, vm_access(x->vm, pre));
      return false;
    }
    struct event now = with_value(x, &e, pre);
    if ((now.flags ^ e.flags) & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK)) {
      // What comes after it may still be the same if it is no branch.
      if (now.flags & EVF_PICK)
        cas_choice_differs(x);
      return false;
    }
    graph_replay(g, id, &now);
    if (e.kind == EV_WRITE && (now.value != e.value ||
                               vm_undef(x->vm, pre) != vm_undef(x->vm, e.pre)))
      want_readers(g, todo, id);
    s = now.state;
  }
  graph_set_state(g, t, s);
  return true;
}

bool replay_settle(struct explorer *x, struct replay *todo) {
  // Unless a value depends on itself, each round settles one more event.
  for (uint32_t round = 0; round <= x->g.nevents; round++) {
    bool is_done = true;
    for (thread_id t = 0; t < x->g.nthreads; t++) {
      if (todo->from[t] == UINT32_MAX)
        continue;
      is_done = false;
      if (!do_again(x, t, todo))
        return false;
    }
    if (is_done)
      return true;
  }
  return false;
}

// What comes behind a failed assertion keeps its dependencies, so they have to
// be known; and with other sources they could not be found before all values
// are settled.
struct replay replay_begin(struct explorer *x) {
  struct replay todo;
  deps_fill(x);
  for (unsigned t = 0; t < MAX_THREADS; t++)
    todo.from[t] = UINT32_MAX;
  return todo;
}

void replay_point(struct explorer *x, struct replay *todo, event_id read,
                  event_id write) {
  graph_point(&x->g, read, write);
  want_again(todo, &x->g.events[read]);
}

void replay_warn(struct explorer *x) {
  const struct graph *g = &x->g;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event e = g->events[id];
    if (e.state && e.kind != EV_START)
      state_after(x, &e);
  }
}
