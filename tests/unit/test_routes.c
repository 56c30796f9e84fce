// SPDX-License-Identifier: MIT
// Routes (cat/facts/routes.c) are a lower bound: on random graphs, what is
// refuted by them is refused by the definition, and most of what that refuses
// is refuted where the text has such paths.
#include "cat/facts/recursion.h"
#include "cat/judge/refute.h"
#include "cat/model.h"
#include "random_deps.h"
#include "tap.h"

static const struct model_options no_options = {0};

struct counts {
  unsigned refused, refuted;
};

static struct cat_model *model_named(const char *name) {
  struct cat_search none = {0};
  struct cat_model *m = NULL;
  struct cat *c;
  struct diag why;
  const struct cat_text *t = cat_text_find(name);
  bool ok = t && cat_load_text(t->name, t->text, t->size, &none, &c, &why) &&
            cat_model_of(c, &m, &why);
  CHECK(ok, "%s: %s", name, t ? why.text : "no such text");
  return m;
}

static void compare(const struct cat_model *m, unsigned seed,
                    struct counts *n) {
  uint64_t s = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  const struct mix *mix = mix_of(seed);
  struct refuter r;
  struct built b;
  start_random(&b, mix);
  refuter_init(&r, m->cat, m->pruning);
  for (unsigned step = 0; step < 30; step++) {
    struct graph_mark mark = graph_mark(&b.g);
    event_id e = grow(&b, &s, mix);
    if (e == NO_EVENT)
      continue;
    bool is_refuted = refutes(&r, &b.g, e, &no_options);
    bool is_refused = !model_allows(&m->model, &b.g, &no_options);
    CHECK(is_refused || !is_refuted, "%s, seed %u, step %u: refuted",
          m->model.name, seed, step);
    n->refused += is_refused;
    n->refuted += is_refuted;
    if (is_refused)
      graph_undo_to(&b.g, mark);
  }
  refuter_done(&r);
  stop(&b);
}

TEST(what_is_refuted_is_refused) {
  static const struct {
    const char *name;
    unsigned percent; // of what is refused (by atomicity, too)
  } rows[] = {
      {"sc.cat", 60},    {"armv8.cat", 20}, {"riscv.cat", 30},
      {"power.cat", 20}, {"armv7.cat", 30}, {"lkmm.cat", 25},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct cat_model *m = model_named(rows[i].name);
    struct counts n = {0};
    for (unsigned seed = 1; seed <= 60; seed++)
      compare(m, seed, &n);
    CHECK(n.refused > 20 && n.refuted * 100 >= n.refused * rows[i].percent,
          "%s: of %u refused, %u are refuted", rows[i].name, n.refused,
          n.refuted);
    cat_model_free(m);
  }
}

// Which `let rec`s are automata.
TEST(recursion_is_an_automaton) {
  static const struct {
    const char *text;
    bool is;
  } rows[] = {
      {"let rec x = po | rf | x; x acyclic x as a", true},
      {"let rec x = po | x; rf acyclic x as a", false}, // not by variables
      {"let rec x = po | rf; x; co acyclic x as a", false},
      {"let rec i = po | c and c = rf | i; c | c; c acyclic i | c as a", false},
      // POWER's; and without a rule that is needed to go on from an end.
      {"let rec ci = rf | ci; ii | cc; ci and ii = po | ci | ic; ci | ii; ii\n"
       "and cc = co | ci | ci; ic | cc; cc\n"
       "and ic = ii | cc | ic; cc | ii; ic acyclic ic as a",
       true},
      {"let rec ci = rf | ci; ii | cc; ci and ii = po | ci | ic; ci | ii; ii\n"
       "and cc = co | ci | ci; ic\n"
       "and ic = ii | cc | ic; cc | ii; ic acyclic ic as a",
       false},
      // A rule that leads from an end to a beginning.
      {"let rec ci = rf | ci; ii | cc; ci and ii = po | ci | ic; ii | ii; ii\n"
       "and cc = co | ci | ci; ic | cc; cc\n"
       "and ic = ii | cc | ic; cc | ii; ic acyclic ic as a",
       false},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct recursion r;
    struct cat *c;
    struct diag why;
    CHECK(cat_load_text("test", rows[i].text, strlen(rows[i].text), NULL, &c,
                        &why),
          "%s: %s", rows[i].text, why.text);
    CHECK_EQ(recursion_find(&r, &c->nodes, 0), rows[i].is, "%s", rows[i].text);
    cat_free(c);
  }
}
