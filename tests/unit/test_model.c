// SPDX-License-Identifier: MIT
// The fast models say what their definitions say. Graphs grow at random, one
// event at a time, within coherence and atomicity (as the search does), and
// each step is judged twice: by the fast code and by the axioms as relations.
#include "model/axioms.h"
#include "model/model.h"
#include "tap.h"

static uint64_t seed_of(unsigned n) {
  return n * 0x9e3779b97f4a7c15u + 1;
}

static uint32_t below(uint64_t *s, uint32_t n) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (uint32_t)(*s % n);
}

struct shape {
  uint32_t threads, locs;
  unsigned sc_share, fence_share; // percent
};

static uint8_t order_for(uint64_t *s, const struct shape *h, uint8_t strong) {
  if (below(s, 100) < h->sc_share)
    return ORD_SC;
  return below(s, 2) ? strong : ORD_RLX;
}

// The last event of thread t, and the first place coherence leaves it.
static uint32_t floor_of(const struct graph *g, unsigned t, uint32_t loc) {
  const struct event *tail = &g->events[graph_tail(g, t)];
  return graph_co_floor(g, loc, t, tail->index + 1, tail->hb);
}

static bool is_taken(const struct graph *g, uint32_t loc, uint32_t place) {
  const struct event_list *co = &g->locs.at[loc].co;
  return place + 1 < co->len &&
         (g->events[co->at[place + 1]].flags & EVF_EXCLUSIVE);
}

// Adds an event; an update adds two. Yields the one to judge, or NO_EVENT.
static event_id grow(struct graph *g, uint64_t *s, const struct shape *h) {
  struct event e = {.thread = (uint8_t)below(s, h->threads),
                    .loc = below(s, h->locs),
                    .rf = NO_EVENT,
                    .state = 1};
  const struct event_list *co = &g->locs.at[e.loc].co;
  uint32_t floor = floor_of(g, e.thread, e.loc);
  if (below(s, 100) < h->fence_share) {
    e.kind = EV_FENCE;
    e.order = (uint8_t)(below(s, 3) ? ORD_SC : ORD_ACQ + below(s, 3));
    return graph_add(g, e);
  }
  uint32_t place = floor + below(s, co->len - floor);
  switch (below(s, 3)) {
  case 0:
    e.kind = EV_READ;
    e.order = order_for(s, h, ORD_ACQ);
    e.rf = co->at[place];
    return graph_add(g, e);
  case 1:
    if (is_taken(g, e.loc, place))
      return NO_EVENT;
    e.kind = EV_WRITE;
    e.order = order_for(s, h, ORD_REL);
    e.co = place + 1;
    return graph_add(g, e);
  default:
    if (is_taken(g, e.loc, place))
      return NO_EVENT;
    e.kind = EV_READ;
    e.order = order_for(s, h, ORD_ACQREL);
    e.flags = EVF_EXCLUSIVE;
    e.rf = co->at[place];
    graph_add(g, e);
    e.kind = EV_WRITE;
    e.rf = NO_EVENT;
    e.co = place + 1;
    return graph_add(g, e);
  }
}

static void compare(const struct model *m, unsigned seed, uint32_t *accepted,
                    uint32_t *refused) {
  static const struct shape shapes[] = {
      {2, 2, 40, 20}, {3, 2, 60, 0}, {3, 3, 20, 40},
      {4, 2, 50, 10}, {3, 2, 0, 50}, {4, 4, 90, 10},
  };
  const struct shape *h = &shapes[seed % (sizeof shapes / sizeof *shapes)];
  uint64_t s = seed_of(seed);
  struct graph g;
  graph_init(&g);
  graph_need_threads(&g, h->threads);
  graph_need_loc(&g, h->locs - 1);
  for (uint8_t t = 0; t < h->threads; t++)
    graph_add(&g,
              (struct event){
                  .kind = EV_START, .thread = t, .rf = NO_EVENT, .state = 1});
  for (unsigned i = 0; i < 22; i++) {
    struct graph_mark mark = graph_mark(&g);
    event_id e = grow(&g, &s, h);
    if (e == NO_EVENT)
      continue;
    struct axioms a;
    axioms_init(&a, &g, &(struct model_options){0});
    bool want = m->axioms(&a);
    axioms_done(&a);
    bool got = m->consistent(&g, e, NO_EVENT, &(struct model_options){0});
    CHECK(got == want, "%s, seed %u, step %u: fast says %d", m->name, seed, i,
          got);
    ++*(want ? accepted : refused);
    if (!want)
      graph_undo_to(&g, mark);
  }
  graph_done(&g);
}

TEST(fast_models_equal_their_axioms) {
  for (const struct model *const *m = models; *m; m++) {
    if ((*m)->tracks_dependencies)
      continue; // test_model_deps.c
    uint32_t accepted = 0, refused = 0;
    for (unsigned seed = 1; seed <= 3000; seed++)
      compare(*m, seed, &accepted, &refused);
    printf("# %s: %u steps accepted, %u refused\n", (*m)->name, accepted,
           refused);
    // ra has no axiom of its own: nothing within coherence is refused.
    CHECK((*m)->consistent == model_find("ra")->consistent ||
              refused > accepted / 400,
          "%s: hardly anything is refused", (*m)->name);
  }
}

// F; x =sc 1; r1 =sc z || z = 1 || r2 = z; F; r3 =sc x, with r1 = 0, r2 = 1 and
// r3 = 0: psc leads from the right fence to r1 over the left fence and r3, but
// not back. (fr;rf counts from fences only.) The order of adding must not
// matter; with the right thread last this was refused once.
TEST(sc_reads_do_not_go_on_by_rf_in_psc) {
  static const char orders[][4] = {"012", "120", "102"}; // 1 before 2: rf
  for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++) {
    struct graph g;
    graph_init(&g);
    graph_need_threads(&g, 3);
    graph_need_loc(&g, 1);
    event_id write = NO_EVENT;
    enum { X, Z };
    for (const char *c = orders[i]; *c; c++) {
      uint8_t t = (uint8_t)(*c - '0');
      struct event all[3][3] = {
          {{.kind = EV_FENCE, .order = ORD_SC},
           {.kind = EV_WRITE, .order = ORD_SC, .loc = X, .co = 1},
           {.kind = EV_READ, .order = ORD_SC, .loc = Z, .rf = INIT_EVENT}},
          {{.kind = EV_WRITE, .order = ORD_RLX, .loc = Z, .co = 1}},
          {{.kind = EV_READ, .order = ORD_RLX, .loc = Z, .rf = write},
           {.kind = EV_FENCE, .order = ORD_SC},
           {.kind = EV_READ, .order = ORD_SC, .loc = X, .rf = INIT_EVENT}}};
      graph_add(&g,
                (struct event){.kind = EV_START, .thread = t, .rf = NO_EVENT});
      for (unsigned k = 0; k < 3 && all[t][k].kind; k++) {
        all[t][k].thread = t;
        event_id e = graph_add(&g, all[t][k]);
        write = t == 1 ? e : write;
        struct model_options none = {0};
        CHECK(model_allows(model_find("rc11"), &g, &none), "%s: the axioms",
              orders[i]);
        CHECK(model_find("rc11")->consistent(&g, e, NO_EVENT, &none),
              "%s: thread %u, event %u is refused", orders[i], t, k);
      }
    }
    graph_done(&g);
  }
}

TEST(models_are_found_by_name) {
  for (const struct model *const *m = models; *m; m++)
    CHECK(model_find((*m)->name) == *m, "%s", (*m)->name);
  CHECK(!model_find("no such model"), "found");
}
