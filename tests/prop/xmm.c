// SPDX-License-Identifier: MIT
// See xmm.h. The executions are the least set that has all graphs without
// cycles of po | rf and, with G, every consistent graph G' such that there are
//  (a) a total order < of the threads; the edges of rf against it, from w to r
//      with tid(r) < tid(w), are to be committed;
//  (b) C, the least set with both ends of these edges that has with an event
//      what is before it by rpo, and with a read its source;
//  (c) f from C into G, injective, that keeps thread and label and carries rf,
//      co, rpo and rmw over to G (the initial writes are themselves);
//  (d) for each edge of rf within C, from w to r, that closes a cycle (w is
//      after r by po | rf): f(w) is after f(r) in G by po | rf | the inverse of
//      load-buffering races; and
//  (e) po | rf without the edges to reads of C has no cycle. (Where all threads
//      are created at once and never joined, (a) says so already.)
// A race is a read r and a write w of its location that happens-before does not
// order, where w is after r by po | rf and r does not read it.
//
// Two things make this finite and quick enough, and are all that is assumed
// here: what G justifies, every graph that has G as a beginning justifies too,
// so graphs to which nothing can be added are enough for G; and a graph is an
// execution iff its *core* is, what comes before its cycles by po | rf.
#include "xmm.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 8 };

// A graph as relations. Initial writes are in none of them.
struct relations {
  const struct candidate *x;
  event_set all; // but initial writes
  struct relation po, rf, co, rpo, rmw, hb, porf, races;
};

static event_set bit(unsigned e) {
  return (event_set)1 << e;
}

static bool is_fence(const struct candidate_event *e) {
  return e->kind == CAND_FENCE;
}

// Creating and joining threads orders all that is before with all after it.
static bool acquires(const struct candidate_event *e) {
  return e->kind == CAND_THREAD ||
         ((e->kind == CAND_READ || is_fence(e)) &&
          (e->order == ORD_ACQ || e->order == ORD_ACQREL ||
           e->order == ORD_SC));
}

static bool releases(const struct candidate_event *e) {
  return e->kind == CAND_THREAD ||
         ((e->kind == CAND_WRITE || is_fence(e)) &&
          (e->order == ORD_REL || e->order == ORD_ACQREL ||
           e->order == ORD_SC));
}

struct sets {
  event_set fences, acquire, release, atomic_reads, atomic_writes;
};

static struct sets sets_of(const struct candidate *x) {
  struct sets s = {0};
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    s.fences |= is_fence(e) ? bit(i) : 0;
    s.acquire |= acquires(e) ? bit(i) : 0;
    s.release |= releases(e) ? bit(i) : 0;
    s.atomic_reads |= e->kind == CAND_READ && e->order != ORD_NA ? bit(i) : 0;
    s.atomic_writes |= e->kind == CAND_WRITE && e->order != ORD_NA ? bit(i) : 0;
  }
  return s;
}

// rpo = ([R]; po; [F acq] | [acq]; po | po; [rel] | [F rel]; po; [W])+
static struct relation rpo_of(const struct relations *r, const struct sets *s) {
  struct relation rpo =
      rel_between(s->atomic_reads, r->po, s->fences & s->acquire);
  rpo = rel_or(rpo, rel_between(s->acquire, r->po, r->all));
  rpo = rel_or(rpo, rel_between(r->all, r->po, s->release));
  rpo =
      rel_or(rpo, rel_between(s->fences & s->release, r->po, s->atomic_writes));
  return rel_plus(rpo);
}

static struct relation identity(unsigned n, event_set s) {
  struct relation id = rel_empty(n);
  for (; s; s &= s - 1)
    rel_add(&id, (unsigned)__builtin_ctzll(s), (unsigned)__builtin_ctzll(s));
  return id;
}

// RC11's happens-before; creation and join are in po.
static struct relation hb_of(const struct relations *r, const struct sets *s) {
  unsigned n = r->x->n;
  struct relation rs =
      rel_seq(identity(n, s->atomic_writes), rel_star(rel_seq(r->rf, r->rmw)));
  struct relation from =
      rel_or(identity(n, s->release & s->atomic_writes),
             rel_between(s->release & s->fences, r->po, s->atomic_writes));
  struct relation to =
      rel_or(identity(n, s->acquire & s->atomic_reads),
             rel_between(s->atomic_reads, r->po, s->acquire & s->fences));
  struct relation sw = rel_seq(rel_seq(from, rs), rel_seq(r->rf, to));
  return rel_plus(rel_or(r->po, sw));
}

static bool is_race(const struct relations *r, unsigned read, unsigned write) {
  const struct candidate_event *e = &r->x->events[read],
                               *f = &r->x->events[write];
  return e->kind == CAND_READ && f->kind == CAND_WRITE && e->loc == f->loc &&
         e->rf != write && rel_has(&r->porf, read, write) &&
         !rel_has(&r->hb, read, write) && !rel_has(&r->hb, write, read);
}

static struct relations relations_of(const struct candidate *x) {
  struct relations r = {.x = x,
                        .po = rel_empty(x->n),
                        .rf = rel_empty(x->n),
                        .co = rel_empty(x->n),
                        .rmw = rel_empty(x->n),
                        .races = rel_empty(x->n)};
  for (unsigned i = 0; i < x->n; i++)
    r.all |= x->events[i].kind == CAND_INIT ? 0 : bit(i);
  r.po = rel_between(r.all, x->po, r.all);
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    if (e->kind == CAND_READ && event_set_has(r.all, e->rf))
      rel_add(&r.rf, e->rf, i);
    if (e->kind == CAND_WRITE && e->rmw != NO_CANDIDATE)
      rel_add(&r.rmw, e->rmw, i);
    for (unsigned j = 0; j < x->n && e->kind == CAND_WRITE; j++)
      if (x->events[j].kind == CAND_WRITE && x->events[j].loc == e->loc &&
          e->co < x->events[j].co)
        rel_add(&r.co, i, j);
  }
  struct sets s = sets_of(x);
  r.rpo = rpo_of(&r, &s);
  r.hb = hb_of(&r, &s);
  r.porf = rel_plus(rel_or(r.po, r.rf));
  for (unsigned i = 0; i < x->n; i++)
    for (unsigned j = 0; j < x->n; j++)
      if (is_race(&r, i, j))
        rel_add(&r.races, i, j);
  return r;
}

bool xmm_is_cyclic(const struct candidate *x) {
  struct relations r = relations_of(x);
  return !rel_is_irreflexive(r.porf);
}

bool xmm_has_race(const struct candidate *x) {
  struct relations r = relations_of(x);
  return !rel_is_empty(r.races);
}

// ---- the core

static event_set core_of(const struct relations *r) {
  event_set core = 0;
  for (unsigned i = 0; i < r->x->n; i++)
    if (rel_has(&r->porf, i, i))
      for (unsigned j = 0; j < r->x->n; j++)
        if (rel_has(&r->porf, j, i))
          core |= bit(j);
  // The write of an update goes with its read.
  for (unsigned i = 0; i < r->x->n; i++)
    if (event_set_has(core, i))
      core |= r->rmw.row[i];
  return core;
}

static struct relation within(struct relation r, event_set s) {
  return rel_between(s, r, s);
}

// Everything but the core is forgotten.
static struct relations restrict_to(struct relations r, event_set core) {
  r.all = core;
  r.po = within(r.po, core);
  r.rf = within(r.rf, core);
  r.co = within(r.co, core);
  r.rpo = within(r.rpo, core);
  r.rmw = within(r.rmw, core);
  r.porf = within(r.porf, core);
  return r;
}

// ---- (a), (b), (e): what may be committed

struct core {
  struct relations r;
  ARRAY(event_set) committed; // the sets C, for all orders
  bool is_reached;
  uint32_t tried; // so many graphs do not justify it
};

static event_set close(const struct relations *r, event_set c) {
  for (event_set before = 0; before != c;) {
    before = c;
    for (unsigned i = 0; i < r->x->n; i++)
      if (event_set_has(c, i))
        for (unsigned j = 0; j < r->x->n; j++)
          if (rel_has(&r->rpo, j, i) || rel_has(&r->rf, j, i))
            c |= bit(j);
  }
  return c;
}

static void commit(struct core *k, const unsigned *rank) {
  const struct candidate *x = k->r.x;
  event_set c = 0;
  for (unsigned w = 0; w < x->n; w++)
    for (event_set s = k->r.rf.row[w]; s; s &= s - 1) {
      unsigned read = (unsigned)__builtin_ctzll(s);
      if (rank[x->events[read].thread] < rank[x->events[w].thread])
        c |= bit(w) | bit(read);
    }
  c = close(&k->r, c);
  struct relation free = rel_between(k->r.all, k->r.rf, k->r.all & ~c);
  if (!rel_is_acyclic(rel_or(k->r.po, free)))
    return;
  for (uint32_t i = 0; i < k->committed.len; i++)
    if (k->committed.at[i] == c)
      return;
  array_push(&k->committed, c);
}

// All orders of the threads from `n` on.
static void order_threads(struct core *k, unsigned *rank, unsigned used,
                          unsigned n) {
  if (n == THREADS) {
    commit(k, rank);
    return;
  }
  bool is_there = false;
  for (unsigned i = 0; i < k->r.x->n; i++)
    is_there |= event_set_has(k->r.all, i) && k->r.x->events[i].thread == n;
  if (!is_there) {
    order_threads(k, rank, used, n + 1);
    return;
  }
  for (unsigned place = 0; place < THREADS; place++)
    if (!(used >> place & 1)) {
      rank[n] = place;
      order_threads(k, rank, used | 1u << place, n + 1);
    }
}

// ---- (c), (d): does a graph justify it?

struct embedding {
  const struct core *k;
  const struct relations *g;
  struct relation reach; // (po | rf | races^-1)+ of g
  event_set committed, used;
  uint8_t f[RELATION_EVENTS];
};

static bool has_same_label(const struct candidate_event *e,
                           const struct candidate_event *f) {
  return e->kind == f->kind && e->thread == f->thread && e->order == f->order &&
         e->value == f->value &&
         ((e->kind != CAND_READ && e->kind != CAND_WRITE) || e->loc == f->loc);
}

static bool carries(const struct embedding *m, const struct relation *here,
                    const struct relation *there, unsigned a, unsigned b) {
  return !rel_has(here, a, b) || rel_has(there, m->f[a], m->f[b]);
}

static bool carries_all(const struct embedding *m, unsigned a, unsigned b) {
  const struct relations *k = &m->k->r, *g = m->g;
  return carries(m, &k->rf, &g->rf, a, b) && carries(m, &k->co, &g->co, a, b) &&
         carries(m, &k->rpo, &g->rpo, a, b) &&
         carries(m, &k->rmw, &g->rmw, a, b);
}

static bool fits(const struct embedding *m, unsigned e, event_set done) {
  const struct candidate_event *here = &m->k->r.x->events[e];
  const struct candidate_event *there = &m->g->x->events[m->f[e]];
  if (here->kind == CAND_READ && !event_set_has(m->k->r.all, here->rf) &&
      m->g->x->events[there->rf].kind != CAND_INIT)
    return false;
  for (event_set s = done; s; s &= s - 1) {
    unsigned other = (unsigned)__builtin_ctzll(s);
    if (!carries_all(m, e, other) || !carries_all(m, other, e))
      return false;
  }
  return true;
}

static bool is_causal(const struct embedding *m) {
  const struct relations *k = &m->k->r;
  for (event_set s = m->committed; s; s &= s - 1) {
    unsigned r = (unsigned)__builtin_ctzll(s);
    uint8_t w = k->x->events[r].rf;
    if (k->x->events[r].kind == CAND_READ && event_set_has(k->all, w) &&
        rel_has(&k->porf, r, w) && !rel_has(&m->reach, m->f[r], m->f[w]))
      return false;
  }
  return true;
}

static bool embed(struct embedding *m, event_set left) {
  if (!left)
    return is_causal(m);
  unsigned e = (unsigned)__builtin_ctzll(left);
  for (unsigned i = 0; i < m->g->x->n; i++) {
    if (event_set_has(m->used, i) ||
        !has_same_label(&m->k->r.x->events[e], &m->g->x->events[i]))
      continue;
    m->f[e] = (uint8_t)i;
    m->used |= bit(i);
    if (fits(m, e, m->committed & ~left) && embed(m, left & ~bit(e)))
      return true;
    m->used &= ~bit(i);
  }
  return false;
}

static bool justifies(const struct relations *g, const struct core *k) {
  struct embedding m = {.k = k, .g = g};
  m.reach = rel_plus(rel_or(rel_or(g->po, g->rf), rel_inverse(g->races)));
  for (uint32_t i = 0; i < k->committed.len; i++) {
    m.committed = k->committed.at[i];
    m.used = 0;
    if (embed(&m, m.committed))
      return true;
  }
  return false;
}

// ---- the least set

static bool is_same_core(const struct core *a, const struct core *b) {
  if (__builtin_popcountll(a->r.all) != __builtin_popcountll(b->r.all))
    return false;
  // Events are found by their place in their threads.
  uint8_t other[RELATION_EVENTS];
  event_set left = b->r.all;
  for (event_set s = a->r.all; s; s &= s - 1) {
    unsigned i = (unsigned)__builtin_ctzll(s);
    event_set t = left;
    while (t && a->r.x->events[i].thread !=
                    b->r.x->events[__builtin_ctzll(t)].thread)
      t &= t - 1;
    if (!t)
      return false;
    other[i] = (uint8_t)__builtin_ctzll(t);
    left &= ~bit(other[i]);
    if (!has_same_label(&a->r.x->events[i], &b->r.x->events[other[i]]))
      return false;
  }
  for (event_set s = a->r.all; s; s &= s - 1)
    for (event_set t = a->r.all; t; t &= t - 1) {
      unsigned i = (unsigned)__builtin_ctzll(s);
      unsigned j = (unsigned)__builtin_ctzll(t);
      if (rel_has(&a->r.rf, i, j) != rel_has(&b->r.rf, other[i], other[j]) ||
          rel_has(&a->r.co, i, j) != rel_has(&b->r.co, other[i], other[j]))
        return false;
    }
  return true;
}

struct closing {
  struct xmm_graphs *g;
  ARRAY(struct core) cores;
  uint32_t *core_of;               // of each graph; NO_CORE if it is acyclic
  ARRAY(struct relations) sources; // executions so far
};

enum { NO_CORE = UINT32_MAX };

static uint32_t find_core(struct closing *c, const struct relations *r) {
  struct core k = {.r = restrict_to(*r, core_of(r))};
  for (uint32_t i = 0; i < c->cores.len; i++)
    if (is_same_core(&k, &c->cores.at[i]))
      return i;
  unsigned rank[THREADS] = {0};
  order_threads(&k, rank, 0, 0);
  array_push(&c->cores, k);
  return c->cores.len - 1;
}

static void reach(struct closing *c, uint32_t i) {
  c->g->is_reached.at[i] = true;
  array_push(&c->sources, relations_of(&c->g->at.at[i]));
}

static bool try_core(struct closing *c, uint32_t nth) {
  struct core *k = &c->cores.at[nth];
  while (k->tried < c->sources.len && !k->is_reached)
    k->is_reached = justifies(&c->sources.at[k->tried++], k);
  if (!k->is_reached)
    return false;
  for (uint32_t i = 0; i < c->g->at.len; i++)
    if (c->core_of[i] == nth)
      reach(c, i);
  return true;
}

void xmm_close(struct xmm_graphs *g) {
  struct closing c = {.g = g};
  c.core_of = xcalloc(g->at.len + 1, sizeof *c.core_of);
  for (uint32_t i = 0; i < g->at.len; i++) {
    struct relations r = relations_of(&g->at.at[i]);
    bool is_cyclic = !rel_is_irreflexive(r.porf);
    c.core_of[i] = is_cyclic ? find_core(&c, &r) : NO_CORE;
    if (!is_cyclic)
      reach(&c, i);
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < c.cores.len; i++)
      moved |= !c.cores.at[i].is_reached && try_core(&c, i);
  }
  for (uint32_t i = 0; i < c.cores.len; i++)
    array_done(&c.cores.at[i].committed);
  array_done(&c.cores);
  array_done(&c.sources);
  free(c.core_of);
}

void xmm_add(struct xmm_graphs *g, const struct candidate *x,
             bool is_complete) {
  array_push(&g->at, *x);
  array_push(&g->is_complete, is_complete);
  array_push(&g->is_reached, false);
}

void xmm_done(struct xmm_graphs *g) {
  array_done(&g->at);
  array_done(&g->is_complete);
  array_done(&g->is_reached);
}
