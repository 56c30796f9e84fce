// SPDX-License-Identifier: MIT
// What is proved of terms by their form: what should be, and nothing that is
// not so.
#include "cat/eval/eval.h"
#include "cat/eval/sets.h"
#include "cat/facts/prove.h"
#include "cat/model.h"
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
      {"data", "[R | X]; data", true},
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
      {"po", "po \\ (W * R)", false},
      {"[R]; po", "po \\ (W * R)", true},
      {"po; [W]", "po \\ (W * R)", true},
      {"[SC]; po", "po \\ (RLX * R)", true},
      {"[SC & R]; po", "po \\ ([SC & W]; po; [R] | [RLX]; po)", true},
      {"[SC]; po", "po \\ ([SC & W]; po; [R] | [RLX]; po)", false},
      {"po \\ (W * R)", "po", true},
      {"rf", "po \\ (W * R)", false},
      {"po & (R * W)", "[R]; po; [W]", true},
      {"[R]; po; [W]", "po & (R * W)", true},
      {"po; [W]", "po & (R * W)", false},
      {"[R]; po", "po \\ rmw", false},
      {"[W]; data", "[R]; data", false}, // from a store-conditional
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
  static const char *const small[] = {"po",
                                      "rf",
                                      "co",
                                      "fr",
                                      "rmw",
                                      "po & loc",
                                      "rf & ext",
                                      "po \\ loc",
                                      "[W]",
                                      "[R]",
                                      "[SC]",
                                      "[W & SC]",
                                      "[F]",
                                      "id",
                                      "[R & ACQ | F]",
                                      "po & ext",
                                      "loc & int",
                                      "po & (W * R)",
                                      "po \\ (W * R)",
                                      "po \\ (SC * W)",
                                      "po \\ rmw",
                                      "fr \\ ([SC]; fr)",
                                      "po \\ (po; [W])"};
  if (!depth || below(s, 4) == 0) {
    str_add(to, "(%s)", small[below(s, sizeof small / sizeof *small)]);
    return;
  }
  static const char *const between[] = {"; ",  "; ",  "; ",  " | ",
                                        " | ", " & ", " \\ "};
  static const char *const behind[] = {"?", "+", "*"};
  unsigned kind = below(s, 10);
  str_add(to, "(");
  add_term(to, s, depth - 1);
  if (kind < 7) {
    str_add(to, "%s", between[kind]);
    add_term(to, s, depth - 1);
  }
  str_add(to, ")%s", kind < 7 ? "" : behind[kind - 7]);
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

// Of the first axiom, if events are in these combinations of sets.
static enum cat_bounded bound_of(const struct cat *c, const cat_sets *classes,
                                 uint32_t n) {
  struct cat_analysis a;
  cat_analyse(&a, c);
  enum cat_bounded found =
      cat_find_bounded(c, &a.proved, &(struct cat_bound){1, classes, n});
  cat_analysis_done(&a);
  return found;
}

enum {
  RELAXED = 1 << 0,
  SC_LOADS = 1 << 1,
  UPDATES = 1 << 2,
};

static enum cat_bounded bound_in(const char *axiom, unsigned has) {
  cat_sets classes[12] = {
      cat_initial_sets(),     CAT_IN(THREAD),         CAT_IN(F) | CAT_IN(ACQ),
      CAT_IN(F) | CAT_IN(SC), CAT_IN(W) | CAT_IN(SC),
  };
  uint32_t n = 5;
  if (has & RELAXED) {
    classes[n++] = CAT_IN(R) | CAT_IN(RLX);
    classes[n++] = CAT_IN(W) | CAT_IN(REL);
  }
  if (has & SC_LOADS)
    classes[n++] = CAT_IN(R) | CAT_IN(SC);
  if (has & UPDATES) {
    classes[n++] = CAT_IN(R) | CAT_IN(LOCKED) | CAT_IN(EXCLUSIVE) | CAT_IN(ACQ);
    classes[n++] = CAT_IN(W) | CAT_IN(LOCKED) | CAT_IN(EXCLUSIVE) | CAT_IN(REL);
  }
  struct cat *c = load(axiom);
  enum cat_bounded found = bound_of(c, classes, n);
  cat_free(c);
  return found;
}

static bool is_bounded(const char *axiom) {
  return bound_in(axiom, RELAXED | SC_LOADS | UPDATES) != BOUNDED_NOT;
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
      {"acyclic (rmw^-1; [R & ACQ]; rmw); po | rf", true},
      {"acyclic rmw^-1; po | rf", false},
      {"acyclic rf^-1; po", false},
      {"acyclic po? | rf", false},
      {"acyclic (po? \\ id) | rf", true},
      {"acyclic (po? \\ [R]) | rf", false},
      {"acyclic (R * W) | po", false},
      {"acyclic [W]; data; (W * W) | po", false},
      {"acyclic [W & REL]; data; (W * W) | po", false},
      {"acyclic [W \\ X]; data; (W * W) | po", true},
      {"acyclic (R * W) & po", true},
      {"acyclic loc & ext | po", false},
      {"empty po; rf", false},
      {"~acyclic po", false},
      {"let rec x = po | x; y and y = rf | y; x acyclic x", true},
      {"let rec x = po | x; y and y = rf^-1 | y; x acyclic x", false},
      {"let rec x = po? | x; x irreflexive x", false},
      {"let rec s = SC | range([s]; rf) acyclic [s]; po", false},
      // A new event that is on no cycle makes this a cycle of others.
      {"acyclic po | co & (fr^-1; fr)", false},
      {"acyclic po | co \\ (loc \\ (fr^-1; fr))", false},
      {"acyclic [domain(fr)]; po | rf | co | fr", false},
      {"acyclic [range(rf; fr)]; po | rf", false},
      {"acyclic [domain(rmw; [W & REL])]; po | rf", true},
      {"acyclic po | co & ext & (rf; fr)", true},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[200];
    snprintf(text, sizeof text, "let swap = rf %s", rows[i].axiom);
    CHECK_EQ(is_bounded(text), rows[i].is_bounded, "%s", rows[i].axiom);
  }
}

static bool is_bounded_in(const struct cat *c, const struct graph *g) {
  cat_sets classes[64] = {cat_initial_sets()};
  uint32_t n = 1;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT && n < 64;
       e = g->events[e].next)
    if (cat_sees(&g->events[e])) {
      uint32_t same = 0;
      classes[n] = cat_sets_of(&g->events[e], &no_options);
      while (classes[same] != classes[n])
        same++;
      n += same == n;
    }
  struct cat_proved nothing = {0};
  return cat_find_bounded(c, &nothing, &(struct cat_bound){1, classes, n}) !=
         BOUNDED_NOT;
}

// Where stores are delayed.
TEST(what_only_cycles_of_tso_break) {
  static const struct {
    const char *axiom;
    unsigned has;
    bool is_bounded;
  } rows[] = {
      {"acyclic [R | W]; po; [R | W] | rf | co | fr", RELAXED, false},
      {"acyclic [R | W]; po; [R | W] | rf | co | fr", SC_LOADS, true},
      {"acyclic [W]; po; [W] | [R]; po; [M] | rf & ext | co | fr", RELAXED,
       true},
      {"acyclic [W]; po; [W] | [R]; po; [M] | rf | co | fr", RELAXED, false},
      {"acyclic [M]; po; [F & SC]; po; [M] | rf & ext | fr", RELAXED, true},
      {"acyclic po; [F & ACQ]; po | rf & ext | fr", RELAXED, false},
      {"acyclic [M]; po; [R & SC] | rf & ext | fr", RELAXED, true},
      {"acyclic [M]; po; [R & SC] | rf & ext | fr", RELAXED | SC_LOADS, false},
      {"acyclic [M]; po; [X] | [X]; po; [M] | rf & ext | co", RELAXED | UPDATES,
       true},
      {"acyclic [M]; (po & ext); [M] | rf & ext | co | fr", RELAXED, true},
      {"irreflexive po; [R]; (po & loc)?; fr", RELAXED, false},
      {"irreflexive fr; [W]; po; [W]; (rf & ext); [R]; po; [M]", RELAXED, true},
      {"acyclic [R]; po & (fr; (rf & ext)); [R] | fr", RELAXED, true},
      {"acyclic ((rmw^-1; fr; (rf & ext)) & po) | rf & ext", UPDATES, false},
      {"acyclic ((amo^-1; fr; (rf & ext)) & po) | rf & ext", UPDATES, true},
      {"let rec i = rf & int | [R]; po; [M] | i; i acyclic [R]; i; [W] | fr",
       RELAXED, true},
      {"let rec i = rf & int | [R]; po; [M] | i; i acyclic i; [W] | fr | rf & "
       "ext",
       RELAXED, true},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "let M = R | W %s "
             "irreflexive (po & loc); (rf | co | fr)+ irreflexive rf; po",
             rows[i].axiom);
    CHECK_EQ(bound_in(text, rows[i].has) == BOUNDED_TSO, rows[i].is_bounded,
             "%u: %s", i, rows[i].axiom);
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
    for (unsigned k = 0; k < 4; k++) {
      struct graph g;
      const struct shape *h = start_random(&g, seed + k);
      for (unsigned i = 0; i < 14; i++)
        (void)grow(&g, &s, h);
      if (!is_bounded_in(c, &g)) {
        graph_done(&g);
        continue;
      }
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

static struct cat_proved facts_of(const char *text) {
  struct cat *c = load(text);
  struct cat_analysis a;
  cat_analyse(&a, c);
  struct cat_proved proved = a.proved;
  cat_analysis_done(&a);
  cat_free(c);
  return proved;
}

// What the fast code is told of its models, and more, is proved of their texts.
TEST(models_are_what_their_code_is_told) {
  for (unsigned i = 0; models[i]; i++) {
    const struct model *m = models[i];
    char text[60];
    snprintf(text, sizeof text, "%s.cat", m->name);
    if (!cat_text_find(text))
      continue; // xmm is more than a text
    snprintf(text, sizeof text, "include \"%s.cat\"", m->name);
    struct cat_proved p = facts_of(text);
    CHECK(p.porf_is_acyclic || m->tracks_dependencies, "%s", m->name);
    CHECK(p.has_no_thin_air, "%s", m->name);
    CHECK(p.co_keeps_porf == m->co_keeps_porf, "%s", m->name);
    CHECK_EQ(m->load_orders & ~p.load_orders, 0, "%s", m->name);
    // What is visible in jam21 says it of its own hb.
    CHECK(m->coherence == COHERENCE_HB ? p.hb_is_coherent || m->filters
                                       : p.po_is_coherent && !p.hb_is_coherent,
          "%s", m->name);
  }
}

TEST(facts_are_proved) {
  enum {
    PORF = 1,   // po | rf is acyclic
    AIR = 2,    // no thin air
    COH = 4,    // threads are coherent
    WRITES = 8, // but for two reads
    BAR = 16,   // acquires and fences order
  };
#define COHERENT "acyclic (po & loc) | rf | co | fr as c "
#define DEPENDENT COHERENT "acyclic rfe | addr; po? | data | ctrl | "
#define BARRIERS "[ACQ | SC]; po | po; [F | THREAD]; po as d"
  static const struct {
    const char *text;
    unsigned facts;
  } rows[] = {
      {COHERENT "acyclic po | rf as p", PORF | AIR | COH | WRITES},
      {COHERENT "acyclic po | rfe as p", PORF | AIR | COH | WRITES},
      {COHERENT "acyclic [R]; po; [W] | rfe as p", PORF | AIR | COH | WRITES},
      {COHERENT "irreflexive (po | rf)+ as p", PORF | AIR | COH | WRITES},
      {COHERENT "let rec hb = po | rf | hb; hb irreflexive hb as p",
       PORF | AIR | COH | WRITES},
      {"let hb = (po | rf)+ irreflexive hb; (rf | co | fr)* as p",
       PORF | AIR | COH | WRITES},
      {"acyclic po | rf | co | fr as sc", PORF | AIR | COH | WRITES},
      {COHERENT "acyclic (po \\ (W * R)) | rfe as p",
       PORF | AIR | COH | WRITES},
      // One by one, and beginning anywhere.
      {"acyclic po | rf as p irreflexive po-loc; co as ww "
       "irreflexive fr; po-loc as wr irreflexive po-loc; co; rf as rw "
       "irreflexive fr; rf; po-loc as rr",
       PORF | AIR | COH | WRITES},
      {"acyclic po | rf as p irreflexive po-loc; co as ww "
       "irreflexive fr; po-loc as wr irreflexive po-loc; co; rf as rw",
       PORF | AIR | WRITES},
      {"acyclic po | rf as p irreflexive po-loc; co as ww "
       "irreflexive fr; po-loc as wr irreflexive fr; rf; po-loc as rr",
       PORF | AIR},
      // Less than all of po, or of one location.
      {COHERENT "acyclic (po \\ (X * (W \\ X))) | rf as p", COH | WRITES},
      {COHERENT "acyclic (po \\ (po; [F]; po)) | rf as p", COH | WRITES},
      {COHERENT "acyclic po & int | rf as p", COH | WRITES},
      {COHERENT "acyclic po | (rf \\ (REL * R)) as p", COH | WRITES},
      {COHERENT "let s = [R]; po; [W]; rf irreflexive s; s as p", COH | WRITES},
      {COHERENT "irreflexive po | rf as p", COH | WRITES},
      {COHERENT "let rec hb = po | rf | hb; co irreflexive hb as p",
       COH | WRITES},
      {"acyclic po \\ loc | rf as p", 0},
      {"acyclic po | rf as p acyclic (po & loc) \\ data | rf | co | fr as c",
       PORF | AIR},
      {"acyclic po | rf as p "
       "acyclic (po & loc) \\ ((W & REL) * (W & RLX)) | rf | co | fr as c",
       PORF | AIR},
      {"acyclic po | rf as p acyclic po-loc \\ (R * R) | rf | co | fr as c",
       PORF | AIR | WRITES},
      {"acyclic po | rf as p "
       "acyclic po-loc \\ ([R]; ctrl; [R]) | rf | co | fr as c",
       PORF | AIR | WRITES},
      // A store-conditional is a write, and branched on.
      {"acyclic po | rf as p "
       "acyclic po-loc \\ (ctrl; [R]) | rf | co | fr as c",
       PORF | AIR},
      // Dependencies.
      {DEPENDENT BARRIERS, COH | WRITES | BAR},
      {DEPENDENT "(addr | data); rfi | " BARRIERS, AIR | COH | WRITES | BAR},
      {COHERENT "acyclic rf | addr; po? | data | ctrl | " BARRIERS,
       AIR | COH | WRITES | BAR},
      {COHERENT "acyclic rf | addr | data | ctrl | " BARRIERS,
       COH | WRITES | BAR},
      {DEPENDENT "(addr | data); rfi | [ACQ | SC]; po as d", COH | WRITES},
      {DEPENDENT "(addr | data); rfi | [SC]; po | po; [F | THREAD]; po as d",
       AIR | COH | WRITES},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct cat_proved p = facts_of(rows[i].text);
    unsigned facts = (p.porf_is_acyclic ? PORF : 0) |
                     (p.has_no_thin_air ? AIR : 0) |
                     (p.thread_is_coherent ? COH : 0) |
                     (p.writes_are_coherent ? WRITES : 0) |
                     (p.barriers_order && !p.porf_is_acyclic ? BAR : 0);
    CHECK_EQ(facts, rows[i].facts, "%s", rows[i].text);
  }
}

TEST(coherence_of_hb_is_proved) {
  static const struct {
    const char *text;
    bool is_proved;
  } rows[] = {
      {"acyclic po | rf as a acyclic po & loc | rf | co | fr as b", false},
      {"acyclic po | rf as a", false},
      {"acyclic po | rf as a irreflexive po; (rf | co | fr)+ as b", false},
      {"acyclic po | rf as a irreflexive (po | rf)+; (rf | co | fr)+ as b",
       true},
      // Stores that wait, and such that overtake each other.
      {COHERENT "acyclic po \\ (W * R) | rfe | co | fr as a", true},
      {COHERENT "acyclic po \\ (W * M) | po; [W & (REL | SC)] | "
                "po; [F]; po | rfe | co | fr as a",
       true},
      {COHERENT "acyclic po \\ (W * M) | po; [W & SC] | po; [F]; po | rfe | "
                "co | fr as a",
       false},
      {COHERENT "acyclic ([M]; po; [M]) \\ (W * M) | po; [W & (REL | SC)] | "
                "po; [F & SC]; po | rfe | co | fr as a",
       false},
      {COHERENT "acyclic po \\ (R * R) | rfe | co | fr as a", false},
      {COHERENT "acyclic po \\ (W * R) | rfe | co as a", false},
      {"include \"armv8.cat\"", false},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_EQ(facts_of(rows[i].text).hb_is_coherent, rows[i].is_proved, "%s",
             rows[i].text);
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
      {"include \"tso.cat\"", NULL, 3},
      {"include \"tso.cat\"", "tso", 3},
      {"include \"armv8.cat\"", NULL, 1},
      {"include \"armv8.cat\"", "armv8", 1},
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
      {"acyclic po | rf as a let rec x = po | rf | x; x irreflexive x as b",
       NULL, 3},
      {"acyclic po | rf as a let rec x = po | x; fr | x; x irreflexive x as b",
       NULL, 1},
      // Reads may come before what they read.
      {"acyclic po & loc | rf | co | fr as a "
       "acyclic addr | data | ctrl | rf as b",
       NULL, 0},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_EQ(given_by(rows[i].text, rows[i].builtin), rows[i].given, "%s",
             rows[i].text);
}
