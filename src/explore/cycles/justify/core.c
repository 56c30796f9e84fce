// SPDX-License-Identifier: MIT
// See core.h: a core is built in an empty graph by doing what it says. Nothing
// is chosen and nothing is judged on the way: the core is known to be allowed.
#include "explore/cycles/justify/core.h"

#include "explore/cycles/justify/justify.h"
#include "explore/findings/findings.h"

#include "base/fence.h"

#include <stdlib.h>

struct core *core_new(void) {
  struct core *c = xcalloc(1, sizeof *c);
  atomic_init(&c->users, 1);
  return c;
}

struct core *core_share(struct core *c) {
  if (c)
    atomic_fetch_add(&c->users, 1);
  return c;
}

void core_drop(struct core *c) {
  if (!c || atomic_fetch_sub(&c->users, 1) > 1)
    return;
  array_done(&c->steps);
  array_done(&c->how.edges);
  array_done(&c->how.changed);
  array_done(&c->how.threads);
  free(c);
}

void cores_drop(struct cores *all) {
  while (all->len)
    core_drop(array_pop(all));
  array_done(all);
}

struct core *cores_find(const struct cores *all, uint32_t number) {
  for (uint32_t i = 0; i < all->len; i++)
    if (all->at[i]->number == number)
      return all->at[i];
  return NULL;
}

void cores_know(struct cores *all, struct core *c) {
  check(c->number);
  if (!cores_find(all, c->number))
    array_push(all, core_share(c));
}

// Of threads that both have, those that create others, nothing is read.
static void add_justification(struct justification *ret,
                              const struct justification *how) {
  uint64_t known = 0;
  for (uint32_t i = 0; i < how->edges.len; i++)
    array_push(&ret->edges, how->edges.at[i]);
  for (uint32_t i = 0; i < how->changed.len; i++)
    array_push(&ret->changed, how->changed.at[i]);
  for (uint32_t i = 0; i < ret->threads.len; i++)
    known |= 1ull << ret->threads.at[i];
  for (uint32_t i = 0; i < how->threads.len; i++)
    if (!(known >> how->threads.at[i] & 1))
      array_push(&ret->threads, how->threads.at[i]);
}

struct core *core_join(const struct core *a, const struct core *b) {
  struct core *c = core_new();
  uint32_t done[MAX_THREADS] = {0}, met[MAX_THREADS] = {0};
  for (uint32_t i = 0; i < a->steps.len; i++) {
    done[a->steps.at[i].thread]++;
    array_push(&c->steps, a->steps.at[i]);
  }
  for (uint32_t i = 0; i < b->steps.len; i++)
    if (met[b->steps.at[i].thread]++ >= done[b->steps.at[i].thread])
      array_push(&c->steps, b->steps.at[i]);
  add_justification(&c->how, &a->how);
  add_justification(&c->how, &b->how);
  return c;
}

// The source of a read, if it is there already.
static event_id source_of(const struct graph *g, const struct core_step *s) {
  if (s->rf_index == CORE_INIT)
    return INIT_EVENT;
  return s->rf_thread < g->nthreads &&
                 s->rf_index < graph_thread_length(g, s->rf_thread)
             ? graph_at(g, s->rf_thread, s->rf_index)
             : NO_EVENT;
}

static void go_on(struct explorer *x, event_id id, state_id next) {
  x->g.events[id].state = next;
  graph_set_state(&x->g, x->g.events[id].thread, next);
}

static void build_read(struct explorer *x, const struct core_step *s) {
  state_id pre = x->g.threads[s->thread].state;
  const struct access a = *vm_access(x->vm, pre);
  graph_need_loc(&x->g, a.loc);
  event_id source = source_of(&x->g, s);
  bool is_uninit = false;
  if (source != NO_EVENT)
    event_value_of(x, a.loc, source, &is_uninit);
  struct event e = {.kind = EV_READ,
                    .thread = s->thread,
                    .loc = a.loc,
                    .rf = source == NO_EVENT ? INIT_EVENT : source,
                    .value = s->value,
                    .pre = pre};
  e.flags = event_read_flags(&a, s->value, is_uninit, &e.order);
  event_id id = graph_add(&x->g, e);
  x->result.events_added++;
  go_on(x, id, event_state_after_read(x, &x->g.events[id]));
}

static void build_write(struct explorer *x, const struct core_step *s) {
  state_id pre = x->g.threads[s->thread].state;
  graph_need_loc(&x->g, vm_access(x->vm, pre)->loc);
  event_id id = event_add_write(x, s->thread, s->place);
  go_on(x, id, vm_step(x->vm, pre, 0));
}

static void build_plain(struct explorer *x, const struct core_step *s) {
  const struct access a = *vm_access(x->vm, x->g.threads[s->thread].state);
  enum event_kind kind = (enum event_kind)s->kind;
  uint32_t loc = 0;
  if (kind == EV_FENCE) {
    loc = a.loc;
    if (fence_has_location(fence_kind_of(a.value)))
      graph_need_loc(&x->g, loc);
  } else if (kind == EV_ALLOC || kind == EV_FREE) {
    loc = a.object;
    graph_need_object(&x->g, loc);
  } else if (kind == EV_DETACH) {
    loc = (uint32_t)a.value;
  }
  event_add_plain(x, s->thread, kind, loc, NO_EVENT, 0);
}

static enum outcome build_step(struct explorer *x, const struct core_step *s) {
  switch ((enum event_kind)s->kind) {
  case EV_READ:
    build_read(x, s);
    return GO_ON;
  case EV_WRITE:
    build_write(x, s);
    return GO_ON;
  case EV_CHOICE:
  case EV_ANSWER:
    event_add_value(x, s->thread, (enum event_kind)s->kind, s->value);
    return GO_ON;
  case EV_FENCE:
  case EV_ALLOC:
  case EV_FREE:
  case EV_DETACH:
  case EV_OUTPUT:
    build_plain(x, s);
    return GO_ON;
  case EV_SPAWN:
  case EV_JOIN:
    return step_thread(x, s->thread);
  case EV_END:
    event_add_end(x, s->thread, 0);
    return GO_ON;
  case EV_INIT:
  case EV_START:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "no step of a core");
}

// The reads that came before their sources get them, and so do those that learn
// from them.
static void point(struct explorer *x, const struct core *c) {
  uint8_t *marks = xcalloc(x->g.nevents, 1);
  event_id first = NO_EVENT;
  uint32_t next[MAX_THREADS];
  for (thread_id t = 0; t < MAX_THREADS; t++)
    next[t] = 1; // behind the start
  for (uint32_t i = 0; i < c->steps.len; i++) {
    const struct core_step *s = &c->steps.at[i];
    event_id id = graph_at(&x->g, s->thread, next[s->thread]++);
    if (s->kind != EV_READ)
      continue;
    event_id source = source_of(&x->g, s);
    check(source != NO_EVENT);
    check(source == INIT_EVENT || x->g.events[source].value == s->value);
    if (x->g.events[id].rf == source)
      continue;
    graph_point(&x->g, id, source);
    marks[id] = CLOCK_MAY_GROW;
    first = id < first ? id : first;
  }
  graph_grow_clocks(&x->g, first, marks);
  free(marks);
}

// A thread stops in its first failed assertion, but what it does behind that
// stays there: an assertion is an observation and orders nothing.
static void pass_assertions(struct explorer *x, thread_id t, state_id *failed) {
  state_id s = x->g.threads[t].state;
  if (!event_is_failed_assertion(x, s))
    return;
  failed[t] = failed[t] ? failed[t] : s;
  graph_set_state(&x->g, t, event_behind_assertions(x, s));
}

enum outcome core_build(struct explorer *x, const struct core *c) {
  state_id failed[MAX_THREADS] = {0};
  for (uint32_t i = 0; i < c->steps.len; i++) {
    pass_assertions(x, c->steps.at[i].thread, failed);
    enum outcome o = build_step(x, &c->steps.at[i]);
    if (o != GO_ON)
      return o;
  }
  for (thread_id t = 0; t < x->g.nthreads; t++)
    if (failed[t])
      go_on(x, graph_tail(&x->g, t), failed[t]);
  point(x, c);
#if HEDDLE_SLOW_CHECKS
  graph_verify(&x->g);
  check(x->cycles.is_scout || explore_allows_by_definition(x));
#endif
  x->core = x->g.last;
  return inspect_all(x);
}
