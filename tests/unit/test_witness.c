// SPDX-License-Identifier: MIT
// The search for an order of the writes (model/witness.c) finds one if and only
// if trying all orders does, and counts as many. Graphs grow at random and
// consistent, then their orders are forgotten; some have a read with another
// source, so that there may be none.
#include "model/model.h"
#include "random_graph.h"
#include "setting.h"
#include "tap.h"

enum { MAX_ORDERS = 100, STEPS = 40 };

static const struct model_options none;

static uint64_t count_orders(const struct graph *g) {
  uint64_t n = 1;
  for (uint32_t l = 0; l < g->locs.len; l++)
    for (uint32_t i = 2; i < g->locs.at[l].co.len; i++)
      n *= i;
  return n;
}

// How many orders of the writes from `place` of `loc` on, and of the locations
// behind it, are allowed?
static uint64_t count_allowed(const struct model *m, struct graph *g,
                              uint32_t loc, uint32_t place) {
  if (loc == g->locs.len)
    return model_allows(m, g, &none);
  const struct event_list *co = &g->locs.at[loc].co;
  if (place + 1 >= co->len)
    return count_allowed(m, g, loc + 1, 1);
  uint64_t n = 0;
  for (uint32_t i = place; i < co->len; i++) {
    event_id w = co->at[i];
    graph_move_in_co(g, w, place);
    n += count_allowed(m, g, loc, place + 1);
    graph_move_in_co(g, w, i);
  }
  return n;
}

static void grow_allowed(const struct model *m, struct graph *g, uint64_t *s,
                         const struct shape *h, unsigned steps,
                         uint64_t max_orders) {
  for (unsigned i = 0; i < steps; i++) {
    struct graph_mark mark = graph_mark(g);
    event_id e = grow(g, s, h);
    if (e != NO_EVENT &&
        (count_orders(g) > max_orders || !m->consistent(g, e, NO_EVENT, &none)))
      graph_undo_to(g, mark);
  }
}

// Puts writes anywhere, and updates anywhere.
static void forget_orders(struct graph *g, uint64_t *s) {
  for (uint32_t l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    for (uint32_t i = 1; i < co->len; i++)
      graph_move_in_co(g, co->at[i], 1 + below(s, co->len - 1));
  }
}

struct seen {
  uint64_t graphs, without, one;
};

static void compare(const struct model *m, unsigned seed, struct seen *seen) {
  uint64_t s = seed_of(seed);
  struct graph g;
  const struct shape *h = start_random(&g, seed);
  grow_allowed(m, &g, &s, h, 16, MAX_ORDERS);
  if (below(&s, 2)) // a step that the model was not asked about
    grow(&g, &s, h);
  forget_orders(&g, &s);
  if (count_orders(&g) <= MAX_ORDERS) {
    uint64_t want = count_allowed(m, &g, 0, 1);
    CHECK_EQ(model_count_co(m, &g, &none, UINT64_MAX), want, "%s, seed %u",
             m->name, seed);
    bool found = model_find_co(m, &g, &none, UINT32_MAX);
    CHECK(found == (want > 0), "%s, seed %u: %d", m->name, seed, found);
    CHECK(!found || model_allows(m, &g, &none), "%s, seed %u: not this one",
          m->name, seed);
    seen->graphs++;
    seen->without += !want;
    seen->one += want == 1;
  }
  graph_done(&g);
}

TEST(an_order_is_found_if_there_is_one) {
  for (const struct model *const *m = models; *m; m++) {
    if (!(*m)->finds_co)
      continue;
    struct seen seen = {0};
    uint64_t n = setting_many("HEDDLE_GRAPHS", 2000);
    for (unsigned seed = 1; seed <= n; seed++)
      compare(*m, seed, &seen);
    printf("# %s: %llu graphs, %llu without an order, %llu with one\n",
           (*m)->name, (unsigned long long)seen.graphs,
           (unsigned long long)seen.without, (unsigned long long)seen.one);
    CHECK(n < 500 || (seen.one > n / 20 && seen.graphs > n / 2), "%s: too easy",
          (*m)->name);
  }
}

// Large graphs, of which it is known that there is an order.
TEST(an_order_is_found_again) {
  for (const struct model *const *m = models; *m; m++)
    for (unsigned seed = 1;
         (*m)->finds_co && seed <= setting_many("HEDDLE_GRAPHS", 2000);
         seed++) {
      uint64_t s = seed_of(seed);
      struct graph g;
      const struct shape *h = start_random(&g, seed);
      grow_allowed(*m, &g, &s, h, STEPS, UINT64_MAX);
      forget_orders(&g, &s);
      CHECK(model_find_co(*m, &g, &none, UINT32_MAX), "%s, seed %u", (*m)->name,
            seed);
      graph_done(&g);
    }
}

// A relaxed read of that write, or a write at that place in co.
static event_id add_access(struct graph *g, uint8_t t, uint32_t loc,
                           event_id rf, uint32_t co) {
  return graph_add(g, (struct event){.kind = co ? EV_WRITE : EV_READ,
                                     .thread = t,
                                     .loc = loc,
                                     .order = ORD_RLX,
                                     .rf = rf,
                                     .co = co,
                                     .state = 1});
}

// Threads 2 and 3 see v and then a, or b; threads 4 and 5 write a, or b, and
// then see w. If w is before v, so are a and b, and 2 and 3 see them in
// different orders; but no single pair of edges says so. So v is before w.
TEST(a_pair_that_leads_nowhere_is_tried_the_other_way) {
  enum { X, Y, THREADS = 6 };
  for (unsigned way = 0; way < 4; way++) {
    struct graph g;
    graph_init(&g);
    graph_need_threads(&g, THREADS);
    graph_need_loc(&g, Y);
    for (uint8_t t = 0; t < THREADS; t++)
      graph_add(&g,
                (struct event){
                    .kind = EV_START, .thread = t, .rf = NO_EVENT, .state = 1});
    event_id w, v, a, b;
    w = add_access(&g, 0, X, NO_EVENT, 1);
    v = add_access(&g, 1, X, NO_EVENT, way & 1 ? 1 : 2);
    a = add_access(&g, 4, Y, NO_EVENT, 1);
    b = add_access(&g, 5, Y, NO_EVENT, way & 2 ? 1 : 2);
    for (uint8_t t = 2; t <= 3; t++) {
      add_access(&g, t, X, v, 0);
      add_access(&g, t, Y, t == 2 ? a : b, 0);
    }
    for (uint8_t t = 4; t <= 5; t++)
      add_access(&g, t, X, w, 0);
    CHECK(model_find_co(model_find("sc"), &g, &none, UINT32_MAX), "way %u",
          way);
    CHECK(g.events[v].co < g.events[w].co, "way %u", way);
    graph_done(&g);
  }
}
