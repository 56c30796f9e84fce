// SPDX-License-Identifier: MIT
// JAM21 on complete graphs: what the fast code says of a graph that grew step
// by step (model/jam21.c leaves marks on the way) is what the definition says,
// with final writes and without. Graphs grow in any order of their threads.
#include "cat/model.h"
#include "model/jam21.h"
#include "model/model.h"
#include "random_graph.h"
#include "tap.h"

#include <string.h>

static uint32_t marks(const struct graph *g) {
  uint32_t n = 0;
  for (event_id e = g->last; e != INIT_EVENT; e = g->events[e].prev)
    n += (g->events[e].flags & EVF_DOUBT) != 0;
  return n;
}

// What is asked of a graph that grows: the text, but for its last axiom, and
// the part of that which model/jam21.c says it asks for.
static const struct model *growing(void) {
  static const char sure[] = "acyclic S; visible | reversed as sure-push-order";
  static struct cat_model *m;
  if (m)
    return &m->model;
  const struct cat_text *whole = cat_text_find("jam21.cat");
  const char *last = strstr(whole->text, "let final =");
  struct str text = {0};
  struct cat *c;
  struct diag why;
  CHECK(last, "where is the order of pushes?");
  str_add_bytes(&text, whole->text, (size_t)(last - whole->text));
  str_add(&text, "%s", sure);
  bool ok = cat_load_text("sure", str_text(&text), text.len, NULL, &c, &why) &&
            cat_model_of(c, &m, &why);
  str_done(&text);
  CHECK(ok, "%s", why.text);
  return &m->model;
}

struct seen {
  uint32_t allowed, refused[2],
      marked; // refused: without and with final writes
};

static void judge(struct graph *g, const char *name, unsigned step,
                  struct seen *seen) {
  const struct model *m = model_find("jam21");
  for (unsigned k = 0; k < 2; k++) {
    struct model_options o = {.final_writes = k};
    bool want = model_allows_complete(m, g, &o);
    CHECK(jam21_allows_complete(g, &o) == want, "%s, step %u, option %u: %d",
          name, step, k, !want);
    seen->refused[k] += !want;
    seen->allowed += want && !k;
    seen->marked += !k && want && marks(g);
  }
}

static void compare(unsigned seed, struct seen *seen) {
  uint64_t s = seed_of(seed);
  struct graph g;
  char name[32];
  const struct shape *h = start_random(&g, seed);
  snprintf(name, sizeof name, "seed %u", seed);
  for (unsigned i = 0; i < 22; i++) {
    struct graph_mark mark = graph_mark(&g);
    event_id e = grow(&g, &s, h);
    if (e == NO_EVENT)
      continue;
    struct model_options none = {0};
    bool want = model_allows_complete(growing(), &g, &none);
    CHECK(jam21_consistent(&g, e, NO_EVENT, &none) == want, "%s, step %u: %d",
          name, i, !want);
    if (!want)
      graph_undo_to(&g, mark);
    else
      judge(&g, name, i, seen);
  }
  graph_done(&g);
}

TEST(complete_graphs_are_judged_by_the_definition) {
  struct seen seen = {0};
  for (unsigned seed = 1; seed <= 2000; seed++)
    compare(seed, &seen);
  printf("# %u graphs allowed (%u of them marked), %u refused, %u with final "
         "writes\n",
         seen.allowed, seen.marked, seen.refused[0], seen.refused[1]);
  CHECK(seen.refused[0] > 20, "hardly anything is refused");
  CHECK(seen.refused[1] > seen.refused[0], "final writes forbid nothing");
}

// Adds up to n events at random to the first threads.
static void grow_some(struct graph *g, uint64_t *s, const struct shape *h,
                      unsigned n, unsigned seed, struct seen *seen) {
  struct model_options none = {0};
  char name[32];
  snprintf(name, sizeof name, "created, seed %u", seed);
  for (unsigned i = 0; i < n; i++) {
    struct graph_mark mark = graph_mark(g);
    event_id e = grow(g, s, h);
    if (e == NO_EVENT)
      continue;
    bool want = model_allows_complete(growing(), g, &none);
    CHECK(jam21_consistent(g, e, NO_EVENT, &none) == want, "%s: %d", name,
          !want);
    if (!want)
      graph_undo_to(g, mark);
    else
      judge(g, name, i, seen);
  }
}

// Threads are created and joined by the first one in between: what pushes
// reaches into other threads and comes back.
static void compare_created(unsigned seed, struct seen *seen) {
  uint64_t s = seed_of(seed);
  struct shape h = {1, 2, 30 + seed % 3 * 20, seed % 2 * 20};
  struct graph g;
  graph_init(&g);
  graph_need_threads(&g, 3);
  graph_need_loc(&g, h.locs - 1);
  graph_add(&g, (struct event){.kind = EV_START, .rf = NO_EVENT, .state = 1});
  for (; h.threads < 3; h.threads++) {
    grow_some(&g, &s, &h, 3, seed, seen);
    event_id spawn = graph_add(&g, (struct event){.kind = EV_SPAWN,
                                                  .loc = h.threads,
                                                  .rf = NO_EVENT,
                                                  .state = 1});
    graph_add(&g, (struct event){.kind = EV_START,
                                 .thread = (uint8_t)h.threads,
                                 .rf = spawn,
                                 .state = 1});
  }
  grow_some(&g, &s, &h, 8, seed, seen);
  while (h.threads-- > 1) {
    event_id end = graph_add(&g, (struct event){.kind = EV_END,
                                                .thread = (uint8_t)h.threads,
                                                .rf = NO_EVENT});
    graph_add(&g,
              (struct event){
                  .kind = EV_JOIN, .loc = h.threads, .rf = end, .state = 1});
    grow_some(&g, &s, &h, 4, seed, seen);
  }
  graph_done(&g);
}

TEST(creation_and_join_carry_pushes) {
  struct seen seen = {0};
  for (unsigned seed = 1; seed <= 1500; seed++)
    compare_created(seed, &seen);
  printf("# %u graphs allowed (%u of them marked), %u refused, %u with final "
         "writes\n",
         seen.allowed, seen.marked, seen.refused[0], seen.refused[1]);
  CHECK(seen.refused[0] > 10, "hardly anything is refused");
}
