// SPDX-License-Identifier: MIT
// See world.h.
#include "world.h"

#include <string.h>

static uint8_t add_event(struct world *w, struct candidate_event e) {
  if (w->x.n == RELATION_EVENTS) {
    w->is_too_large = true;
    return 0;
  }
  w->x.events[w->x.n] = e;
  return (uint8_t)w->x.n++;
}

// -- dependencies

static event_set operand_from(const struct world *w, unsigned t,
                              struct operand o) {
  return o.reg == NO_REGISTER ? 0 : w->from[t][o.reg];
}

static event_set basic_from(const struct world *w, unsigned t,
                            struct operand o) {
  return o.reg == NO_REGISTER || o.computation == COMPUTE_PICK
             ? 0
             : w->basic[t][o.reg];
}

static event_set condition_from(const struct world *w, unsigned t,
                                struct condition c) {
  return c.comparison != CMP_ALWAYS ? w->from[t][c.reg] : 0;
}

// A branch of an operation that is not its guard.
static void branch(struct world *w, unsigned t, const struct action *a,
                   event_set on) {
  w->branched[t] |= on;
  if (a->guard.comparison == CMP_ALWAYS)
    w->unended[t] |= on;
}

// An event of thread t by its next operation, with what both halves of an RMW
// have in common.
static struct candidate_event new_event(const struct world *w, unsigned t,
                                        enum candidate_kind kind,
                                        const struct action *a) {
  struct candidate_event e = {
      .kind = (uint8_t)kind,
      .order = a->order,
      .thread = (uint8_t)t,
      .rmw = NO_CANDIDATE,
      .is_mutex = a->kind == DO_LOCK || a->kind == DO_UNLOCK,
      .ctrl = w->branched[t],
      .guards = w->unended[t] | condition_from(w, t, a->guard)};
  if (a->kind == DO_KERNEL)
    e.fence = a->value.plus;
  if (action_is_access(a)) {
    e.loc = action_location(a, &w->run[t]);
    e.addr = operand_from(w, t, a->index);
    e.basic_addr = basic_from(w, t, a->index);
  }
  return e;
}

static void block(struct world *w, unsigned t, enum stop why) {
  w->status[t] = THREAD_BLOCKED;
  w->stop[t] = (uint8_t)why;
}

// -- accesses

// `write` is there now: those who were promised it read from it.
static void keep_promises(struct world *w, unsigned t, unsigned action,
                          uint8_t write) {
  const struct candidate_event *e = &w->x.events[write];
  for (unsigned i = 0; i < w->x.n; i++) {
    struct candidate_event *r = &w->x.events[i];
    const struct source_guess *g = &w->promised[i];
    if (r->kind != CAND_READ || r->rf != NOT_RUN || g->thread != t ||
        g->action != action)
      continue;
    r->rf = write;
    w->is_impossible |= r->loc != e->loc || r->value != e->value;
  }
}

// Its order is that of the event, unless the instruction has it on both.
static void be_instruction(const struct world *w, const struct action *a,
                           struct candidate_event *e) {
  e->is_isa = w->p->is_isa;
  e->isa_order = a->on_both ? a->order : e->order;
  e->is_amo = a->on_both;
}

// `read` is the event before, of an RMW.
static void add_write(struct world *w, unsigned t, const struct action *a,
                      uint8_t read) {
  bool is_rmw = read != NO_CANDIDATE;
  uint64_t value_read = is_rmw ? w->x.events[read].value : 0;
  struct candidate_event e = new_event(w, t, CAND_WRITE, a);
  e.order = (uint8_t)order_of_write((enum order)a->order);
  be_instruction(w, a, &e);
  e.rmw = read;
  e.is_locked = is_rmw;
  e.value = action_result(a, t, &w->run[t], value_read);
  e.data = operand_from(w, t, a->value);
  e.basic_data = basic_from(w, t, a->value);
  if (a->kind == DO_ADD) {
    e.data |= (event_set)1 << read;
    e.basic_data |= (event_set)1 << read;
  }
  if (a->kind == DO_CAS) { // whether it is there depends on both values
    event_set both = (event_set)1 << read | operand_from(w, t, a->expected);
    e.ctrl |= both;
    e.guards |= both;
  }
  if (a->kind == DO_LOCK)
    e.guards |= (event_set)1 << read;
  unsigned action = w->run[t].next;
  uint8_t write = add_event(w, e);
  w->write_of[t][action] = write;
  keep_promises(w, t, action, write);
}

// Two updates of one write cannot both be directly after it in co.
static bool is_updated(const struct candidate *x, uint8_t write) {
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    if (e->kind == CAND_WRITE && e->rmw != NO_CANDIDATE &&
        x->events[e->rmw].rf == write)
      return true;
  }
  return false;
}

// Fills in where the read `e` of thread t gets its value from. False: it has to
// wait for that, or nothing was guessed.
static bool find_source(struct world *w, unsigned t,
                        struct candidate_event *e) {
  struct source_guess g = w->guess[t];
  e->rf = NOT_RUN;
  e->value = g.value;
  if (g.state == SOURCE_PROMISED)
    return true;
  if (g.state == SOURCE_INIT) // initial writes are the first events
    e->rf = e->loc;
  else if (g.state == SOURCE_ACTION)
    e->rf = w->write_of[g.thread][g.action];
  if (e->rf == NOT_RUN)
    return false;
  e->value = w->x.events[e->rf].value;
  w->is_impossible |= w->x.events[e->rf].loc != e->loc;
  return true;
}

static bool run_read(struct world *w, unsigned t, const struct action *a) {
  struct candidate_event e = new_event(w, t, CAND_READ, a);
  if (!find_source(w, t, &e))
    return false;
  bool writes = action_writes(a, &w->run[t], e.value);
  bool is_failed_cas = a->kind == DO_CAS && !writes;
  w->is_impossible |= writes && e.rf != NOT_RUN && is_updated(&w->x, e.rf);
  e.order = (uint8_t)order_of_read(
      (enum order)(is_failed_cas ? a->order_fail : a->order));
  e.is_locked = a->kind != DO_LOAD || a->is_linked;
  e.is_linked = a->is_linked;
  be_instruction(w, a, &e);
  if (a->kind == DO_CAS)
    e.casdep = operand_from(w, t, a->expected);
  uint8_t read = add_event(w, e);
  w->read_of[t][w->run[t].next] = read;
  w->promised[read] = w->guess[t];
  w->guess[t] = (struct source_guess){0};
  if (a->kind == DO_LOCK && !writes) {
    block(w, t, STOP_LOCK);
    return true;
  }
  event_set self = (event_set)1 << read;
  if ((a->kind == DO_CAS && !a->is_pick) || a->kind == DO_LOCK)
    branch(w, t, a, self | e.casdep);
  if (writes)
    add_write(w, t, a, read);
  program_advance(a, &w->run[t], e.value);
  if (a->dst != NO_REGISTER) {
    w->from[t][a->dst] = self;
    // The register may get what was expected instead.
    w->basic[t][a->dst] = a->is_pick && writes ? 0 : self;
  }
  return true;
}

// -- everything else

static uint8_t run_event(struct world *w, unsigned t, const struct action *a,
                         enum candidate_kind kind) {
  uint8_t e = add_event(w, new_event(w, t, kind, a));
  program_advance(a, &w->run[t], 0);
  return e;
}

static void run_spawn(struct world *w, unsigned t, const struct action *a) {
  check(w->status[a->thread] == THREAD_ABSENT);
  w->created_by[a->thread] = run_event(w, t, a, CAND_THREAD);
  w->x.events[w->created_by[a->thread]].value = a->thread;
  w->status[a->thread] = THREAD_RUNS;
}

static bool run_join(struct world *w, unsigned t, const struct action *a) {
  if (w->status[a->thread] != THREAD_ENDED)
    return false;
  struct candidate_event *e = &w->x.events[run_event(w, t, a, CAND_THREAD)];
  w->joined_by[a->thread] = (uint8_t)(e - w->x.events);
  e->value = PROGRAM_THREADS + a->thread;
  e->ctrl |= w->branched[a->thread]; // its end comes after all its branches
  return true;
}

static void run_assume(struct world *w, unsigned t, const struct action *a) {
  branch(w, t, a, condition_from(w, t, a->assumed));
  if (condition_holds(a->assumed, &w->run[t]))
    program_advance(a, &w->run[t], 0);
  else
    block(w, t, a->kind == DO_ASSUME ? STOP_ASSUMPTION : STOP_ASSERTION);
}

// Allocates or frees an object.
static void run_life(struct world *w, unsigned t, const struct action *a) {
  enum candidate_kind kind = a->kind == DO_ALLOC ? CAND_ALLOC : CAND_FREE;
  w->x.events[run_event(w, t, a, kind)].loc = a->loc;
}

void world_choose(struct world *w, unsigned t, uint64_t value) {
  const struct action *a = world_next(w, t);
  struct candidate_event e = new_event(w, t, CAND_LOCAL, a);
  e.order = 0;
  e.value = value;
  add_event(w, e);
  program_advance(a, &w->run[t], value);
  if (a->dst != NO_REGISTER)
    w->from[t][a->dst] = w->basic[t][a->dst] = 0;
}

const struct action *world_next(struct world *w, unsigned t) {
  struct runner *r = &w->run[t];
  for (; r->next < w->p->len[t]; r->next++) {
    const struct action *a = &w->p->ops[t][r->next];
    w->branched[t] |= condition_from(w, t, a->guard);
    if (condition_holds(a->guard, r))
      return a;
  }
  return NULL;
}

// Runs the next operation of t. False: it has to wait, or to be told something
// first.
static bool run_one(struct world *w, unsigned t) {
  if (w->status[t] != THREAD_RUNS)
    return false;
  const struct action *a = world_next(w, t);
  if (!a) {
    w->status[t] = THREAD_ENDED;
    return true;
  }
  switch ((enum action_kind)a->kind) {
  case DO_LOAD:
  case DO_ADD:
  case DO_EXCHANGE:
  case DO_CAS:
  case DO_LOCK:
    return run_read(w, t, a);
  case DO_STORE:
  case DO_UNLOCK:
    add_write(w, t, a, NO_CANDIDATE);
    program_advance(a, &w->run[t], 0);
    return true;
  case DO_FENCE: {
    uint8_t fence = run_event(w, t, a, CAND_FENCE);
    w->x.events[fence].sides = a->sides;
    return true;
  }
  case DO_ISB:
    run_event(w, t, a, CAND_ISB);
    return true;
  case DO_STORES:
    run_event(w, t, a, CAND_STORES);
    return true;
  case DO_ALLOC:
  case DO_FREE:
    run_life(w, t, a);
    return true;
  case DO_KERNEL:
    run_event(w, t, a, CAND_KERNEL);
    return true;
  case DO_ASSUME:
  case DO_ASSERT:
    run_assume(w, t, a);
    return true;
  case DO_SPAWN:
    run_spawn(w, t, a);
    return true;
  case DO_JOIN:
    return run_join(w, t, a);
  case DO_CHOOSE:
    return false;
  }
  fatal_internal(__FILE__, __LINE__, "unknown action");
}

void world_init(struct world *w, const struct program *p) {
  *w = (struct world){.p = p};
  memset(w->write_of, NOT_RUN, sizeof w->write_of);
  memset(w->read_of, NOT_RUN, sizeof w->read_of);
  memset(w->joined_by, NO_CANDIDATE, sizeof w->joined_by);
  w->status[0] = THREAD_RUNS;
  for (unsigned l = 0; l < p->nlocs; l++)
    add_event(w, (struct candidate_event){.kind = CAND_INIT,
                                          .loc = (uint8_t)l,
                                          .thread = PROGRAM_THREADS,
                                          .rmw = NO_CANDIDATE});
}

void world_run(struct world *w) {
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned t = 0; t < w->p->nthreads; t++)
      while (!w->is_too_large && run_one(w, t))
        moved = true;
  }
}

bool world_was_passed(const struct world *w, unsigned t, unsigned action) {
  return w->run[t].next > action || w->status[t] == THREAD_ENDED ||
         w->status[t] == THREAD_BLOCKED;
}

static bool is_lost(const struct world *w, const struct source_guess *g) {
  return w->write_of[g->thread][g->action] == NOT_RUN &&
         world_was_passed(w, g->thread, g->action);
}

// The location that thread t waits to read.
static uint8_t pending_location(const struct world *w, unsigned t) {
  return action_location(&w->p->ops[t][w->run[t].next], &w->run[t]);
}

// Thread t waits for a thread that waits to read the same location, too, and so
// on back to t: a cycle in (po & loc) | rf.
static bool is_incoherent_circle(const struct world *w, unsigned t) {
  unsigned at = t;
  for (unsigned steps = 0; steps < w->p->nthreads; steps++) {
    unsigned source = w->guess[at].thread;
    if (w->guess[source].state != SOURCE_ACTION ||
        pending_location(w, source) != pending_location(w, t))
      return false;
    at = source;
    if (at == t)
      return true;
  }
  return false;
}

bool world_is_refuted(const struct world *w, bool is_coherent) {
  for (unsigned t = 0; t < w->p->nthreads; t++)
    if (w->guess[t].state == SOURCE_ACTION &&
        (is_lost(w, &w->guess[t]) ||
         (is_coherent && is_incoherent_circle(w, t))))
      return true;
  for (unsigned i = 0; i < w->x.n; i++) {
    const struct candidate_event *e = &w->x.events[i];
    if (e->kind == CAND_READ && e->rf == NOT_RUN && is_lost(w, &w->promised[i]))
      return true;
  }
  return false;
}

bool world_has_sources(const struct world *w) {
  for (unsigned i = 0; i < w->x.n; i++)
    if (w->x.events[i].kind == CAND_READ && w->x.events[i].rf == NOT_RUN)
      return false;
  return true;
}

void world_add_po(struct world *w) {
  struct candidate *x = &w->x;
  x->po = rel_empty(x->n);
  for (unsigned i = 0; i < x->n; i++)
    for (unsigned j = 0; j < x->n; j++) {
      const struct candidate_event *e = &x->events[i], *f = &x->events[j];
      bool is_initial = e->kind == CAND_INIT && f->kind != CAND_INIT;
      bool is_later = e->kind != CAND_INIT && e->thread == f->thread && i < j;
      bool is_creation = f->kind != CAND_INIT && f->thread != 0 &&
                         w->created_by[f->thread] == i;
      bool is_join = e->kind != CAND_INIT && w->joined_by[e->thread] == j;
      if (is_initial || is_later || is_creation || is_join)
        rel_add(&x->po, i, j);
    }
  // A thread without events still orders its creation before its join.
  for (unsigned t = 1; t < w->p->nthreads; t++)
    if (w->status[t] == THREAD_ENDED && w->joined_by[t] != NO_CANDIDATE)
      rel_add(&x->po, w->created_by[t], w->joined_by[t]);
  x->po = rel_plus(x->po);
}
