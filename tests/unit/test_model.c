// SPDX-License-Identifier: MIT
// The fast models say what their definitions say. Graphs grow at random, one
// event at a time, within coherence and atomicity (as the search does), and
// each step is judged twice: by the fast code and by the text.
#include "model/model.h"
#include "random_graph.h"
#include "setting.h"
#include "tap.h"

static void compare(const struct model *m, unsigned seed, uint32_t *accepted,
                    uint32_t *refused) {
  uint64_t s = seed_of(seed);
  struct graph g;
  const struct shape *h = start_random(&g, seed);
  for (unsigned i = 0; i < 22; i++) {
    struct graph_mark mark = graph_mark(&g);
    event_id e = grow(&g, &s, h);
    if (e == NO_EVENT)
      continue;
    bool want = model_allows(m, &g, &(struct model_options){0});
    bool got = m->consistent(&g, e, NO_EVENT, &(struct model_options){0});
    CHECK(got == want, "%s, seed %u, step %u: fast says %d", m->name, seed, i,
          got);
    ++*(want ? accepted : refused);
    if (!want)
      graph_undo_to(&g, mark);
  }
  graph_done(&g);
}

TEST(fast_models_equal_their_texts) {
  for (const struct model *const *m = models; *m; m++) {
    if ((*m)->tracks_dependencies || (*m)->filters)
      continue; // test_model_deps.c, test_jam21.c
    uint32_t accepted = 0, refused = 0;
    for (unsigned seed = 1; seed <= setting_many("HEDDLE_GRAPHS", 3000); seed++)
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
