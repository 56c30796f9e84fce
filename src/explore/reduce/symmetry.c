// SPDX-License-Identifier: MIT
// Symmetry: threads that main creates in a row and that start in the same
// state, so with the same function and argument, are interchangeable. Graphs
// that are equal up to a permutation of such threads form a class; one graph of
// each class is explored, and the number of graphs in the class is computed.
// [SPORE, PLDI'24] combines symmetry with TruSt in the same spirit; order,
// proof and checks here are our own.
//
// 1. Is it true? equal.c has when, and what refutes it.
//
// 2. Which graph of a class? Let t be the thread before u in its group, and let
// their first i events be the same: reads of the same writes (or of their own
// at the same place), writes to objects of their own, and all that is neither.
// If both have an event number i, they are in the same state and both read, or
// both write, the same location. Then t must come first: its source or its
// write is not later in co (of two chosen values its is not the lower one).
// This compares threads like words in a dictionary. So it is a total preorder,
// each class has a sorted graph, and threads that are equal in it can be
// exchanged without changing it: the class of a graph with groups of sizes k,
// of which c are equal, has k!/c!... members.
//
// 3. Why is each of these graphs met exactly once? Let sr be the edges from
// event i of t to event i of u for these i, up to the first one that differs;
// the prefix of an event is now what comes before it by po ∪ rf ∪ sr. With this
// word everything in revisit.c holds as it stands:
//   - The edges do not change while the graph grows: they depend on what is
//     before them in t and u, and event i of t is never deleted or revisited
//     while event i of u stays.
//   - The write of an update is never added maximally without its read, so with
//     its read it is in the prefix too. (Nothing but the read comes before it.)
//   - A part of a sorted graph that is closed under the prefix is sorted, and
//     so it is after an event is added maximally. Say it is event i of u.
//     Threads before u that are the same so far have their event i: they have
//     smaller numbers, and the scheduler takes the first of threads in equal
//     states. Reading the newest write, writing the newest and choosing the
//     lowest is late enough for u. Threads after u that are the same so far
//     have no event i yet, or u's would have been in its prefix and there.
//   - po ∪ rf ∪ sr has no cycles. A shortest one enters each of its sr edges by
//     rf: what is before t's event i by po is before u's as well. So it is made
//     of pieces  wa -rf-> t.i -sr-> u.i -(po ∪ rf)-> wc,  and with wb, which
//     u.i reads, co leads from wa to wb and po ∪ rf on to wc: co ∪ po ∪ rf has
//     a cycle. sc, tso and pso forbid that. In other models the next write
//     might be such a wa, placed in co before what a thread of the group in its
//     prefix has read, while another one of the group could read it. If that
//     happens the symmetry is refuted too; it takes relaxed accesses that run
//     against co. (It would happen in every such case: take what comes before
//     wa by po ∪ rf, with u.i, and what t did before t.i, which is what u did.
//     Sort that, where a thread that has no more events counts as later. It is
//     allowed, without that cycle, so it is met, and wa is next. There t may
//     come before u or after it.)
//   - An update that reads what an equal thread's update has read would have to
//     revisit that one, which is in its prefix: it is not tried.
// What other reductions make of this is in 6.
//
// 4. imm and armv8 have executions with cycles of po ∪ rf too (promise.c), and
// there it ends: a core is found from its parent, which is chosen by the
// numbers of threads, and the parent of a sorted core may not be sorted. So
// equal threads are explored once as long as there is no core at all, which is
// what most programs are like: where a write is next, we try whether a promise
// of it makes a core, and if one does, the symmetry is refuted. It is tried
// where it matters: let K be a core whose parent G has no cycles. Exchange
// equal threads such that G is sorted, where a thread that has no more events
// counts as later than one that goes on. All events of G but w, the write that
// is taken back, come before w by po ∪ rf (promise.c), and what comes before
// them by sr is in G too. So they are there when w is next in some graph that
// is explored, and all else is cut off before the promise is tried. (An update
// w that reads what an equal thread's update r has read is not tried, as said
// above. It could only be promised to r if r came before it; then r would come
// before what the two threads have both read, and so before itself.)
//
// 5. --equivalence rf (rf_equivalence.c): a graph is po and rf, and there is no
// co to sort by. Of two sources that come first is the one with fewer events
// before it by po ∪ rf; of as many, the one of the thread that was created
// first, by groups. Two writes of one location have no order at all: threads
// that come to one, the same so far, are both right whichever is first. Let the
// *word* of a thread be what it does up to that write.
//   - Each class has sorted graphs. Words are compared by sources, these by the
//     words of their threads, which are about sources with fewer events before
//     them. So begin with any names, and sort: first the threads whose words
//     only have sources that are in no group, and so on.
//   - How many? The threads of equal words may have any order among themselves,
//     and nothing else is free. So a sorted graph still stands for k!/c!..., if
//     c threads have equal words; but there are as many sorted graphs of a
//     class as such orders, less those that make no difference.
//   - The maximal source of u.i, if t.i is there and takes nothing, is that of
//     t.i. It is allowed: put t.j for each u.j, and every order of a model
//     that leads through u is one that leads through t. (No thread reads what u
//     wrote so far, which are objects of its own.) If t.i takes its source, the
//     maximal one is the last in the order above that some co allows. It is
//     after that of t.i: where the updates that began with the one of t.i end,
//     u.i may follow, as everything that is after that write in co is after t.i
//     too. So the graph stays sorted, in either case.
//   - The maximal source may be old, and u wait with it: then the graph must
//     not be left (read.c), as it is one that revisits begin with.
//   - po ∪ rf ∪ sr has no cycle: with wa, wb and wc as above, wb has no fewer
//     events before it than wa, and wc more than wb. So nothing crosses.
//
// 6. Other reductions. Let p be a permutation of equal threads. A reduction
// goes with symmetry if it does to p(G) what it does to G, and if it never
// leaves a graph that is maximal, as one that revisits begin with is found by
// adding maximally. docs/internals/symmetry.md has a table of all of them.
//   - Awaits, own rounds and retries stop a thread by what it has done and read
//     itself, and by steps that commute: those that are taken are asked also if
//     the thread stops (equal.c), and those that are only tried are taken in
//     the execution without the round. What a round stores that is its thread's
//     own affair no other has come by, so threads that are the same so far
//     are held back alike. Retries leave no graph if there are groups
//     (retry.c).
//   - Handing over: a write is handed over to the newest read that is not in
//     its prefix. A later thread that is the same so far, and has its read, had
//     it after that, so it is in the prefix of the write, and so, by sr, is
//     this one. So no thread after it has to be compared with it, and those
//     before it come first: what it is handed is the newest.
//   - A graph in which a thread stops with something old is left: that read is
//     not maximal. So is one in which no thread will write (no_writers.c):
//     nothing is revisited in all that comes of it. Neither is counted, and
//     what is found in one is found in another execution, whose class is
//     explored.
//   - Ends and joins are no accesses. They are left out (tail.c) if all results
//     are 0 and main joins a group wholly or not at all. The last event before
//     them (leaf.c) is added, and so is an update that comes too late (read.c),
//     if there are groups.
//   - Words that take part in rounds which are left out: what is known of one
//     was found out by those that were explored, at that place and with those
//     values. So there is no symmetry if rounds take locks (lock_word.c), nor
//     if tries are undone in words that are threads' own (rollback.c); of a
//     word that all share all of it is known.
//
// Where this is not proved there is no symmetry: models from files that track
// dependencies, or of which cat/facts/symmetric.c does not say that t.i may
// read what u.i reads, C++11's release sequences, --read-bound (it counts what
// was read in the order of the search) and --net-effect-awaits.
#include "explore/reduce/classes.h"

#include <stdlib.h>

static void init(struct explorer *x) {
  x->state[REDUCTION_SYMMETRY] = xcalloc(1, sizeof(struct symmetry));
  for (thread_id t = 0; t < MAX_THREADS; t++)
    symmetry_of(x)->before[t] = NO_THREAD;
}

static void done(struct explorer *x) {
  free(symmetry_of(x)->steps);
  free(symmetry_of(x));
}

static const char *why_not(const struct explorer *x) {
  const struct search_options *c = &x->config;
  const struct model *m = c->model;
  if (m->justifier && x->team)
    return "executions have to be justified, by several workers";
  if (m->filters || m->c11_release_sequences ||
      c->model_options.c11_release_sequences)
    return "an axiom is about complete graphs";
  if (m->text && !m->is_symmetric)
    return "it is not proved of the model file";
  return c->read_bound ? "--read-bound" : NULL;
}

static const char not_proved[] =
    "rounds that take a lock are left out, or all rounds of a loop are made, "
    "or memory is in pieces";

static void restarts(struct explorer *x, unsigned why) {
  if ((why & RESTART_UNEQUAL) && explore_reduces(x, REDUCE_SYMMETRY))
    symmetry_refute(x, not_proved);
}

static void prepare(struct explorer *x, const struct assumptions *known) {
  if (!known)
    return;
  symmetry_of(x)->arrays = known->numbered;
  if (assume_refutes_symmetry(known) && explore_reduces(x, REDUCE_SYMMETRY)) {
    symmetry_refute(x, not_proved);
    x->restart = 0; // nothing has begun
  }
}

static void tell(const struct explorer *x, struct assumptions *learned) {
  learned->asymmetry = x->result.asymmetry;
  learned->numbered = symmetry_of(x)->arrays;
}

// ---- the order of threads

// Were these two events, before which the threads were the same, the same?
static bool is_same(const struct event *a, const struct event *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == EV_WRITE)
    return a->loc != b->loc; // objects of their own
  if (a->kind == EV_CHOICE)
    return a->value == b->value;
  return a->kind != EV_READ || a->rf == b->rf;
}

// The same, where a read may have read what its own thread wrote, or what main
// wrote to its element before.
static bool are_same(const struct explorer *x, thread_id t, thread_id u,
                     uint32_t i) {
  const struct graph *g = &x->g;
  const struct event *a = event_of(g, t, i), *b = event_of(g, u, i);
  if (a->kind != EV_READ || b->kind != EV_READ || a->rf == b->rf)
    return is_same(a, b) && !(a->kind == EV_READ && a->loc == b->loc &&
                              (a->flags & b->flags & EVF_EXCLUSIVE));
  const struct event *v = &g->events[a->rf], *w = &g->events[b->rf];
  if (a->rf == INIT_EVENT || b->rf == INIT_EVENT)
    return false;
  return (v->thread == t && w->thread == u && v->index == w->index) ||
         (v->thread == 0 && w->thread == 0 && a->loc != b->loc &&
          v->co == w->co);
}

// How many of their first events, up to `most`, are the same?
static uint32_t same_events(const struct explorer *x, thread_id t, thread_id u,
                            uint32_t most) {
  const struct graph *g = &x->g;
  uint32_t n = 1; // the start
  if (most > graph_thread_length(g, t))
    most = graph_thread_length(g, t);
  while (n < most && are_same(x, t, u, n))
    n++;
  return n;
}

// How many events come before a write by po ∪ rf, with it?
static uint32_t events_up_to(const struct graph *g, event_id write) {
  const struct event *w = &g->events[write];
  if (write == INIT_EVENT)
    return 0;
  uint32_t n = w->index + 1;
  for (thread_id t = 0; t < g->nthreads; t++)
    n += t == w->thread ? 0 : clock_get(&g->clocks, w->porf, t);
  return n;
}

static thread_id leader_of(const struct explorer *x, thread_id t) {
  uint64_t group = symmetry_of(x)->group[t];
  return group ? (thread_id)__builtin_ctzll(group) : t;
}

bool symmetry_puts_first(const struct explorer *x, event_id v, event_id w) {
  const struct graph *g = &x->g;
  const struct event *a = &g->events[v], *b = &g->events[w];
  uint32_t n = events_up_to(g, v), m = events_up_to(g, w);
  if (n != m || v == w)
    return n < m;
  thread_id one = leader_of(x, a->thread), other = leader_of(x, b->thread);
  return one != other ? one < other : a->thread < b->thread;
}

// Event i of t and of u are the first that differ: is that of t the first?
static bool is_sorted_at(const struct explorer *x, thread_id t, thread_id u,
                         uint32_t i) {
  const struct graph *g = &x->g;
  const struct event *a = event_of(g, t, i), *b = event_of(g, u, i);
  if (a->kind != b->kind || (is_access(a) && a->loc != b->loc))
    return true; // one of them has stopped
  if (a->kind == EV_CHOICE) {
    uint64_t lowest = vm_access(x->vm, a->pre)->value;
    return a->value - lowest > b->value - lowest;
  }
  if (!is_access(a))
    return true;
  if (explore_ignores_co(x))
    return a->kind == EV_WRITE || symmetry_puts_first(x, a->rf, b->rf);
  uint32_t first = graph_co_place(g, graph_at(g, t, i));
  uint32_t second = graph_co_place(g, graph_at(g, u, i));
  return first < second ||
         (first == second && !(a->flags & b->flags & EVF_EXCLUSIVE));
}

static bool is_sorted(const struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  thread_id u = e->thread, t = symmetry_of(x)->before[u];
  if (t == NO_THREAD || !has_event(g, t, e->index))
    return true;
  return same_events(x, t, u, e->index) < e->index ||
         are_same(x, t, u, e->index) || is_sorted_at(x, t, u, e->index);
}

static enum outcome look_at(struct explorer *x, event_id id) {
  if (equal_ask(x, id) == STOP)
    return STOP;
  return is_sorted(x, id) ? GO_ON : GO_BACK;
}

// Events were added. GO_BACK: another graph of the class is explored. STOP: the
// threads can be told apart.
static enum outcome look(struct explorer *x) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[g->last];
  if (!x->grouped)
    return GO_ON;
  if (x->core != INIT_EVENT)
    return symmetry_refute(x, "a load reads what comes after it");
  if (e->kind == EV_START && equal_ask(x, e->rf) == STOP)
    return STOP; // they come together
  enum outcome o = look_at(x, g->last);
  if (e->kind != EV_WRITE || o != GO_ON)
    return o;
  // Who reads it already was revisited.
  const struct event_list *reads = &g->locs.at[e->loc].reads;
  for (uint32_t i = 0; o == GO_ON && i < reads->len; i++)
    if (g->events[reads->at[i]].rf == g->last)
      o = look_at(x, reads->at[i]);
  return o;
}

// ---- the prefix

// Of the first n events of u, how many have an edge from the thread before it?
static uint32_t edges_into(const struct explorer *x, thread_id u, uint32_t n) {
  thread_id t = symmetry_of(x)->before[u];
  uint32_t same = same_events(x, t, u, graph_thread_length(&x->g, u));
  uint32_t edges = same + 1 < n ? same + 1 : n;
  uint32_t most = graph_thread_length(&x->g, t);
  return edges < most ? edges : most;
}

// How many events of the thread before u are in the prefix when the first n of
// u are. The two halves of an update stay together.
static uint32_t events_before(const struct explorer *x, thread_id u,
                              uint32_t n) {
  thread_id t = symmetry_of(x)->before[u];
  n = edges_into(x, u, n);
  const struct event *e = event_of(&x->g, t, n - 1);
  bool is_half = e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE);
  return n + (is_half && has_event(&x->g, t, n));
}

// What comes before it by sr is in it too.
static clock_id prefix_with(struct explorer *x, thread_id t) {
  struct graph *g = &x->g;
  clock_id all = g->events[graph_tail(g, t)].porf;
  bool more = true;
  while (more) {
    more = false;
    for (uint64_t rest = x->grouped; rest; rest &= rest - 1) {
      thread_id u = (thread_id)__builtin_ctzll(rest);
      thread_id before = symmetry_of(x)->before[u];
      if (u >= g->nthreads || !graph_thread_length(g, u) ||
          before == NO_THREAD || before == t)
        continue;
      uint32_t n = u == t ? graph_thread_length(g, t) + 1
                          : clock_get(&g->clocks, all, u);
      n = n ? events_before(x, u, n) : 0;
      if (n <= clock_get(&g->clocks, all, before))
        continue;
      all = clock_join(&g->clocks, all, event_of(g, before, n - 1)->porf,
                       before, n);
      more = true;
    }
  }
  return all;
}

// May the next write of thread t come to stand before one of the first n reads
// of thread u, where thread v of its group, which is or may yet be the same so
// far, could read that write?
static bool crosses(const struct explorer *x, thread_id t, thread_id u,
                    thread_id v, uint32_t n, uint32_t loc, uint32_t lowest) {
  const struct graph *g = &x->g;
  uint32_t length = v < g->nthreads ? graph_thread_length(g, v) : 0;
  clock_id porf = g->events[graph_tail(g, t)].porf;
  uint32_t known = length ? clock_get(&g->clocks, porf, v) : 0;
  uint32_t same = length ? same_events(x, v, u, n) : 0;
  uint32_t end = same < length && same + 1 < n ? same + 1 : n;
  for (uint32_t i = known; i < end; i++) {
    const struct event *e = event_of(g, u, i);
    if (e->kind == EV_READ && e->loc == loc &&
        lowest <= graph_co_place(g, graph_at(g, u, i)))
      return true;
  }
  return false;
}

// The same of any other thread of its group.
static bool crosses_any(const struct explorer *x, thread_id t, clock_id prefix,
                        thread_id u, uint32_t loc, uint32_t lowest) {
  const struct graph *g = &x->g;
  uint64_t two = UINT64_C(1) << t | UINT64_C(1) << u;
  uint32_t n =
      u == t ? graph_thread_length(g, u) : clock_get(&g->clocks, prefix, u);
  for (uint64_t rest = symmetry_of(x)->group[u] & ~two; rest; rest &= rest - 1)
    if (crosses(x, t, u, (thread_id)__builtin_ctzll(rest), n, loc, lowest))
      return true;
  return false;
}

static enum outcome look_at_write(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  if (!x->grouped || x->config.model->co_keeps_porf || explore_ignores_co(x))
    return GO_ON;
  const struct event *tail = &g->events[graph_tail(g, t)];
  uint32_t lowest =
      a->kind == ACC_RMW_WRITE
          ? g->events[tail->rf].co + 1
          : graph_co_floor(g, a->loc, t, tail->index + 1, tail->hb) + 1;
  clock_id prefix = prefix_with(x, t);
  for (uint64_t rest = g->locs.at[a->loc].threads & x->grouped; rest;
       rest &= rest - 1) {
    thread_id u = (thread_id)__builtin_ctzll(rest);
    if (crosses_any(x, t, prefix, u, a->loc, lowest))
      return symmetry_refute(
          x, "relaxed accesses run against the coherence order");
  }
  return GO_ON;
}

event_id symmetry_twin(const struct explorer *x, thread_id u, uint32_t index,
                       uint32_t loc) {
  const struct graph *g = &x->g;
  thread_id t = symmetry_of(x)->before[u];
  if (!x->grouped || t == NO_THREAD || !has_event(g, t, index) ||
      same_events(x, t, u, index) < index)
    return NO_EVENT;
  event_id twin = graph_at(g, t, index);
  const struct event *e = &g->events[twin];
  return e->kind == EV_READ && e->loc == loc ? twin : NO_EVENT;
}

// ---- how many graphs one stands for

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// Is there an event that u has and t has not, or another one? (If there is no
// co, two writes are no difference.)
static bool differ(const struct explorer *x, thread_id t, thread_id u) {
  const struct graph *g = &x->g;
  uint32_t n = graph_thread_length(g, u), m = graph_thread_length(g, t);
  uint32_t same = same_events(x, t, u, n);
  bool has_both = same < n && same < m;
  check(!has_both || is_sorted_at(x, t, u, same));
  if (explore_ignores_co(x) && has_both &&
      event_of(g, t, same)->kind == EV_WRITE &&
      event_of(g, u, same)->kind == EV_WRITE)
    return false;
  return n != m || same < n;
}

// A group of k threads in runs of c equal ones: k!/(c!...), as a product of
// binomial coefficients, one factor a thread: its place in the group over that
// in its run. Each division leaves no remainder.
static uint64_t orbit(const struct explorer *x) {
  const struct symmetry *s = symmetry_of(x);
  uint32_t place[MAX_THREADS], run[MAX_THREADS];
  uint64_t product = 1;
  for (thread_id u = 0; x->grouped && u < x->g.nthreads; u++) {
    if (!graph_thread_length(&x->g, u))
      continue;
    thread_id t = s->before[u];
    place[u] = t == NO_THREAD ? 1 : place[t] + 1;
    run[u] = t == NO_THREAD || differ(x, t, u) ? 1 : run[t] + 1;
    product = times(product, place[u]);
    product = product == UINT64_MAX ? product : product / run[u];
  }
  return product;
}

static enum outcome look_at_read(struct explorer *x, event_id read) {
  return x->grouped ? equal_ask(x, read) : GO_ON;
}

const struct mechanism symmetry_hooks = {
    .init = init,
    .done = done,
    .prepare = prepare,
    .tell = tell,
    .begin = symmetry_forget,
    .restarts = restarts,
    .why_not = why_not,
    .prefix = prefix_with,
    .before_write = look_at_write,
    .started = symmetry_look_at_start,
    .was_read = look_at_read,
    .was_added = look,
    .meets_cycle = symmetry_refute,
    .at_wait = equal_ask_at_end,
    .stands_for = orbit,
};
