// SPDX-License-Identifier: MIT
// --equivalence rf: executions that differ only in co are one. A graph is then
// po and rf; the co that it has is a *witness*, some order of the writes with
// which the model allows it (model/witness.c finds one), and may change while
// the graph grows. So a write has no places to choose from: it is the newest,
// or follows its source if it is an update. A read may read every write for
// which there is a witness, and so may a read that is revisited.
//
// Why each class of (po, rf) is met exactly once. The proof of revisit.c needs
// three things of co, and nothing else changes:
//   - An event can always be added maximally, in one way. Of a write, there is
//     only one way. A read takes the *canonical* source: of the writes that are
//     not *old*, the one with the greatest name (thread, index) that some
//     witness lets it read. A write is old if another one of the location is
//     after it whatever the witness is: it, or a read of it, happens
//     before the other one, or before a read of that one. There always
//     is a canonical source: in any witness, the last write is not old, and an
//     event that nothing comes after may read it. An update may follow it too.
//   - Whether an event is maximal must depend on the graph alone, not on the
//     witness. Old, names and being allowed by some witness do not.
//   - So must the scheduler (schedule.c looks at the last write per thread).
// Whatever else looks at co asks for all witnesses where it matters:
//   - A thread that waits, or whose assumption fails, with an old write never
//     gets anywhere: it is not maximal, and not stuck in any witness (read.c).
//   - No write is handed over (hand_over.c): which source is maximal does not
//   go by
//     what was added when, so the graph with the write is no stand-in.
//   - At the end, waits are judged in a witness for each combination of last
//     writes of what is polled, leaks for those of what may hold pointers.
// Errors are found in the class in which they are found with co: values are
// those of rf; happens-before, on which races and lifetimes depend, comes of po
// and rf alone (C++20's release sequences follow rf through updates; C++11's,
// which follow co, are refused). The mutex word's co is that of its lock and
// unlock, each of which reads or follows the one before.
//
// Models in which other executions justify those with cycles of po ∪ rf (xmm)
// have the executions of rc11 if there are no such cycles. Whether there may be
// some is known when a load races with what comes after it, which is a question
// of po, rf and happens-before (justify.h); then co counts again: an execution
// that justifies another one has the co of what is committed, so that of two
// with the same po and rf one may justify what the other does not.
//
// With equal threads another source may be the canonical one: symmetry.c.
//
// Not with it, since what they do is not proved: models with dependencies or
// from files, lock_word.c, and what options_fit refuses.
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

#include <stdlib.h>

// Scratch.
struct rf {
  ARRAY(bool) old;
  ARRAY(event_id) known;
  ARRAY(uint32_t) ends; // locations whose last writes matter
};

static struct rf *rf_of(const struct explorer *x) {
  return x->state[REDUCTION_RF];
}

static void init(struct explorer *x) {
  x->state[REDUCTION_RF] = xcalloc(1, sizeof(struct rf));
}

static void prepare(struct explorer *x, const struct assumptions *known) {
  (void)known;
  x->g.ignores_co = explore_reduces(x, REDUCE_RF);
}

static void begin(struct explorer *x) {
  x->g.ignores_co = explore_reduces(x, REDUCE_RF);
}

static const char *why_not(const struct explorer *x) {
  return x->config.model->justifier && x->team
             ? "executions have to be justified, by several workers"
             : NULL;
}

static enum outcome meets_cycle(struct explorer *x, const char *why) {
  x->result.co_counts = why;
  hooks_refute(x, REDUCE_RF);
  x->restart |= RESTART;
  return STOP;
}

static void done(struct explorer *x) {
  array_done(&rf_of(x)->old);
  array_done(&rf_of(x)->known);
  array_done(&rf_of(x)->ends);
  free(rf_of(x));
}

// The write that an access of a location is or reads.
static event_id write_of(const struct graph *g, event_id access) {
  const struct event *e = &g->events[access];
  return e->kind == EV_WRITE ? access : e->rf;
}

// ---- is there a witness?

// Is the event, the last of its thread, coherent with the co that the graph
// has? The read of an update may have been added without being asked (read.c);
// the floor of its write, which follows the thread's newest access, would not
// show that.
static bool is_coherent(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  uint32_t floor = graph_co_floor(g, e->loc, e->thread, e->index, e->hb);
  if (e->kind == EV_READ)
    return floor <= graph_co_place(g, id);
  return floor < e->co &&
         (!(e->flags & EVF_EXCLUSIVE) ||
          is_coherent(g, graph_at(g, e->thread, e->index - 1)));
}

// Is there no other co of the location? (What is before an update is its
// source.)
static bool has_one_co(const struct graph *g, uint32_t loc) {
  const struct event_list *co = &g->locs.at[loc].co;
  for (uint32_t i = 2; i < co->len; i++)
    if (!(g->events[co->at[i]].flags & EVF_EXCLUSIVE) &&
        !graph_hb(g, co->at[i - 1], co->at[i]))
      return false;
  return true;
}

// Is there no other co than that which the graph has, and with which the new
// event of the location is not allowed?
static bool has_no_other_co(const struct explorer *x, uint32_t loc) {
  const struct model *m = x->config.model;
  const struct graph *g = &x->g;
  if (!has_one_co(g, loc))
    return false;
  bool is_all = m->orders_memory || (m->orders_sc && g->sc_events > 1);
  for (uint32_t l = 0; is_all && l < g->locs.len; l++)
    if (!has_one_co(g, l))
      return false;
  return true;
}

bool rf_finds_co(struct explorer *x, uint32_t loc) {
  const struct search_options *c = &x->config;
  x->result.searches++;
  bool ok = model_find_co(c->model, &x->g, &c->model_options, loc);
#if HEDDLE_SLOW_CHECKS
  graph_verify(&x->g);
  check(!ok || model_allows(c->model, &x->g, &c->model_options));
#endif
  return ok;
}

bool rf_has_co(struct explorer *x, event_id e, event_id other) {
  return is_coherent(&x->g, e) &&
         (other == NO_EVENT || is_coherent(&x->g, other)) &&
         model_consistent(x->config.model, &x->g, e, other,
                          &x->config.model_options);
}

bool rf_allows(struct explorer *x, event_id e, event_id other) {
  uint32_t loc = x->g.events[e].loc;
  if (!rf_has_co(x, e, other))
    return !has_no_other_co(x, loc) && rf_finds_co(x, loc);
#if HEDDLE_SLOW_CHECKS
  graph_verify(&x->g);
  check(model_allows(x->config.model, &x->g, &x->config.model_options));
#endif
  return true;
}

// ---- old writes

// Marks in `old`, by place in co, which writes are old in the part of the
// graph that the view shows, without event `me`.
static void mark_old(struct explorer *x, uint32_t loc, const struct rf_view *v,
                     event_id me) {
  const struct graph *g = &x->g;
  const struct graph_loc *l = &g->locs.at[loc];
  rf_of(x)->old.len = 0;
  (void)array_extend(&rf_of(x)->old, l->co.len);
  for (uint32_t i = 1; i < l->co.len; i++)
    rf_of(x)->old.at[0] |= rf_shows(x, v, l->co.at[i]);
  for (uint64_t all = l->threads; all; all &= all - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(all)];
    for (uint32_t i = 0; i < list->len; i++) {
      const struct event *b = &g->events[list->at[i]];
      if (!rf_shows(x, v, list->at[i]))
        break;
      if (list->at[i] == me)
        continue;
      for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
        unsigned u = (unsigned)__builtin_ctzll(rest);
        uint32_t bound =
            u == b->thread ? b->index : clock_get(&g->clocks, b->hb, u);
        uint32_t n = graph_count_below(g, &l->by_thread[u], bound);
        event_id before =
            n ? write_of(g, l->by_thread[u].at[n - 1]) : INIT_EVENT;
        if (before != write_of(g, list->at[i]))
          rf_of(x)->old.at[g->events[before].co] = true;
      }
    }
  }
}

bool rf_is_old(struct explorer *x, uint32_t loc, event_id write) {
  struct rf_view all = {.last = NO_EVENT};
  mark_old(x, loc, &all, NO_EVENT);
  return rf_of(x)->old.at[x->g.events[write].co];
}

// Does `v` come before `w` by name?
static bool is_less(const struct explorer *x, event_id v, event_id w) {
  const struct event *a = &x->g.events[v], *b = &x->g.events[w];
  return a->thread != b->thread ? a->thread < b->thread : a->index < b->index;
}

// Appends a write to the options from `first` on, and sorts it in.
static void add_sorted(struct explorer *x, uint32_t first, event_id write,
                       bool (*is_first)(const struct explorer *x, event_id v,
                                        event_id w)) {
  array_push(&x->options, write);
  for (uint32_t k = x->options.len - 1;
       k > first && is_first(x, x->options.at[k - 1], x->options.at[k]); k--) {
    uint32_t less = x->options.at[k - 1];
    x->options.at[k - 1] = x->options.at[k];
    x->options.at[k] = less;
  }
}

void rf_find_newest(struct explorer *x, const struct rf_view *v,
                    event_id read) {
  uint32_t loc = x->g.events[read].loc, first = x->options.len;
  const struct event_list *co = &x->g.locs.at[loc].co;
  mark_old(x, loc, v, read);
  for (uint32_t i = 0; i < co->len; i++)
    if (!rf_of(x)->old.at[i] && (!i || rf_shows(x, v, co->at[i])))
      add_sorted(x, first, co->at[i], is_less);
}

void rf_find_last(struct explorer *x, const struct rf_view *v, event_id read) {
  const struct event_list *co = &x->g.locs.at[x->g.events[read].loc].co;
  uint32_t first = x->options.len;
  for (uint32_t i = 0; i < co->len; i++)
    if (!i || rf_shows(x, v, co->at[i]))
      add_sorted(x, first, co->at[i], symmetry_puts_first);
}

// ---- sources of a read

// Notes in `known` what the next event of thread t knows last of each
// thread's accesses of the location.
static void find_known(struct explorer *x, thread_id t, uint32_t loc) {
  const struct graph *g = &x->g;
  const struct graph_loc *l = &g->locs.at[loc];
  const struct event *tail = &g->events[graph_tail(g, t)];
  rf_of(x)->known.len = 0;
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    uint32_t bound = u == t ? UINT32_MAX : clock_get(&g->clocks, tail->hb, u);
    uint32_t n = graph_count_below(g, &l->by_thread[u], bound);
    if (n)
      array_push(&rf_of(x)->known, l->by_thread[u].at[n - 1]);
  }
}

// Is `write` certainly older than something of that? (The rest is left to the
// search for a witness.)
static bool is_overtaken(const struct explorer *x, event_id write) {
  const struct graph *g = &x->g;
  for (uint32_t i = 0; i < rf_of(x)->known.len; i++) {
    event_id known = rf_of(x)->known.at[i];
    if (write_of(g, known) != write && graph_hb(g, write, known))
      return true;
  }
  return false;
}

// Appends the writes that the next event of thread t may read with some co, and
// some others.
static void find_sources(struct explorer *x, thread_id t) {
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  const struct event_list *co = &x->g.locs.at[a.loc].co;
  struct rf_view all = {.last = NO_EVENT};
  bool is_uninit;
  uint32_t next = graph_thread_length(&x->g, t);
  bool may_be_old = symmetry_twin(x, t, next, a.loc) != NO_EVENT ||
                    !explore_reduces(x, REDUCE_DOMINATED);
  find_known(x, t, a.loc);
  if (a.kind == ACC_LOCK_READ)
    mark_old(x, a.loc, &all, NO_EVENT);
  for (uint32_t i = 0; i < co->len; i++) {
    // A thread that finds a lock held waits with what may still be so, unless
    // that is decided elsewhere (symmetry.c).
    bool waits = a.kind == ACC_LOCK_READ &&
                 event_value_of(x, a.loc, co->at[i], &is_uninit) != 0;
    if ((!waits || !rf_of(x)->old.at[i] || may_be_old) &&
        !is_overtaken(x, co->at[i]))
      array_push(&x->options, co->at[i]);
  }
}

// ---- how many executions one stands for

// How many co are allowed, so many times? UINT64_MAX: too many to count.
static uint64_t count_co(struct explorer *x, uint64_t times) {
  enum { MOST = 100000 };
  const struct search_options *c = &x->config;
  uint64_t n = model_count_co(c->model, &x->g, &c->model_options, MOST);
  return n < MOST && !__builtin_mul_overflow(n, times, &n) ? n : UINT64_MAX;
}

static void note_witnesses(struct explorer *x, bool is_blocked,
                           uint64_t stands_for) {
  uint64_t *sum = &x->result.witnesses;
  if (!is_blocked && x->config.names_loops &&
      __builtin_add_overflow(*sum, count_co(x, stands_for), sum))
    *sum = UINT64_MAX;
}

// ---- the end of an execution

struct question {
  struct explorer *x;
  bool (*is_so)(struct explorer *x);
};

static bool ask(void *arg) {
  struct question *q = arg;
  return q->is_so(q->x);
}

static void add_location(struct explorer *x, uint32_t loc) {
  bool is_new = x->g.locs.at[loc].co.len > 2;
  for (uint32_t i = 0; is_new && i < rf_of(x)->ends.len; i++)
    is_new = rf_of(x)->ends.at[i] != loc;
  if (is_new)
    array_push(&rf_of(x)->ends, loc);
}

static bool ask_each(struct explorer *x, bool (*is_so)(struct explorer *x)) {
  struct question q = {x, is_so};
  if (!rf_of(x)->ends.len)
    return is_so(x);
  x->result.searches++;
  return model_each_end(x->config.model, &x->g, &x->config.model_options,
                        rf_of(x)->ends.at, rf_of(x)->ends.len, ask, &q);
}

static bool asks_waits(struct explorer *x, bool (*is_so)(struct explorer *x)) {
  const struct graph *g = &x->g;
  rf_of(x)->ends.len = 0;
  for (thread_id t = 0; t < g->nthreads; t++) {
    uint32_t first, n = graph_thread_length(g, t);
    if (!n)
      continue;
    event_id tail = graph_tail(g, t);
    if (lock_waits(&g->events[tail]))
      first = n - 1;
    else if (!await_waits(x, tail, &first))
      continue;
    for (; first < n; first++)
      if (g->events[graph_at(g, t, first)].kind == EV_READ)
        add_location(x, g->events[graph_at(g, t, first)].loc);
  }
  return ask_each(x, is_so);
}

static bool asks_memory(struct explorer *x, bool (*is_so)(struct explorer *x)) {
  const struct graph *g = &x->g;
  bool has_objects = false;
  for (uint32_t o = 0; !has_objects && o < g->objects.len; o++)
    has_objects = g->objects.at[o].alloc != NO_EVENT &&
                  g->objects.at[o].free == NO_EVENT &&
                  !(g->events[g->objects.at[o].alloc].flags & EVF_STACK);
  rf_of(x)->ends.len = 0;
  for (uint32_t loc = 0; has_objects && loc < g->locs.len; loc++)
    if (g->locs.at[loc].threads && vm_location(x->vm, loc)->size >= 8)
      add_location(x, loc);
  return ask_each(x, is_so);
}

static bool asks(struct explorer *x, enum depends_on what,
                 bool (*is_so)(struct explorer *x)) {
  return what == WAITS_DEPEND ? asks_waits(x, is_so) : asks_memory(x, is_so);
}

const struct mechanism rf_hooks = {
    .init = init,
    .done = done,
    .prepare = prepare,
    .begin = begin,
    .why_not = why_not,
    .meets_cycle = meets_cycle,
    .hides_graphs = true,
    .sources = find_sources,
    .is_maximal = rf_is_maximal,
    .allows = rf_allows,
    .asks_each_co = asks,
    .was_counted = note_witnesses,
};
