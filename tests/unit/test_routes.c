// SPDX-License-Identifier: MIT
// Routes (cat/facts/routes.c) are a lower bound: on random graphs, what is
// refuted by them is refused by the definition, and most of what that refuses
// is refuted where the text has such paths.
#include "cat/eval/eval.h"
#include "cat/facts/recursion.h"
#include "cat/judge/refute.h"
#include "cat/judge/rows.h"
#include "cat/model.h"
#include "random_deps.h"
#include "setting.h"
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

// By the axioms that routes are made of.
static bool is_refused(const struct cat_model *m, const struct graph *g) {
  return !m->model.allows(&m->model, g, &no_options, /*is_complete=*/false);
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
    bool is_wrong = is_refused(m, &b.g);
    CHECK(is_wrong || !is_refuted, "%s, seed %u, step %u: refuted",
          m->model.name, seed, step);
    CHECK(!is_wrong || !is_cleared, "%s, seed %u, step %u: cleared",
          m->model.name, seed, step);
    n->refused += is_wrong;
    n->refuted += is_refuted;
    n->allowed += !is_wrong;
    n->cleared += is_cleared;
    if (is_wrong)
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

// -- random axioms

// Steps, what is asked of their ends, and names of what was drawn before.
static void add_term(struct str *to, uint64_t *s, unsigned depth,
                     unsigned names) {
  static const char *const small[] = {
      "po",   "po",         "rf",       "co",       "fr",        "rmw",
      "data", "addr",       "ctrl",     "[W]",      "[R & ACQ]", "[F]",
      "id",   "rf & ext",   "fr & ext", "co & int", "po & loc",  "rmw^-1",
      "0",    "po & R * W", "[ISB]"};
  static const char *const asked[] = {" & int",
                                      " & ext",
                                      " & loc",
                                      " \\ id",
                                      " & po",
                                      " & W * M",
                                      " & ([R]; (int | loc))"};
  unsigned kind = below(s, 12);
  if (!depth || below(s, 5) == 0) {
    if (names && below(s, 3) == 0)
      str_add(to, "n%u", below(s, names));
    else
      str_add(to, "(%s)", small[below(s, sizeof small / sizeof *small)]);
    return;
  }
  str_add(to, "(");
  add_term(to, s, depth - 1, names);
  if (kind < 6) {
    str_add(to, kind < 4 ? "; " : " | ");
    add_term(to, s, depth - 1, names);
  } else if (kind < 9) {
    str_add(to, "%s", asked[below(s, sizeof asked / sizeof *asked)]);
  } else if (kind == 9) {
    str_add(to, " \\ ");
    add_term(to, s, 1, names);
  }
  str_add(to, kind < 10 ? ")" : kind == 10 ? ")+" : ")?");
}

// n0 and n1 may be a `let rec`, which is an automaton mostly.
static void add_names(struct str *to, uint64_t *s) {
  bool is_recursive = below(s, 3) == 0;
  str_add(to, is_recursive ? "let rec n0 = " : "let n0 = ");
  add_term(to, s, 2, 0);
  if (is_recursive)
    str_add(to, below(s, 2) ? " | n0; n0" : " | n1 | n0; n1");
  str_add(to, is_recursive ? "\nand n1 = " : "\nlet n1 = ");
  add_term(to, s, 2, is_recursive ? 0 : 1);
  if (is_recursive)
    str_add(to, below(s, 2) ? " | n1; n0 | n0" : " | n1; n1");
  str_add(to, "\nlet n2 = ");
  add_term(to, s, 2, 2);
  str_add(to, "\n");
}

static void add_axiom(struct str *to, uint64_t *s) {
  static const char *const tests[] = {"acyclic ", "acyclic ", "irreflexive ",
                                      "empty "};
  const char *test = tests[below(s, sizeof tests / sizeof *tests)];
  str_add(to, "%s(", test);
  add_term(to, s, 3, 3);
  if (*test == 'e') {
    str_add(to, ") & (");
    add_term(to, s, 1, 3);
    str_add(to, ")^-1 as a\n");
  } else {
    static const char *const rest[] = {"; (po | co | fr | rf & ext)",
                                       "; (po | co | fr | rf)+", " | fr",
                                       " | fr | (rf & ext) | co", "; n2; fr"};
    str_add(to, ")%s as a\n", rest[below(s, sizeof rest / sizeof *rest)]);
  }
}

TEST(random_axioms) {
  struct counts n = {0};
  uint64_t many = setting_many("HEDDLE_SEEDS", 200);
  uint64_t first = setting_first(200);
  for (uint64_t seed = first; seed < first + many; seed++) {
    uint64_t s = seed * UINT64_C(0xd1342543de82ef95) + 7;
    struct str text = {0};
    str_add(&text, BASIC);
    add_names(&text, &s);
    add_axiom(&text, &s);
    struct cat_model *m = model_of(str_text(&text));
    for (unsigned k = 1; k <= 10; k++)
      compare(m, (unsigned)seed + k, &n);
    cat_model_free(m);
    str_done(&text);
  }
  CHECK(n.cleared > many && (many < 100 || n.refuted > many / 10),
        "%u refuted, %u cleared", n.refuted, n.cleared);
}

// -- more combinations of sets than there is room for

TEST(kinds_of_events_that_are_too_many) {
  struct cat_model *m = model_of("sc.cat");
  struct refuter r;
  struct built b;
  start(&b, 3, 2);
  for (uint8_t t = 0; t < 3; t++)
    add(&b, (struct event){.kind = EV_START, .thread = t, .rf = NO_EVENT}, 0,
        0);
  for (unsigned i = 2; i < 2 * FENCE_COUNT; i++) {
    struct event f = {.kind = EV_FENCE,
                      .thread = 2,
                      .order = i % 2 ? ORD_SC : ORD_NA,
                      .value = i / 2};
    if (!fence_has_location((enum fence_kind)f.value))
      add(&b, f, 0, 0);
  }
  // Store buffering: the stores are of no class.
  event_id e = NO_EVENT;
  for (uint8_t t = 0; t < 2; t++)
    add(&b,
        (struct event){
            .kind = EV_WRITE, .thread = t, .loc = t, .order = ORD_RLX, .co = 1},
        0, 0);
  for (uint8_t t = 0; t < 2; t++)
    e = add(&b,
            (struct event){.kind = EV_READ,
                           .thread = t,
                           .loc = !t,
                           .order = ORD_RLX,
                           .rf = INIT_EVENT},
            0, 0);
  refuter_init(&r, m->cat, m->pruning, m->store);
  refuter_begin(&r);
  CHECK_EQ(refuter_class_of(&r, &b.g.events[e]), 0, "the read");
  CHECK(is_refused(m, &b.g), "store buffering is allowed");
  CHECK(!clears(&r, &b.g, e, &no_options), "it is on no cycle");
  CHECK_EQ(r.nclasses, ROUTE_CLASSES, "classes");
  refuter_done(&r);
  stop(&b);
  cat_model_free(m);
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

// -- what its rows have, forwards and backwards, is what the definition says

// Initial writes may be in another order.
static uint32_t number_in(const struct part *p, const struct cat_event *e) {
  for (uint32_t i = 0; i < p->n; i++)
    if (p->events[i].id == e->id &&
        (e->id != INIT_EVENT || p->events[i].loc == e->loc))
      return i;
  CHECK(false, "event %u is missing", e->id);
  return 0;
}

static void compare_rows(const struct cat_model *m, const struct graph *g,
                         unsigned seed, uint32_t *pairs) {
  const struct node_group *group = &m->cat->nodes.groups.at[0];
  struct part part;
  struct rows rows;
  struct cat_world w;
  struct cat_values v;
  CHECK(part_init(&part, g, &no_options, NULL, /*has_lives=*/false), "a part");
  rows_init(&rows, m->rows, &part);
  cat_world_init(&w, m->cat, g, &no_options, /*has_lives=*/false);
  cat_values_init(&v, m->cat, &w);
  for (uint32_t k = 0; k < group->variables.len; k++) {
    node_id x = group->variables.at[k];
    const struct rel *defined = cat_value(&v, x);
    for (uint32_t i = 0; i < w.n; i++)
      for (uint32_t j = 0; j < w.n; j++) {
        uint32_t from = number_in(&part, &w.events[i]);
        uint32_t to = number_in(&part, &w.events[j]);
        bool is = rel_has(defined, i, j);
        *pairs += is;
        CHECK_EQ(bit_has(rows_row(&rows, x, from, false), to), is,
                 "seed %u, variable %u, from %u to %u", seed, k, i, j);
        CHECK_EQ(bit_has(rows_row(&rows, x, to, true), from), is,
                 "seed %u, variable %u, back from %u to %u", seed, k, j, i);
      }
  }
  cat_values_done(&v);
  cat_world_done(&w);
  rows_done(&rows);
  part_done(&part);
}

TEST(rows_of_recursion) {
  static const struct {
    const char *text;
    bool is; // an automaton
  } texts[] = {
      {BASIC "let rec x = fr | rf | x; x acyclic x as a", true},
      {BASIC "let rec ci = rf & ext | ci; ii | cc; ci\n"
             "and ii = addr | fr & ext | ci | ic; ci | ii; ii\n"
             "and cc = data | po & loc | ci | ci; ic | cc; cc\n"
             "and ic = ii | cc | ic; cc | ii; ic irreflexive [R]; ic; [W]; co",
       true},
      {BASIC "let rec x = rf | po & loc | x; co | x^-1; x acyclic x & po",
       false},
      {BASIC "let rec x = rf | [domain(x)]; po | x; [range(x)]; co "
             "acyclic x & po",
       false},
  };
  for (unsigned i = 0; i < LENGTH(texts); i++) {
    struct cat_model *m = model_of(texts[i].text);
    uint32_t pairs = 0;
    CHECK_EQ(m->rows->recursions[0] != NULL, texts[i].is, "%s", texts[i].text);
    for (unsigned seed = 0; seed < 200; seed++) {
      uint64_t s = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
      const struct mix *mix = mix_of(seed);
      struct built b;
      start_random(&b, mix);
      for (unsigned step = 0; step < 30; step++)
        (void)grow(&b, &s, mix);
      compare_rows(m, &b.g, seed, &pairs);
      stop(&b);
    }
    CHECK(pairs > 1000, "%u pairs", pairs);
    cat_model_free(m);
  }
}
