// SPDX-License-Identifier: MIT
// Routes (cat/facts/routes.c) are a lower bound: on random graphs, what is
// refuted by them is refused by the definition, and most of what that refuses
// is refuted where the text has such paths.
#include "cat/facts/recursion.h"
#include "cat/judge/refute.h"
#include "cat/model.h"
#include "random_deps.h"
#include "tap.h"

#define BASIC                                                                  \
  "acyclic (po & loc) | rf | co | fr as coherence acyclic po | rf as "         \
  "causality "

static const struct model_options no_options = {0};

struct counts {
  unsigned refused, refuted, cleared, allowed;
};

// A built-in text, or one that is given.
static struct cat_model *model_of(const char *text) {
  struct cat_search none = {0};
  struct cat_model *m = NULL;
  struct cat *c;
  struct diag why;
  const struct cat_text *t = cat_text_find(text);
  bool ok = (t ? cat_load_text(t->name, t->text, t->size, &none, &c, &why)
               : cat_load_text("test", text, strlen(text), &none, &c, &why)) &&
            cat_model_of(c, &m, &why);
  CHECK(ok, "%s: %s", text, why.text);
  return m;
}

static void compare(const struct cat_model *m, unsigned seed,
                    struct counts *n) {
  uint64_t s = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  const struct mix *mix = mix_of(seed);
  struct refuter r;
  struct built b;
  start_random(&b, mix);
  // (Every other one of what is shared by all graphs of this text.)
  refuter_init(&r, m->cat, m->pruning, seed % 2 ? m->store : NULL);
  for (unsigned step = 0; step < 30; step++) {
    struct graph_mark mark = graph_mark(&b.g);
    event_id e = grow(&b, &s, mix);
    if (e == NO_EVENT)
      continue;
    refuter_begin(&r);
    bool is_refuted = refutes(&r, &b.g, e, &no_options);
    bool is_cleared = clears(&r, &b.g, e, &no_options);
    bool is_refused = !model_allows(&m->model, &b.g, &no_options);
    CHECK(is_refused || !is_refuted, "%s, seed %u, step %u: refuted",
          m->model.name, seed, step);
    CHECK(!is_refused || !is_cleared, "%s, seed %u, step %u: cleared",
          m->model.name, seed, step);
    n->refused += is_refused;
    n->refuted += is_refuted;
    n->allowed += !is_refused;
    n->cleared += is_cleared;
    if (is_refused)
      graph_undo_to(&b.g, mark);
  }
  refuter_done(&r);
  stop(&b);
}

TEST(what_is_refuted_is_refused_and_what_is_cleared_is_not) {
  static const struct {
    const char *text;
    unsigned percent, clear; // of what is refused, and of the rest
  } rows[] = {
      {"sc.cat", 60, 90},
      {"armv8.cat", 20, 0},
      {"riscv.cat", 30, 90},
      {"power.cat", 20, 90},
      {"armv7.cat", 30, 90},
      {"lkmm.cat", 25, 90},
      // The newest event is in the middle of a pair, of a path that is a step,
      // of one in one; behind the end of a pair another one begins.
      {BASIC "irreflexive rf; po; co; po as a", 0, 50},
      {BASIC "irreflexive rf; (ext & (po; co)); po as a", 0, 50},
      {BASIC "irreflexive (int & (rf; (ext & (po; co)))); po as a", 0, 50},
      {BASIC "acyclic (po & W * R) | fr as a", 50, 90},
      {BASIC "empty (po; rf; po) & co^-1 as a", 50, 90},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct cat_model *m = model_of(rows[i].text);
    struct counts n = {0};
    for (unsigned seed = 1; seed <= 60; seed++)
      compare(m, seed, &n);
    CHECK(n.refused > 5 && n.refuted * 100 >= n.refused * rows[i].percent,
          "%s: of %u refused, %u are refuted", rows[i].text, n.refused,
          n.refuted);
    CHECK(n.cleared * 100 >= n.allowed * rows[i].clear,
          "%s: of %u allowed, %u are cleared", rows[i].text, n.allowed,
          n.cleared);
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
