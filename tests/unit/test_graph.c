// SPDX-License-Identifier: MIT
// The graph: undo brings back exactly what was there, derived lists stay right
// under random edits, and the clocks agree with happens-before as relations.
#include "graph/graph.h"
#include "model/axioms.h"
#include "tap.h"

enum { THREADS = 4, LOCS = 3, OBJECTS = 3 };

static uint64_t next_random(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

static uint32_t below(uint64_t *s, uint32_t n) {
  return (uint32_t)(next_random(s) % n);
}

static void start(struct graph *g) {
  graph_init(g);
  graph_need_threads(g, THREADS);
  graph_need_loc(g, LOCS - 1);
  graph_need_object(g, OBJECTS - 1);
  for (uint8_t t = 0; t < THREADS; t++)
    graph_add(g,
              (struct event){
                  .kind = EV_START, .thread = t, .rf = NO_EVENT, .state = 1});
}

static uint8_t random_order(uint64_t *s, bool is_read) {
  static const uint8_t read[] = {ORD_NA, ORD_RLX, ORD_ACQ, ORD_SC};
  static const uint8_t write[] = {ORD_NA, ORD_RLX, ORD_REL, ORD_SC};
  return (is_read ? read : write)[below(s, 4)];
}

// An event that is kept with its object or thread, if that has none yet.
static void add_single(struct graph *g, uint64_t *s, struct event e) {
  e.kind = (uint8_t)(EV_SPAWN + below(s, EV_FREE - EV_SPAWN + 1));
  const struct graph_object *o = &g->objects.at[e.loc];
  const struct graph_thread *t = &g->threads[e.loc];
  bool is_there = (e.kind == EV_ALLOC && o->alloc != NO_EVENT) ||
                  (e.kind == EV_FREE && o->free != NO_EVENT) ||
                  (e.kind == EV_JOIN && t->join != NO_EVENT) ||
                  (e.kind == EV_DETACH && t->is_detached);
  if (e.kind == EV_JOIN)
    e.rf = graph_tail(g, e.loc);
  if (!is_there && e.kind != EV_END &&
      !(e.kind == EV_JOIN && e.loc == e.thread))
    graph_add(g, e);
}

static void add_random(struct graph *g, uint64_t *s) {
  struct event e = {.thread = (uint8_t)below(s, THREADS),
                    .loc = below(s, LOCS),
                    .rf = NO_EVENT,
                    .state = below(s, 100) + 1,
                    .pre = below(s, 100)};
  const struct event_list *co = &g->locs.at[e.loc].co;
  switch (below(s, 6)) {
  case 0:
  case 1:
    e.kind = EV_READ;
    e.order = random_order(s, true);
    e.rf = co->at[below(s, co->len)];
    e.value = g->events[e.rf].value;
    break;
  case 2:
  case 3:
    e.kind = EV_WRITE;
    e.order = random_order(s, false);
    e.co = 1 + below(s, co->len);
    e.value = next_random(s);
    break;
  case 4:
    e.kind = EV_FENCE;
    e.order = (uint8_t)(ORD_ACQ + below(s, 4));
    break;
  case 5:
    add_single(g, s, e);
    return;
  }
  graph_add(g, e);
}

static bool is_read_by_anyone(const struct graph *g, event_id w) {
  for (event_id e = 0; e != NO_EVENT; e = g->events[e].next)
    if ((g->events[e].kind == EV_READ || g->events[e].kind == EV_JOIN) &&
        g->events[e].rf == w)
      return true;
  return false;
}

// Deletes some newest events, as a revisit does.
static void delete_random(struct graph *g, uint64_t *s) {
  event_id e = g->last;
  for (uint32_t n = below(s, 4); n && e != INIT_EVENT; n--) {
    event_id prev = g->events[e].prev;
    const struct event *x = &g->events[e];
    if (x->kind != EV_START && graph_tail(g, x->thread) == e &&
        !is_read_by_anyone(g, e))
      graph_delete(g, e);
    e = prev;
  }
}

static void change_random_source(struct graph *g, uint64_t *s) {
  event_id e = graph_tail(g, below(s, THREADS));
  if (g->events[e].kind != EV_READ || g->events[e].order == ORD_NA ||
      is_read_by_anyone(g, e))
    return;
  const struct event_list *co = &g->locs.at[g->events[e].loc].co;
  event_id w = co->at[below(s, co->len)];
  if (w != INIT_EVENT && graph_porf(g, e, w))
    return;
  graph_set_rf(g, e, w, g->events[w].value, below(s, 2) ? ORD_SC : ORD_RLX, 0,
               below(s, 50) + 1);
}

static void edit(struct graph *g, uint64_t *s, uint32_t n) {
  while (n--)
    switch (below(s, 6)) {
    case 0:
      delete_random(g, s);
      break;
    case 1:
      change_random_source(g, s);
      break;
    default:
      add_random(g, s);
    }
}

TEST(undo_restores_the_graph) {
  for (unsigned seed = 1; seed <= 2000; seed++) {
    uint64_t s = seed * 0x9e3779b97f4a7c15u;
    struct graph g;
    start(&g);
    edit(&g, &s, 15);
    uint64_t before = graph_hash(&g);
    struct graph_mark m = graph_mark(&g);
    edit(&g, &s, 25);
    struct graph_mark inner = graph_mark(&g);
    uint64_t middle = graph_hash(&g);
    edit(&g, &s, 10);
    graph_undo_to(&g, inner);
    CHECK_EQ(graph_hash(&g), middle, "seed %u", seed);
    graph_undo_to(&g, m);
    CHECK_EQ(graph_hash(&g), before, "seed %u", seed);
    graph_verify(&g);
    graph_done(&g);
  }
}

TEST(lists_follow_the_events) {
  for (unsigned seed = 1; seed <= 500; seed++) {
    uint64_t s = seed * 0x2545f4914f6cdd1du;
    struct graph g;
    start(&g);
    for (unsigned i = 0; i < 20; i++) {
      edit(&g, &s, 3);
      graph_verify(&g);
    }
    graph_done(&g);
  }
}

TEST(clocks_are_happens_before) {
  for (unsigned seed = 1; seed <= 500; seed++) {
    uint64_t s = seed * 0xd1342543de82ef95u;
    struct graph g;
    start(&g);
    for (unsigned i = 0; i < 30; i++)
      add_random(&g, &s);
    struct axioms a;
    axioms_init(&a, &g, &(struct model_options){0});
    for (uint32_t i = 0; i < a.n; i++)
      for (uint32_t j = 0; j < a.n; j++)
        if (i != j)
          CHECK_EQ(graph_hb(&g, a.events[i], a.events[j]), rel_has(a.hb, i, j),
                   "seed %u: %u -> %u", seed, a.events[i], a.events[j]);
    axioms_done(&a);
    graph_done(&g);
  }
}

// -- doing again what was done

// Some thread does again what it did from some event on, in other states, and
// its writes have other values; some write moves in co.
static void replay_random(struct graph *g, uint64_t *s) {
  unsigned t = below(s, THREADS);
  uint32_t n = graph_thread_length(g, t);
  if (n == 1)
    return;
  uint32_t from = 1 + below(s, n - 1);
  g->threads[t].known = n;
  graph_rewind(g, t, from);
  CHECK(g->threads[t].known <= from, "dependencies have to be found again");
  for (uint32_t i = from; i < n; i++) {
    event_id id = graph_at(g, t, i);
    struct event now = g->events[id];
    now.pre = below(s, 100);
    now.state = below(s, 100) + 1;
    if (now.kind == EV_WRITE && !is_read_by_anyone(g, id))
      now.value = next_random(s);
    graph_replay(g, id, &now);
  }
  graph_set_state(g, t, g->events[graph_tail(g, t)].state);
  const struct event_list *co = &g->locs.at[below(s, LOCS)].co;
  if (co->len > 1)
    graph_move_in_co(g, co->at[1 + below(s, co->len - 1)],
                     1 + below(s, co->len - 1));
}

// Some read gets another source, whatever cycle that closes.
static void point_random(struct graph *g, uint64_t *s) {
  const struct graph_loc *l = &g->locs.at[below(s, LOCS)];
  if (!l->reads.len)
    return;
  event_id r = l->reads.at[below(s, l->reads.len)];
  event_id w = l->co.at[below(s, l->co.len)];
  if (w != INIT_EVENT && g->events[w].value != g->events[r].value)
    return; // it would have to be replayed
  graph_point(g, r, w);
  graph_renew_clocks(g);
}

TEST(undo_restores_what_was_done_again) {
  for (unsigned seed = 1; seed <= 1000; seed++) {
    uint64_t s = seed * 0x9e3779b97f4a7c15u;
    struct graph g;
    start(&g);
    edit(&g, &s, 20);
    uint64_t before = graph_hash(&g);
    struct graph_mark m = graph_mark(&g);
    for (unsigned i = 0; i < 10; i++) {
      replay_random(&g, &s);
      point_random(&g, &s);
      edit(&g, &s, 2);
      graph_verify(&g);
    }
    graph_undo_to(&g, m);
    CHECK_EQ(graph_hash(&g), before, "seed %u", seed);
    graph_verify(&g);
    graph_done(&g);
  }
}

// Reads may have a source that comes after them: the clocks of po ∪ rf know
// all of a cycle, and itself; those of happens-before are right where it has
// none.
TEST(renewed_clocks_know_cycles) {
  unsigned cyclic = 0;
  for (unsigned seed = 1; seed <= 300; seed++) {
    uint64_t s = seed * 0xd1342543de82ef95u;
    struct graph g;
    start(&g);
    for (unsigned i = 0; i < 40; i++)
      add_random(&g, &s);
    for (event_id e = g.last; e != INIT_EVENT; e = g.events[e].prev)
      if (g.events[e].kind == EV_READ) {
        const struct event_list *co = &g.locs.at[g.events[e].loc].co;
        event_id w = co->at[below(&s, co->len)];
        if (g.events[w].thread != g.events[e].thread)
          graph_point(&g, e, w);
      }
    graph_renew_clocks(&g);
    struct axioms a;
    axioms_init(&a, &g, &(struct model_options){0});
    struct rel *porf = rel_plus(&a.rels, rel_or(&a.rels, a.po, a.rf));
    cyclic += !rel_is_irreflexive(porf);
    bool has_hb = rel_is_irreflexive(a.hb);
    for (uint32_t i = 0; i < a.n; i++)
      for (uint32_t j = 0; j < a.n; j++) {
        const struct event *x = &g.events[a.events[i]];
        const struct event *y = &g.events[a.events[j]];
        if (i != j && has_hb)
          CHECK_EQ(graph_hb(&g, a.events[i], a.events[j]), rel_has(a.hb, i, j),
                   "seed %u: %u -> %u", seed, a.events[i], a.events[j]);
        if (x->thread != y->thread || i == j)
          CHECK_EQ(clock_knows(&g.clocks, y->porf, x->thread, x->index),
                   rel_has(porf, i, j), "seed %u: %u -> %u", seed, a.events[i],
                   a.events[j]);
      }
    axioms_done(&a);
    graph_done(&g);
  }
  CHECK(cyclic > 50, "only %u of 300 graphs have cycles", cyclic);
}

TEST(first_after_is_the_first) {
  for (unsigned seed = 1; seed <= 200; seed++) {
    uint64_t s = seed * 0x9e3779b97f4a7c15u;
    struct graph g;
    start(&g);
    for (unsigned i = 0; i < 40; i++)
      add_random(&g, &s);
    for (event_id e = g.events[INIT_EVENT].next; e != NO_EVENT;
         e = g.events[e].next)
      for (unsigned u = 0; u < THREADS; u++) {
        uint32_t i = 0;
        while (
            i < graph_thread_length(&g, u) &&
            !(graph_hb(&g, e, graph_at(&g, u, i)) && graph_at(&g, u, i) != e))
          i++;
        CHECK_EQ(graph_first_after(&g, e, u), i, "seed %u", seed);
      }
    graph_done(&g);
  }
}

// T0: r = x; y = value || T1: r = y; x = value. Both read the other's write, or
// (`is_cycle` is false) T0 reads the initial value of x.
static uint64_t name_of_buffering(uint64_t value, bool is_cycle) {
  struct graph g;
  event_id first = NO_EVENT, last = NO_EVENT;
  start(&g);
  for (uint8_t t = 0; t < 2; t++) {
    struct event e = {.kind = EV_READ,
                      .thread = t,
                      .loc = t,
                      .rf = t ? last : INIT_EVENT,
                      .order = ORD_RLX,
                      .value = t || is_cycle ? value : 0,
                      .state = 1};
    first = t ? first : g.last + 1;
    graph_add(&g, e);
    e.kind = EV_WRITE;
    e.rf = NO_EVENT;
    e.loc = 1 - t;
    e.co = 1;
    e.value = value;
    last = graph_add(&g, e);
  }
  if (is_cycle)
    graph_point(&g, first, last);
  graph_renew_clocks(&g);
  uint64_t name = graph_name(&g);
  graph_done(&g);
  return name;
}

TEST(a_name_tells_values_that_nothing_else_tells) {
  CHECK(name_of_buffering(1, true) != name_of_buffering(2, true),
        "the values of a cycle come from nowhere");
  CHECK_EQ(name_of_buffering(1, false), name_of_buffering(2, false),
           "these are those of the program");
  CHECK(name_of_buffering(1, true) != name_of_buffering(1, false),
        "the sources differ");
}

// Thread 1 writes, thread 0 joins it: what is before the join knows nothing of
// the write.
TEST(who_joins_a_thread_comes_after_it_from_then_on) {
  struct graph g;
  start(&g);
  g.coherence = COHERENCE_PO;
  struct event write = {
      .kind = EV_WRITE, .thread = 1, .order = ORD_RLX, .co = 1, .state = 1};
  graph_add(&g, write);
  event_id end =
      graph_add(&g, (struct event){.kind = EV_END, .thread = 1, .state = 1});
  graph_add(&g, (struct event){
                    .kind = EV_FENCE, .thread = 0, .rf = NO_EVENT, .state = 1});
  graph_add(&g,
            (struct event){
                .kind = EV_JOIN, .thread = 0, .loc = 1, .rf = end, .state = 1});
  clock_id hb = g.events[graph_tail(&g, 0)].hb;
  CHECK_EQ(graph_co_floor(&g, 0, 0, 1, hb), 0, "behind the start");
  CHECK_EQ(graph_co_floor(&g, 0, 0, 2, hb), 0, "behind the fence");
  CHECK_EQ(graph_co_floor(&g, 0, 0, 3, hb), 1, "behind the join");
  graph_done(&g);
}
