// SPDX-License-Identifier: MIT
// See all_graphs.h. Each thread is run with all values for its reads that
// somebody could write: these are its traces. For one trace of each thread, and
// for each location, all sources of its reads and all orders of its writes are
// tried.
#include "all_graphs.h"

#include "base/array.h"

#include <string.h>

enum {
  MOST_TRACES = 600 // of one thread
};

struct trace {
  uint8_t n;
  struct all_event at[ALL_EVENTS];
};

// The sources of the reads of one location and the places of its writes.
struct choice {
  uint8_t rf[ALL_EVENTS], mo[ALL_EVENTS];
};

struct all {
  const struct program *p;
  uint64_t left; // graphs that may be looked at
  bool is_too_large;
  // Bit v: somebody could write v; that was known a round before.
  uint64_t written[PROGRAM_LOCS], values[PROGRAM_LOCS];
  struct {
    struct trace *at;
    uint32_t len, cap;
  } traces[PROGRAM_THREADS];
  struct all_graph g;
  struct {
    struct choice *at;
    uint32_t len, cap;
  } choices[PROGRAM_LOCS];
  void (*found)(void *arg, const struct all_graph *g,
                const struct all_relations *r);
  void *arg;
};

// ---- the threads

// Main does nothing but create the others.
static bool is_known(const struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++) {
      const struct action *a = &p->ops[t][i];
      bool is_spawn = a->kind == DO_SPAWN && a->thread == i + 1;
      bool is_known = a->kind <= DO_CAS || a->kind == DO_FENCE;
      if (t == 0 ? !is_spawn : !is_known || a->order == ORD_NA || a->is_pick)
        return false;
    }
  return p->len[0] + 1 == p->nthreads && !p->is_isa;
}

static void add_event(struct trace *tr, struct all_event e) {
  if (tr->n < ALL_EVENTS)
    tr->at[tr->n++] = e;
}

static void run(struct all *a, unsigned t, struct runner r, struct trace *tr);

static void access(struct all *a, unsigned t, const struct action *op,
                   struct runner r, struct trace tr, uint64_t read) {
  uint8_t loc = action_location(op, &r);
  bool reads = action_reads(op), writes = action_writes(op, &r, read);
  enum order order = (enum order)op->order;
  if (op->kind == DO_CAS && !writes)
    order = (enum order)op->order_fail;
  struct all_event e = {.thread = (uint8_t)t, .loc = loc};
  if (reads) {
    e.kind = ALL_READ;
    e.order = (uint8_t)order_of_read(order);
    e.value = (uint8_t)read;
    add_event(&tr, e);
  }
  if (writes) {
    uint64_t value = action_result(op, t, &r, read);
    e.kind = ALL_WRITE;
    e.order = (uint8_t)order_of_write(order);
    e.value = (uint8_t)value;
    e.is_update = reads;
    if (value >= 64) {
      a->is_too_large = true;
      return;
    }
    a->written[loc] |= UINT64_C(1) << value;
    add_event(&tr, e);
  }
  program_advance(op, &r, read);
  run(a, t, r, &tr);
}

static void run(struct all *a, unsigned t, struct runner r, struct trace *tr) {
  const struct action *op = program_next(a->p, t, &r);
  a->is_too_large |= a->traces[t].len >= MOST_TRACES || tr->n >= ALL_EVENTS;
  if (a->is_too_large)
    return;
  if (!op) {
    array_push(&a->traces[t], *tr);
  } else if (op->kind == DO_FENCE) {
    add_event(tr, (struct all_event){.kind = ALL_FENCE,
                                     .order = op->order,
                                     .thread = (uint8_t)t});
    program_advance(op, &r, 0);
    run(a, t, r, tr);
  } else if (action_reads(op)) {
    uint64_t values = a->values[action_location(op, &r)];
    for (; values; values &= values - 1)
      access(a, t, op, r, *tr, (uint64_t)__builtin_ctzll(values));
  } else {
    access(a, t, op, r, *tr, 0);
  }
}

// What is written depends on what is read, and so on. A value that has gone
// through all operations has come from one that it would add to; unless that is
// from a graph before, so it may do so twice.
static void find_traces(struct all *a) {
  unsigned rounds = 1;
  for (unsigned t = 1; t < a->p->nthreads; t++)
    rounds += 2u * a->p->len[t];
  for (unsigned loc = 0; loc < PROGRAM_LOCS; loc++)
    a->written[loc] = 1;
  do {
    memcpy(a->values, a->written, sizeof a->values);
    for (unsigned t = 1; t < a->p->nthreads; t++) {
      a->traces[t].len = 0;
      run(a, t, (struct runner){0}, &(struct trace){0});
    }
  } while (--rounds && !a->is_too_large &&
           memcmp(a->values, a->written, sizeof a->values) != 0);
}

// ---- one location

static bool is_access_of(const struct all_event *e, unsigned loc) {
  return e->kind != ALL_FENCE && e->loc == loc;
}

static unsigned place_of(const struct all_graph *g, unsigned e) {
  if (g->at[e].kind == ALL_WRITE)
    return g->mo[e];
  return g->rf[e] == ALL_INIT ? 0 : g->mo[g->rf[e]];
}

// Each thread goes forwards in mo, and nothing is in the middle of an update.
static bool is_coherent_at(const struct all_graph *g, unsigned loc) {
  for (unsigned i = 0; i < g->n; i++)
    for (unsigned j = i + 1; j < g->n && is_access_of(&g->at[i], loc); j++) {
      const struct all_event *e = &g->at[i], *f = &g->at[j];
      if (!is_access_of(f, loc) || f->thread != e->thread)
        continue;
      unsigned from = place_of(g, i), to = place_of(g, j);
      if (f->kind == ALL_WRITE ? from >= to : from > to)
        return false;
      if (f->is_update && j == i + 1 && to != from + 1)
        return false;
    }
  return true;
}

static void choose_sources(struct all *a, unsigned loc, unsigned from) {
  struct all_graph *g = &a->g;
  while (from < g->n &&
         (!is_access_of(&g->at[from], loc) || g->at[from].kind != ALL_READ))
    from++;
  if (!a->left || from == g->n) {
    struct choice c;
    memcpy(c.rf, g->rf, sizeof c.rf);
    memcpy(c.mo, g->mo, sizeof c.mo);
    a->left -= a->left > 0;
    if (a->left && is_coherent_at(g, loc))
      array_push(&a->choices[loc], c);
    return;
  }
  g->rf[from] = ALL_INIT;
  if (g->at[from].value == 0)
    choose_sources(a, loc, from + 1);
  for (unsigned w = 0; w < g->n; w++)
    if (is_access_of(&g->at[w], loc) && g->at[w].kind == ALL_WRITE &&
        g->at[w].value == g->at[from].value) {
      g->rf[from] = (uint8_t)w;
      choose_sources(a, loc, from + 1);
    }
}

// Is everything that is read there, or 0?
static bool has_values(const struct all_graph *g, unsigned loc) {
  uint64_t written = 1, read = 0;
  for (unsigned i = 0; i < g->n; i++)
    if (is_access_of(&g->at[i], loc))
      *(g->at[i].kind == ALL_READ ? &read : &written) |= UINT64_C(1)
                                                         << g->at[i].value;
  return !(read & ~written);
}

// Puts a write at the end of mo, in all ways; then the reads are next.
static void choose_order(struct all *a, unsigned loc, unsigned placed) {
  struct all_graph *g = &a->g;
  bool is_done = true;
  for (unsigned w = 0; w < g->n; w++) {
    if (!is_access_of(&g->at[w], loc) || g->at[w].kind != ALL_WRITE || g->mo[w])
      continue;
    is_done = false;
    g->mo[w] = (uint8_t)(placed + 1);
    choose_order(a, loc, placed + 1);
    g->mo[w] = 0;
  }
  if (is_done)
    choose_sources(a, loc, 0);
}

// ---- all of it

static event_set bit(unsigned e) {
  return (event_set)1 << e;
}

static struct relation identity(unsigned n, event_set s) {
  struct relation r = rel_empty(n);
  for (unsigned i = 0; i < n; i++)
    r.row[i] = s & bit(i);
  return r;
}

struct sets {
  event_set all, reads, writes, fences, acquire, release, sc;
};

static struct sets sets_of(const struct all_graph *g) {
  struct sets s = {0};
  for (unsigned i = 0; i < g->n; i++) {
    const struct all_event *e = &g->at[i];
    s.all |= bit(i);
    s.reads |= e->kind == ALL_READ ? bit(i) : 0;
    s.writes |= e->kind == ALL_WRITE ? bit(i) : 0;
    s.fences |= e->kind == ALL_FENCE ? bit(i) : 0;
    s.acquire |= e->kind != ALL_WRITE && order_acquires(e->order) ? bit(i) : 0;
    s.release |= e->kind != ALL_READ && order_releases(e->order) ? bit(i) : 0;
    s.sc |= e->order == ORD_SC ? bit(i) : 0;
  }
  return s;
}

// hb = (po | sw)+, sw as section 2.3 has it in words: from what releases, or
// from a release fence before a relaxed write, through updates of updates of
// that write, to a read that acquires, or a relaxed one before an acquire
// fence.
static struct relation find_hb(const struct all_relations *r,
                               const struct sets *s, unsigned n) {
  struct relation fenced =
      rel_between(s->fences & s->release, r->po, s->writes);
  struct relation from = rel_or(identity(n, s->release & s->writes), fenced);
  struct relation to =
      rel_or(identity(n, s->acquire & s->reads),
             rel_between(s->reads, r->po, s->fences & s->acquire));
  struct relation sequence = rel_star(rel_seq(r->rf, r->rmw));
  struct relation sw = rel_seq(rel_seq(from, sequence), rel_seq(r->rf, to));
  return rel_plus(rel_or(r->po, sw));
}

struct all_relations all_relations(const struct all_graph *g) {
  struct relation none = rel_empty(g->n);
  struct all_relations r = {.po = none, .rf = none, .mo = none, .rmw = none};
  for (unsigned i = 0; i < g->n; i++) {
    const struct all_event *e = &g->at[i];
    for (unsigned j = 0; j < g->n; j++) {
      const struct all_event *f = &g->at[j];
      if (i < j && e->thread == f->thread)
        rel_add(&r.po, i, j);
      if (e->kind == ALL_WRITE && is_access_of(f, e->loc) &&
          f->kind == ALL_WRITE && g->mo[i] < g->mo[j])
        rel_add(&r.mo, i, j);
    }
    if (e->kind == ALL_READ && g->rf[i] != ALL_INIT)
      rel_add(&r.rf, g->rf[i], i);
    if (e->is_update)
      rel_add(&r.rmw, i - 1, i);
  }
  struct sets s = sets_of(g);
  r.hb = find_hb(&r, &s, g->n);
  return r;
}

static struct relation find_fr(const struct all_graph *g) {
  struct relation fr = rel_empty(g->n);
  for (unsigned i = 0; i < g->n; i++)
    for (unsigned j = 0; j < g->n && g->at[i].kind == ALL_READ; j++)
      if (is_access_of(&g->at[j], g->at[i].loc) && g->at[j].kind == ALL_WRITE &&
          g->mo[j] > place_of(g, i))
        rel_add(&fr, i, j);
  return fr;
}

static struct relation same_location(const struct all_graph *g) {
  struct relation loc = rel_empty(g->n);
  for (unsigned i = 0; i < g->n; i++)
    for (unsigned j = 0; j < g->n; j++)
      if (g->at[i].kind != ALL_FENCE && is_access_of(&g->at[j], g->at[i].loc))
        rel_add(&loc, i, j);
  return loc;
}

// psc of RC11.
static bool is_sc(const struct all_graph *g, const struct all_relations *r,
                  const struct sets *s, struct relation fr,
                  struct relation eco) {
  if (!(s->sc & (s->sc - 1)))
    return true;
  struct relation loc = same_location(g), other = rel_minus(r->po, loc);
  struct relation fences = identity(g->n, s->fences & s->sc);
  struct relation from =
      rel_or(identity(g->n, s->sc), rel_seq(fences, rel_opt(r->hb)));
  struct relation to =
      rel_or(identity(g->n, s->sc), rel_seq(rel_opt(r->hb), fences));
  struct relation scb = rel_or(r->po, rel_seq(rel_seq(other, r->hb), other));
  scb = rel_or(scb, rel_or(rel_and(r->hb, loc), rel_or(r->mo, fr)));
  struct relation between = rel_or(r->hb, rel_seq(rel_seq(r->hb, eco), r->hb));
  struct relation psc = rel_or(rel_seq(rel_seq(from, scb), to),
                               rel_seq(rel_seq(fences, between), fences));
  return rel_is_acyclic(psc);
}

// Definition 5.0.4; atomicity is known.
static bool is_consistent(const struct all_graph *g,
                          const struct all_relations *r) {
  struct sets s = sets_of(g);
  struct relation fr = find_fr(g);
  struct relation read = rel_opt(r->rf);
  struct relation eco =
      rel_or(r->rf, rel_or(rel_seq(r->mo, read), rel_seq(fr, read)));
  return rel_is_irreflexive(rel_seq(r->hb, rel_opt(eco))) &&
         is_sc(g, r, &s, fr, eco);
}

static void choose_at(struct all *a, unsigned loc) {
  struct all_graph *g = &a->g;
  if (loc == a->p->nlocs) {
    a->left -= a->left > 0;
    if (!a->left)
      return;
    struct all_relations r = all_relations(g);
    if (is_consistent(g, &r))
      a->found(a->arg, g, &r);
    return;
  }
  for (uint32_t i = 0; i < a->choices[loc].len && a->left; i++) {
    const struct choice *c = &a->choices[loc].at[i];
    for (unsigned e = 0; e < g->n; e++)
      if (is_access_of(&g->at[e], loc)) {
        g->rf[e] = c->rf[e];
        g->mo[e] = c->mo[e];
      }
    choose_at(a, loc + 1);
  }
}

static void choose_traces(struct all *a, unsigned t) {
  struct all_graph *g = &a->g;
  if (t < a->p->nthreads) {
    uint8_t n = g->n;
    for (uint32_t i = 0; i < a->traces[t].len && a->left; i++) {
      const struct trace *tr = &a->traces[t].at[i];
      a->is_too_large |= n + tr->n > ALL_EVENTS;
      if (a->is_too_large)
        return;
      memcpy(g->at + n, tr->at, tr->n * sizeof *tr->at);
      g->n = (uint8_t)(n + tr->n);
      choose_traces(a, t + 1);
    }
    g->n = n;
    return;
  }
  a->left -= a->left > 0;
  memset(g->mo, 0, sizeof g->mo);
  memset(g->rf, ALL_INIT, sizeof g->rf);
  for (unsigned loc = 0; loc < a->p->nlocs; loc++) {
    a->choices[loc].len = 0;
    if (has_values(g, loc))
      choose_order(a, loc, 0);
    if (!a->choices[loc].len)
      return;
  }
  choose_at(a, 0);
}

bool all_graphs(const struct program *p, uint64_t most,
                void (*found)(void *arg, const struct all_graph *g,
                              const struct all_relations *r),
                void *arg) {
  struct all a = {.p = p, .left = most, .found = found, .arg = arg};
  if (!is_known(p))
    return false;
  find_traces(&a);
  if (!a.is_too_large)
    choose_traces(&a, 1);
  for (unsigned t = 0; t < PROGRAM_THREADS; t++)
    array_done(&a.traces[t]);
  for (unsigned loc = 0; loc < PROGRAM_LOCS; loc++)
    array_done(&a.choices[loc]);
  return !a.is_too_large && a.left;
}
