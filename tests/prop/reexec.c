// SPDX-License-Identifier: MIT
// See reexec.h. What is reached by executing alone are the graphs without
// cycles of po | rf, and every graph that adds to one that was reached what
// makes no more cycles. So of a graph with cycles some beginning is wanted that
// has all of them and can be re-executed: all its beginnings are tried. (What
// is re-executed may be a whole graph: all that is asked of it stays when
// events are added.)
//
// G' is G re-executed if there are C, some events of G', and f from C into G:
//  - C has with a read its source, and with an event what is before it by rpo;
//  - events of G' can be added one by one, in po: a read that is not in C reads
//    what is there already, one in C may wait for its source (figure 5.1);
//  - uncommitted reads are stable: threads can be ordered such that each of
//    them reads from its own thread or one before it (definition 5.0.7);
//  - f is injective, keeps threads and labels, and carries rf, mo, rpo and rmw
//    of C into G (definition 5.0.6);
//  - the causal restriction: if a read in C comes before its source by po | rf,
//    its image comes before that of the source in G by po | rf | race^-1,
//    where races are those of definition 2.4.2 that the read does not read.
// A subset of C that is good for the first three is good for the rest if C is.
//
// That C has what is before by rpo the thesis does not say, and uses: without
// it release stores and acquire loads would not forbid load buffering. Nor does
// it define the causal restriction, which theorem 1 needs.
#include "reexec.h"

#include "all_graphs.h"
#include "base/array.h"

#include <string.h>

enum { MOST_GRAPHS = 20000, MOST_KERNELS = 6000, MOST_READS = 12 };

struct known {
  struct all_graph g;
  struct relation rf, mo, rmw, rpo, porf;
  struct relation reach; // (po | rf | race^-1)+
  event_set labels;      // a bit for each, roughly
  bool is_cyclic, is_reached, has_race;
};

// A beginning of a graph that has all its cycles.
struct kernel {
  struct picture_hash name;
  uint32_t graph; // one of those that begin so
  event_set in;
  struct {
    event_set *at;
    uint32_t len, cap;
  } committed;    // the least sets that are good for it
  uint32_t tried; // so many of the graphs that were reached
  bool is_reached;
};

struct begins {
  uint32_t graph, kernel;
};

struct reexec {
  const struct program *p;
  struct reexec_rule rule;
  bool is_too_large;
  ARRAY(struct known) graphs;
  ARRAY(struct kernel) kernels;
  ARRAY(struct begins) begins;
  ARRAY(uint32_t) reached; // graphs
};

static event_set bit(unsigned e) {
  return (event_set)1 << e;
}

static unsigned first(event_set s) {
  return (unsigned)__builtin_ctzll(s);
}

// ---- graphs

// ([R]; po; [F acq] | [acq]; po | po; [rel] | [F rel]; po; [W])+
static struct relation find_rpo(const struct all_graph *g,
                                const struct relation *po) {
  struct relation rpo = rel_empty(g->n);
  for (unsigned i = 0; i < g->n; i++)
    for (event_set s = po->row[i]; s; s &= s - 1) {
      const struct all_event *e = &g->at[i], *f = &g->at[first(s)];
      bool acquires = e->kind != ALL_WRITE && order_acquires(e->order);
      bool releases = f->kind != ALL_READ && order_releases(f->order);
      bool is_fenced = (e->kind == ALL_READ && f->kind == ALL_FENCE &&
                        order_acquires(f->order)) ||
                       (e->kind == ALL_FENCE && f->kind == ALL_WRITE &&
                        order_releases(e->order));
      if (acquires || releases || is_fenced)
        rel_add(&rpo, i, first(s));
    }
  return rel_plus(rpo);
}

static event_set label_bit(const struct all_event *e) {
  unsigned h = e->kind + 3u * (e->loc + 5u * (e->value + 7u * e->thread));
  return bit((h * 7 + e->order) % 64);
}

static struct relation find_races(const struct all_graph *g,
                                  const struct relation *hb,
                                  const struct relation *porf) {
  struct relation races = rel_empty(g->n);
  for (unsigned r = 0; r < g->n; r++)
    for (event_set s = porf->row[r]; s; s &= s - 1) {
      unsigned w = first(s);
      if (g->at[r].kind == ALL_READ && g->at[w].kind == ALL_WRITE &&
          g->at[r].loc == g->at[w].loc && g->rf[r] != w && !rel_has(hb, r, w) &&
          !rel_has(hb, w, r))
        rel_add(&races, r, w);
    }
  return races;
}

static void on_graph(void *arg, const struct all_graph *g,
                     const struct all_relations *r) {
  struct reexec *x = arg;
  struct relation porf = rel_or(r->po, r->rf);
  struct known k = {.g = *g, .rf = r->rf, .mo = r->mo, .rmw = r->rmw};
  x->is_too_large |= x->graphs.len == MOST_GRAPHS;
  if (x->is_too_large)
    return;
  k.porf = rel_plus(porf);
  k.rpo = find_rpo(g, &r->po);
  struct relation races = find_races(g, &r->hb, &k.porf);
  k.reach = rel_plus(rel_or(porf, rel_inverse(races)));
  k.has_race = !rel_is_empty(races);
  k.is_cyclic = !rel_is_irreflexive(k.porf);
  for (unsigned i = 0; i < g->n; i++)
    k.labels |= label_bit(&g->at[i]);
  array_push(&x->graphs, k);
}

// The picture of the events of a graph that are in a set, a beginning of it.
static void draw(const struct program *p, const struct all_graph *g,
                 event_set in, struct picture *pic) {
  struct picture_name names[ALL_EVENTS];
  uint8_t len[PROGRAM_THREADS] = {0};
  memset(pic, 0, sizeof *pic);
  pic->nthreads = p->nthreads;
  pic->nlocs = p->nlocs;
  for (unsigned i = 0; i < g->n; i++) {
    uint8_t t = g->at[i].thread;
    names[i] = (struct picture_name){t, len[t]++};
  }
  for (unsigned i = 0; i < g->n; i++) {
    const struct all_event *e = &g->at[i];
    struct picture_event drawn = {.order = e->order};
    if (!event_set_has(in, i))
      continue;
    drawn.kind = e->kind == ALL_READ    ? PIC_READ
                 : e->kind == ALL_WRITE ? PIC_WRITE
                                        : PIC_FENCE;
    if (e->kind != ALL_FENCE) {
      drawn.loc = e->loc;
      drawn.value = e->value;
    }
    if (e->kind == ALL_READ)
      drawn.rf = g->rf[i] == ALL_INIT ? (struct picture_name){PICTURE_INIT, 0}
                                      : names[g->rf[i]];
    picture_add(pic, e->thread, drawn);
  }
  for (unsigned place = 1; place <= g->n; place++)
    for (unsigned i = 0; i < g->n; i++)
      if (event_set_has(in, i) && g->at[i].kind == ALL_WRITE &&
          g->mo[i] == place) {
        uint8_t loc = g->at[i].loc;
        pic->co[loc][pic->co_len[loc]++] = names[i];
      }
}

// ---- what may be committed

static event_set close(const struct known *k, event_set c) {
  for (event_set before = 0; before != c;) {
    before = c;
    for (unsigned i = 0; i < k->g.n; i++)
      if ((k->rf.row[i] | k->rpo.row[i]) & c)
        c |= bit(i);
  }
  return c;
}

// Can the events be added one by one?
static bool can_be_added(const struct known *k, event_set in, event_set c) {
  event_set there = 0, before;
  do {
    before = there;
    for (unsigned i = 0; i < k->g.n; i++) {
      const struct all_event *e = &k->g.at[i];
      bool is_next = i == 0 || k->g.at[i - 1].thread != e->thread ||
                     event_set_has(there, i - 1);
      bool waits = e->kind == ALL_READ && k->g.rf[i] != ALL_INIT &&
                   !event_set_has(c, i) && !event_set_has(there, k->g.rf[i]);
      if (event_set_has(in, i) && is_next && !waits)
        there |= bit(i);
    }
  } while (before != there);
  return there == in;
}

// StableUncommittedReads: takes away threads that read from none that is left.
static bool is_stable(const struct known *k, event_set in, event_set c) {
  unsigned from[PROGRAM_THREADS] = {0}, left = (1u << PROGRAM_THREADS) - 1;
  for (unsigned w = 0; w < k->g.n; w++)
    for (event_set s = k->rf.row[w] & in & ~c; s; s &= s - 1) {
      unsigned t = k->g.at[first(s)].thread;
      from[t] |= 1u << k->g.at[w].thread & ~(1u << t);
    }
  for (unsigned before = 0; before != left;) {
    before = left;
    for (unsigned t = 0; t < PROGRAM_THREADS; t++)
      if (!(from[t] & left))
        left &= ~(1u << t);
  }
  return !left;
}

// Keeps the least of the sets.
static void add_committed(struct kernel *q, event_set c) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < q->committed.len; i++)
    if (!(q->committed.at[i] & ~c))
      return;
  for (uint32_t i = 0; i < q->committed.len; i++)
    if (c & ~q->committed.at[i])
      q->committed.at[kept++] = q->committed.at[i];
  q->committed.len = kept;
  array_push(&q->committed, c);
}

// Which reads are committed decides: a set that is good remains so without what
// these do not need.
static void find_committed(struct reexec *x, struct kernel *q) {
  const struct known *k = &x->graphs.at[q->graph];
  unsigned reads[ALL_EVENTS], n = 0;
  for (unsigned i = 0; i < k->g.n; i++)
    if (event_set_has(q->in, i) && k->g.at[i].kind == ALL_READ &&
        k->g.rf[i] != ALL_INIT &&
        k->g.at[k->g.rf[i]].thread != k->g.at[i].thread)
      reads[n++] = i;
  x->is_too_large |= n > MOST_READS;
  for (unsigned chosen = 1; !x->is_too_large && chosen >> n == 0; chosen++) {
    event_set c = 0;
    for (unsigned i = 0; i < n; i++)
      c |= chosen >> i & 1 ? bit(reads[i]) : 0;
    c = close(k, c);
    if (can_be_added(k, q->in, c) && is_stable(k, q->in, c))
      add_committed(q, c);
  }
}

// ---- is one graph another one re-executed?

struct embedding {
  const struct known *to; // the graph that is re-executed
  const struct known *from;
  enum causal causal;
  event_set committed;
  uint8_t f[ALL_EVENTS];
};

static bool has_same_label(const struct all_event *e,
                           const struct all_event *f) {
  return e->kind == f->kind && e->order == f->order && e->thread == f->thread &&
         (e->kind == ALL_FENCE || (e->loc == f->loc && e->value == f->value));
}

static bool carries(const struct embedding *m, const struct relation *here,
                    const struct relation *there, unsigned a, unsigned b) {
  return !rel_has(here, a, b) || rel_has(there, m->f[a], m->f[b]);
}

static bool is_caused(const struct embedding *m, unsigned a, unsigned b) {
  bool is_asked = m->causal == CAUSAL_ALL ||
                  (m->causal == CAUSAL_CLOSING && rel_has(&m->from->rf, b, a));
  return !is_asked || !rel_has(&m->from->porf, a, b) ||
         rel_has(&m->to->reach, m->f[a], m->f[b]);
}

static bool fits(const struct embedding *m, unsigned a, unsigned b) {
  const struct known *here = m->from, *there = m->to;
  return carries(m, &here->rf, &there->rf, a, b) &&
         carries(m, &here->mo, &there->mo, a, b) &&
         carries(m, &here->rpo, &there->rpo, a, b) &&
         carries(m, &here->rmw, &there->rmw, a, b) && is_caused(m, a, b);
}

static bool fits_all(const struct embedding *m, unsigned e, event_set done) {
  const struct known *here = m->from, *there = m->to;
  if (here->g.at[e].kind == ALL_READ && here->g.rf[e] == ALL_INIT &&
      there->g.rf[m->f[e]] != ALL_INIT)
    return false;
  for (event_set s = done; s; s &= s - 1)
    if (!fits(m, e, first(s)) || !fits(m, first(s), e))
      return false;
  return true;
}

static bool embed(struct embedding *m, event_set left, event_set used) {
  if (!left)
    return true;
  unsigned e = first(left);
  for (unsigned i = 0; i < m->to->g.n; i++) {
    if (event_set_has(used, i) ||
        !has_same_label(&m->from->g.at[e], &m->to->g.at[i]))
      continue;
    m->f[e] = (uint8_t)i;
    if (fits_all(m, e, m->committed & ~left) &&
        embed(m, left & ~bit(e), used | bit(i)))
      return true;
  }
  return false;
}

static bool is_reexecuted(const struct reexec *x, const struct kernel *q,
                          const struct known *to) {
  struct embedding m = {
      .to = to, .from = &x->graphs.at[q->graph], .causal = x->rule.causal};
  for (uint32_t i = 0; i < q->committed.len; i++) {
    event_set labels = 0;
    m.committed = q->committed.at[i];
    for (event_set s = m.committed; s; s &= s - 1)
      labels |= label_bit(&m.from->g.at[first(s)]);
    if (!(labels & ~to->labels) && embed(&m, m.committed, 0))
      return true;
  }
  return false;
}

// ---- until nothing more is reached

static void add_kernel(struct reexec *x, uint32_t graph, event_set in) {
  struct picture pic;
  struct kernel q = {.graph = graph, .in = in};
  uint32_t i = 0;
  draw(x->p, &x->graphs.at[graph].g, in, &pic);
  q.name = picture_hash(&pic);
  while (i < x->kernels.len && (x->kernels.at[i].name.high != q.name.high ||
                                x->kernels.at[i].name.low != q.name.low))
    i++;
  x->is_too_large |= i == MOST_KERNELS;
  if (x->is_too_large)
    return;
  if (i == x->kernels.len) {
    find_committed(x, &q);
    array_push(&x->kernels, q);
  }
  array_push(&x->begins, (struct begins){graph, i});
}

// All beginnings that have the events in `in` and are closed by po | rf: those
// from event e on are decided.
static void find_kernels(struct reexec *x, uint32_t graph, event_set in,
                         unsigned e) {
  const struct known *k = &x->graphs.at[graph];
  if (x->is_too_large)
    return;
  if (e == k->g.n) {
    for (unsigned i = 0; i < k->g.n; i++)
      if ((k->porf.row[i] & in) && !event_set_has(in, i))
        return;
    add_kernel(x, graph, in);
    return;
  }
  bool is_next = e == 0 || k->g.at[e - 1].thread != k->g.at[e].thread ||
                 event_set_has(in, e - 1);
  if (event_set_has(in, e) || (is_next && !x->rule.only_cores))
    find_kernels(x, graph, in | bit(e), e + 1);
  if (!event_set_has(in, e))
    find_kernels(x, graph, in, e + 1);
}

static event_set core_of(const struct known *k) {
  event_set core = 0;
  for (unsigned i = 0; i < k->g.n; i++)
    for (event_set s = k->porf.row[i]; s; s &= s - 1)
      core |= rel_has(&k->porf, first(s), first(s)) ? bit(i) : 0;
  return core;
}

static void reach(struct reexec *x, uint32_t graph) {
  if (x->graphs.at[graph].is_reached)
    return;
  x->graphs.at[graph].is_reached = true;
  array_push(&x->reached, graph);
}

static bool try_kernel(struct reexec *x, uint32_t nth) {
  struct kernel *q = &x->kernels.at[nth];
  while (q->tried < x->reached.len && !q->is_reached)
    q->is_reached =
        is_reexecuted(x, q, &x->graphs.at[x->reached.at[q->tried++]]);
  for (uint32_t i = 0; i < x->begins.len && q->is_reached; i++)
    if (x->begins.at[i].kernel == nth)
      reach(x, x->begins.at[i].graph);
  return q->is_reached;
}

static void close_all(struct reexec *x) {
  for (uint32_t i = 0; i < x->graphs.len; i++) {
    if (x->graphs.at[i].is_cyclic)
      find_kernels(x, i, core_of(&x->graphs.at[i]), 0);
    else
      reach(x, i);
  }
  for (bool moved = true; moved && !x->is_too_large;) {
    moved = false;
    for (uint32_t i = 0; i < x->kernels.len; i++)
      moved |= !x->kernels.at[i].is_reached && try_kernel(x, i);
  }
}

static void tell(const struct reexec *x, const struct oracle_query *q) {
  for (uint32_t i = 0; i < x->graphs.len; i++) {
    const struct known *k = &x->graphs.at[i];
    unsigned models =
        k->is_cyclic ? 1u << ORACLE_XMM : 1u << ORACLE_XMM | 1u << ORACLE_RC11;
    struct picture pic;
    if (q->has_lb_race)
      *q->has_lb_race |= !k->is_cyclic && k->has_race;
    if (!k->is_reached || !(models & q->models))
      continue;
    draw(x->p, &k->g, bit(k->g.n) - 1, &pic);
    q->found(q->arg, models & q->models, &pic);
  }
}

bool reexec_run_by(struct reexec_rule rule, const struct program *p,
                   const struct oracle_query *q) {
  struct reexec x = {.p = p, .rule = rule};
  uint64_t most = q->max_work ? q->max_work : UINT64_MAX;
  bool ok = all_graphs(p, most, on_graph, &x) && !x.is_too_large;
  if (ok) {
    close_all(&x);
    ok = !x.is_too_large;
  }
  if (ok)
    tell(&x, q);
  for (uint32_t i = 0; i < x.kernels.len; i++)
    array_done(&x.kernels.at[i].committed);
  array_done(&x.kernels);
  array_done(&x.graphs);
  array_done(&x.begins);
  array_done(&x.reached);
  return ok;
}

bool reexec_run(const struct program *p, const struct oracle_query *q) {
  return reexec_run_by((struct reexec_rule){0}, p, q);
}
