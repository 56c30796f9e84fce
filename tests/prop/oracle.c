// SPDX-License-Identifier: MIT
// Guess and check. Threads run as far as they can; a thread that comes to a
// read guesses the operation of the program that it will read from (whether or
// not that one was run already) and waits until this one has run, so every rf
// map is guessed at most once. When all threads have ended, all coherence
// orders are tried and the axioms decide.
//
// Threads that wait for each other in a circle are a cycle in po | rf. If some
// model could allow it, the first of them guesses the value, too, among those
// that its source could write at all, and goes on; a source that writes
// something else refutes the guess.
#include "oracle.h"

#include "base/finding.h"
#include "values.h"
#include "xmm.h"

#include <string.h>

struct oracle {
  const struct program *p;
  const struct oracle_query *q;
  struct values values;
  uint64_t work;
  bool is_too_large;
  bool is_blocked;           // the graph that is being judged
  struct xmm_graphs for_xmm; // what it has to choose from
};

enum { MOST_FOR_XMM = 20000 };

static bool wants_xmm(const struct oracle *o) {
  return o->q->models >> ORACLE_XMM & 1;
}

// A text that may have no coherence at all?
static bool wants_text(const struct oracle *o) {
  return o->q->models >> ORACLE_TEXT & 1;
}

// Are executions asked for in which some threads have not ended?
static bool wants_blocked(const struct oracle *o) {
  return o->q->stopped || wants_xmm(o);
}

static bool spend(struct oracle *o) {
  if (o->q->max_work && ++o->work > o->q->max_work)
    o->is_too_large = true;
  return !o->is_too_large;
}

// -- the end: coherence, axioms

// Draws a candidate; events of threads are in po already.
static void draw(const struct oracle *o, const struct candidate *x,
                 struct picture *pic) {
  memset(pic, 0, sizeof *pic);
  pic->nthreads = o->p->nthreads;
  pic->nlocs = o->p->nlocs;
  struct picture_name names[RELATION_EVENTS];
  static const uint8_t kind_of[] = {
      [CAND_READ] = PIC_READ,    [CAND_WRITE] = PIC_WRITE,
      [CAND_FENCE] = PIC_FENCE,  [CAND_ISB] = PIC_FENCE,
      [CAND_STORES] = PIC_FENCE, [CAND_KERNEL] = PIC_FENCE,
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

// All models have atomicity, and most have coherence per location, so a co that
// breaks them is dropped before it is combined with those of other locations:
// accesses in po see positions in co that do not fall, and that rise before a
// write.
static bool is_coherent(const struct oracle *o, const struct candidate *x,
                        unsigned loc) {
  bool needs_po = !(o->q->models & ORACLE_INCOHERENT);
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    if (e->loc != loc || (e->kind != CAND_READ && e->kind != CAND_WRITE))
      continue;
    if (e->kind == CAND_WRITE && e->rmw != NO_CANDIDATE &&
        e->co != co_seen(x, e->rmw) + 1)
      return false;
    for (unsigned j = 0; needs_po && j < x->n; j++) {
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

static void show(struct oracle *o, const struct candidate *x,
                 unsigned allowed) {
  unsigned *racy = o->q->racy, kernel = allowed & ORACLE_KERNEL;
  unsigned others = allowed & ~kernel;
  if (racy && (others & ~*racy) &&
      (axioms_findings(x, ORACLE_MODELS) >> FIND_RACE & 1))
    *racy |= others;
  if (racy && (kernel & ~*racy) && axioms_race_in_kernel(x))
    *racy |= kernel;
  struct picture pic;
  draw(o, x, &pic);
  o->q->found(o->q->arg, allowed, &pic);
}

static void judge(struct oracle *o, const struct world *w) {
  const struct candidate *x = &w->x;
  const unsigned xmm = 1u << ORACLE_XMM;
  unsigned allowed = axioms_allow(
      x, o->is_blocked && !o->q->stopped ? o->q->models & xmm : o->q->models);
  if (o->q->stopped) {
    if (allowed)
      o->q->stopped(o->q->arg, allowed, w);
    return;
  }
  if (allowed & xmm) {
    xmm_add(&o->for_xmm, x, !o->is_blocked);
    o->is_too_large |= o->for_xmm.at.len > MOST_FOR_XMM;
  }
  if (allowed & ~xmm)
    show(o, x, allowed & ~xmm);
}

static void judge_for_xmm(struct oracle *o) {
  struct xmm_graphs *g = &o->for_xmm;
  xmm_close(g);
  for (uint32_t i = 0; i < g->at.len && o->q->has_lb_race; i++)
    *o->q->has_lb_race |=
        !xmm_is_cyclic(&g->at.at[i]) && xmm_has_race(&g->at.at[i]);
  for (uint32_t i = 0; i < g->at.len; i++)
    if (g->is_reached.at[i] && g->is_complete.at[i])
      show(o, &g->at.at[i], 1u << ORACLE_XMM);
}

static void order_location(struct oracle *o, struct world *w, unsigned loc);

static bool is_placed(const struct candidate_event *e) {
  return e->kind == CAND_INIT || e->co;
}

// Can write i have the next place in co? Not if one that is before it in po has
// none yet, or if it is an update of another write than the last one: whatever
// follows, that would not be coherent.
static bool can_be_next(const struct oracle *o, const struct candidate *x,
                        unsigned i, unsigned at) {
  const struct candidate_event *e = &x->events[i];
  if (e->rmw != NO_CANDIDATE) {
    const struct candidate_event *source = &x->events[x->events[e->rmw].rf];
    if (!is_placed(source) || source->co + 1u != at)
      return false;
  }
  for (unsigned j = 0; j < x->n && !(o->q->models & ORACLE_INCOHERENT); j++)
    if (x->events[j].kind == CAND_WRITE && x->events[j].loc == e->loc &&
        !x->events[j].co && rel_has(&x->po, j, i))
      return false;
  return true;
}

// Puts each write of `loc` that has no place yet at position `at` in turn.
static void place_writes(struct oracle *o, struct world *w, unsigned loc,
                         unsigned at) {
  if (!spend(o))
    return;
  struct candidate *x = &w->x;
  bool is_done = true;
  for (unsigned i = 0; i < x->n; i++) {
    struct candidate_event *e = &x->events[i];
    if (e->kind != CAND_WRITE || e->loc != loc || e->co)
      continue;
    is_done = false;
    if (!can_be_next(o, x, i, at))
      continue;
    e->co = (uint8_t)at;
    place_writes(o, w, loc, at + 1);
    e->co = 0;
  }
  if (is_done && is_coherent(o, x, loc))
    order_location(o, w, loc + 1);
}

static void order_location(struct oracle *o, struct world *w, unsigned loc) {
  if (loc == o->p->nlocs)
    judge(o, w);
  else
    place_writes(o, w, loc, 1);
}

// -- guessing

static void search(struct oracle *o, struct world w);

static void search_with(struct oracle *o, const struct world *w, unsigned t,
                        struct source_guess g) {
  struct world next = *w;
  next.guess[t] = g;
  search(o, next);
}

// Tries every operation that might write for the pending read of t.
static void guess_source(struct oracle *o, const struct world *w, unsigned t,
                         const struct action *a) {
  uint8_t loc = action_location(a, &w->run[t]);
  search_with(o, w, t, (struct source_guess){.state = SOURCE_INIT});
  for (unsigned u = 0; u < o->p->nthreads; u++)
    for (unsigned i = 0; i < o->p->len[u]; i++) {
      const struct action *b = &o->p->ops[u][i];
      bool waits = a->kind == DO_LOCK && b->kind == DO_LOCK && // for ever
                   !wants_blocked(o);
      if (!action_may_write(b) || !action_may_access(b, loc) || waits)
        continue;
      bool is_there = w->write_of[u][i] != NOT_RUN;
      bool is_own_future = u == t && !is_there && !wants_text(o);
      if (is_own_future || (!is_there && world_was_passed(w, u, i)))
        continue;
      search_with(o, w, t,
                  (struct source_guess){.state = SOURCE_ACTION,
                                        .thread = (uint8_t)u,
                                        .action = (uint8_t)i});
    }
}

// Tries every value that the source of the pending read of t could write.
static void guess_value(struct oracle *o, const struct world *w, unsigned t) {
  struct source_guess g = w->guess[t];
  g.state = SOURCE_PROMISED;
  uint64_t values = o->values.written[g.thread][g.action];
  o->is_too_large |= o->values.has_larger;
  for (g.value = 0; g.value <= MOST_VALUE; g.value++)
    if (values >> g.value & 1)
      search_with(o, w, t, g);
}

// Tries everything that thread t, which is stopped, could be told.
static void guess_next(struct oracle *o, struct world *w, unsigned t) {
  const struct action *a = world_next(w, t);
  if (action_reads(a)) {
    guess_source(o, w, t, a);
    return;
  }
  check(a->kind == DO_CHOOSE);
  for (unsigned v = 0; v <= a->value.plus; v++) {
    struct world next = *w;
    world_choose(&next, t, v);
    search(o, next);
  }
}

static bool waits_for_join(struct world *w, unsigned t) {
  return world_next(w, t)->kind == DO_JOIN;
}

// Nothing can be added.
static void end(struct oracle *o, struct world *w, bool is_blocked) {
  o->is_blocked = is_blocked;
  world_add_po(w);
  order_location(o, w, 0);
}

static void search(struct oracle *o, struct world w) {
  if (!spend(o))
    return;
  world_run(&w);
  o->is_too_large |= w.is_too_large;
  if (w.is_impossible || o->is_too_large ||
      world_is_refuted(&w, !wants_text(o)))
    return;
  bool all_ended = true;
  for (unsigned t = 0; t < o->p->nthreads; t++) {
    if (w.status[t] == THREAD_BLOCKED && !wants_blocked(o))
      return;
    all_ended &= w.status[t] == THREAD_ENDED;
  }
  if (all_ended) {
    end(o, &w, /*is_blocked=*/false);
    return;
  }
  int in_circle = -1;
  for (unsigned t = o->p->nthreads; t-- > 0;) {
    if (w.status[t] != THREAD_RUNS || waits_for_join(&w, t))
      continue;
    if (w.guess[t].state == SOURCE_NONE) {
      guess_next(o, &w, t);
      return;
    }
    in_circle = (int)t;
  }
  // Otherwise threads join each other, or such a thing.
  if (in_circle >= 0 && (o->q->models & ORACLE_CYCLIC))
    guess_value(o, &w, (unsigned)in_circle);
  else if (in_circle < 0 && wants_blocked(o) && world_has_sources(&w))
    end(o, &w, /*is_blocked=*/true);
}

bool oracle_run(const struct program *p, const struct oracle_query *q) {
  struct oracle o = {.p = p, .q = q};
  if (q->models & ORACLE_CYCLIC)
    values_find(p, &o.values);
  struct world w;
  world_init(&w, p);
  search(&o, w);
  if (!o.is_too_large)
    judge_for_xmm(&o);
  xmm_done(&o.for_xmm);
  return !o.is_too_large;
}
