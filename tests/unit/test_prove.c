// SPDX-License-Identifier: MIT
// What is proved of terms by their form: what should be, and nothing that is
// not so.
#include "cat/eval.h"
#include "cat/model.h"
#include "cat/prove.h"
#include "random_graph.h"
#include "tap.h"

#include <stdlib.h>

static const struct model_options no_options;

static struct cat *load(const char *text) {
  struct cat *c = NULL;
  struct diag why;
  CHECK(cat_load_text("test.cat", text, strlen(text), NULL, &c, &why),
        "%s: %u: %s", text, why.column, why.text);
  return c;
}

// The two names, and that one is part of the other as an axiom.
static struct cat *load_two(const char *part, const char *whole) {
  struct str s = {0};
  str_add(&s, "let part = %s\nlet whole = %s\nempty part \\ whole as a", part,
          whole);
  struct cat *c = load(str_text(&s));
  str_done(&s);
  return c;
}

static bool proves(struct cat *c) {
  return cat_proves(&c->nodes, c->names.at[0].node, c->names.at[1].node);
}

TEST(parts_are_found) {
  static const struct {
    const char *part, *whole;
    bool is_proved;
  } rows[] = {
      {"po", "po", true},
      {"po", "po | rf", true},
      {"po; rf", "(po | rf)+", true},
      {"(po | rf)+", "(po | rf | co)+", true},
      {"(po; [F]; po | rf)+", "(po | rf)+", true},
      {"(po | rf)+; co?", "(po | rf | co)+", true},
      {"po; [F]; po", "po", true},
      {"rmw; po", "po", true},
      {"rf", "[W]; rf; [R]", true},
      {"[R & ACQ]; po", "[R & (ACQ | SC)]; po", true},
      {"[R & ACQ]; po", "[R & (ACQ \\ LDAPR) | LDAPR]; po", true},
      {"rf & ext", "(rf | co | fr) & ext", true},
      {"rmw", "po & loc", true},
      {"rf; rmw", "[W]; (rf; rmw)*", true},
      {"[W & REL]; rf", "[W & REL]; po?; rf", true},
      // What is not so.
      {"po | rf", "po", false},
      {"po?", "po", false},
      {"rf; rf", "rf", false},
      {"po; rf", "rf; po", false},
      {"(po | rf)+", "po | rf", false},
      {"(po | rf)+", "(po; rf)+", false},
      {"[R & (ACQ | SC)]; po", "[R & ACQ]; po", false},
      {"po; [F]", "[F]; po", false},
      {"rf", "rf & ext", false},
      {"po", "po \\ loc", false},
      {"po", "int", false}, // a thread comes after what creates it
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct cat *c = load_two(rows[i].part, rows[i].whole);
    CHECK_EQ(proves(c), rows[i].is_proved, "%s in %s", rows[i].part,
             rows[i].whole);
    cat_free(c);
  }
}

// -- nothing wrong is proved

static void add_term(struct str *to, uint64_t *s, unsigned depth) {
  static const char *const small[] = {
      "po",       "rf",       "co",        "fr",  "rmw",
      "po & loc", "rf & ext", "po \\ loc", "[W]", "[R]",
      "[SC]",     "[W & SC]", "[F]",       "id",  "[R & ACQ | F]",
      "po & ext", "loc & int"};
  if (!depth || below(s, 4) == 0) {
    str_add(to, "(%s)", small[below(s, sizeof small / sizeof *small)]);
    return;
  }
  unsigned kind = below(s, 9);
  str_add(to, "(");
  add_term(to, s, depth - 1);
  if (kind < 6) {
    str_add(to, "%s", kind < 3 ? "; " : kind < 5 ? " | " : " & ");
    add_term(to, s, depth - 1);
  }
  str_add(to, ")%s", kind < 6 ? "" : kind == 6 ? "?" : kind == 7 ? "+" : "*");
}

// A term of which the first is likely to be a part.
static void add_larger(struct str *to, uint64_t *s, const char *term) {
  switch (below(s, 4)) {
  case 0:
    str_add(to, "(%s)+", term);
    break;
  case 1:
    str_add(to, "(%s | ", term);
    add_term(to, s, 2);
    str_add(to, ")+");
    break;
  case 2:
    str_add(to, "(%s); ", term);
    add_term(to, s, 2);
    break;
  default:
    add_term(to, s, 3);
  }
}

static bool is_part_in_graphs(const struct cat *c, uint64_t *s) {
  for (unsigned seed = 1; seed <= 6; seed++) {
    struct graph g;
    const struct shape *h = start_random(&g, seed + below(s, 1000));
    for (unsigned k = 0; k < 14; k++)
      (void)grow(&g, s, h);
    bool ok = !cat_broken(c, &g, &no_options);
    graph_done(&g);
    if (!ok)
      return false;
  }
  return true;
}

TEST(what_is_proved_is_so) {
  unsigned proved = 0;
  for (unsigned seed = 1; seed <= 4000; seed++) {
    uint64_t s = seed_of(seed);
    struct str part = {0}, whole = {0};
    add_term(&part, &s, 3);
    add_larger(&whole, &s, str_text(&part));
    struct cat *c = load_two(str_text(&part), str_text(&whole));
    if (proves(c)) {
      proved++;
      CHECK(is_part_in_graphs(c, &s), "seed %u: %s in %s", seed,
            str_text(&part), str_text(&whole));
    }
    cat_free(c);
    str_done(&part);
    str_done(&whole);
  }
  CHECK(proved > 800 && proved < 3200, "%u of 4000 are proved", proved);
}

// -- cycles of po | rf | co | fr

static bool is_bounded(const char *axiom) {
  struct cat *c = load(axiom);
  bool found = cat_find_bounded(c) & 1;
  cat_free(c);
  return found;
}

TEST(what_only_cycles_break) {
  static const struct {
    const char *axiom;
    bool is_bounded;
  } rows[] = {
      {"acyclic po | rf | co | fr", true},
      {"irreflexive (po | rf)+; (co | fr)?", true},
      {"acyclic (po \\ loc) | rf & ext | [R]; po", true},
      {"acyclic swap^-1; po", false},
      {"acyclic (rmw; [W & REL]; rmw^-1); po | rf", true},
      {"acyclic rmw^-1; [R & ACQ]; rmw; po | rf", true},
      {"acyclic rmw^-1; po | rf", false},
      {"acyclic rf^-1; po", false},
      {"acyclic po? | rf", false},
      {"acyclic (R * W) | po", false},
      {"acyclic (R * W) & po", true},
      {"acyclic loc & ext | po", false},
      {"empty po; rf", false},
      {"~acyclic po", false},
      {"let rec x = po | x; y and y = rf | y; x acyclic x", true},
      {"let rec x = po | x; y and y = rf^-1 | y; x acyclic x", false},
      {"let rec x = po? | x; x irreflexive x", false},
      {"let rec s = SC | range([s]; rf) acyclic [s]; po", true},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[200];
    snprintf(text, sizeof text, "let swap = rf %s", rows[i].axiom);
    CHECK_EQ(is_bounded(text), rows[i].is_bounded, "%s", rows[i].axiom);
  }
}

// In random graphs such axioms hold if there is no such cycle.
TEST(what_is_bounded_is_so) {
  struct cat *sc = load("acyclic po | rf | co | fr");
  unsigned bounded = 0, broken = 0;
  for (unsigned seed = 1; seed <= 1500; seed++) {
    uint64_t s = seed_of(seed);
    struct str text = {0};
    str_add(&text, "acyclic po | %s | ", below(&s, 2) ? "fr" : "co; rf");
    add_term(&text, &s, 3);
    struct cat *c = load(str_text(&text));
    for (unsigned k = 0; cat_find_bounded(c) && k < 4; k++) {
      struct graph g;
      const struct shape *h = start_random(&g, seed + k);
      for (unsigned i = 0; i < 14; i++)
        (void)grow(&g, &s, h);
      bool is_broken = cat_broken(c, &g, &no_options);
      CHECK(!is_broken || cat_broken(sc, &g, &no_options), "seed %u: %s", seed,
            str_text(&text));
      bounded++;
      broken += is_broken;
      graph_done(&g);
    }
    cat_free(c);
    str_done(&text);
  }
  CHECK(bounded > 500 && broken > 50, "%u, %u", bounded, broken);
  cat_free(sc);
}

// -- the models

static uint8_t orders_of(const char *text, bool *hb_is_coherent) {
  struct cat_model *m = NULL;
  struct diag why;
  CHECK(cat_model_of(load(text), &m, &why), "%s", why.text);
  uint8_t orders = m->analysis.proved.load_orders;
  *hb_is_coherent = m->analysis.proved.hb_is_coherent;
  cat_model_free(m);
  return orders;
}

// The texts allow what the fast code is told of its models.
TEST(models_have_the_orders_of_their_code) {
  static const struct {
    const char *text;
    uint8_t orders;
    bool hb_is_coherent;
  } rows[] = {
      {"include \"sc.cat\"", ORDER_ALL, true},
      {"include \"ra.cat\"", ORDER_ALL, true},
      {"include \"rc11.cat\"", ORDER_ALL, true},
      {"include \"imm.cat\"", ORDER_ALL, true},
      {"include \"c11.cat\"",
       ORDER_ACQUIRE | ORDER_DEPEND | ORDER_UPDATE | ORDER_HB | ORDER_THREAD,
       true},
      {"include \"armv8.cat\"", ORDER_ALL - ORDER_HB, false},
      {"include \"lkmm.cat\"", ORDER_DEPEND, false},
      {"include \"tso.cat\"", 0, false},
      {"include \"armv7.cat\"", 0, false},
      // Happens-before that is not coherent.
      {"acyclic po | rf as a acyclic po & loc | rf | co | fr as b",
       ORDER_ALL - ORDER_HB, false},
      {"acyclic po | rf as a", ORDER_ALL - ORDER_HB, false},
      {"acyclic po | rf as a irreflexive po; (rf | co | fr)+ as b",
       ORDER_ALL - ORDER_HB, false},
      {"acyclic po | rf as a irreflexive (po | rf)+; (rf | co | fr)+ as b",
       ORDER_ALL, true},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool is_coherent;
    CHECK_EQ(orders_of(rows[i].text, &is_coherent), rows[i].orders, "%s",
             rows[i].text);
    CHECK_EQ(is_coherent, rows[i].hb_is_coherent, "%s", rows[i].text);
  }
}

// Bits of the axioms that the search sees to itself.
static uint64_t given_by(const char *text, const char *builtin) {
  struct cat_model *m = NULL;
  struct diag why;
  struct cat *c = load(text);
  c->same_as = builtin ? model_find(builtin) : NULL;
  CHECK(cat_model_of(c, &m, &why), "%s", why.text);
  uint64_t given = m->analysis.proved.given;
  cat_model_free(m);
  return given;
}

TEST(what_the_search_sees_to_is_found) {
  static const struct {
    const char *text, *builtin;
    uint64_t given;
  } rows[] = {
      {"include \"sc.cat\"", NULL, 1},
      {"include \"tso.cat\"", NULL, 1},
      {"include \"tso.cat\"", "tso", 3},
      {"include \"armv8.cat\"", NULL, 1},
      {"include \"armv8.cat\"", "armv8", 3},
      {"include \"rc11.cat\"", NULL, 7},
      {"include \"ra.cat\"", NULL, 7},
      {"include \"power.cat\"", NULL, 2},
      // What plain accesses do by fences counts for these.
      {"include \"imm.cat\"", NULL, 1},
      {"include \"imm.cat\"", "imm", 3},
      // More than program order, or than happens-before, is given by nobody.
      {"acyclic po | rf as a acyclic po | co as b", NULL, 1},
      {"acyclic po | rf as a irreflexive po; (rf | co | fr)+ as b", NULL, 1},
      {"acyclic po | rf as a irreflexive (po | rf)+; (rf | co | fr)+ as b",
       NULL, 1},
      {"acyclic po | rf as a acyclic po & loc | rf | co | fr as b", NULL, 1},
      {"acyclic po | rf as a acyclic po & loc | rf | co as b", NULL, 1},
      {"acyclic po | rf as a empty po & rf as b", NULL, 1},
      {"acyclic po | rf as a acyclic po? as b", NULL, 1},
      // Reads may come before what they read.
      {"acyclic po | rf & int as a acyclic addr | data | ctrl | rf as b", NULL,
       0},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_EQ(given_by(rows[i].text, rows[i].builtin), rows[i].given, "%s",
             rows[i].text);
}
