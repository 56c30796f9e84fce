// SPDX-License-Identifier: MIT
// The judge on graphs of more events than a word has bits, and than two have:
// rows of its relations are several words long then. It must say what the fast
// code of a model says at each step, and what the definition says now and then
// (which takes long on such graphs).
#include "cat/model.h"
#include "random_graph.h"
#include "setting.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

static const struct model_options no_options;

static struct cat_model *model_of_text(const char *text) {
  struct cat *c = NULL;
  struct cat_model *m = NULL;
  struct diag why;
  CHECK(cat_load_text("test.cat", text, strlen(text), NULL, &c, &why),
        "%u: %s: %s", why.line, why.text, text);
  CHECK(cat_model_of(c, &m, &why), "%s", why.text);
  return m;
}

struct seen {
  uint32_t steps, refused, longest;
};

// `fast`: a model of which the text is the definition, or NULL.
static void grow_long(struct cat_model *text, const struct model *fast,
                      unsigned seed, struct seen *seen) {
  enum { STEPS = 220, LONGEST = 170, SELDOM = 12 };
  uint64_t s = seed_of(seed);
  struct graph g;
  const struct shape *h = start_random(&g, seed);
  struct graph_mark marks[STEPS];
  for (unsigned i = 0, k = 0; k < STEPS && g.live < LONGEST; k++) {
    marks[i] = graph_mark(&g);
    event_id e = grow(&g, &s, h);
    if (e == NO_EVENT)
      continue;
    bool got = model_consistent(&text->model, &g, e, NO_EVENT, &no_options);
    if (fast)
      CHECK(got == model_consistent(fast, &g, e, NO_EVENT, &no_options),
            "%s, seed %u, step %u: the judge says %d", fast->name, seed, k,
            got);
    if (k % SELDOM == 0)
      CHECK(got == model_allows(&text->model, &g, &no_options),
            "%s, seed %u, step %u: the judge says %d", text->model.name, seed,
            k, got);
    seen->steps++;
    seen->refused += !got;
    if (g.live > seen->longest)
      seen->longest = g.live;
    // Now and then the search goes back, by a few steps or by many.
    if (got && below(&s, 25)) {
      i++;
      continue;
    }
    if (got)
      i -= below(&s, below(&s, 4) ? i / 16 + 1 : i / 3 + 1);
    graph_undo_to(&g, marks[i]);
  }
  graph_done(&g);
}

TEST(fast_code_and_texts_agree_on_long_graphs) {
  for (const struct model *const *m = models; *m; m++) {
    if ((*m)->justifier || (*m)->filters || (*m)->tracks_dependencies)
      continue;
    char text[80];
    struct seen seen = {0};
    snprintf(text, sizeof text, "include \"%s.cat\"", (*m)->name);
    struct cat_model *t = model_of_text(text);
    for (unsigned seed = 1; seed <= setting("HEDDLE_LONG", 30); seed++)
      grow_long(t, *m, seed, &seen);
    printf("# %s: %u steps, %u refused, up to %u events\n", (*m)->name,
           seen.steps, seen.refused, seen.longest);
    CHECK(seen.longest > 130, "%s: too short", (*m)->name);
    cat_model_free(t);
  }
}

TEST(texts_are_judged_right_on_long_graphs) {
  static const char *const texts[] = {
      "acyclic po | rf | co | fr as a",
      "irreflexive (po | rf | fr; co?)+ as a",
      "acyclic rf^-1; co | po as a",
      "acyclic ((R | W) * R) & po | (W * R) & (co; rf) | fr & (_ * W) as a",
      "acyclic [domain(rmw) | range(co & int)]; po; [range(rf)] | rf | fr as a",
      "acyclic po \\ ([W]; po; [R]) | (rf \\ po) | (co; rf \\ id) | fr as a",
      ("let rec ci = rf & ext | ci; ii | cc; ci and ii = po & loc | ci | ii; ii"
       " and cc = po & (R * W) | ci; ii"
       " acyclic ci | cc | fr | po & (W * R) as a"),
      "let rec x = po | rf; x | x; co and y = x | y; fr; x irreflexive y as a",
  };
  struct seen seen = {0};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char text[600];
    snprintf(text, sizeof text, "acyclic po | rf as porf\n%s", texts[i]);
    struct cat_model *t = model_of_text(text);
    for (unsigned seed = 1; seed <= setting("HEDDLE_LONG", 30) / 2; seed++)
      grow_long(t, NULL, seed, &seen);
    cat_model_free(t);
  }
  printf("# %u steps, %u refused, up to %u events\n", seen.steps, seen.refused,
         seen.longest);
  CHECK(seen.longest > 130 && seen.refused > 100, "too little was tried");
}
