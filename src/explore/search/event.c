// SPDX-License-Identifier: MIT
// What an access becomes: the value that a read gets, the flags and the order
// of an event, and the state in which it finds its thread.
#include "explore/cycles/justify/justify.h"
#include "explore/memory/memory.h"

uint64_t event_value_of(const struct explorer *x, uint32_t loc, event_id write,
                        bool *is_uninit) {
  if (write != INIT_EVENT) {
    const struct event *w = &x->g.events[write];
    *is_uninit = w->flags & EVF_UNINIT;
    return w->value;
  }
  const struct location *l = vm_location(x->vm, loc);
  *is_uninit = !l->is_initialized;
  if (l->object != NO_OBJECT) {
    // A guessed pointer (guess.c) may lead to an object that no graph has had.
    event_id alloc = l->object < x->g.objects.len
                         ? x->g.objects.at[l->object].alloc
                         : NO_EVENT;
    *is_uninit = alloc == NO_EVENT || !(x->g.events[alloc].flags & EVF_ZEROED);
    return 0;
  }
  return l->initial;
}

undef_id explore_undef_of(const struct vm *vm, const struct graph *g,
                          const struct event *e) {
  if (e->kind == EV_READ && (e->flags & EVF_UNINIT))
    return e->rf == INIT_EVENT ? UNDEF_ALL : vm_undef(vm, g->events[e->rf].pre);
  return e->kind == EV_JOIN ? vm_undef(vm, g->events[e->rf].pre) : UNDEF_NONE;
}

// ---- reads

// Is it the read of an update that takes `write`?
static bool takes(const struct graph *g, event_id id, event_id write,
                  event_id me, event_id leaving) {
  const struct event *e = &g->events[id];
  return e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE) && e->rf == write &&
         id != me && id != leaving;
}

#if HEDDLE_SLOW_CHECKS
// Is a thread about to write what follows `write`?
static bool will_be_taken(const struct graph *g, uint32_t loc, event_id write,
                          event_id me, event_id leaving) {
  const struct graph_loc *l = &g->locs.at[loc];
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (takes(g, graph_tail(g, t), write, me, leaving))
      return true;
  }
  return false;
}
#endif

// Has an update taken `write` as its source, other than the reads `me` and
// `leaving`? Its write comes next in co: no thread is in the middle of another
// update, which its thread goes on with before others do anything (schedule.c).
bool event_is_taken(const struct graph *g, uint32_t loc, event_id write,
                    event_id me, event_id leaving) {
  const struct graph_loc *l = &g->locs.at[loc];
  uint32_t next = g->events[write].co + 1;
#if HEDDLE_SLOW_CHECKS
  check(!will_be_taken(g, loc, write, me, leaving));
#endif
  if (next == l->co.len)
    return false;
  const struct event *w = &g->events[l->co.at[next]];
  return (w->flags & EVF_UPDATE) ||
         ((w->flags & EVF_EXCLUSIVE) &&
          takes(g, graph_at(g, w->thread, w->index - 1), write, me, leaving));
}

static bool is_piece_of_update(const struct access *a) {
  uint32_t both = ACCF_PIECE | ACCF_UPDATE;
  return (a->kind == ACC_READ || a->kind == ACC_WRITE) &&
         (a->flags & both) == both;
}

static uint32_t piece_flags(const struct access *a) {
  if (!(a->flags & ACCF_PIECE) || (a->kind != ACC_READ && a->kind != ACC_WRITE))
    return 0;
  return EVF_PIECE | (a->flags & ACCF_NEXT ? EVF_NEXT : 0);
}

uint32_t event_read_flags(const struct access *a, uint64_t value,
                          bool is_uninit, uint8_t *order) {
  *order = a->order;
  if (a->kind == ACC_READ && !a->flags)
    return is_uninit ? EVF_UNINIT : 0; // as usual
  uint32_t flags =
      (is_uninit ? EVF_UNINIT : 0) | (a->flags & ACCF_ISA ? EVF_ISA : 0);
  uint32_t cas = a->flags & ACCF_PICK ? EVF_PICK : EVF_CAS;
  cas |= (a->flags & ACCF_TRYLOCK ? EVF_SPIN : 0) |
         (a->flags & ACCF_NORET ? EVF_NORET : 0);
  switch (a->kind) {
  case ACC_READ:
    return flags | (a->flags & ACCF_LINKED ? EVF_LINKED : 0) | piece_flags(a) |
           (is_piece_of_update(a) ? EVF_CAS : 0) |
           (a->flags & ACCF_FETCH ? EVF_UPDATE : 0) |
           (a->flags & ACCF_NORET ? EVF_NORET : 0) |
           (a->flags & ACCF_SRCU ? EVF_SRCU : 0);
  case ACC_RMW_READ:
    return flags | EVF_EXCLUSIVE | (a->flags & ACCF_NORET ? EVF_NORET : 0);
  case ACC_CAS_READ:
    if (cas_succeeds(a, value))
      return flags | cas | EVF_EXCLUSIVE;
    *order = a->order_fail;
    return flags | cas;
  case ACC_LOCK_READ:
    return flags | EVF_LOCK | (value ? 0 : EVF_EXCLUSIVE);
  case ACC_TAKE:
    return flags | (a->value2 && take_accepts(a, value) ? EVF_EXCLUSIVE : 0);
  default:
    return flags;
  }
}

struct event *event_make_read(struct explorer *x, thread_id t, event_id write) {
  state_id pre = x->g.threads[t].state;
  const struct access *a = vm_access(x->vm, pre);
  struct event *e = graph_next(&x->g);
  *e = (struct event){.kind = EV_READ,
                      .thread = (uint8_t)t,
                      .index = graph_thread_length(&x->g, t),
                      .loc = a->loc,
                      .rf = write,
                      .pre = pre};
  bool is_uninit;
  e->value = event_value_of(x, a->loc, write, &is_uninit);
  e->flags = event_read_flags(a, e->value, is_uninit, &e->order);
  return e;
}

void event_set_source(struct explorer *x, event_id read, event_id write,
                      bool is_handed) {
  state_id pre = x->g.events[read].pre;
  const struct access a = *vm_access(x->vm, pre);
  bool is_uninit;
  uint8_t order;
  uint64_t value = event_value_of(x, a.loc, write, &is_uninit);
  uint32_t flags = event_read_flags(&a, value, is_uninit, &order);
  if (is_handed)
    flags |= EVF_HANDED;
  graph_set_rf(&x->g, read, write, value, order, flags, 0);
}

state_id event_state_after_read(struct explorer *x, const struct event *e) {
  if ((e->flags & EVF_LOCK) && e->value) {
    x->met.wait = true;
    return 0;
  }
  return e->flags & EVF_UNINIT
             ? vm_step_undef(x->vm, e->pre, e->value,
                             explore_undef_of(x->vm, &x->g, e))
             : vm_step(x->vm, e->pre, e->value);
}

// ---- other events

bool event_is_update(const struct explorer *x, thread_id t) {
  return vm_access(x->vm, x->g.threads[t].state)->kind == ACC_RMW_WRITE &&
         !event_is_guess(&x->g.events[graph_tail(&x->g, t)]);
}

// Flags of the write of an update, which may end the taking of a lock.
static uint32_t update_flags(const struct event *read) {
  return (event_is_guess(read) ? 0 : EVF_EXCLUSIVE) |
         (read->flags & (EVF_LOCK | EVF_SPIN) ? EVF_SPIN : 0);
}

static uint32_t write_flags(const struct explorer *x, thread_id t,
                            const struct access *a) {
  uint32_t flags = a->kind == ACC_UNLOCK ? EVF_UNLOCK : 0;
  if (a->kind == ACC_RMW_WRITE)
    flags = update_flags(&x->g.events[graph_tail(&x->g, t)]);
  if (!a->flags)
    return flags;
  return flags | (a->flags & ACCF_UNINIT ? EVF_UNINIT : 0) |
         (a->flags & ACCF_LINKED ? EVF_LINKED : 0) | piece_flags(a) |
         (is_piece_of_update(a) ? EVF_UPDATE : 0) |
         (a->flags & ACCF_ISA ? EVF_ISA : 0) |
         (a->flags & ACCF_PAIR ? EVF_PAIR : 0) |
         (a->kind == ACC_WRITE && (a->flags & ACCF_SRCU) ? EVF_SRCU : 0);
}

event_id event_add_write(struct explorer *x, thread_id t, uint32_t place) {
  state_id pre = x->g.threads[t].state;
  const struct access *a = vm_access(x->vm, pre);
  uint32_t flags = write_flags(x, t, a);
  uint8_t rest = flags & EVF_PIECE ? a->rest : 0;
  x->result.events_added++;
  return graph_add(&x->g, (struct event){.kind = EV_WRITE,
                                         .order = a->order,
                                         .flags = flags,
                                         .thread = (uint8_t)t,
                                         .rest = rest,
                                         .loc = a->loc,
                                         .rf = NO_EVENT,
                                         .value = a->value,
                                         .co = place,
                                         .pre = pre});
}

void event_add_plain(struct explorer *x, thread_id t, enum event_kind kind,
                     uint32_t loc, event_id rf, uint64_t yields) {
  state_id pre = x->g.threads[t].state;
  const struct access a = *vm_access(x->vm, pre);
  uint32_t flags = (uint32_t)((a.flags & ACCF_ZEROED ? EVF_ZEROED : 0) |
                              (a.flags & ACCF_STACK ? EVF_STACK : 0) |
                              (a.flags & ACCF_ISB ? EVF_ISB : 0) |
                              (a.flags & ACCF_STORES ? EVF_STORES : 0));
  struct event e = {.kind = (uint8_t)kind,
                    .order = a.order,
                    .flags = flags,
                    .thread = (uint8_t)t,
                    .loc = loc,
                    .rf = rf,
                    .value = kind == EV_JOIN ? yields : a.value,
                    .pre = pre};
  e.state = kind == EV_JOIN ? vm_step_undef(x->vm, pre, yields,
                                            explore_undef_of(x->vm, &x->g, &e))
                            : vm_step(x->vm, pre, yields);
  graph_add(&x->g, e);
  x->result.events_added += !x->at.ends_only;
}

void event_add_end(struct explorer *x, thread_id t, uint32_t flags) {
  state_id pre = x->g.threads[t].state;
  graph_add(&x->g, (struct event){.kind = EV_END,
                                  .flags = flags,
                                  .thread = (uint8_t)t,
                                  .rf = NO_EVENT,
                                  .value = vm_access(x->vm, pre)->value,
                                  .pre = pre});
  x->result.events_added += !x->at.ends_only;
}

bool event_is_look(const struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  return e->kind == EV_ANSWER && vm_access(x->vm, e->pre)->kind == ACC_CLOCK;
}

// What clocks have said that were asked before, as far as the thread of the
// event can know. That is in po and rf, in which the same comes before an event
// in each graph that has it; with guesses, which have no source yet, only what
// happens before counts (promise/times.c).
int64_t event_time_known(const struct explorer *x, event_id here) {
  const struct graph *g = &x->g;
  int64_t latest = INT64_MIN;
  bool by_hb = x->cycles.guesses;
  for (event_id id = g->last; id != INIT_EVENT; id = g->events[id].prev) {
    const struct event *e = &g->events[id];
    if (event_is_look(x, id) && (int64_t)e->value > latest &&
        (id == here || (by_hb ? graph_hb : graph_porf)(g, id, here)))
      latest = (int64_t)e->value;
  }
  return latest;
}

// What a clock says: no less than that.
static uint64_t time_answer(const struct explorer *x, thread_id t,
                            const struct access *a) {
  int64_t known = event_time_known(x, graph_tail(&x->g, t));
  return (uint64_t)(known > (int64_t)a->value ? known : (int64_t)a->value) +
         a->value2;
}

uint64_t event_answer(const struct explorer *x, thread_id t, state_id s) {
  const struct access *a = vm_access(x->vm, s);
  if (a->kind == ACC_CLOCK)
    return time_answer(x, t, a);
  if (a->kind != ACC_OBJECT_SIZE)
    return cells_answer(x, a->value, a->value2);
  event_id alloc = x->g.objects.at[a->object].alloc;
  check(alloc != NO_EVENT);
  return x->g.events[alloc].value;
}

void event_add_value(struct explorer *x, thread_id t, enum event_kind kind,
                     uint64_t value) {
  state_id pre = event_pre_of(x, x->g.threads[t].state, (uint8_t)kind);
  bool is_pick =
      kind == EV_CHOICE && (vm_access(x->vm, pre)->flags & ACCF_PICK);
  graph_add(&x->g, (struct event){.kind = (uint8_t)kind,
                                  .flags = is_pick ? EVF_PICK : 0,
                                  .thread = (uint8_t)t,
                                  .rf = NO_EVENT,
                                  .value = value,
                                  .pre = pre,
                                  .state = vm_step(x->vm, pre, value)});
  x->result.events_added++;
}

state_id event_pre_of(const struct explorer *x, state_id s, uint8_t kind) {
  const struct access *a = s ? vm_access(x->vm, s) : NULL;
  bool is_choice = a && kind == EV_CHOICE && cas_may_choose(a);
  return is_choice ? vm_weak(x->vm, s) : s;
}

// An assertion is an observation and orders nothing: what follows it may have
// been done before it fails.
bool event_is_failed_assertion(const struct explorer *x, state_id s) {
  const struct access *a = s ? vm_access(x->vm, s) : NULL;
  return a && a->kind == ACC_ERROR && a->value == FIND_ASSERTION;
}

state_id event_behind_assertions(const struct explorer *x, state_id s) {
  while (event_is_failed_assertion(x, s))
    s = vm_step(x->vm, s, 0);
  return s;
}

bool event_has_stopped(const struct explorer *x, thread_id t) {
  return event_is_failed_assertion(x, x->g.events[graph_tail(&x->g, t)].state);
}

bool event_outcomes_are_right(const struct explorer *x) {
  const struct graph *g = &x->g;
  if (!x->chooses_outcomes)
    return true;
  for (event_id id = g->last; id != INIT_EVENT; id = g->events[id].prev) {
    const struct event *e = &g->events[id];
    if (e->kind == EV_READ && (e->flags & EVF_PICK) &&
        cas_is_misjudged(vm_access(x->vm, e->pre), e->value))
      return false;
  }
  return true;
}
