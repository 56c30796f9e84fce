// SPDX-License-Identifier: MIT
// One step of a thread: its pending access becomes an event. A read may have
// several sources, a write several places in co and reads to revisit (write.c);
// what coherence and atomicity allow is worked out here, for all models alike,
// and the model then judges each candidate.
//
// Coherence: a read may take any write that is not older (in co) than what
// happens-before already shows to its thread, and a write goes anywhere after
// that (irreflexive(hb;eco?), RC11 §3). Atomicity: the write of an update goes
// directly after its source. Two updates of one source cannot both stay; the
// second one is still added, because its write may revisit the first.
#include "explore/internal.h"

#include <stdio.h>

static state_id state_of(const struct explorer *x, thread_id t) {
  return x->g.threads[t].state;
}

static const struct access *access_of(const struct explorer *x, thread_id t) {
  return vm_access(x->vm, state_of(x, t));
}

uint64_t step_value_of(const struct explorer *x, uint32_t loc, event_id write,
                       bool *is_uninit) {
  if (write != INIT_EVENT) {
    const struct event *w = &x->g.events[write];
    *is_uninit = w->flags & EVF_UNINIT;
    return w->value;
  }
  const struct location *l = vm_location(x->vm, loc);
  *is_uninit = !l->is_initialized;
  if (l->object != NO_OBJECT) {
    event_id alloc = x->g.objects.at[l->object].alloc;
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

// ---- events without a choice

static void add_plain(struct explorer *x, thread_id t, enum event_kind kind,
                      uint32_t loc, event_id rf, uint64_t yields) {
  state_id pre = state_of(x, t);
  const struct access a = *vm_access(x->vm, pre);
  uint16_t flags = (uint16_t)((a.flags & ACCF_ZEROED ? EVF_ZEROED : 0) |
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
  x->result.events_added++;
}

static void add_end(struct explorer *x, thread_id t, uint16_t flags) {
  state_id pre = state_of(x, t);
  graph_add(&x->g, (struct event){.kind = EV_END,
                                  .flags = flags,
                                  .thread = (uint8_t)t,
                                  .rf = NO_EVENT,
                                  .value = vm_access(x->vm, pre)->value,
                                  .pre = pre});
  x->result.events_added++;
}

static void misuse(struct explorer *x, thread_id t, const char *message) {
  struct finding f = error_of_thread(x, FIND_THREAD_MISUSE, t);
  snprintf(f.message, sizeof f.message, "%s", message);
  error_add(x, f);
  if (x->running)
    choice_next(x); // --all-errors or a disabled check: leave this execution
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

static void step_spawn(struct explorer *x, thread_id t) {
  thread_id child = child_id(x, t);
  if (child >= MAX_THREADS) {
    x->result.limit = "63 threads";
    x->running = false;
    return;
  }
  graph_need_threads(&x->g, child + 1);
  state_id first = vm_spawned(x->vm, state_of(x, t), child);
  add_plain(x, t, EV_SPAWN, child, NO_EVENT, child);
  graph_add(&x->g, (struct event){.kind = EV_START,
                                  .thread = (uint8_t)child,
                                  .rf = x->g.last,
                                  .state = first});
}

// A thread is joined or detached once.
static bool is_joinable(struct explorer *x, thread_id t, uint64_t child,
                        const char *what) {
  char message[80];
  const char *wrong = NULL;
  if (child >= x->g.nthreads || !graph_thread_length(&x->g, (thread_id)child))
    wrong = "something that is no thread";
  else if (x->g.threads[child].join != NO_EVENT)
    wrong = "a thread that was joined already";
  else if (x->g.threads[child].is_detached)
    wrong = "a detached thread";
  if (!wrong)
    return true;
  snprintf(message, sizeof message, "%s of %s", what, wrong);
  misuse(x, t, message);
  return false;
}

static void step_detach(struct explorer *x, thread_id t) {
  uint64_t child = access_of(x, t)->value;
  if (is_joinable(x, t, child, "detach"))
    add_plain(x, t, EV_DETACH, (uint32_t)child, NO_EVENT, 0);
}

static void step_join(struct explorer *x, thread_id t) {
  uint64_t child = access_of(x, t)->value;
  if (child == t) {
    misuse(x, t, "a thread joins itself");
  } else if (is_joinable(x, t, child, "join")) {
    event_id end = graph_tail(&x->g, (thread_id)child);
    add_plain(x, t, EV_JOIN, (uint32_t)child, end, x->g.events[end].value);
  }
}

// Questions about the graph: no event, the thread just goes on.
state_id step_answer(struct explorer *x, state_id s) {
  const struct access a = *vm_access(x->vm, s);
  uint64_t answer = a.kind == ACC_OBJECT_SIZE
                        ? x->g.events[x->g.objects.at[a.object].alloc].value
                        : cells_size(x, a.value);
  return vm_step(x->vm, s, answer);
}

static void step_query(struct explorer *x, thread_id t) {
  state_id s = state_of(x, t);
  if (vm_access(x->vm, s)->kind == ACC_OBJECT_SIZE &&
      !lifetime_check_before_free(x, t))
    return;
  graph_set_state(&x->g, t, step_answer(x, s));
  x->has_asked = true;
}

// ---- reads

static bool is_half_update(const struct graph *g, event_id id, event_id write,
                           event_id me, event_id leaving) {
  const struct event *e = &g->events[id];
  return e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE) && e->rf == write &&
         id != me && id != leaving;
}

// Has an update taken `write` as its source, other than the reads `me` and
// `leaving`? Its write comes next in co; if it has none yet, its read is the
// newest event of its thread.
bool step_is_taken(const struct graph *g, uint32_t loc, event_id write,
                   event_id me, event_id leaving) {
  const struct graph_loc *l = &g->locs.at[loc];
  uint32_t next = g->events[write].co + 1;
  if (next < l->co.len) {
    const struct event *w = &g->events[l->co.at[next]];
    if ((w->flags & EVF_EXCLUSIVE) &&
        is_half_update(g, graph_at(g, w->thread, w->index - 1), write, me,
                       leaving))
      return true;
  }
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    if (is_half_update(g, list->at[list->len - 1], write, me, leaving))
      return true;
  }
  return false;
}

uint16_t step_read_flags(const struct access *a, uint64_t value, bool is_uninit,
                         uint8_t *order) {
  uint16_t flags =
      (is_uninit ? EVF_UNINIT : 0) | (a->flags & ACCF_ISA ? EVF_ISA : 0);
  uint16_t cas = a->flags & ACCF_PICK ? EVF_PICK : EVF_CAS;
  *order = a->order;
  switch (a->kind) {
  case ACC_READ:
    return flags | (a->flags & ACCF_LINKED ? EVF_LINKED : 0);
  case ACC_RMW_READ:
    return flags | EVF_EXCLUSIVE | (a->flags & ACCF_NORET ? EVF_NORET : 0);
  case ACC_CAS_READ:
    if (value == a->value && !(a->flags & ACCF_FAILS))
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

state_id step_state_after_read(struct explorer *x, const struct event *e) {
  if ((e->flags & EVF_LOCK) && e->value) {
    x->has_waited = true;
    return 0;
  }
  return e->flags & EVF_UNINIT
             ? vm_step_undef(x->vm, e->pre, e->value,
                             explore_undef_of(x->vm, &x->g, e))
             : vm_step(x->vm, e->pre, e->value);
}

// Lets the thread of its newest event go on: only now is it sure that the event
// can happen, and that what the thread does then may be reported.
void step_advance(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  state_id next =
      e->kind == EV_READ
          ? step_state_after_read(x, e)
          : vm_step(x->vm, e->pre, e->kind == EV_CHOICE ? e->value : 0);
  e->state = next;
  graph_set_state(&x->g, e->thread, next);
  x->has_update |= next && vm_access(x->vm, next)->kind == ACC_RMW_WRITE;
  await_look(x, id);
  retry_look(x, id);
}

bool step_is_consistent(struct explorer *x, event_id e, event_id other) {
  if (x->tracks && x->config.model->needs_deps(&x->g, e))
    deps_fill(x);
  bool ok = graph_keeps_reservations(&x->g) &&
            model_consistent(x->config.model, &x->g, e, other,
                             &x->config.model_options);
#if HEDDLE_SLOW_CHECKS
  if (x->tracks)
    deps_fill(x);
  graph_verify(&x->g);
  model_verify(x->config.model, &x->g, &x->config.model_options, ok);
#endif
  return ok;
}

// Does the thread of `id`, its newest event, wait or stop there, or does an
// assumption not hold? With an old value it will never get anywhere: no revisit
// may take this read away, since it is not maximal. What the others do then,
// they do as well when it reads the newest value.
static bool ends_here(const struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  state_id s = x->g.threads[e->thread].state;
  return (e->flags & (EVF_AWAIT | EVF_RETRY)) ||
         (s && vm_access(x->vm, s)->kind == ACC_BLOCK);
}

bool step_source(struct explorer *x, thread_id t, event_id write) {
  state_id pre = state_of(x, t);
  const struct access a = *vm_access(x->vm, pre);
  struct event e = {.kind = EV_READ,
                    .thread = (uint8_t)t,
                    .index = graph_thread_length(&x->g, t),
                    .loc = a.loc,
                    .rf = write,
                    .pre = pre};
  bool is_uninit;
  e.value = step_value_of(x, a.loc, write, &is_uninit);
  e.flags = step_read_flags(&a, e.value, is_uninit, &e.order);
  if (retry_stops_success(x, &e))
    e.flags ^= EVF_EXCLUSIVE | EVF_RETRY;
  bool taken = (e.flags & EVF_EXCLUSIVE) &&
               step_is_taken(&x->g, a.loc, write, NO_EVENT, NO_EVENT);
  event_id id = graph_add(&x->g, e);
  x->result.events_added++;
  // If the source is taken the graph is not consistent yet: only a revisit by
  // the write that follows can make it so, and is judged then.
  if (!taken && !step_is_consistent(x, id, NO_EVENT))
    return false;
  if (retry_stopped(&e))
    graph_set_state(&x->g, t, 0);
  else
    step_advance(x, id);
  if (taken)
    return true;
  error_check_access(x, id);
  if (x->running)
    error_check_lock(x, id);
  if (ends_here(x, id) &&
      (graph_co_place(&x->g, id) + 1 < x->g.locs.at[a.loc].co.len ||
       retry_is_lost(x, id)))
    return false;
  bool is_cut = stale_cuts(x, id);
  x->result.stale_cuts += is_cut;
  return !is_cut;
}

// A lock that is held lets its taker wait; only the newest state counts for
// that, since a thread that waits with an older one never gets anywhere else.
static bool is_source(const struct explorer *x, const struct access *a,
                      uint32_t place) {
  if (a->kind != ACC_LOCK_READ)
    return true;
  const struct event_list *co = &x->g.locs.at[a->loc].co;
  bool is_uninit;
  return place == co->len - 1 ||
         step_value_of(x, a->loc, co->at[place], &is_uninit) == 0;
}

static void step_read(struct explorer *x, thread_id t) {
  const struct access a = *access_of(x, t);
  graph_need_loc(&x->g, a.loc);
  const struct event *tail = &x->g.events[graph_tail(&x->g, t)];
  uint32_t floor = graph_co_floor(&x->g, a.loc, t, tail->index + 1, tail->hb);
  const struct event_list *co = &x->g.locs.at[a.loc].co;
  uint32_t first = x->options.len;
  for (uint32_t place = floor; place < co->len; place++)
    if (is_source(x, &a, place))
      array_push(&x->options, co->at[place]);
  choice_open(x, CHOICE_SOURCE, t, NO_EVENT, first);
  choice_next(x);
}

// ---- nondeterministic values

// What thread t finds at a location that it wrote last; false: somebody else
// may have written.
static bool own_value(const struct explorer *x, thread_id t, uint32_t loc,
                      uint64_t *value) {
  if (loc >= x->g.locs.len || !(x->g.locs.at[loc].threads >> t & 1))
    return false;
  const struct event_list *mine = &x->g.locs.at[loc].by_thread[t];
  const struct event *e = &x->g.events[*array_last(mine)];
  *value = e->value;
  return !(e->flags & EVF_UNINIT) &&
         (e->kind == EV_WRITE ||
          (e->rf != INIT_EVENT && x->g.events[e->rf].thread == t));
}

// Does thread t, whose CAS `a` of state s fails and leads to `now`, only come
// back to s? On the way it may put back what it expected, in memory of its own,
// and load the location again; if that gives something else, the CAS could have
// failed with that.
static bool only_tries_again(struct explorer *x, thread_id t, state_id s,
                             const struct access *a, state_id now) {
  enum { FAR = 8 };
  for (unsigned i = 0; i < FAR; i++) {
    if (now == s || await_is_back(x, t, now))
      return true;
    const struct access b = *vm_access(x->vm, now);
    uint64_t value = a->value;
    bool is_same = b.kind == ACC_READ && b.loc == a->loc &&
                   (a->order_fail == ORD_RLX || a->order_fail == b.order);
    bool is_own = (b.kind == ACC_READ || b.kind == ACC_WRITE) &&
                  b.order == ORD_NA && own_value(x, t, b.loc, &value);
    if (!(is_same || is_own) || (b.kind == ACC_WRITE && b.value != value))
      return false;
    now = vm_step(x->vm, now, b.kind == ACC_READ ? value : 0);
  }
  return false;
}

state_id step_pre_of(const struct explorer *x, state_id s, uint8_t kind) {
  const struct access *a = s ? vm_access(x->vm, s) : NULL;
  bool is_choice = a && kind == EV_CHOICE && a->kind == ACC_CAS_READ &&
                   (a->flags & ACCF_WEAK);
  return is_choice ? vm_weak(x->vm, s) : s;
}

// A weak compare-exchange may fail although it reads what it expects. If it is
// only tried again, the thread is back where it was, and the execution without
// that round stands for the one with it (await.c). Else there is a choice.
static bool may_fail(struct explorer *x, thread_id t) {
  state_id s = state_of(x, t);
  const struct access a = *vm_access(x->vm, s);
  if (!(a.flags & ACCF_WEAK))
    return false;
  x->vm->is_trying = true;
  state_id fails = vm_step(x->vm, vm_weak(x->vm, s), 1);
  state_id after = vm_step(x->vm, fails, a.value);
  bool matters = !only_tries_again(x, t, s, &a, after);
  x->vm->is_trying = false;
  return matters;
}

// So many values are options at a time; one more option stands for the rest.
enum { MANY_VALUES = 1 << 12 };

static void open_values(struct explorer *x, thread_id t, uint64_t lowest) {
  const struct access *a = access_of(x, t);
  uint64_t above = a->value2 - lowest; // how many are left besides the lowest
  uint32_t first = x->options.len;
  if (above >= MANY_VALUES)
    array_push(&x->options, MANY_VALUES);
  for (uint32_t n = above < MANY_VALUES ? (uint32_t)above + 1 : MANY_VALUES;
       n-- > 0;)
    array_push(&x->options, n);
  choice_open(x, CHOICE_VALUE, t, NO_EVENT, first);
  array_last(&x->choices)->lowest = lowest;
}

bool step_value(struct explorer *x, const struct choice *c, uint32_t above) {
  thread_id t = c->thread;
  state_id pre = c->state; // undoing may have led to the state before vm_weak
  uint64_t value = c->lowest + above;
  graph_set_state(&x->g, t, pre);
  if (above == MANY_VALUES) {
    open_values(x, t, value);
    return false;
  }
  event_id id =
      graph_add(&x->g, (struct event){.kind = EV_CHOICE,
                                      .thread = (uint8_t)t,
                                      .rf = NO_EVENT,
                                      .value = value,
                                      .pre = pre,
                                      .state = vm_step(x->vm, pre, value)});
  await_look(x, id);
  x->result.events_added++;
  return true;
}

static void step_choose(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  check((int64_t)a->value <= (int64_t)a->value2);
  open_values(x, t, a->value);
  choice_next(x);
}

void step_error(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  struct finding f = error_of_thread(x, (enum finding_kind)a->value, t);
  snprintf(f.message, sizeof f.message, "%s", vm_text(x->vm, a->value2));
  error_add(x, f);
}

void step_thread(struct explorer *x, thread_id t) {
  const struct access *a = access_of(x, t);
  if (x->config.unrolls && unroll_cuts(x, t))
    return;
  switch ((enum access_kind)a->kind) {
  case ACC_CAS_READ:
    if (may_fail(x, t)) {
      graph_set_state(&x->g, t, vm_weak(x->vm, state_of(x, t)));
      step_choose(x, t);
      return;
    }
    step_read(x, t);
    return;
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
    step_read(x, t);
    return;
  case ACC_WRITE:
  case ACC_RMW_WRITE:
  case ACC_UNLOCK:
    write_step(x, t);
    return;
  case ACC_FENCE:
    add_plain(x, t, EV_FENCE, 0, NO_EVENT, 0);
    await_look(x, x->g.last);
    return;
  case ACC_ALLOC:
    graph_need_object(&x->g, a->object);
    add_plain(x, t, EV_ALLOC, a->object, NO_EVENT, 0);
    return;
  case ACC_FREE:
    if (!lifetime_check_before_free(x, t))
      return;
    add_plain(x, t, EV_FREE, a->object, NO_EVENT, 0);
    lifetime_check_free(x, x->g.last);
    return;
  case ACC_OBJECT_SIZE:
  case ACC_CELL_SIZE:
    step_query(x, t);
    return;
  case ACC_SPAWN:
    step_spawn(x, t);
    return;
  case ACC_JOIN:
    step_join(x, t);
    return;
  case ACC_DETACH:
    step_detach(x, t);
    return;
  case ACC_CHOOSE:
    step_choose(x, t);
    return;
  case ACC_OUTPUT:
    add_plain(x, t, EV_OUTPUT, 0, NO_EVENT, 0);
    return;
  case ACC_END:
    add_end(x, t, 0);
    lifetime_check_end(x, x->g.last);
    return;
  case ACC_EXIT:
    add_end(x, t, EVF_EXIT);
    return;
  case ACC_ERROR:
    step_error(x, t);
    if (x->running)
      choice_next(x); // the finding does not count, but the thread is over
    return;
  case ACC_BLOCK:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "a thread that cannot run was scheduled");
}
