// SPDX-License-Identifier: MIT
// XMM [Moiseenko et al., "Relaxed Memory Concurrency Re-executed"; the thesis
// on its model checker, 2024]: RC11 whose po ∪ rf may have cycles, as long as a
// graph with cycles comes from *re-executing* another execution. Some events
// are *committed*: they are the same in both. All other reads read what is
// there when they are re-executed, so a cycle has to go through a committed
// one; and that must have been justified before, without the cycle.
//
// In closed form: G' is an execution if it is consistent and there are an
// execution G and an order < of the threads such that
//  - C, the committed events, is the least set with both ends of every edge of
//    rf from w to r with tid(r) < tid(w) that has with an event what comes
//    before it by rpo, and with a read its source;
//  - there is an injective f from C into G that keeps threads and labels and
//    carries rf, co, rpo and rmw over to G;
//  - if w comes after r by po ∪ rf, for an edge from w to r within C, then f(w)
//    comes after f(r) in G by po ∪ rf ∪ race⁻¹, where a race is a read and a
//    write of its location which comes after it by po ∪ rf, that happens-before
//    does not order, and that it does not read;
//  - po ∪ rf without the edges to reads in C has no cycle.
// rpo = ([R⊒rlx];po;[F⊒acq] ∪ [⊒acq];po ∪ po;[⊒rel] ∪ [F⊒rel];po;[W⊒rlx])+;
// creating and joining a thread count as acquire and release.
//
// A smaller C is never worse, as long as it leaves no cycle; so of all orders
// only those matter whose edges against the order are minimal, feedback arc
// sets of the threads, and what has to be added to them for the last condition.
#include "model/xmm.h"

#include "base/bits.h"
#include "base/hash.h"
#include "model/deps.h"
#include "model/rc11.h"
#include "model/xmm_graph.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COMMITMENTS = 4096, THREADS = XMM_THREADS, PASSES = 4 };

bool xmm_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options) {
  return rc11_consistent(g, e, other, options);
}

bool xmm_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options) {
  return rc11_whole(g, e, other, options);
}

// Sets of events are as rows of relations.
static uint64_t *row_of(const struct rel *r, uint32_t i) {
  return r->bits + (size_t)i * r->words;
}

// ---- rpo

static bool orders_after(const struct event *e) { // ⊒acq
  return model_is_thread_event(e) ||
         ((e->kind == EV_READ || e->kind == EV_FENCE) &&
          order_acquires(e->order));
}

static bool orders_before(const struct event *e) { // ⊒rel
  return model_is_thread_event(e) ||
         ((e->kind == EV_WRITE || e->kind == EV_FENCE) &&
          order_releases(e->order));
}

static bool is_acquire_fence(const struct event *e) {
  return e->kind == EV_FENCE && order_acquires(e->order);
}

static bool is_release_fence(const struct event *e) {
  return e->kind == EV_FENCE && order_releases(e->order);
}

static bool is_atomic_read(const struct event *e) {
  return e->kind == EV_READ && e->order != ORD_NA;
}

static bool is_atomic_write(const struct event *e) {
  return e->kind == EV_WRITE && e->order != ORD_NA;
}

// Is `a` before `b` in po, or the same? Who creates a thread comes before it,
// and who ends before who joins it.
static bool is_po(const struct graph *g, event_id a, event_id b) {
  const struct event *e = &g->events[a], *f = &g->events[b];
  if (e->thread == f->thread)
    return e->index <= f->index;
  for (uint32_t i = 0; i <= f->index; i++) {
    const struct event *k = &g->events[graph_at(g, f->thread, i)];
    if ((k->kind == EV_START || k->kind == EV_JOIN) && k->rf != NO_EVENT &&
        is_po(g, a, k->rf))
      return true;
  }
  return false;
}

// Follows rpo from `a` through its thread. (What is before another thread is
// ordered before all of it.)
bool xmm_is_rpo(const struct graph *g, event_id a, event_id b) {
  const struct event *e = &g->events[a];
  if (a == b || !is_po(g, a, b))
    return false;
  if (e->thread != g->events[b].thread || orders_after(e) ||
      orders_before(&g->events[b]))
    return true;
  bool has_read = is_atomic_read(e), has_fence = is_release_fence(e);
  for (uint32_t i = e->index + 1; i < g->events[b].index; i++) {
    const struct event *k = &g->events[graph_at(g, e->thread, i)];
    if (!orders_before(k) && !(has_read && is_acquire_fence(k)) &&
        !(has_fence && is_atomic_write(k)))
      continue;
    if (orders_after(k))
      return true;
    has_read |= is_atomic_read(k);
    has_fence |= is_release_fence(k);
  }
  const struct event *f = &g->events[b];
  return (has_read && is_acquire_fence(f)) || (has_fence && is_atomic_write(f));
}

// The same for all events of the thread of event i, in one pass.
static void find_rpo_in_thread(struct axioms *a, uint32_t i, struct rel *rpo) {
  const struct graph *g = a->g;
  const struct event *e = event_at(a, i);
  bool has_all = orders_after(e), has_read = is_atomic_read(e);
  bool has_fence = is_release_fence(e);
  for (uint32_t n = e->index + 1; n < graph_thread_length(g, e->thread); n++) {
    event_id id = graph_at(g, e->thread, n);
    const struct event *k = &g->events[id];
    if (!has_all && !orders_before(k) && !(has_read && is_acquire_fence(k)) &&
        !(has_fence && is_atomic_write(k)))
      continue;
    rel_add(rpo, i, a->number[id]);
    has_all |= orders_after(k);
    has_read |= is_atomic_read(k);
    has_fence |= is_release_fence(k);
  }
}

// The event of its thread that all of it begins with.
static uint32_t first_of(const struct axioms *a, uint32_t i) {
  return a->number[graph_at(a->g, event_at(a, i)->thread, 0)];
}

// Between threads rpo is po.
static struct rel *find_rpo(struct axioms *a) {
  struct rel *rpo = new_rel(a);
  struct rel *own = new_rel(a); // rows of first events: all of the thread
  for (uint32_t i = 0; i < a->n; i++)
    rel_add(own, first_of(a, i), i);
  for (uint32_t i = 0; i < a->n; i++) {
    find_rpo_in_thread(a, i, rpo);
    for (uint32_t w = 0; w < rpo->words; w++)
      row_of(rpo, i)[w] |=
          row_of(a->po, i)[w] & ~row_of(own, first_of(a, i))[w];
  }
  return rpo;
}

// ---- what an execution has

struct label xmm_label(const struct event *e) {
  struct label l = {.kind = e->kind, .thread = e->thread, .order = e->order};
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    l.order = (uint8_t)order_reading((enum order)e->order);
    l.loc = e->loc;
    l.value = e->value;
    break;
  case EV_WRITE:
    l.order = (uint8_t)order_writing((enum order)e->order);
    l.loc = e->loc;
    l.value = e->value;
    break;
  case EV_FENCE:
  case EV_CHOICE:
  case EV_OUTPUT:
  case EV_ANSWER:
    l.value = e->value;
    break;
  case EV_SPAWN:
  case EV_JOIN:
  case EV_DETACH:
  case EV_ALLOC:
  case EV_FREE:
    l.loc = e->loc;
    break;
  case EV_INIT:
  case EV_START:
  case EV_END:
    break;
  }
  return l;
}

uint64_t xmm_hash_label(const struct label *l) {
  uint64_t what = (uint64_t)l->loc << 32 | (uint64_t)l->thread << 16 |
                  (uint64_t)l->order << 8 | l->kind;
  return hash_mix(what, l->value);
}

void xmm_sign(struct signature *s, const struct event *e, uint64_t label,
              uint64_t source) {
  uint64_t h = hash_u64(e->kind == EV_READ ? hash_mix(label, source) : label);
  s->bits[h / 64 % 8] |= 1ull << h % 64;
}

uint64_t xmm_sign_closing(uint64_t label, uint64_t source) {
  return 1ull << hash_mix(label, source) % 64;
}

// ---- the graph that is to be justified

static struct threads threads_of(const struct cyclic *c) {
  struct threads s = {.n = c->g->nthreads};
  for (uint32_t i = 0; i < c->a.n; i++) {
    const struct event *e = event_at(&c->a, i);
    if (e->kind == EV_READ && e->rf != INIT_EVENT &&
        c->g->events[e->rf].thread != e->thread)
      s.with[e->thread] |= 1ull << c->g->events[e->rf].thread;
  }
  return s;
}

// The threads that have to be before thread t.
static uint64_t before(const struct threads *s, uint32_t t) {
  uint64_t found = s->with[t];
  for (uint32_t u = 0; u < s->n; u++)
    found |= s->against[u] >> t & 1 ? 1ull << u : 0;
  return found;
}

// Threads that would have to be before each other: fills `at`, in the direction
// to what is before, and yields how many; 0: there is an order.
static uint32_t find_circle(const struct threads *s, uint32_t *at) {
  uint64_t left = 0; // may be on a circle
  for (uint32_t t = 0; t < s->n; t++)
    left |= s->with[t] || s->against[t] ? s->with[t] | s->against[t] | 1ull << t
                                        : 0;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t t = 0; t < s->n; t++)
      if ((left >> t & 1) && !(before(s, t) & left)) {
        left &= ~(1ull << t);
        more = true;
      }
  }
  if (!left)
    return 0;
  uint32_t seen[THREADS] = {0}, n = 0;
  uint32_t t = (uint32_t)__builtin_ctzll(left);
  for (; !seen[t]; t = (uint32_t)__builtin_ctzll(before(s, t) & left)) {
    at[n++] = t;
    seen[t] = n;
  }
  uint32_t first = seen[t] - 1;
  memmove(at, at + first, (n - first) * sizeof *at);
  return n - first;
}

static void close_commitment(const struct cyclic *c, uint64_t *in) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < c->a.n; i++)
      for (uint32_t w = 0; w < c->needs->words && bit_has(in, i); w++) {
        uint64_t fresh = row_of(c->needs, i)[w] & ~in[w];
        in[w] |= fresh;
        more |= fresh != 0;
      }
  }
}

// Without the edges to committed reads there must be no cycle.
static bool leaves_no_cycle(struct cyclic *c, const uint64_t *in) {
  struct axioms *a = &c->a;
  struct rel *r = either(a, a->po, a->po);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *e = event_at(a, i);
    if (e->kind == EV_READ && e->rf != INIT_EVENT && !bit_has(in, i))
      rel_add(r, a->number[e->rf], i);
  }
  return rel_is_acyclic(&a->rels, r);
}

static bool has_all(const uint64_t *in, const struct commitment *w) {
  for (uint32_t i = 0; i < w->n; i++)
    if (!bit_has(in, w->at[i].event))
      return false;
  return true;
}

static const struct rel *carried(const struct cyclic *c, enum carried by) {
  const struct rel *all[CARRIED] = {c->a.rf, c->a.co, c->rpo, c->a.rmw};
  return all[by];
}

// One of the relations on the events of a commitment, by their places there:
// what comes after each, and what comes before.
struct on_places {
  uint32_t words;
  uint64_t *after, *before;
};

static struct on_places put_on_places(const struct commitment *w,
                                      const uint64_t *in, const uint32_t *place,
                                      const struct rel *r) {
  struct on_places p = {.words = (w->n + 63) / 64};
  p.after = xcalloc((size_t)w->n * p.words + 1, sizeof *p.after);
  p.before = xcalloc((size_t)w->n * p.words + 1, sizeof *p.before);
  for (uint32_t a = 0; a < w->n; a++)
    for (uint32_t i = 0; i < r->words; i++)
      for (uint64_t rest = row_of(r, w->at[a].event)[i] & in[i]; rest;
           rest &= rest - 1) {
        uint32_t b = place[i * 64 + (uint32_t)__builtin_ctzll(rest)];
        bit_add(p.after + a * p.words, b);
        bit_add(p.before + b * p.words, a);
      }
  return p;
}

// Those of a row that are before a place.
static uint64_t below(const uint64_t *row, uint32_t word, uint32_t place) {
  if (word > place / 64)
    return 0;
  return word < place / 64 ? row[word] : row[word] & ((1ull << place % 64) - 1);
}

// Does the pair follow from two with events before the last place? (The
// relations of G are transitive too.)
static bool follows(const struct on_places *p, uint32_t a, uint32_t b) {
  uint32_t last = a > b ? a : b;
  uint64_t between = 0;
  for (uint32_t i = 0; i < p->words; i++)
    between |= below(p->after + a * p->words, i, last) &
               below(p->before + b * p->words, i, last);
  return between;
}

// The pairs of one relation whose later place is this.
static void add_pairs(const struct on_places *p, enum carried by, uint32_t last,
                      struct commitment *w) {
  bool is_transitive = by == CARRIES_CO || by == CARRIES_RPO;
  for (uint32_t k = 0; k < 2 * p->words; k++) {
    bool is_after = k < p->words;
    const uint64_t *row = (is_after ? p->after : p->before) + last * p->words;
    uint32_t word = is_after ? k : k - p->words;
    for (uint64_t rest = below(row, word, last); rest; rest &= rest - 1) {
      uint32_t other = word * 64 + (uint32_t)__builtin_ctzll(rest);
      uint32_t a = is_after ? last : other, b = is_after ? other : last;
      if (!is_transitive || !follows(p, a, b))
        array_push(&w->pairs, (struct carried_pair){a, b, by});
    }
  }
}

static void find_pairs(const struct cyclic *c, const uint64_t *in,
                       struct commitment *w) {
  struct on_places all[CARRIED];
  uint32_t *place = xcalloc(c->a.n + 1, sizeof *place);
  for (uint32_t i = 0; i < w->n; i++)
    place[w->at[i].event] = i;
  for (unsigned by = 0; by < CARRIED; by++)
    all[by] = put_on_places(w, in, place, carried(c, (enum carried)by));
  free(place);
  for (uint32_t last = 0; last < w->n; last++)
    for (unsigned by = 0; by < CARRIED; by++)
      add_pairs(&all[by], (enum carried)by, last, w);
  for (unsigned by = 0; by < CARRIED; by++) {
    free(all[by].after);
    free(all[by].before);
  }
}

static bool is_read_by(const struct cyclic *c, const uint64_t *in,
                       uint32_t nth) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < c->a.rf->words; i++)
    found |= row_of(c->a.rf, nth)[i] & in[i];
  return found;
}

// Reads first, those on cycles before the others, then their sources: what
// reads map to says where these go.
static unsigned pass_of(const struct cyclic *c, const uint64_t *in,
                        uint32_t nth) {
  if (event_at(&c->a, nth)->kind == EV_READ)
    return cyclic_porf(c, nth, nth) ? 0 : 1;
  return is_read_by(c, in, nth) ? 2 : 3;
}

// `readers`: by event, the place of the first read in the commitment that reads
// it.
static void add_event(const struct cyclic *c, struct commitment *w,
                      uint32_t nth, uint32_t *readers) {
  const struct event *e = event_at(&c->a, nth);
  struct committed now = {
      .event = nth, .reader = readers[nth], .label = xmm_label(e)};
  uint64_t source = 0;
  now.hash = xmm_hash_label(&now.label);
  if (e->kind == EV_READ && e->rf != INIT_EVENT) {
    uint32_t from = c->a.number[e->rf];
    struct label l = xmm_label(&c->g->events[e->rf]);
    source = xmm_hash_label(&l);
    if (readers[from] == NO_READER)
      readers[from] = w->n;
    if (cyclic_porf(c, nth, from))
      w->closes |= xmm_sign_closing(now.hash, source);
  }
  xmm_sign(&w->needs, e, now.hash, source);
  w->at[w->n++] = now;
}

static struct commitment commitment_of(const struct cyclic *c,
                                       const uint64_t *in) {
  struct commitment w = {.at = xcalloc(c->a.n + 1, sizeof *w.at)};
  uint32_t *readers = xcalloc(2 * c->a.n + 1, sizeof *readers);
  uint32_t *passes = readers + c->a.n;
  for (uint32_t i = 0; i < c->a.n; i++) {
    readers[i] = NO_READER;
    passes[i] = bit_has(in, i) ? pass_of(c, in, i) : PASSES;
  }
  for (unsigned pass = 0; pass < PASSES; pass++)
    for (uint32_t i = 0; i < c->a.n; i++)
      if (passes[i] == pass)
        add_event(c, &w, i, readers);
  free(readers);
  find_pairs(c, in, &w);
  return w;
}

// The threads in an order for which these edges are with it, or against it.
static void sort_threads(const struct cyclic *c, const struct threads *s,
                         struct commitment *w) {
  uint64_t left = 0;
  for (uint32_t i = 0; i < c->a.n; i++)
    left |= 1ull << event_at(&c->a, i)->thread;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t t = 0; t < s->n && !more; t++)
      if ((left >> t & 1) && !(before(s, t) & left)) {
        w->order[w->nthreads++] = (uint8_t)t;
        left &= ~(1ull << t);
        more = true;
      }
  }
}

// Commits what is against the order. False: that leaves a cycle.
static bool add_way(struct cyclic *c, const struct threads *s) {
  uint64_t *in = new_rel(&c->a)->bits; // its first row
  for (uint32_t i = 0; i < c->a.n; i++) {
    const struct event *e = event_at(&c->a, i);
    if (e->kind == EV_READ && e->rf != INIT_EVENT &&
        (s->against[e->thread] >> c->g->events[e->rf].thread & 1))
      bit_add(in, i);
  }
  close_commitment(c, in);
  bool is_enough = leaves_no_cycle(c, in), is_better = is_enough;
  for (uint32_t i = 0; i < c->ways.len && is_better; i++)
    is_better = !has_all(in, &c->ways.at[i]);
  if (is_better) {
    array_push(&c->ways, commitment_of(c, in));
    sort_threads(c, s, array_last(&c->ways));
  }
  return is_enough;
}

static void find_ways(struct cyclic *c, struct threads *s);

// The edges from u to t are against the order, too.
static void turn(struct cyclic *c, struct threads *s, uint32_t t, uint32_t u) {
  s->with[t] &= ~(1ull << u);
  s->against[t] |= 1ull << u;
  find_ways(c, s);
  s->with[t] |= 1ull << u;
  s->against[t] &= ~(1ull << u);
}

static bool was_seen(struct cyclic *c, const struct threads *s) {
  for (uint32_t i = 0; i < c->seen.len; i++)
    if (memcmp(c->seen.at[i].against, s->against, s->n * sizeof *s->against) ==
        0)
      return true;
  array_push(&c->seen, *s);
  return false;
}

// Orders that have at least these edges against them. If edges of threads go
// round in a circle, one more of them is against the order. If that is enough
// for an order, nothing more should be committed: less is never worse. But it
// may leave a cycle, through the creation or the end of a thread; then anything
// more may help.
static void find_ways(struct cyclic *c, struct threads *s) {
  uint32_t circle[THREADS];
  if (c->seen.len >= MOST_COMMITMENTS) {
    c->is_cut = true;
    return;
  }
  if (was_seen(c, s))
    return;
  uint32_t n = find_circle(s, circle);
  for (uint32_t i = 0; i < n; i++)
    if (s->with[circle[i]] >> circle[(i + 1) % n] & 1)
      turn(c, s, circle[i], circle[(i + 1) % n]);
  if (n || add_way(c, s))
    return;
  for (uint32_t t = 0; t < s->n; t++)
    for (uint64_t rest = s->with[t]; rest; rest &= rest - 1)
      turn(c, s, t, (uint32_t)__builtin_ctzll(rest));
}

static void cyclic_free(struct cyclic *c) {
  for (uint32_t i = 0; i < c->ways.len; i++) {
    free(c->ways.at[i].at);
    array_done(&c->ways.at[i].pairs);
  }
  array_done(&c->ways);
  array_done(&c->seen);
  axioms_done(&c->a);
  free(c);
}

#if HEDDLE_SLOW_CHECKS
static void verify_porf(struct cyclic *c) {
  struct rel *porf = rel_plus(&c->a.rels, either(&c->a, c->a.po, c->a.rf));
  for (uint32_t i = 0; i < c->a.n; i++)
    for (uint32_t k = 0; k < c->a.n; k++)
      check(rel_has(porf, i, k) == cyclic_porf(c, i, k));
}
#endif

static struct cyclic *cyclic_new(const struct model *m, struct graph *g,
                                 const struct model_options *options) {
  struct cyclic *c = xcalloc(1, sizeof *c);
  c->g = g;
  axioms_init_base(&c->a, g, options);
  if (xmm_is_allowed(m, &c->a)) {
    c->rpo = find_rpo(&c->a);
    c->needs = rel_inverse(&c->a.rels, either(&c->a, c->rpo, c->a.rf));
#if HEDDLE_SLOW_CHECKS
    verify_porf(c);
#endif
    struct threads s = threads_of(c);
    find_ways(c, &s);
  }
  if (c->ways.len || c->is_cut)
    return c;
  cyclic_free(c);
  return NULL;
}

// What all ways have in common.
static uint64_t needs(const struct cyclic *c) {
  uint64_t all = UINT64_MAX;
  for (uint32_t i = 0; i < c->ways.len; i++)
    all &= c->ways.at[i].closes;
  return all;
}

static bool is_cut(const struct cyclic *c) {
  return c->is_cut;
}

// On each cycle there is a committed edge whose write is not ordered behind
// where the cycle enters its thread: going back along the cycle from any
// committed edge, as long as that order holds, all is committed; and all of the
// cycle would be in the other execution too. So it is no release.
static bool may_precede(const struct event *write) {
  return !order_releases(write->order);
}

const struct justifier xmm_justifier = {.cyclic_new = cyclic_new,
                                        .cyclic_free = cyclic_free,
                                        .is_cut = is_cut,
                                        .witness_new = xmm_witness_new,
                                        .witness_free = xmm_witness_free,
                                        .marks = xmm_marks,
                                        .needs = needs,
                                        .justifies = xmm_justifies,
                                        .may_precede = may_precede};
