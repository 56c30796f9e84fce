// SPDX-License-Identifier: MIT
// Guess and check. Threads run as far as they can; a thread that comes to a
// read guesses the operation of the program that it will read from (whether or
// not that one was run already) and waits until this one has run, so every rf
// map is guessed at most once. When all threads have ended, all coherence
// orders are tried and the axioms decide.
//
// Threads that wait for each other in a circle would be a po ∪ rf cycle. None
// of the models here allows one, so search drops such guesses; for models that
// do, guess the value there too and check it when its write has run.
#include "oracle.h"

#include <string.h>

enum { NOT_RUN = 0xff };

// The source that the pending read of a thread was guessed to have.
enum source_state { SOURCE_NONE, SOURCE_INIT, SOURCE_ACTION };

struct source_guess {
  uint8_t state; // enum source_state
  uint8_t thread, action;
};

enum thread_status { THREAD_ABSENT, THREAD_RUNS, THREAD_BLOCKED, THREAD_ENDED };

struct world {
  struct candidate x;
  bool is_impossible; // for a reason that all models share
  struct runner run[PROGRAM_THREADS];
  uint8_t status[PROGRAM_THREADS];     // enum thread_status
  uint8_t created_by[PROGRAM_THREADS]; // event
  uint8_t joined_by[PROGRAM_THREADS];  // event or NO_CANDIDATE
  struct source_guess guess[PROGRAM_THREADS];
  uint8_t write_of[PROGRAM_THREADS][PROGRAM_OPS]; // event or NOT_RUN
};

struct oracle {
  const struct program *p;
  const struct oracle_query *q;
  uint64_t work;
  bool is_too_large;
};

static bool spend(struct oracle *o) {
  if (o->q->max_work && ++o->work > o->q->max_work)
    o->is_too_large = true;
  return !o->is_too_large;
}

// -- running threads

static uint8_t add_event(struct oracle *o, struct world *w,
                         struct candidate_event e) {
  if (w->x.n == RELATION_EVENTS) {
    o->is_too_large = true;
    return 0;
  }
  w->x.events[w->x.n] = e;
  return (uint8_t)w->x.n++;
}

static void add_write(struct oracle *o, struct world *w, unsigned t,
                      const struct action *a, uint64_t read, uint8_t rmw) {
  struct candidate_event e = {.kind = CAND_WRITE,
                              .order =
                                  (uint8_t)order_of_write((enum order)a->order),
                              .loc = a->loc,
                              .thread = (uint8_t)t,
                              .rmw = rmw,
                              .is_locked = rmw != NO_CANDIDATE,
                              .value = action_result(a, t, &w->run[t], read)};
  w->write_of[t][w->run[t].next] = add_event(o, w, e);
}

// The event that the pending read of t was guessed to read from; NOT_RUN if it
// is not there yet. Initial writes are the first events.
static uint8_t source_event(const struct world *w, unsigned t,
                            const struct action *a) {
  struct source_guess g = w->guess[t];
  return g.state == SOURCE_INIT ? a->loc : w->write_of[g.thread][g.action];
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

static void run_read(struct oracle *o, struct world *w, unsigned t,
                     const struct action *a, uint8_t source) {
  uint64_t value = w->x.events[source].value;
  bool writes = action_writes(a, &w->run[t], value);
  bool is_failed_cas = a->kind == DO_CAS && !writes;
  w->is_impossible |= writes && is_updated(&w->x, source);
  enum order order =
      order_of_read((enum order)(is_failed_cas ? a->order_fail : a->order));
  uint8_t read = add_event(o, w,
                           (struct candidate_event){
                               .kind = CAND_READ,
                               .order = (uint8_t)order,
                               .loc = a->loc,
                               .thread = (uint8_t)t,
                               .rf = source,
                               .is_locked = a->kind != DO_LOAD,
                               .value = value,
                           });
  w->guess[t].state = SOURCE_NONE;
  if (a->kind == DO_LOCK && !writes) {
    w->status[t] = THREAD_BLOCKED;
    return;
  }
  if (writes)
    add_write(o, w, t, a, value, read);
  program_advance(a, &w->run[t], value);
}

static void run_spawn(struct oracle *o, struct world *w, unsigned t,
                      const struct action *a) {
  check(w->status[a->thread] == THREAD_ABSENT);
  w->status[a->thread] = THREAD_RUNS;
  w->created_by[a->thread] = add_event(
      o, w,
      (struct candidate_event){.kind = CAND_THREAD, .thread = (uint8_t)t});
  program_advance(a, &w->run[t], 0);
}

static bool run_join(struct oracle *o, struct world *w, unsigned t,
                     const struct action *a) {
  if (w->status[a->thread] != THREAD_ENDED)
    return false;
  w->joined_by[a->thread] = add_event(
      o, w,
      (struct candidate_event){.kind = CAND_THREAD, .thread = (uint8_t)t});
  program_advance(a, &w->run[t], 0);
  return true;
}

static void run_choice(struct oracle *o, struct world *w, unsigned t,
                       const struct action *a, uint64_t value) {
  add_event(o, w,
            (struct candidate_event){
                .kind = CAND_LOCAL, .thread = (uint8_t)t, .value = value});
  program_advance(a, &w->run[t], value);
}

static void run_fence(struct oracle *o, struct world *w, unsigned t,
                      const struct action *a) {
  add_event(o, w,
            (struct candidate_event){
                .kind = CAND_FENCE, .order = a->order, .thread = (uint8_t)t});
  program_advance(a, &w->run[t], 0);
}

// Runs the next operation of t. False: it has to wait, or to guess first.
static bool run_one(struct oracle *o, struct world *w, unsigned t) {
  if (w->status[t] != THREAD_RUNS)
    return false;
  const struct action *a = program_next(o->p, t, &w->run[t]);
  if (!a) {
    w->status[t] = THREAD_ENDED;
    return true;
  }
  if (action_reads(a)) {
    if (w->guess[t].state == SOURCE_NONE)
      return false;
    uint8_t source = source_event(w, t, a);
    if (source == NOT_RUN)
      return false;
    run_read(o, w, t, a, source);
    return true;
  }
  switch ((enum action_kind)a->kind) {
  case DO_STORE:
  case DO_UNLOCK:
    add_write(o, w, t, a, 0, NO_CANDIDATE);
    program_advance(a, &w->run[t], 0);
    return true;
  case DO_FENCE:
    run_fence(o, w, t, a);
    return true;
  case DO_ASSUME:
    if (condition_holds(a->assumed, &w->run[t]))
      program_advance(a, &w->run[t], 0);
    else
      w->status[t] = THREAD_BLOCKED;
    return true;
  case DO_SPAWN:
    run_spawn(o, w, t, a);
    return true;
  case DO_JOIN:
    return run_join(o, w, t, a);
  case DO_CHOOSE:
    return false;
  case DO_LOAD:
  case DO_ADD:
  case DO_EXCHANGE:
  case DO_CAS:
  case DO_LOCK:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "unknown action");
}

// -- the end: program order, coherence, axioms

static void add_po(const struct oracle *o, struct candidate *x,
                   const struct world *w) {
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
  for (unsigned t = 1; t < o->p->nthreads; t++)
    if (w->status[t] == THREAD_ENDED && w->joined_by[t] != NO_CANDIDATE)
      rel_add(&x->po, w->created_by[t], w->joined_by[t]);
  x->po = rel_plus(x->po);
}

// Draws a candidate; events of threads are in po already.
static void draw(const struct oracle *o, const struct candidate *x,
                 struct picture *pic) {
  memset(pic, 0, sizeof *pic);
  pic->nthreads = o->p->nthreads;
  pic->nlocs = o->p->nlocs;
  struct picture_name names[RELATION_EVENTS];
  static const uint8_t kind_of[] = {
      [CAND_READ] = PIC_READ,
      [CAND_WRITE] = PIC_WRITE,
      [CAND_FENCE] = PIC_FENCE,
      [CAND_LOCAL] = PIC_CHOICE,
  };
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    names[i] = (struct picture_name){PICTURE_INIT, 0};
    if (e->kind != CAND_INIT && e->kind != CAND_THREAD)
      names[i] = picture_add(pic, e->thread,
                             (struct picture_event){.kind = kind_of[e->kind],
                                                    .order = e->order,
                                                    .loc = e->loc,
                                                    .value = e->value});
  }
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    if (e->kind == CAND_READ)
      pic->events[names[i].thread][names[i].index].rf = names[e->rf];
    if (e->kind == CAND_WRITE) {
      pic->co[e->loc][e->co - 1] = names[i];
      pic->co_len[e->loc]++;
    }
  }
}

// Position in co of what an access wrote or read.
static unsigned co_seen(const struct candidate *x, unsigned i) {
  const struct candidate_event *e = &x->events[i];
  return e->kind == CAND_READ ? x->events[e->rf].co : e->co;
}

// All models have coherence per location and atomicity, so a co that breaks
// them is dropped before it is combined with those of other locations: accesses
// in po see positions in co that do not fall, and that rise before a write.
static bool is_coherent(const struct candidate *x, unsigned loc) {
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    if (e->loc != loc || (e->kind != CAND_READ && e->kind != CAND_WRITE))
      continue;
    if (e->kind == CAND_WRITE && e->rmw != NO_CANDIDATE &&
        e->co != co_seen(x, e->rmw) + 1)
      return false;
    for (unsigned j = 0; j < x->n; j++) {
      const struct candidate_event *f = &x->events[j];
      if (f->loc != loc || (f->kind != CAND_READ && f->kind != CAND_WRITE) ||
          !rel_has(&x->po, i, j))
        continue;
      unsigned least = co_seen(x, i) + (f->kind == CAND_WRITE);
      if (co_seen(x, j) < least)
        return false;
    }
  }
  return true;
}

static void judge(struct oracle *o, const struct candidate *x) {
  unsigned allowed = axioms_allow(x, o->q->models);
  if (!allowed)
    return;
  struct picture pic;
  draw(o, x, &pic);
  o->q->found(o->q->arg, allowed, &pic);
}

static void order_location(struct oracle *o, struct candidate *x, unsigned loc);

// Puts each write of `loc` that has no place yet at position `at` in turn.
static void place_writes(struct oracle *o, struct candidate *x, unsigned loc,
                         unsigned at) {
  if (!spend(o))
    return;
  bool is_done = true;
  for (unsigned i = 0; i < x->n; i++) {
    struct candidate_event *e = &x->events[i];
    if (e->kind != CAND_WRITE || e->loc != loc || e->co)
      continue;
    is_done = false;
    e->co = (uint8_t)at;
    place_writes(o, x, loc, at + 1);
    e->co = 0;
  }
  if (is_done && is_coherent(x, loc))
    order_location(o, x, loc + 1);
}

static void order_location(struct oracle *o, struct candidate *x,
                           unsigned loc) {
  if (loc == o->p->nlocs)
    judge(o, x);
  else
    place_writes(o, x, loc, 1);
}

// -- guessing

static void search(struct oracle *o, struct world w);

static bool was_passed(const struct world *w, unsigned t, unsigned action) {
  return w->run[t].next > action || w->status[t] == THREAD_ENDED ||
         w->status[t] == THREAD_BLOCKED;
}

// Tries every operation that might write for the pending read of t.
static void guess_source(struct oracle *o, const struct world *w, unsigned t,
                         const struct action *a) {
  struct world next = *w;
  next.guess[t] = (struct source_guess){.state = SOURCE_INIT};
  search(o, next);
  for (unsigned u = 0; u < o->p->nthreads; u++)
    for (unsigned i = 0; i < o->p->len[u]; i++) {
      const struct action *b = &o->p->ops[u][i];
      bool waits = a->kind == DO_LOCK && b->kind == DO_LOCK; // for ever
      if (!action_may_write(b) || b->loc != a->loc || waits)
        continue;
      bool is_there = w->write_of[u][i] != NOT_RUN;
      bool is_own_future = u == t && !is_there;
      if (is_own_future || (!is_there && was_passed(w, u, i)))
        continue;
      next = *w;
      next.guess[t] = (struct source_guess){
          .state = SOURCE_ACTION, .thread = (uint8_t)u, .action = (uint8_t)i};
      search(o, next);
    }
}

// The guess of a waiting thread can no longer come true.
static bool is_refuted(const struct world *w, unsigned t) {
  struct source_guess g = w->guess[t];
  return w->status[t] == THREAD_RUNS && g.state == SOURCE_ACTION &&
         w->write_of[g.thread][g.action] == NOT_RUN &&
         was_passed(w, g.thread, g.action);
}

static void complete(struct oracle *o, struct world *w) {
  add_po(o, &w->x, w);
  order_location(o, &w->x, 0);
}

static void search(struct oracle *o, struct world w) {
  if (!spend(o))
    return;
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned t = 0; t < o->p->nthreads; t++)
      while (run_one(o, &w, t) && !o->is_too_large)
        moved = true;
  }
  if (w.is_impossible)
    return;
  bool all_ended = true;
  for (unsigned t = 0; t < o->p->nthreads; t++) {
    if (w.status[t] == THREAD_BLOCKED || is_refuted(&w, t))
      return;
    all_ended &= w.status[t] == THREAD_ENDED;
  }
  if (all_ended) {
    complete(o, &w);
    return;
  }
  for (unsigned t = 0; t < o->p->nthreads; t++) {
    if (w.status[t] != THREAD_RUNS || w.guess[t].state != SOURCE_NONE)
      continue;
    const struct action *a = program_next(o->p, t, &w.run[t]);
    if (action_reads(a)) {
      guess_source(o, &w, t, a);
      return;
    }
    if (a->kind == DO_CHOOSE) {
      for (unsigned v = 0; v <= a->value.plus; v++) {
        struct world next = w;
        run_choice(o, &next, t, a, v);
        search(o, next);
      }
      return;
    }
  }
  // Nobody can go on: a circle of guesses, or threads that join each other.
}

bool oracle_run(const struct program *p, const struct oracle_query *q) {
  struct oracle o = {.p = p, .q = q};
  struct world w = {0};
  memset(w.write_of, NOT_RUN, sizeof w.write_of);
  memset(w.joined_by, NO_CANDIDATE, sizeof w.joined_by);
  w.status[0] = THREAD_RUNS;
  for (unsigned l = 0; l < p->nlocs; l++)
    add_event(&o, &w,
              (struct candidate_event){.kind = CAND_INIT,
                                       .loc = (uint8_t)l,
                                       .thread = PROGRAM_THREADS});
  search(&o, w);
  return !o.is_too_large;
}
