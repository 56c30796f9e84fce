// SPDX-License-Identifier: MIT
// Promises: in models that track dependencies, a read may take its value from a
// write that comes after it in po ∪ rf, if that write does not depend on it
// (load buffering). Graphs without such cycles are explored as in every other
// model (revisit.c); this file finds the others, each once, by a reverse search
// [Avis and Fukuda, Reverse search for enumeration, 1996].
//
// The *core* of a graph is what comes before its cycles by po ∪ rf. The rest is
// added to the core as ever: an event that is added later closes no cycle, so
// a graph has one core, and the search above a core meets each of its graphs
// once, if the core itself is left alone (x->core: it counts as added before
// everything else; nothing in it is revisited or deleted).
//
// So what is left is to find the cores. Each core K has one *parent*, which has
// fewer reads that are promised something. Let w be a write of K that is the
// last event of its thread in K and is read, but only by reads that come before
// w (by po ∪ rf). Make each of these reads take another write instead, the
// newest one before w in co with which the model allows the new graph (the
// first reads choose first); let their threads run again with the new values;
// if every event is still there, but for values, w can be *taken back*. The
// parent takes back the w of the lowest thread that allows it. When the search
// comes to a graph in which w is next, we try the opposite: let reads before w
// that have an older write read w, and see whether this is how the parent of
// the new core was made. What is not before w is cut off; as at a
// revisit, it must have been added maximally, so that this is done from one
// graph only.
//
// An update among the reads goes along with its write, and so do updates that
// follow it in co without anything between: the chain is right behind w in K,
// and right before w in the parent. If w belongs to an update too, there is no
// place for it in the parent: the parent is the graph in which only its read is
// there, with a source that another update has taken already (step.c). A
// load-linked with its store-conditional is an update as well (reserve.c).
//
// Why every core has a parent that is met. Take an SCC S of po ∪ rf in K from
// which no other cycle is reached. All that comes after events of S in K is in
// S too, so only reads of S read from S, and a thread of S ends in K with an
// event of S: a write, or one that creates or ends a thread, from which S goes
// on in another one. Following that we come to a write at last, since creation
// and join have no cycles. So the set L of the writes that are the last events
// of their threads is not empty, and whatever is before the last event of a
// thread of S in po is before an event of L in po, creation and join. Let ob be
// an order of the model between events of different threads (ARMv8: obs ∪ lob,
// IMM: ar, the Linux kernel: no-thin-air, its variant), which contains rfe and
// is acyclic, and w an ob-maximal event of L.
//  - No read r of w is ordered before an event u of L: w would be ob-before u.
//    So in most models r is no acquire, there is no barrier between r and the
//    last event of its thread, that is no release and does not depend on r, nor
//    on what was forwarded from a store that depends on r, and no thread is
//    created, joined or ended in between (promisable.c, which thus costs no
//    cores). Branches and addresses order what comes later, in
//    other threads as well, so none behind r depends on r; values may. (What a
//    thread is created with or leaves counts as a branch, see deps.c.) A read
//    of another thread that gets such a value is ob-after w as well, so what
//    was said of r holds for it, with the last event of its own thread: again
//    nothing but values depends on it. So taking w back changes values only,
//    and none depends on itself: that would be a cycle of ob. (Where a value is
//    picked, what it depends on may change, too: pieces.c.)
//  - There are sources with which the new graph is consistent. If co is in the
//    model's order (ARMv8), let s be the write right before w in co. The only
//    new edges are r -> w by fr, and s -> r by rf (and from a chain to w, by co
//    and fr). Nothing leaves w but co, and for w' after w in co there was
//    r -> w' already; s -> w -> r was a path before, and no synchronisation of
//    r matters, since no acquire fence follows it. So there is no cycle that
//    was not there. If co is not (IMM, POWER, the Linux kernel; within a thread
//    ARMv7), what s comes after may come after r; take for each r the newest
//    write that is before r by the model's order already, or else the oldest.
//    It adds nothing to that order, and no write after it in co had to be seen
//    by r.
//  - Nothing comes after w in the new graph, and all of K is before w or in the
//    core of the new graph. So the search meets the new graph without w and
//    with what else the scheduler wants to add before w, added maximally
//    (revisit.c has the argument); and w is next there.
// The model is asked nevertheless whether the parent is consistent, here and
// when a core is found: the two must agree whatever the model is.
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"

#include <string.h>

enum { MOST_WAYS = 1 << 20 }; // in which a write may be promised

// ---- which reads

// The place behind the update that would be broken by a write at place i, i if
// there is none. Of a store-conditional, writes of its own thread may be
// between it and the source of its load.
static uint32_t behind_update(const struct graph *g,
                              const struct event_list *co, uint32_t i) {
  if (i < co->len && (g->events[co->at[i]].flags & EVF_EXCLUSIVE))
    return i + 1;
  for (uint32_t j = i; g->has_linked && j < co->len; j++) {
    const struct event *e = &g->events[co->at[j]];
    event_id read =
        e->flags & EVF_LINKED ? graph_reservation(g, co->at[j]) : NO_EVENT;
    if (read != NO_EVENT && g->events[g->events[read].rf].co < i)
      return j + 1;
  }
  return i;
}

// The end of the chain of updates that begins right behind `write` in co.
static event_id end_of_chain(const struct graph *g, uint32_t loc,
                             event_id write) {
  const struct event_list *co = &g->locs.at[loc].co;
  uint32_t i = g->events[write].co + 1, next;
  for (; (next = behind_update(g, co, i)) != i; i = next)
    ;
  return co->at[i - 1];
}

// What the next write of a thread may be promised to: reads of what is before
// its place in co. By coherence those of one thread are its last ones.
struct promise {
  event_id before;         // what will be right before the write in co
  ARRAY(event_id) reads;   // by thread, and in po
  ARRAY(event_id) sources; // of the reads
};

static void promise_done(struct promise *p) {
  array_done(&p->reads);
  array_done(&p->sources);
}

static event_id write_before(const struct graph *g, uint32_t loc,
                             uint32_t place) {
  return g->locs.at[loc].co.at[place - 1];
}

// May the read take a write right behind `before` as far as its source is
// concerned? An update stays right behind it.
static bool has_source_before(const struct explorer *x, const struct event *r,
                              event_id before) {
  return r->rf == before || (!(r->flags & EVF_EXCLUSIVE) &&
                             x->g.events[r->rf].co < x->g.events[before].co);
}

static void add_reads_of(struct explorer *x, thread_id t, thread_id u,
                         struct promise *p) {
  const struct graph *g = &x->g;
  uint32_t loc = vm_access(x->vm, g->threads[t].state)->loc;
  uint32_t before = reader_count_before(x, t, u),
           end = reader_count_in_core(x, u, before);
  uint32_t known = reader_count_known(x, t, u);
  const struct event_list *list = &g->locs.at[loc].by_thread[u];
  for (uint32_t i = 0; i < list->len; i++) {
    const struct event *e = &g->events[list->at[i]];
    if (e->index >= before)
      break;
    if (e->kind == EV_READ && e->index >= known &&
        has_source_before(x, e, p->before) &&
        reader_is_free(x, list->at[i], end)) {
      array_push(&p->reads, list->at[i]);
      array_push(&p->sources, e->rf);
    }
  }
}

// All that could read the next write of t if it comes right behind `before`.
static void find_reads(struct explorer *x, thread_id t, event_id before,
                       struct promise *p) {
  uint32_t loc = vm_access(x->vm, x->g.threads[t].state)->loc;
  p->before = before;
  p->reads.len = p->sources.len = 0;
  for (uint64_t rest = x->g.locs.at[loc].threads & ~(1ull << t); rest;
       rest &= rest - 1)
    add_reads_of(x, t, (thread_id)__builtin_ctzll(rest), p);
}

// How many of the reads from i on belong to the same thread as the one at i?
// (If the model has no coherence, they have nothing to do with each other.)
static uint32_t same_thread(const struct graph *g, const struct promise *p,
                            uint32_t i) {
  uint32_t n = 1;
  if (g->coherence == COHERENCE_NONE)
    return n;
  while (i + n < p->reads.len && g->events[p->reads.at[i + n]].thread ==
                                     g->events[p->reads.at[i]].thread)
    n++;
  return n;
}

// Leaves of the reads those of the nth way to take the last k reads of each
// thread; false if there are not so many ways. The 0th is to take none.
static bool choose_reads(const struct graph *g, struct promise *p,
                         uint32_t nth) {
  uint32_t kept = 0;
  for (uint32_t i = 0, n; i < p->reads.len; i += n) {
    n = same_thread(g, p, i);
    uint32_t k = nth % (n + 1);
    nth /= n + 1;
    for (uint32_t j = n - k; j < n; j++) {
      p->sources.at[kept] = p->sources.at[i + j];
      p->reads.at[kept++] = p->reads.at[i + j];
    }
  }
  p->reads.len = p->sources.len = kept;
  return nth == 0;
}

// More than MOST_WAYS if there are too many to try.
static uint32_t count_ways(const struct graph *g, const struct promise *p) {
  uint64_t ways = 1;
  for (uint32_t i = 0, n; i < p->reads.len && ways <= MOST_WAYS; i += n) {
    n = same_thread(g, p, i);
    ways *= n + 1;
  }
  return (uint32_t)(ways <= MOST_WAYS ? ways - 1 : MOST_WAYS + 1);
}

// Mostly nothing can be promised to anybody; that is seen at once.
bool promise_has_reads(struct explorer *x, thread_id t, clock_id prefix) {
  const struct graph *g = &x->g;
  const struct graph_loc *l =
      &g->locs.at[vm_access(x->vm, g->threads[t].state)->loc];
  for (uint64_t rest = l->threads & ~(1ull << t); rest; rest &= rest - 1) {
    thread_id u = (thread_id)__builtin_ctzll(rest);
    uint32_t before = clock_get(&g->clocks, prefix, u);
    uint32_t known = before ? reader_count_known(x, t, u) : 0;
    if (before <= known)
      continue;
    uint32_t end = reader_count_in_core(x, u, before);
    if (!reader_leads_on(x, u, end))
      continue;
    for (uint32_t i = l->by_thread[u].len; i-- > 0;) {
      event_id id = l->by_thread[u].at[i];
      const struct event *e = &g->events[id];
      if (e->index < known)
        break;
      if (e->kind == EV_READ && e->index < before && reader_is_free(x, id, end))
        return true;
    }
  }
  return false;
}

// Of the next write of thread t; as above.
static uint32_t count_promises(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  uint32_t loc = vm_access(x->vm, g->threads[t].state)->loc, ways = 0;
  struct promise p = {0};
  if (!promise_has_reads(x, t, g->events[graph_tail(g, t)].porf))
    return 0;
  for (uint32_t i = 0; i < g->locs.at[loc].co.len && ways <= MOST_WAYS; i++) {
    find_reads(x, t, g->locs.at[loc].co.at[i], &p);
    ways += count_ways(g, &p);
  }
  promise_done(&p);
  return ways;
}

enum outcome promise_find(struct explorer *x, thread_id t) {
  uint32_t ways = count_promises(x, t);
  if (!ways || !revisit_all_maximal(x, t))
    return GO_ON;
  if (ways > MOST_WAYS) {
    x->result.limit = "too many sets of loads that may know a store too early";
    return STOP;
  }
  while (ways)
    array_push(&x->options, --ways);
  return GO_ON;
}

static struct promise nth_promise(struct explorer *x, thread_id t,
                                  uint32_t nth) {
  const struct graph *g = &x->g;
  uint32_t loc = vm_access(x->vm, g->threads[t].state)->loc;
  struct promise p = {0};
  for (uint32_t i = 0; i < g->locs.at[loc].co.len; i++) {
    find_reads(x, t, g->locs.at[loc].co.at[i], &p);
    uint32_t ways = count_ways(g, &p);
    if (nth < ways) {
      check(choose_reads(g, &p, nth + 1));
      return p;
    }
    nth -= ways;
  }
  fatal_internal(__FILE__, __LINE__, "a promise that is not there any more");
}

// ---- the parent

// Is the graph, whose sources have changed, one that the model allows?
static bool is_allowed(struct explorer *x, struct replay *todo) {
  if (!replay_settle(x, todo))
    return false;
  graph_renew_clocks(&x->g);
  deps_fill(x);
  return graph_keeps_reservations(&x->g) &&
         model_allows(x->config.model, &x->g, &x->config.model_options);
}

// By thread, and in po.
static void sort_reads(const struct graph *g, struct promise *p) {
  for (uint32_t i = 1; i < p->reads.len; i++)
    for (uint32_t j = i; j > 0; j--) {
      event_id *r = &p->reads.at[j];
      const struct event *a = &g->events[r[-1]], *b = &g->events[r[0]];
      if (a->thread < b->thread ||
          (a->thread == b->thread && a->index < b->index))
        break;
      event_id t = r[-1];
      r[-1] = r[0];
      r[0] = t;
    }
}

// The external reads of w, the last event of its thread, if they may be taken
// back as far as w and they are concerned; else none.
static void find_promised(struct explorer *x, event_id w, struct promise *p) {
  const struct graph *g = &x->g;
  const struct event_list *reads = &g->locs.at[g->events[w].loc].reads;
  p->reads.len = 0;
  for (uint32_t i = 0; i < reads->len; i++) {
    event_id r = reads->at[i];
    const struct event *e = &g->events[r];
    if (e->rf != w)
      continue;
    if (!graph_porf(g, r, w) ||
        !reader_is_free(x, r, graph_thread_length(g, e->thread))) {
      p->reads.len = 0;
      return;
    }
    array_push(&p->reads, r);
  }
  sort_reads(g, p);
}

// Does one of the reads belong to an update?
static bool has_update(const struct graph *g, const struct promise *p) {
  for (uint32_t i = 0; i < p->reads.len; i++)
    if ((g->events[p->reads.at[i]].flags & EVF_EXCLUSIVE) ||
        graph_conditional_store(g, p->reads.at[i]) != NO_EVENT)
      return true;
  return false;
}

// Makes of the graph, a core, the one in which w is taken back, as far as the
// model may be asked about it.
static bool take_back(struct explorer *x, event_id w, const struct promise *p) {
  struct graph *g = &x->g;
  struct replay todo = replay_begin(x);
  const struct event *e = &g->events[w];
  for (uint32_t i = 0; i < p->reads.len; i++)
    replay_point(x, &todo, p->reads.at[i], p->sources.at[i]);
  if (has_update(g, p)) {
    graph_move_in_co(g, w, g->events[end_of_chain(g, e->loc, w)].co);
    bool is_half = e->flags & EVF_EXCLUSIVE;
    if (e->flags & (EVF_EXCLUSIVE | EVF_LINKED))
      graph_delete(g, w);
    if (is_half) // a load-linked needs no store, another read does
      graph_delete(g, graph_tail(g, e->thread));
  }
  return is_allowed(x, &todo);
}

// The next way to choose the sources, an older one for the last read that has
// one; false: there is none.
static bool next_sources(const struct explorer *x, event_id w,
                         struct promise *p) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[w];
  for (uint32_t i = p->reads.len; i-- > 0;) {
    uint32_t co = g->events[p->sources.at[i]].co;
    if (co && !(g->events[p->reads.at[i]].flags & EVF_EXCLUSIVE)) {
      p->sources.at[i] = write_before(g, e->loc, co);
      return true;
    }
    p->sources.at[i] = write_before(g, e->loc, e->co);
  }
  return false;
}

// Fills p with what would be taken back, and with what the reads get then.
static bool can_be_taken_back(struct explorer *x, event_id w,
                              struct promise *p) {
  struct graph *g = &x->g;
  const struct event *e = &g->events[w];
  if (e->kind != EV_WRITE)
    return false;
  find_promised(x, w, p);
  p->sources.len = 0;
  for (uint32_t i = 0; i < p->reads.len; i++)
    array_push(&p->sources, write_before(g, e->loc, e->co));
  bool ok = false;
  for (bool more = p->reads.len; more; more = !ok && next_sources(x, w, p)) {
    struct graph_mark mark = graph_mark(g);
    ok = take_back(x, w, p);
    graph_undo_to(g, mark);
  }
  return ok;
}

static bool is_same_promise(const struct promise *a, const struct promise *b) {
  size_t size = a->reads.len * sizeof(event_id);
  return a->reads.len == b->reads.len &&
         memcmp(a->reads.at, b->reads.at, size) == 0 &&
         memcmp(a->sources.at, b->sources.at, size) == 0;
}

// Is the graph, a core, made by its parent from this promise of w?
static bool is_by_parent(struct explorer *x, event_id w,
                         const struct promise *made) {
  const struct graph *g = &x->g;
  struct promise p = {0};
  thread_id t = 0;
  while (t < g->nthreads && !(graph_thread_length(g, t) &&
                              can_be_taken_back(x, graph_tail(g, t), &p)))
    t++;
  bool ok =
      t < g->nthreads && graph_tail(g, t) == w && is_same_promise(&p, made);
  promise_done(&p);
  return ok;
}

#if HEDDLE_SLOW_CHECKS
// Taking back w, which the core was made by, leads to the graph from which it
// was promised. (The read of an update goes with its write.)
static void find_parent(struct explorer *x, event_id w, uint64_t parent) {
  struct graph *g = &x->g;
  thread_id t = g->events[w].thread;
  struct promise p = {0};
  vm_try_begin(x->vm);
  check(can_be_taken_back(x, w, &p));
  struct graph_mark mark = graph_mark(g);
  check(take_back(x, w, &p));
  vm_try_end(x->vm);
  if (graph_tail(g, t) == w)
    graph_delete(g, w);
  check(verify_shape(x, t) == parent);
  graph_undo_to(g, mark);
  promise_done(&p);
}
#endif

// ---- the core

// Adds the next write of thread t and lets the reads take it. False: that is
// not allowed.
static bool promise_write(struct explorer *x, thread_id t,
                          const struct promise *p, event_id *written) {
  struct graph *g = &x->g;
  const struct access a = *vm_access(x->vm, g->threads[t].state);
  bool is_update = a.kind == ACC_RMW_WRITE;
  event_id before = p->before;
  if (is_update && g->events[graph_tail(g, t)].rf != before)
    return false;
  // It may have been cut off; then another choice is the same.
  const struct event_list *co = &g->locs.at[a.loc].co;
  uint32_t place = g->events[before].co + 1;
  if (place > co->len || co->at[place - 1] != before)
    return false;
  // Nothing else comes between an update and its source.
  if (!has_update(g, p) && end_of_chain(g, a.loc, before) != before)
    return false;
  times_note_promise(x, t, p->reads.at, p->reads.len);
  event_id w = *written = event_add_write(x, t, place);
  struct replay todo = replay_begin(x);
  for (uint32_t i = 0; i < p->reads.len; i++)
    replay_point(x, &todo, p->reads.at[i], w);
  return is_allowed(x, &todo);
}

// Is the whole graph before its cycles? (If not, its core is smaller: what was
// before an old cycle, or the source of a read, may have lost its use.)
static bool is_core(const struct graph *g) {
  uint32_t used[MAX_THREADS] = {0}; // of each thread, before cycles
  for (event_id id = g->last; id != INIT_EVENT; id = g->events[id].prev) {
    const struct event *e = &g->events[id];
    if (!clock_knows(&g->clocks, e->porf, e->thread, e->index))
      continue;
    for (uint32_t t = 0; t < g->nthreads; t++) {
      uint32_t n = clock_get(&g->clocks, e->porf, t);
      used[t] = n > used[t] ? n : used[t];
    }
  }
  for (uint32_t t = 0; t < g->nthreads; t++) {
    // The start of a thread goes with the event that creates it.
    uint32_t n = graph_thread_length(g, t);
    if (n > 1 && used[t] != n)
      return false;
  }
  return true;
}

// Does the nth promise make a core, whatever its parent is?
static bool makes_core(struct explorer *x, thread_id t, uint32_t nth) {
  struct graph_mark mark = graph_mark(&x->g);
  struct promise p = nth_promise(x, t, nth);
  event_id w;
  revisit_cut(x, t, x->core);
  bool ok = promise_write(x, t, &p, &w) && is_core(&x->g);
  promise_done(&p);
  graph_undo_to(&x->g, mark);
  return ok;
}

bool promise_is_possible(struct explorer *x, thread_id t) {
  uint32_t n = count_promises(x, t);
  bool ok = false;
  vm_try_begin(x->vm);
  for (uint32_t nth = 0; !ok && nth < n; nth++)
    ok = makes_core(x, t, nth);
  vm_try_end(x->vm);
  return ok;
}

enum outcome promise_take(struct explorer *x, thread_id t, uint32_t nth) {
  struct promise p = nth_promise(x, t, nth);
  event_id w;
  revisit_cut(x, t, x->core);
#if HEDDLE_SLOW_CHECKS
  uint64_t parent = verify_shape(x, t);
#endif
  uint64_t withheld = x->vm->withheld;
  vm_try_begin(x->vm);
  bool ok =
      promise_write(x, t, &p, &w) && is_core(&x->g) && is_by_parent(x, w, &p);
  vm_try_end(x->vm);
  promise_done(&p);
  if (!ok)
    return GO_BACK;
  if (x->vm->withheld != withheld)
    replay_warn(x);
#if HEDDLE_SLOW_CHECKS
  find_parent(x, w, parent);
#endif
  x->core = x->g.last;
  if (!event_has_stopped(x, t))
    advance_thread(x, w);
  return inspect_all(x);
}

void promise_begin(struct explorer *x) {
  x->promises = true;
  cas_choice_begin(x);
}
