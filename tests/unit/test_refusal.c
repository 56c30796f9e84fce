// SPDX-License-Identifier: MIT
// Why a text refuses a graph. On random graphs: it is refused if and only if
// the definition refuses it; the steps that are told lead from one to the next
// and back to the first; and a step by a base relation is a pair of that
// relation.
#include "cat/model.h"
#include "model/refusal.h"
#include "random_graph.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

static const struct model_options no_options;

static struct cat_model *model_of(const char *name, const char *text,
                                  size_t size) {
  struct cat *c = NULL;
  struct cat_model *m = NULL;
  struct diag why;
  CHECK(cat_load_text(name, text, size, NULL, &c, &why), "%s: %s", name,
        why.text);
  CHECK(cat_model_of(c, &m, &why), "%s: %s", name, why.text);
  return m;
}

// The place in co of what an access reads or writes.
static uint32_t place_of(const struct graph *g, const struct event *e) {
  return e->kind == EV_WRITE ? e->co : g->events[e->rf].co;
}

// Is (a, b) in the relation? True for those that are not known here.
static bool is_pair(const struct graph *g, const char *relation,
                    const struct event *a, const struct event *b) {
  bool is_loc = is_access(a) && is_access(b) && a->loc == b->loc;
  size_t n = strlen(relation);
  bool ends_in_e = n == 3 && relation[2] == 'e';
  if (ends_in_e && a->thread == b->thread)
    return false;
  if (strcmp(relation, "po") == 0 || strcmp(relation, "po-loc") == 0)
    return a->thread == b->thread && a->index < b->index && (n == 2 || is_loc);
  if (strncmp(relation, "rf", 2) == 0 && n <= 3)
    return b->kind == EV_READ && &g->events[b->rf] == a;
  if (strncmp(relation, "co", 2) == 0 && n <= 3)
    return is_loc && a->kind == EV_WRITE && b->kind == EV_WRITE &&
           a->co < b->co;
  if (strncmp(relation, "fr", 2) == 0 && n <= 3)
    return is_loc && a->kind == EV_READ && b->kind == EV_WRITE &&
           place_of(g, a) < b->co;
  return true;
}

static void check_steps(const struct graph *g, const char *name, unsigned seed,
                        const struct refusal *r, bool is_cycle) {
  for (uint32_t i = 0; i < r->len; i++) {
    const struct refusal_step *s = &r->at[i];
    const struct refusal_step *next = &r->at[(i + 1) % r->len];
    CHECK(*s->relation, "%s, seed %u: a step without a name", name, seed);
    CHECK(is_pair(g, s->relation, &g->events[s->from], &g->events[s->to]),
          "%s, seed %u, step %u: not in %s", name, seed, i, s->relation);
    if (i + 1 < r->len || is_cycle)
      CHECK(s->to == next->from, "%s, seed %u: a gap after step %u", name, seed,
            i);
  }
}

// How many of the refusals had steps.
static uint32_t compare(const struct cat_model *m, const char *name,
                        bool is_cycle) {
  uint32_t refused = 0, told = 0;
  for (unsigned seed = 1; seed <= 200; seed++) {
    uint64_t s = seed_of(seed);
    struct graph g;
    const struct shape *h = start_random(&g, seed);
    for (unsigned k = 0; k < 22; k++) {
      struct graph_mark mark = graph_mark(&g);
      struct refusal why = {0};
      if (grow(&g, &s, h) == NO_EVENT)
        continue;
      bool want = model_allows_complete(&m->model, &g, &no_options);
      bool got = !model_refuses(&m->model, &g, &no_options, &why);
      CHECK(got == want, "%s: seed %u, step %u: %d", name, seed, k, got);
      CHECK(got == !why.axiom, "%s: seed %u: no axiom", name, seed);
      check_steps(&g, name, seed, &why, is_cycle);
      refused += !want;
      told += why.len != 0;
      refusal_done(&why);
      if (!want)
        graph_undo_to(&g, mark);
    }
    graph_done(&g);
  }
  printf("# %s: %u refused, %u told\n", name, refused, told);
  CHECK(refused > 5, "%s: %u refused", name, refused);
  return told;
}

TEST(our_models) {
  static const char *const names[] = {"sc.cat", "tso.cat", "pso.cat",
                                      "rc11.cat", "jam21.cat"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    const struct cat_text *t = cat_text_find(names[i]);
    struct cat_model *m = model_of(t->name, t->text, t->size);
    uint32_t told = compare(m, t->name, /*is_cycle=*/true);
    CHECK(told > 5, "%s: %u told", t->name, told);
    cat_model_free(m);
  }
}

// Operators in all places, also where nothing can be taken apart.
static const struct {
  const char *text;
  bool is_cycle;
} strange[] = {
    {"irreflexive (po | rf | fr; co?)+ as a", true},
    {"acyclic rf^-1; co | po | rf as a", true},
    {"empty (po; [F]; po) & (fr; rf) as a", true},
    {"empty po; fr; rf as a", false},
    {"acyclic po \\ ([W]; po; [R]) | (rf \\ po) | (co; rf \\ id) | fr as a",
     true},
    {"acyclic ~(fr | co)^-1 & loc & ext \\ id as a", true},
    {"let rec x = po | rf; x | x; co and y = x | y; fr; x irreflexive y as a",
     true},
    {"acyclic id | po | rf as a", true},
    {"~empty range(rf) & SC as a", true},
    {"acyclic (po | rf)* & ((W * W) | (R * R)) \\ id | co | fr; rf? as a",
     true},
};

TEST(strange_models) {
  for (unsigned i = 0; i < sizeof strange / sizeof *strange; i++) {
    char text[600];
    snprintf(text, sizeof text, "acyclic po | rf as porf\n%s", strange[i].text);
    struct cat_model *m = model_of("strange.cat", text, strlen(text));
    compare(m, strange[i].text, strange[i].is_cycle);
    cat_model_free(m);
  }
}

// The words: parts, names that everybody knows, and the axiom itself.
TEST(the_words) {
  static const char text[] = "let ours = po\n"
                             "let kept = ours & (W * W) | ours & (R * R)\n"
                             "acyclic kept | rf | co | fr as message\n"
                             "acyclic po | rf as porf";
  struct cat_model *m = model_of("my.cat", text, strlen(text));
  struct graph g;
  struct refusal why = {0};
  graph_init(&g);
  graph_need_threads(&g, 2);
  graph_need_loc(&g, 1);
  struct event e = {.state = 1, .rf = NO_EVENT};
  for (uint8_t t = 0; t < 2; t++) {
    e.kind = EV_START;
    e.thread = t;
    graph_add(&g, e);
  }
  e = (struct event){.kind = EV_WRITE, .rf = NO_EVENT, .co = 1, .state = 1};
  graph_add(&g, e);
  e.loc = 1;
  event_id flag = graph_add(&g, e);
  e = (struct event){
      .kind = EV_READ, .thread = 1, .loc = 1, .rf = flag, .state = 1};
  graph_add(&g, e);
  e.loc = 0;
  e.rf = INIT_EVENT;
  graph_add(&g, e);
  CHECK(model_refuses(&m->model, &g, &no_options, &why), "it is allowed");
  CHECK(strcmp(why.axiom, "message: acyclic kept | rf | co | fr (my.cat:3)") ==
            0,
        "%s", why.axiom);
  CHECK(why.len == 4, "%u steps", why.len);
  const struct refusal_step *s = why.at;
  CHECK(strcmp(s->relation, "ours") == 0 && strcmp(s->part_of, "kept") == 0,
        "%s of %s", s->relation, s->part_of);
  CHECK(strcmp(s[1].relation, "rf") == 0 && !*s[1].part_of, "%s",
        s[1].relation);
  refusal_done(&why);
  graph_done(&g);
  cat_model_free(m);
}
